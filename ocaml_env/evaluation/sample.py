"""One sample, from its prompt to its record: an episode of a problem, or the new evaluation of a recorded one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ocaml_env.episode import Episode, EpisodeSpec, Evaluation
from ocaml_env.errors import ConfigError, OCamlEnvError, SandboxUnavailable
from ocaml_env.evaluation.models.base import Answer, Request, seed_of
from ocaml_env.evaluation.protocols.base import PeerEvaluation, Protocol
from ocaml_env.extract import Completion
from ocaml_env.problem import Problem
from ocaml_env.prompt import Prompt, digest
from ocaml_env.reward import RewardSpec
from ocaml_env.verdict import TestOutcome
from ocaml_env.verifiers.base import AnyVerifier

__all__ = ["NewSample", "RecordedSample", "Rules", "Sample"]


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The rules by which all answers of a run are evaluated.

    Attributes:
        protocol: evaluates an answer.
        verifier: compiles and tests it.
        reward: pays for the verdict.
    """

    protocol: Protocol
    verifier: AnyVerifier
    reward: RewardSpec


class Sample(ABC):
    """A sample in progress. One thread at a time uses it.

    Attributes:
        problem: its problem.
        rules: the rules of the run.
        answers: answers so far.
        evaluations: evaluations of the answers.
        fault: the infrastructure error that ended the sample; "" if there was none.
    """

    def __init__(self, problem: Problem, rules: Rules) -> None:
        self.problem = problem
        self.rules = rules
        self.answers: list[Answer] = []
        self.evaluations: list[Evaluation] = []
        self.fault = ""

    @property
    @abstractmethod
    def is_over(self) -> bool: ...

    @abstractmethod
    def record(self) -> dict[str, Any]:
        """Returns the object for ``samples.jsonl``, once the sample is over."""

    def take(self, answer: Answer) -> None:
        """Evaluates the next answer. An infrastructure error ends the sample as its fault.

        Raises:
            ConfigError: if the reward or the verifier cannot be used at all.
            SandboxUnavailable: if this machine lacks the sandbox.
        """
        if answer.fault:
            self.fault = answer.fault
            return
        rules = self.rules
        try:
            evaluation = rules.protocol.evaluate(
                self.problem, answer.completion, verifier=rules.verifier, reward=rules.reward
            )
        except (ConfigError, SandboxUnavailable):
            raise
        except OCamlEnvError as error:
            self.fault = f"verification: {error}"
            return
        self.answers.append(answer)
        self.evaluations.append(evaluation)


class NewSample(Sample):
    """A sample to be drawn from a model.

    Args:
        problem: its problem.
        number: number of the problem's sample, from 0.
        rules: the rules of the run.
        spec: prompts and number of turns.
        seed: seed of the run.
    """

    def __init__(self, problem: Problem, number: int, rules: Rules, *, spec: EpisodeSpec, seed: int) -> None:
        super().__init__(problem, rules)
        self.number = number
        self._run_seed, self._seed = seed, seed_of(seed, problem.id, number, 1)
        self._episode = Episode(problem, spec)
        self._prompt: Prompt = self._episode.prompt

    @property
    def is_over(self) -> bool:
        return self._episode.done or bool(self.fault)

    def request(self) -> Request:
        """Returns the request of the next turn."""
        turn = self._episode.turn + 1
        seed = self._seed if turn == 1 else seed_of(self._run_seed, self.problem.id, self.number, turn)
        return Request(problem=self.problem, sample=self.number, turn=turn, prompt=self._prompt, seed=seed)

    def take(self, answer: Answer) -> None:
        super().take(answer)
        if not self.fault:
            self._episode.take(self.evaluations[-1])
            if not self._episode.done:
                self._prompt = self._episode.observation(self.evaluations[-1])

    def record(self) -> dict[str, Any]:
        return {
            "problem_id": self.problem.id,
            "sample": self.number,
            **_about(self.problem, self.rules.protocol),
            "prompt_digest": digest(self._episode.prompt),
            **(_NOTHING if self.fault else _became(self.answers, self.evaluations)),
            "seed": self._seed,
            "fault": self.fault,
        }


