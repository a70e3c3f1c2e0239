"""Episodes: ask the model and evaluate its answer, until the problem is solved or the turns are used up."""

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
    """A running episode.

    Attributes:
        asked: the requested sample.
        episode: its state.
        prompt: prompt of the next turn.
        seed: seed of the first turn.
        answers: answers so far.
        evaluations: evaluations of the answers.
        fault: infrastructure error that ended the episode; "" if there was none.
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
        """Adds the next turn: an answer and its evaluation, or the fault of either."""
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
    """An episode with its next answer, on the way to an evaluation; ``pending`` is None if the answer is a fault."""

    running: SampleEpisode
    answer: Answer
    pending: Pending | None

    def verify(self) -> None:
        """Has the answer evaluated."""
        if self.pending is not None:
            self.pending.verify()

    def take(self) -> None:
        """Adds the verified answer to the episode as its next turn."""
        self.running.take(self.answer, None if self.pending is None else self.pending.evaluation())


@dataclass(frozen=True, kw_only=True)
class Evaluator:
    """Evaluates answers.

    Attributes:
        protocol: the rules of the evaluation.
        verifier: compiles and tests the answers.
        reward: rewards the verdicts.
    """

    protocol: Protocol
    verifier: AnyVerifier
    reward: RewardSpec

    def warm(self, number: int) -> None:
        """Starts a worker on a problem's tests before the first answer arrives. ``number`` picks the problem."""
        problems = self.protocol.problems
        with contextlib.suppress(OCamlEnvError):  # the first answer to need it raises it again
            self.verifier.check(problems[number % len(problems)])

    def in_turn(self, asked: Sequence[tuple[Problem, Answer]]) -> list[Evaluation | OCamlEnvError | None]:
        """Evaluates answers in order. An infrastructure error replaces its evaluation; a faulty answer has None."""
        all_of_them = [self.begin(problem, answer) for problem, answer in asked]
        for pending in all_of_them:
            if pending is not None:
                pending.verify()
        return [None if pending is None else pending.evaluation() for pending in all_of_them]

    def begin(self, problem: Problem, answer: Answer) -> Pending | None:
        """Begins the evaluation of an answer; None if the answer is a fault."""
        if answer.fault:
            return None
        return self.protocol.begin(problem, answer.completion, verifier=self.verifier, reward=self.reward)

    def one(self, problem: Problem, answer: Answer) -> Evaluation | OCamlEnvError | None:
        """Evaluates one answer, like ``in_turn``."""
        return self.in_turn([(problem, answer)])[0]


@dataclass(frozen=True, kw_only=True)
class Run:
    """Plays the episodes of a run.

    Attributes:
        evaluator: evaluates the answers.
        spec: prompts and number of turns.
        seed: seed of the run.
    """

    evaluator: Evaluator
    spec: EpisodeSpec
    seed: int

    def begin(self, asked: SampleRequest) -> SampleEpisode:
        """Begins the episode of a sample."""
        episode = Episode(asked.problem, self.spec)
        seed = seed_of(self.seed, asked.problem.id, asked.sample, 1)
        return SampleEpisode(asked=asked, episode=episode, prompt=episode.prompt, seed=seed)

    def request(self, playing: SampleEpisode) -> Request:
        """Returns the request of the next turn."""
        problem, sample, turn = playing.asked.problem, playing.asked.sample, playing.episode.turn + 1
        seed = playing.seed if turn == 1 else seed_of(self.seed, problem.id, sample, turn)
        return Request(problem=problem, sample=sample, turn=turn, prompt=playing.prompt, seed=seed)

    def answered(self, playing: SampleEpisode, answer: Answer) -> Answered:
        """Begins the evaluation of an episode's next answer."""
        return Answered(playing, answer, self.evaluator.begin(playing.asked.problem, answer))

    def take(self, answered: Sequence[tuple[SampleEpisode, Answer]]) -> None:
        """Evaluates the next turns of several episodes, in this thread."""
        evaluations = self.evaluator.in_turn([(playing.asked.problem, answer) for playing, answer in answered])
        for (playing, answer), evaluation in zip(answered, evaluations, strict=True):
            playing.take(answer, evaluation)

    def record(self, ended: SampleEpisode) -> dict[str, Any]:
        """Returns the record of an ended episode, for ``samples.jsonl``."""
        problem = ended.asked.problem
        return {
            "problem_id": problem.id,
            "sample": ended.asked.sample,
            **about(problem, self.evaluator.protocol),
            "prompt_digest": digest(ended.episode.prompt),
            **(NOTHING if ended.fault else became(ended.answers, ended.evaluations)),
            "seed": ended.seed,
            "fault": ended.fault,
        }

    def play(
        self, batch: Sequence[SampleRequest], *, model: Model, evaluators: Executor | None = None
    ) -> list[dict[str, Any]]:
        """Plays the episodes of a batch side by side, and returns their records.

        Args:
            batch: the samples.
            model: answers all running episodes in one call.
            evaluators: threads for the evaluation of a batch; None evaluates in this thread.
        """
        all_of_them = [self.begin(asked) for asked in batch]
        while running := [playing for playing in all_of_them if not playing.is_over]:
            answers = model.answer([self.request(playing) for playing in running])
            if evaluators is None:
                self.take(list(zip(running, answers, strict=True)))
                continue
            problems = [playing.asked.problem for playing in running]
            for playing, answer, evaluation in zip(
                running, answers, evaluators.map(self.evaluator.one, problems, answers), strict=True
            ):
                playing.take(answer, evaluation)
        return [self.record(playing) for playing in all_of_them]


@dataclass(frozen=True, kw_only=True)
class Rescorer:
    """Evaluates the completions of records anew. An episode ends at its first passing turn.

    A record keeps its completions if their evaluation fails, for the next time.
    """

    evaluator: Evaluator

    def again(self, records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """Returns the records with new evaluations; records without completions, after a fault, stay as they are."""
        all_of_them = [_Again(record=record) for record in records]
        while left := [again for again in all_of_them if not again.is_over]:
            by_id = self.evaluator.protocol.problems.by_id
            asked = [(by_id[again.record["problem_id"]], again.answer) for again in left]
            for again, (_, answer), evaluation in zip(left, asked, self.evaluator.in_turn(asked), strict=True):
                again.take(answer, evaluation)
        return [again.now(self.evaluator.protocol) for again in all_of_them]


@dataclass(kw_only=True)
class _Again:
    """A record with the new evaluations of its completions so far."""

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
        """The recorded answer of the next turn."""
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
