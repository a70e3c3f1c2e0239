"""Plays episodes with an agent. Answers are evaluated by ``ocaml_env.episode``, as in training and in ``env.step``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ocaml_env import AnyVerifier, OCamlEnvError, Problem, RewardSpec
from ocaml_env.episode import Episode, EpisodeSpec, Evaluation, evaluate_each
from ocaml_env.evaluation.models.agent import Agent

__all__ = ["Played", "play"]


@dataclass(frozen=True, kw_only=True)
class Played:
    """One ended episode.

    Attributes:
        problem: its problem.
        prompts: the observation of each turn.
        turns: the evaluation of each turn.
        fault: the infrastructure error that ended the episode, or "".
    """

    problem: Problem
    prompts: tuple[str, ...]
    turns: tuple[Evaluation, ...]
    fault: str = ""

    @property
    def last(self) -> Evaluation:
        """The evaluation of the last turn."""
        return self.turns[-1]

    @property
    def passed(self) -> bool:
        return not self.fault and self.last.verdict.passed


def play(
    agent: Agent,
    problems: Sequence[Problem],
    *,
    verifier: AnyVerifier,
    reward: RewardSpec,
    spec: EpisodeSpec | None = None,
) -> list[Played]:
    """Plays one episode of each problem, all side by side. The answers of one turn are verified together.

    An infrastructure error ends only its own episode.

    Raises:
        ConfigError: if the reward or the verifier is unusable.
    """
    spec = spec or EpisodeSpec()
    episodes = [Episode(problem, spec) for problem in problems]
    observations: list[str] = [episode.prompt for episode in episodes]
    prompts: list[list[str]] = [[] for _ in episodes]
    turns: list[list[Evaluation]] = [[] for _ in episodes]
    faults = [""] * len(episodes)
    while playing := [index for index, episode in enumerate(episodes) if not episode.done and not faults[index]]:
        answers = agent.act([observations[index] for index in playing])
        pairs = [(problems[index], answer) for index, answer in zip(playing, answers, strict=True)]
        evaluations = evaluate_each(pairs, verifier=verifier, reward=reward)
        for index, evaluation in zip(playing, evaluations, strict=True):
            prompts[index].append(observations[index])
            if isinstance(evaluation, OCamlEnvError):
                faults[index] = f"{type(evaluation).__name__}: {evaluation}"
                continue
            turns[index].append(evaluation)
            observations[index] = episodes[index].advance(evaluation).observation
    return [
        Played(problem=problem, prompts=tuple(asked), turns=tuple(answered), fault=fault)
        for problem, asked, answered, fault in zip(problems, prompts, turns, faults, strict=True)
    ]


def batches(problems: Sequence[Problem], size: int) -> Iterator[Sequence[Problem]]:
    """Splits problems into batches, to show and write results after each."""
    for start in range(0, len(problems), size):
        yield problems[start : start + size]
