"""Agents play problems: every answer goes through ``ocaml_env.episode``, as in training and in ``env.step``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.base import Agent
from ocaml_env import Problem, RewardSpec, Verifier
from ocaml_env.episode import Episode, EpisodeSpec, Judgement, judge_many

__all__ = ["Played", "play"]


@dataclass(frozen=True, kw_only=True)
class Played:
    """One episode that was played to its end.

    Attributes:
        problem: what was asked.
        prompts: the observation of each turn.
        turns: what became of the answer of each turn.
    """

    problem: Problem
    prompts: tuple[str, ...]
    turns: tuple[Judgement, ...]

    @property
    def last(self) -> Judgement:
        """The judgement that the episode ended with."""
        return self.turns[-1]

    @property
    def passed(self) -> bool:
        return self.last.verdict.passed


def play(
    agent: Agent,
    problems: Sequence[Problem],
    *,
    verifier: Verifier,
    reward: RewardSpec,
    spec: EpisodeSpec | None = None,
) -> list[Played]:
    """Plays one episode of each problem, all side by side: the answers of one turn are verified together.

    Raises:
        OCamlEnvError: where we failed, not the agent.
    """
    spec = spec or EpisodeSpec()
    episodes = [Episode(problem, spec) for problem in problems]
    observations = [episode.prompt for episode in episodes]
    prompts: list[list[str]] = [[] for _ in episodes]
    turns: list[list[Judgement]] = [[] for _ in episodes]
    while playing := [index for index, episode in enumerate(episodes) if not episode.done]:
        answers = agent.act([observations[index] for index in playing])
        pairs = [(problems[index], answer) for index, answer in zip(playing, answers, strict=True)]
        judgements = judge_many(pairs, verifier=verifier, reward=reward)
        for index, judgement in zip(playing, judgements, strict=True):
            prompts[index].append(observations[index])
            turns[index].append(judgement)
            observations[index] = episodes[index].advance(judgement).observation
    return [
        Played(problem=problem, prompts=tuple(asked), turns=tuple(answered))
        for problem, asked, answered in zip(problems, prompts, turns, strict=True)
    ]


def batches(problems: Sequence[Problem], size: int) -> Iterator[Sequence[Problem]]:
    """The problems in pieces, so that results can be shown and written as they come."""
    for start in range(0, len(problems), size):
        yield problems[start : start + size]
