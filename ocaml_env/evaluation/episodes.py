"""Episodes: a sample is asked, its answer is judged, until it is solved or its turns are used up."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any

from ocaml_env.episode import Episode, EpisodeSpec, Judgement
from ocaml_env.errors import OCamlEnvError
from ocaml_env.evaluation.models.base import Answer, Model, Request, seed_of
from ocaml_env.evaluation.protocols.base import Pending, Protocol
from ocaml_env.evaluation.sample import NOTHING, about, became
from ocaml_env.extract import Completion
from ocaml_env.problem import Problem
from ocaml_env.prompt import digest
from ocaml_env.reward import RewardSpec
from ocaml_env.verifiers.base import AnyVerifier

__all__ = ["Answered", "Asked", "Judge", "Playing", "Rejudge", "Run"]


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


@dataclass(frozen=True, slots=True)
class Answered:
    """An episode whose next answer is there, and on its way to a judgement."""

    playing: Playing
    answer: Answer
    pending: Pending | None

    def verify(self) -> None:
        """Has the answer judged."""
        if self.pending is not None:
            self.pending.verify()

    def take(self) -> None:
        """Makes it the episode's next turn, once it was verified."""
        self.playing.take(self.answer, None if self.pending is None else self.pending.judgement())


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

    def warm(self, number: int) -> None:
        """Has a worker start, and compile a problem's tests, before there is anything to judge."""
        problems = self.protocol.problems
        with contextlib.suppress(OCamlEnvError):  # it is said again when an answer needs it
            self.verifier.check(problems[number % len(problems)])

    def in_turn(self, asked: Sequence[tuple[Problem, Answer]]) -> list[Judgement | OCamlEnvError | None]:
        """The judgements of answers, the faults of ours in their place, or None where there is no answer to judge."""
        all_of_them = [self.begin(problem, answer) for problem, answer in asked]
        for pending in all_of_them:
            if pending is not None:
                pending.verify()
        return [None if pending is None else pending.judgement() for pending in all_of_them]

    def begin(self, problem: Problem, answer: Answer) -> Pending | None:
        """An answer on its way to a judgement; None where there is nothing to judge."""
        if answer.fault:
            return None
        return self.protocol.begin(problem, answer.completion, verifier=self.verifier, reward=self.reward)

    def one(self, problem: Problem, answer: Answer) -> Judgement | OCamlEnvError | None:
        """The same of one."""
        return self.in_turn([(problem, answer)])[0]


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

    def answered(self, one: Playing, answer: Answer) -> Answered:
        """An episode with an answer to what was requested."""
        return Answered(one, answer, self.judge.begin(one.asked.problem, answer))

    def take(self, answered: Sequence[tuple[Playing, Answer]]) -> None:
        """Has the next turns of several episodes judged, in this thread."""
        judgements = self.judge.in_turn([(one.asked.problem, answer) for one, answer in answered])
        for (one, answer), judgement in zip(answered, judgements, strict=True):
            one.take(answer, judgement)

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
        while playing := [one for one in all_of_them if not one.is_over]:
            answers = model.answer([self.request(one) for one in playing])
            if judges is None:
                self.take(list(zip(playing, answers, strict=True)))
                continue
            problems = [one.asked.problem for one in playing]
            for one, answer, judgement in zip(
                playing, answers, judges.map(self.judge.one, problems, answers), strict=True
            ):
                one.take(answer, judgement)
        return [self.record(one) for one in all_of_them]


@dataclass(frozen=True, kw_only=True)
class Rejudge:
    """Judges the completions of records anew. An episode ends at the first turn that passes now.

    A record whose completions we fail to judge keeps them, for the next time.
    """

    judge: Judge

    def again(self, records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """The records with what the completions are worth now; those that have none, for a fault, as they are."""
        all_of_them = [_Again(record=record) for record in records]
        while left := [one for one in all_of_them if not one.is_over]:
            by_id = self.judge.protocol.problems.by_id
            asked = [(by_id[one.record["problem_id"]], one.answer) for one in left]
            for one, (_, answer), judgement in zip(left, asked, self.judge.in_turn(asked), strict=True):
                one.take(answer, judgement)
        return [one.now(self.judge.protocol) for one in all_of_them]


@dataclass(kw_only=True)
class _Again:
    """A record, and what its completions are worth now, as far as they are judged."""

    record: dict[str, Any]
    answers: list[Answer] = field(default_factory=list)
    judgements: list[Judgement] = field(default_factory=list)
    fault: str = ""

    @property
    def is_over(self) -> bool:
        passed = bool(self.judgements) and self.judgements[-1].verdict.passed
        return passed or bool(self.fault) or len(self.answers) == len(self.record["turns"])

    @property
    def answer(self) -> Answer:
        """What was answered on the next turn."""
        turn = self.record["turns"][len(self.answers)]
        completion = Completion(turn["completion"], truncated=turn["truncated"])
        return Answer(completion=completion, tokens=turn["tokens"], latency=turn["latency"])

    def take(self, answer: Answer, judgement: Judgement | OCamlEnvError | None) -> None:
        assert judgement is not None  # there is an answer
        if isinstance(judgement, OCamlEnvError):
            self.fault = f"verification: {judgement}"
        else:
            self.answers.append(answer)
            self.judgements.append(judgement)

    def now(self, protocol: Protocol) -> dict[str, Any]:
        if self.fault:
            kept = {name: self.record[name] for name in ("completion", "turns")}
            return self.record | NOTHING | kept | {"fault": self.fault}
        if not self.judgements:
            return self.record
        problem = protocol.problems.by_id[self.record["problem_id"]]
        return self.record | about(problem, protocol) | became(self.answers, self.judgements) | {"fault": ""}
