"""Episodes: a sample is asked, its answer is judged, until it is solved or its turns are used up."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any

from benchmarks.models import Answer, Model, Request, seed_of
from benchmarks.protocol import Protocol
from benchmarks.records import NOTHING, about, became
from ocaml_env import AnyVerifier, OCamlEnvError, Problem, RewardSpec
from ocaml_env.episode import Episode, EpisodeSpec, Judgement, judge_or_fault
from ocaml_env.extract import Completion
from ocaml_env.prompt import digest

__all__ = ["Asked", "Judge", "Playing", "Rejudge", "Run"]


@dataclass(frozen=True, slots=True)
class Asked:
    """One sample: an episode of a problem."""

    problem: Problem
    sample: int

    @property
    def key(self) -> tuple[str, int]:
        return self.problem.id, self.sample


@dataclass(kw_only=True)
class Playing:
    """An episode in hand.

    Attributes:
        asked: which one.
        episode: how far it is.
        prompt: of the next turn.
        seed: of its first turn.
        answers: so far.
        judgements: of the answers.
        fault: why it cannot go on; "" where it can.
    """

    asked: Asked
    episode: Episode
    prompt: str
    seed: int
    answers: list[Answer] = field(default_factory=list)
    judgements: list[Judgement] = field(default_factory=list)
    fault: str = ""

    @property
    def is_over(self) -> bool:
        return self.episode.done or bool(self.fault)

    def take(self, answer: Answer, judgement: Judgement | OCamlEnvError | None) -> None:
        """The next turn: the answer and what it is worth, or what is wrong with either."""
        if judgement is None:
            self.fault = answer.fault
        elif isinstance(judgement, OCamlEnvError):
            self.fault = f"verification: {judgement}"
        else:
            self.answers.append(answer)
            self.judgements.append(judgement)
            self.episode.take(judgement)
            if not self.episode.done:
                self.prompt = self.episode.observation(judgement)


@dataclass(frozen=True, kw_only=True)
class Judge:
    """How answers are judged.

    Attributes:
        protocol: says by which rule.
        verifier: judges.
        reward: pays.
    """

    protocol: Protocol
    verifier: AnyVerifier
    reward: RewardSpec

    def __call__(self, problem: Problem, answer: Answer) -> Judgement | OCamlEnvError | None:
        """The judgement of an answer, the fault of ours in its place, or None where there is no answer to judge."""
        if answer.fault:
            return None
        return judge_or_fault(
            problem, answer.completion, verifier=self.verifier, reward=self.reward, by=self.protocol.judge
        )


@dataclass(frozen=True, kw_only=True)
class Run:
    """How samples are played.

    Attributes:
        judge: judges their answers.
        spec: how problems are asked, and for how many turns.
        seed: of the run.
    """

    judge: Judge
    spec: EpisodeSpec
    seed: int

    def begin(self, asked: Asked) -> Playing:
        """A new episode."""
        episode = Episode(asked.problem, self.spec)
        seed = seed_of(self.seed, asked.problem.id, asked.sample, 1)
        return Playing(asked=asked, episode=episode, prompt=episode.prompt, seed=seed)

    def request(self, one: Playing) -> Request:
        """What is asked next."""
        problem, sample, turn = one.asked.problem, one.asked.sample, one.episode.turn + 1
        seed = one.seed if turn == 1 else seed_of(self.seed, problem.id, sample, turn)
        return Request(problem=problem, sample=sample, turn=turn, prompt=one.prompt, seed=seed)

    def record(self, one: Playing) -> dict[str, Any]:
        """An episode that is over, for ``samples.jsonl``."""
        problem = one.asked.problem
        return {
            "problem_id": problem.id,
            "sample": one.asked.sample,
            **about(problem, self.judge.protocol),
            "prompt_digest": digest(one.episode.prompt),
            **(NOTHING if one.fault else became(one.answers, one.judgements)),
            "seed": one.seed,
            "fault": one.fault,
        }

    def play(self, batch: Sequence[Asked], *, model: Model, judges: Executor | None = None) -> list[dict[str, Any]]:
        """One episode of each, side by side, as records.

        Args:
            batch: the episodes.
            model: answers, those that are still playing in one call.
            judges: threads that judge a batch together; None judges in this one.
        """
        all_of_them = [self.begin(asked) for asked in batch]
        each = map if judges is None else judges.map
        while playing := [one for one in all_of_them if not one.is_over]:
            answers = model.answer([self.request(one) for one in playing])
            problems = [one.asked.problem for one in playing]
            for one, answer, judgement in zip(playing, answers, each(self.judge, problems, answers), strict=True):
                one.take(answer, judgement)
        return [self.record(one) for one in all_of_them]


@dataclass(frozen=True, kw_only=True)
class Rejudge:
    """Judges the completions of records anew. An episode ends at the first turn that passes now.

    A record whose completions we fail to judge keeps them, for the next time.
    """

    judge: Judge

    def again(self, record: dict[str, Any]) -> dict[str, Any]:
        """The record with what the completions are worth now; one that has none, for a fault, as it is."""
        if not record["turns"]:
            return record
        protocol = self.judge.protocol
        problem = protocol.problems.by_id[record["problem_id"]]
        answers, judgements = [], []
        for turn in record["turns"]:
            completion = Completion(turn["completion"], truncated=turn["truncated"])
            answer = Answer(completion=completion, tokens=turn["tokens"], latency=turn["latency"])
            judgement = self.judge(problem, answer)
            assert judgement is not None  # it is an answer
            if isinstance(judgement, OCamlEnvError):
                kept = {name: record[name] for name in ("completion", "turns")}
                return record | NOTHING | kept | {"fault": f"verification: {judgement}"}
            answers.append(answer)
            judgements.append(judgement)
            if judgement.verdict.passed:
                break
        return record | about(problem, protocol) | became(answers, judgements) | {"fault": ""}
