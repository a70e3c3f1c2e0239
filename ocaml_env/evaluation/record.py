"""The record of a sample, a line of ``samples.jsonl``. The line repeats values of the last turn for other readers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Self, TypeVar

from ocaml_env.episode import Evaluation
from ocaml_env.evaluation.models.base import Answer
from ocaml_env.problem import Kind
from ocaml_env.verdict import Diagnostic, Outcome, Stage, TestOutcome, Verdict

__all__ = ["Lead", "Ours", "PeerRecord", "PeerStatus", "Record", "TestRecord", "TurnRecord"]

T = TypeVar("T", int, float)


@dataclass(frozen=True, slots=True, kw_only=True)
class TestRecord:
    """How one test ended; ``detail`` is "" if there is nothing to tell, see ``TestOutcome``."""

    __test__ = False  # tells pytest that this is not a test class

    name: str
    public: bool
    outcome: Outcome
    detail: str = ""

    @classmethod
    def of(cls, test: TestOutcome) -> Self:
        return cls(name=test.name, public=test.public, outcome=test.outcome, detail=test.detail)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        return cls(**{**value, "outcome": Outcome(value["outcome"])})

    def to_json(self) -> dict[str, Any]:
        ended = {"name": self.name, "public": self.public, "outcome": self.outcome.value}
        return {**ended, "detail": self.detail} if self.detail else ended


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRecord:
    """One answer and its evaluation; ``tokens``, ``thinking`` and ``latency`` (in seconds) are None if unknown."""

    completion: str
    truncated: bool
    outcome: Outcome
    stage: Stage
    errors: int
    diagnostics: tuple[Diagnostic, ...]
    parts: Mapping[str, float]
    total: float
    tests_passed: int
    tests_passed_inside: int
    tests_total: int
    tokens: int | None
    thinking: int | None
    latency: float | None

    @classmethod
    def of(cls, answer: Answer, evaluation: Evaluation) -> Self:
        verdict, reward = evaluation.verdict, evaluation.reward
        return cls(
            completion=str(evaluation.completion),
            truncated=evaluation.completion.truncated,
            outcome=verdict.outcome,
            stage=verdict.stage,
            errors=verdict.errors,
            diagnostics=verdict.diagnostics,
            parts={name: float(part) for name, part in reward.parts.items()},
            total=float(reward.total),
            tests_passed=verdict.tests_passed,
            tests_passed_inside=verdict.tests_passed_inside,
            tests_total=verdict.tests_total,
            tokens=answer.tokens,
            thinking=answer.thinking,
            latency=answer.latency,
        )

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        return cls(
            completion=value["completion"],
            truncated=value["truncated"],
            outcome=Outcome(value["outcome"]),
            stage=Stage[value["stage"]],
            errors=value["errors"],
            diagnostics=tuple(Diagnostic(**found) for found in value["diagnostics"]),
            parts=value["parts"],
            total=value["total"],
            tests_passed=value["tests_passed"],
            tests_passed_inside=value.get("tests_passed_inside", 0),  # older records lack it
            tests_total=value["tests_total"],
            tokens=value["tokens"],
            thinking=value.get("thinking"),  # likewise
            latency=value["latency"],
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "completion": self.completion,
            "truncated": self.truncated,
            **self.result(),
            "tests_passed": self.tests_passed,
            "tests_passed_inside": self.tests_passed_inside,
            "tests_total": self.tests_total,
            "tokens": self.tokens,
            **({"thinking": self.thinking} if self.thinking is not None else {}),
            "latency": self.latency,
        }

    def result(self) -> dict[str, Any]:
        return {
            "outcome": self.outcome.value,
            "stage": self.stage.name,
            "errors": self.errors,
            "diagnostics": [found.as_dict() for found in self.diagnostics],
            "parts": self.parts,
            "total": self.total,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """The size of the evaluated text before a completion: its whole lines, and the bytes of its last line."""

    lines: int
    bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ours:
    """The verdict by the environment's own tests."""

    passed: bool
    outcome: Outcome
    tests_passed: int
    tests_total: int

    @classmethod
    def of(cls, verdict: Verdict) -> Self:
        return cls(
            passed=verdict.passed,
            outcome=verdict.outcome,
            tests_passed=verdict.tests_passed,
            tests_total=verdict.tests_total,
        )


