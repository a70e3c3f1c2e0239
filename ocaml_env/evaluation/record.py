"""The record of a sample, a line of ``samples.jsonl``. The line repeats values of the last turn for other readers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Self, TypeVar

from ocaml_env.problem import Kind
from ocaml_env.rollout import Rollout
from ocaml_env.verdict import Outcome, TestOutcome, Verdict

__all__ = ["Lead", "Ours", "PeerRecord", "PeerStatus", "Record", "TestRecord"]

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
    turns: tuple[Rollout, ...] = ()
    tests: tuple[TestRecord, ...] = ()
    protocol: PeerRecord | None = None
    seed: int
    fault: str = ""

    @property
    def last(self) -> Rollout:
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
            turns=tuple(_turn(turn, number, value) for number, turn in enumerate(value["turns"], start=1)),
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
            "turns": [turn.as_dict() for turn in self.turns],
            **self._result(),
            **({"protocol": asdict(self.protocol)} if self.protocol else {}),
            "seed": self.seed,
            "fault": self.fault,
        }

    def _result(self) -> Mapping[str, Any]:
        """The result of the last turn; nothing but None after a fault."""
        if self.fault:
            return _NO_RESULT
        last = self.last.as_dict()
        return {
            **{name: last[name] for name in ("outcome", "stage", "passed")},
            "solved_at": self.solved_at,
            **{name: last[name] for name in ("total", "parts", "errors", "diagnostics")},
            "tests": [test.to_json() for test in self.tests],
            **{name: last[name] for name in ("tests_passed", "tests_passed_inside", "tests_total", "truncated")},
            "tokens": self.tokens,
            "latency": self.latency,
        }


_NO_RESULT: Mapping[str, Any] = {
    **dict.fromkeys(("outcome", "stage", "passed", "solved_at", "total", "parts", "errors")),
    "diagnostics": [],
    "tests": [],
    **dict.fromkeys(("tests_passed", "tests_passed_inside", "tests_total", "truncated", "tokens", "latency")),
}


def _turn(turn: Mapping[str, Any], number: int, sample: Mapping[str, Any]) -> Rollout:
    """Reads one turn. Older ones lack the fields of a training and the problem's; only their first prompt is known."""
    if "schema_version" not in turn:
        turn = {
            "schema_version": 1,
            "step": 0,
            "epoch": 0.0,
            "problem_id": sample["problem_id"],
            "group": 0,
            "turn": number,
            "prompt_digest": sample["prompt_digest"] if number == 1 else "",
            "passed": turn["outcome"] == Outcome.PASSED,
            **turn,
        }
    return Rollout.from_dict(turn, where=f"turn {number}")


def _sum(values: Sequence[T | None]) -> T | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None
