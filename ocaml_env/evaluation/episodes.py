"""Episodes: a sample is asked, its answer is evaluated, until it is solved or its turns are used up."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any

from ocaml_env.episode import Episode, EpisodeSpec, Evaluation
from ocaml_env.errors import OCamlEnvError
from ocaml_env.evaluation.models.base import Answer, Model, Request, seed_of
from ocaml_env.evaluation.protocols.base import Pending, Protocol
from ocaml_env.evaluation.sample import NOTHING, about, became
from ocaml_env.extract import Completion
from ocaml_env.problem import Problem
from ocaml_env.prompt import Prompt, digest
from ocaml_env.reward import RewardSpec
from ocaml_env.verifiers.base import AnyVerifier

__all__ = ["Answered", "Evaluator", "Rescorer", "Run", "SampleEpisode", "SampleRequest"]


@dataclass(frozen=True, slots=True)
class SampleRequest:
    """One sample: an episode of a problem."""

    problem: Problem
    sample: int

    @property
    def key(self) -> tuple[str, int]:
        return self.problem.id, self.sample


@dataclass(kw_only=True)
class SampleEpisode:
    """An episode in hand.

    Attributes:
        asked: which one.
        episode: how far it is.
        prompt: of the next turn.
        seed: of its first turn.
        answers: so far.
        evaluations: of the answers.
        fault: why it cannot go on; "" where it can.
    """

    asked: SampleRequest
    episode: Episode
    prompt: Prompt
    seed: int
    answers: list[Answer] = field(default_factory=list)
    evaluations: list[Evaluation] = field(default_factory=list)
    fault: str = ""

    @property
    def is_over(self) -> bool:
        return self.episode.done or bool(self.fault)

    def take(self, answer: Answer, evaluation: Evaluation | OCamlEnvError | None) -> None:
        """The next turn: the answer and what it is worth, or what is wrong with either."""
        if evaluation is None:
            self.fault = answer.fault
        elif isinstance(evaluation, OCamlEnvError):
            self.fault = f"verification: {evaluation}"
        else:
            self.answers.append(answer)
            self.evaluations.append(evaluation)
            self.episode.take(evaluation)
            if not self.episode.done:
                self.prompt = self.episode.observation(evaluation)


@dataclass(frozen=True, slots=True)
class Answered:
    """An episode whose next answer is there, and on its way to an evaluation."""

    running: SampleEpisode
    answer: Answer
    pending: Pending | None

    def verify(self) -> None:
        """Has the answer evaluated."""
        if self.pending is not None:
            self.pending.verify()

    def take(self) -> None:
        """Makes it the episode's next turn, once it was verified."""
        self.running.take(self.answer, None if self.pending is None else self.pending.evaluation())


@dataclass(frozen=True, kw_only=True)
class Evaluator:
    """How answers are evaluated.

    Attributes:
        protocol: says by which rule.
        verifier: evaluates.
        reward: pays.
    """

    protocol: Protocol
    verifier: AnyVerifier
    reward: RewardSpec

    def warm(self, number: int) -> None:
        """Has a worker start, and compile a problem's tests, before there is anything to evaluate."""
        problems = self.protocol.problems
        with contextlib.suppress(OCamlEnvError):  # it is said again when an answer needs it
            self.verifier.check(problems[number % len(problems)])

    def in_turn(self, asked: Sequence[tuple[Problem, Answer]]) -> list[Evaluation | OCamlEnvError | None]:
        """The evaluation of each answer, or the infrastructure error in its place, or None if there is no answer."""
        all_of_them = [self.begin(problem, answer) for problem, answer in asked]
        for pending in all_of_them:
            if pending is not None:
                pending.verify()
        return [None if pending is None else pending.evaluation() for pending in all_of_them]

    def begin(self, problem: Problem, answer: Answer) -> Pending | None:
        """An answer on its way to an evaluation; None where there is nothing to evaluate."""
        if answer.fault:
            return None
        return self.protocol.begin(problem, answer.completion, verifier=self.verifier, reward=self.reward)

    def one(self, problem: Problem, answer: Answer) -> Evaluation | OCamlEnvError | None:
        """The same of one."""
        return self.in_turn([(problem, answer)])[0]