class PeerStatus(StrEnum):
    """The statuses of other benchmarks' harnesses; WITHHELD is ours."""

    OK = "OK"
    # MultiPL-E
    ASSERTION_ERROR = "AssertionError"
    EXCEPTION = "Exception"
    SYNTAX_ERROR = "SyntaxError"
    TIMEOUT = "Timeout"
    WITHHELD = "Withheld"
    # LiveCodeBench
    COMPILE_ERROR = "Compile Error"
    RUNTIME_ERROR = "Runtime Error"
    TIME_LIMIT_EXCEEDED = "Time Limit Exceeded"
    WRONG_ANSWER = "Wrong Answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerRecord:
    """The result by another benchmark's protocol, see ``PeerEvaluation``."""

    status: PeerStatus
    forged: bool
    lead: Lead | None
    ours: Ours | None

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        lead, ours = value["lead"], value["ours"]
        return cls(
            status=PeerStatus(value["status"]),
            forged=value["forged"],
            lead=Lead(**lead) if lead else None,
            ours=Ours(**{**ours, "outcome": Outcome(ours["outcome"])}) if ours else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """The record of a sample.

    Attributes:
        problem_id: its problem.
        sample: number of the problem's sample, from 0.
        problem_digest: digest of everything that decides verdicts on the problem; "" if the record is older.
        kind: kind of the problem.
        topics: topics of the problem.
        level: name of the problem's level.
        prompt_digest: SHA-256 of the first prompt, in hexadecimal.
        turns: the evaluated answers; after a fault those of an earlier evaluation, or none.
        tests: how the tests of the last answer ended.
        protocol: the result by another benchmark's protocol.
        seed: seed of the first answer.
        fault: the infrastructure error in place of a result; "" if there was none.
    """

    problem_id: str
    sample: int
    problem_digest: str
    kind: Kind
    topics: tuple[str, ...]
    level: str
    prompt_digest: str
    turns: tuple[TurnRecord, ...] = ()
    tests: tuple[TestRecord, ...] = ()
    protocol: PeerRecord | None = None
    seed: int
    fault: str = ""

    @property
    def last(self) -> TurnRecord:
        """The last turn, which decides the result. A record with a fault has none."""
        return self.turns[-1]

    @property
    def passed(self) -> bool:
        return not self.fault and self.last.outcome is Outcome.PASSED

    @property
    def solved_at(self) -> int | None:
        """The number of turns of a passing sample."""
        return len(self.turns) if self.passed else None

    @property
    def tokens(self) -> int | None:
        """Generated tokens of all turns; None if those of a turn are unknown."""
        return _sum([turn.tokens for turn in self.turns])

    @property
    def thinking(self) -> int | None:
        """Tokens of thinking among them; None if those of a turn are unknown."""
        return _sum([turn.thinking for turn in self.turns])

    @property
    def latency(self) -> float | None:
        """Seconds of generation of all turns; None if those of a turn are unknown."""
        return _sum([turn.latency for turn in self.turns])

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Reads a record.

        Raises:
            KeyError, TypeError, ValueError: if it is none.
        """
        protocol = value.get("protocol")
        return cls(
            problem_id=value["problem_id"],
            sample=value["sample"],
            problem_digest=value.get("problem_digest", ""),
            kind=value["kind"],
            topics=tuple(value["topics"]),
            level=value["level"],
            prompt_digest=value["prompt_digest"],
            turns=tuple(map(TurnRecord.from_json, value["turns"])),
            tests=tuple(map(TestRecord.from_json, value["tests"])),
            protocol=PeerRecord.from_json(protocol) if protocol else None,
            seed=value["seed"],
            fault=value["fault"],
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "problem_id": self.problem_id,
            "sample": self.sample,
            "problem_digest": self.problem_digest,
            "kind": self.kind,
            "topics": list(self.topics),
            "level": self.level,
            "prompt_digest": self.prompt_digest,
            "completion": self.turns[-1].completion if self.turns else None,
            "turns": [turn.to_json() for turn in self.turns],
            **self._result(),
            **({"protocol": asdict(self.protocol)} if self.protocol else {}),
            "seed": self.seed,
            "fault": self.fault,
        }

    def _result(self) -> Mapping[str, Any]:
        """The result of the last turn; nothing but None after a fault."""
        if self.fault:
            return _NO_RESULT
        last, result = self.last, self.last.result()
        return {
            "outcome": result["outcome"],
            "stage": result["stage"],
            "passed": self.passed,
            "solved_at": self.solved_at,
            "total": result["total"],
            "parts": result["parts"],
            "errors": result["errors"],
            "diagnostics": result["diagnostics"],
            "tests": [test.to_json() for test in self.tests],
            "tests_passed": last.tests_passed,
            "tests_passed_inside": last.tests_passed_inside,
            "tests_total": last.tests_total,
            "truncated": last.truncated,
            "tokens": self.tokens,
            "latency": self.latency,
        }


_NO_RESULT: Mapping[str, Any] = {
    **dict.fromkeys(("outcome", "stage", "passed", "solved_at", "total", "parts", "errors")),
    "diagnostics": [],
    "tests": [],
    **dict.fromkeys(("tests_passed", "tests_passed_inside", "tests_total", "truncated", "tokens", "latency")),
}


def _sum(values: Sequence[T | None]) -> T | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None