class RecordedSample(Sample):
    """A recorded sample to be evaluated again. It ends at its first passing turn.

    It keeps its completions if their evaluation fails, for the next time. Without completions, after a fault, its
    record stays as it is.
    """

    def __init__(self, record: Mapping[str, Any], rules: Rules) -> None:
        super().__init__(rules.protocol.problems.by_id[record["problem_id"]], rules)
        self._before = record

    @property
    def is_over(self) -> bool:
        passed = bool(self.evaluations) and self.evaluations[-1].verdict.passed
        return passed or bool(self.fault) or len(self.answers) == len(self._before["turns"])

    def answer(self) -> Answer:
        """Returns the recorded answer of the next turn."""
        turn = self._before["turns"][len(self.answers)]
        completion = Completion(turn["completion"], truncated=turn["truncated"])
        return Answer(completion=completion, tokens=turn["tokens"], latency=turn["latency"])

    def record(self) -> dict[str, Any]:
        if self.fault:
            kept = {name: self._before[name] for name in ("completion", "turns")}
            return {**self._before, **_NOTHING, **kept, "fault": self.fault}
        if not self.evaluations:
            return dict(self._before)
        now = _about(self.problem, self.rules.protocol) | _became(self.answers, self.evaluations)
        return {**self._before, **now, "fault": ""}


def _about(problem: Problem, protocol: Protocol) -> dict[str, Any]:
    """Returns the fields on the problem."""
    return {
        "problem_digest": protocol.digest_of(problem),
        "kind": problem.kind,
        "topics": list(problem.topics),
        "level": problem.level_name,
    }


_NOTHING: dict[str, Any] = {
    "completion": None,
    "turns": [],
    "outcome": None,
    "stage": None,
    "passed": None,
    "solved_at": None,
    "total": None,
    "parts": None,
    "errors": None,
    "diagnostics": [],
    "tests": [],
    "tests_passed": None,
    "tests_passed_inside": None,
    "tests_total": None,
    "truncated": None,
    "tokens": None,
    "latency": None,
}
"""The fields of ``_became`` for a fault."""


def _became(answers: Sequence[Answer], evaluations: Sequence[Evaluation]) -> dict[str, Any]:
    """Returns the fields on the answers and their evaluations, turn by turn."""
    turns = [_turn(answer, evaluation) for answer, evaluation in zip(answers, evaluations, strict=True)]
    last = turns[-1]
    verdict = evaluations[-1].verdict
    return {
        "completion": last["completion"],
        "turns": turns,
        "outcome": last["outcome"],
        "stage": last["stage"],
        "passed": verdict.passed,
        "solved_at": len(turns) if verdict.passed else None,
        "total": last["total"],
        "parts": last["parts"],
        "errors": last["errors"],
        "diagnostics": last["diagnostics"],
        "tests": [_test(test) for test in verdict.tests],
        "tests_passed": last["tests_passed"],
        "tests_passed_inside": last["tests_passed_inside"],
        "tests_total": last["tests_total"],
        "truncated": last["truncated"],
        "tokens": _sum([answer.tokens for answer in answers]),
        "latency": _sum([answer.latency for answer in answers]),
        **({"protocol": evaluations[-1].record} if isinstance(evaluations[-1], PeerEvaluation) else {}),
    }


def _test(test: TestOutcome) -> dict[str, Any]:
    ended = {"name": test.name, "public": test.public, "outcome": test.outcome.value}
    return {**ended, "detail": test.detail} if test.detail else ended


def _turn(answer: Answer, evaluation: Evaluation) -> dict[str, Any]:
    verdict, reward = evaluation.verdict, evaluation.reward
    return {
        "completion": str(evaluation.completion),
        "truncated": evaluation.completion.truncated,
        "outcome": verdict.outcome.value,
        "stage": verdict.stage.name,
        "errors": verdict.errors,
        "diagnostics": [diagnostic.as_dict() for diagnostic in verdict.diagnostics],
        "parts": {name: float(part) for name, part in reward.parts.items()},
        "total": float(reward.total),
        "tests_passed": verdict.tests_passed,
        "tests_passed_inside": verdict.tests_passed_inside,
        "tests_total": verdict.tests_total,
        "tokens": answer.tokens,
        "latency": answer.latency,
    }


def _sum(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None