@dataclass(frozen=True, kw_only=True)
class Run:
    """How samples are played.

    Attributes:
        evaluate: evaluates their answers.
        spec: how problems are asked, and for how many turns.
        seed: of the run.
    """

    evaluator: Evaluator
    spec: EpisodeSpec
    seed: int

    def begin(self, asked: SampleRequest) -> SampleEpisode:
        """A new episode."""
        episode = Episode(asked.problem, self.spec)
        seed = seed_of(self.seed, asked.problem.id, asked.sample, 1)
        return SampleEpisode(asked=asked, episode=episode, prompt=episode.prompt, seed=seed)

    def request(self, one: SampleEpisode) -> Request:
        """What is asked next."""
        problem, sample, turn = one.asked.problem, one.asked.sample, one.episode.turn + 1
        seed = one.seed if turn == 1 else seed_of(self.seed, problem.id, sample, turn)
        return Request(problem=problem, sample=sample, turn=turn, prompt=one.prompt, seed=seed)

    def answered(self, one: SampleEpisode, answer: Answer) -> Answered:
        """An episode with an answer to what was requested."""
        return Answered(one, answer, self.evaluator.begin(one.asked.problem, answer))

    def take(self, answered: Sequence[tuple[SampleEpisode, Answer]]) -> None:
        """Has the next turns of several episodes evaluated, in this thread."""
        evaluations = self.evaluator.in_turn([(one.asked.problem, answer) for one, answer in answered])
        for (one, answer), evaluation in zip(answered, evaluations, strict=True):
            one.take(answer, evaluation)

    def record(self, one: SampleEpisode) -> dict[str, Any]:
        """An episode that is over, for ``samples.jsonl``."""
        problem = one.asked.problem
        return {
            "problem_id": problem.id,
            "sample": one.asked.sample,
            **about(problem, self.evaluator.protocol),
            "prompt_digest": digest(one.episode.prompt),
            **(NOTHING if one.fault else became(one.answers, one.evaluations)),
            "seed": one.seed,
            "fault": one.fault,
        }

    def play(
        self, batch: Sequence[SampleRequest], *, model: Model, evaluators: Executor | None = None
    ) -> list[dict[str, Any]]:
        """One episode of each, side by side, as records.

        Args:
            batch: the episodes.
            model: answers, those that are still playing in one call.
            evaluates: threads that evaluate a batch together; None evaluates in this one.
        """
        all_of_them = [self.begin(asked) for asked in batch]
        while running := [one for one in all_of_them if not one.is_over]:
            answers = model.answer([self.request(one) for one in running])
            if evaluators is None:
                self.take(list(zip(running, answers, strict=True)))
                continue
            problems = [one.asked.problem for one in running]
            for one, answer, evaluation in zip(
                running, answers, evaluators.map(self.evaluator.one, problems, answers), strict=True
            ):
                one.take(answer, evaluation)
        return [self.record(one) for one in all_of_them]


@dataclass(frozen=True, kw_only=True)
class Rescorer:
    """Evaluates the completions of records anew. An episode ends at the first turn that passes now.

    A record whose completions we fail to evaluate keeps them, for the next time.
    """

    evaluator: Evaluator

    def again(self, records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """The records with what the completions are worth now; those that have none, for a fault, as they are."""
        all_of_them = [_Again(record=record) for record in records]
        while left := [one for one in all_of_them if not one.is_over]:
            by_id = self.evaluator.protocol.problems.by_id
            asked = [(by_id[one.record["problem_id"]], one.answer) for one in left]
            for one, (_, answer), evaluation in zip(left, asked, self.evaluator.in_turn(asked), strict=True):
                one.take(answer, evaluation)
        return [one.now(self.evaluator.protocol) for one in all_of_them]


@dataclass(kw_only=True)
class _Again:
    """A record, and what its completions are worth now, as far as they are evaluated."""

    record: dict[str, Any]
    answers: list[Answer] = field(default_factory=list)
    evaluations: list[Evaluation] = field(default_factory=list)
    fault: str = ""

    @property
    def is_over(self) -> bool:
        passed = bool(self.evaluations) and self.evaluations[-1].verdict.passed
        return passed or bool(self.fault) or len(self.answers) == len(self.record["turns"])

    @property
    def answer(self) -> Answer:
        """What was answered on the next turn."""
        turn = self.record["turns"][len(self.answers)]
        completion = Completion(turn["completion"], truncated=turn["truncated"])
        return Answer(completion=completion, tokens=turn["tokens"], latency=turn["latency"])

    def take(self, answer: Answer, evaluation: Evaluation | OCamlEnvError | None) -> None:
        assert evaluation is not None  # there is an answer
        if isinstance(evaluation, OCamlEnvError):
            self.fault = f"verification: {evaluation}"
        else:
            self.answers.append(answer)
            self.evaluations.append(evaluation)

    def now(self, protocol: Protocol) -> dict[str, Any]:
        if self.fault:
            kept = {name: self.record[name] for name in ("completion", "turns")}
            return self.record | NOTHING | kept | {"fault": self.fault}
        if not self.evaluations:
            return self.record
        problem = protocol.problems.by_id[self.record["problem_id"]]
        return self.record | about(problem, protocol) | became(self.answers, self.evaluations) | {"fault": ""}
