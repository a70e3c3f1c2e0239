"""A programming problem: frozen, and validated when made. It reads and writes no files.

Long, because a problem checks all its fields when it is made.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Literal, get_args

from ocaml_env.errors import ConfigError, ProblemError
from ocaml_env.problem.groups import Group, make_groups
from ocaml_env.problem.signature import names_of
from ocaml_env.verdict import Verdict

__all__ = ["LEVELS", "MAX_ID", "Group", "Kind", "Limits", "Problem", "Test"]

Kind = Literal["function", "program"]
LEVELS = (1, 2, 3, 4, 5, 6)

MAX_ID = 200
"""The most characters of an id."""
_ID = re.compile(rf"[A-Za-z0-9][A-Za-z0-9_.:/-]{{0,{MAX_ID - 1}}}")


_MOST = 1_000_000_000  # of a limit, in its unit: the engine's integers hold it with room to spare


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """A candidate's resources. Times are CPU time, so other processes do not use them up.

    CPU time itself grows if heavy work shares the cores and caches. So a test that comes near its limit on an idle
    machine may be TIMEOUT on a busy one: 3 of 20,000 recorded completions were, beside a training and a load of 20.

    Attributes:
        test_cpu_seconds: CPU seconds for one test; a test over it fails, even with the right answer. Give at least 20
            times the reference's time.
        total_cpu_seconds: CPU seconds for all tests together; the tests left when it is used up are TIMEOUT. Measured
            times vary, so a test that meets a limit is charged a fixed price of twice ``test_cpu_seconds``, and a test
            that answers is charged nothing. The measured sum ends the tests only at four times the total.
        memory_mb: MiB of memory above the idle sandbox.
        output_kb: KiB of output of a ``program`` for one input.
    """

    test_cpu_seconds: float = 0.25
    total_cpu_seconds: float = 1.0
    memory_mb: int = 256
    output_kb: int = 256

    def __post_init__(self) -> None:
        for name in ("test_cpu_seconds", "total_cpu_seconds", "memory_mb", "output_kb"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= _MOST:
                raise ConfigError(f"Limits.{name} must be a positive number up to {_MOST:,}, not {value!r:.40}")
        for name in ("test_cpu_seconds", "total_cpu_seconds"):
            object.__setattr__(self, name, float(getattr(self, name)))  # equal limits have equal digests
        for name in ("memory_mb", "output_kb"):
            if not isinstance(getattr(self, name), int):
                raise ConfigError(f"Limits.{name} must be a whole number, not {getattr(self, name)!r}")
        if self.total_cpu_seconds < self.test_cpu_seconds:
            raise ConfigError("Limits.total_cpu_seconds is below test_cpu_seconds: the first test could not finish")


@dataclass(frozen=True, slots=True)
class Test:
    """One test of a problem.

    Attributes:
        code: for a ``function`` problem: an OCaml expression of type bool, with the candidate's items in scope.
        name: shown in reports; the problem numbers tests without a name.
        public: True for an example to show in the prompt.
        stdin: for a ``program`` problem: the program's input.
        stdout: for a ``program`` problem: the expected output.
    """

    __test__ = False  # tells pytest that this is not a test class

    code: str = ""
    name: str = field(default="", kw_only=True)
    public: bool = field(default=False, kw_only=True)
    stdin: str | None = field(default=None, kw_only=True)
    stdout: str | None = field(default=None, kw_only=True)


@dataclass(frozen=True, kw_only=True, init=False)
class Problem:
    """A programming problem: the question and the tests of an answer.

    Attributes:
        id: unique in its set; letters, digits and ``_ . : / -``.
        statement: the question, as Markdown. It must state every tested edge case.
        tests: a string is a hidden test's expression; a ``Test`` can say more. At least one.
        signature: for a ``function`` problem, the OCaml interface of the answer.
        reference: a right answer, "" if there is none.
        prelude: OCaml code placed before the tests, after ``open Solution``; the candidate never sees it.
        level: from 1 (one expression) to 6 (expert), by the demands of the question; None if it was not assigned.
        label: the difficulty in the words of its own set, such as ``easy``; "" if the set gives none.
        baseline: for each group, in the order of ``groups``, the most hidden tests that a degenerate answer passes,
            such as a constant; empty if it was not measured.
        complete_examples: True declares that the examples show every possible input, so a table of them is right.
        solve_rate: the share of attempts that solved it, from 0 to 1; None if unknown.
        attempt: a faulty answer to repair; an episode begins after it. "" if there is none.
        attempt_verdict: the verdict of the attempt; None if there is none.
        attempt_kept: names of the tests that pass if the fault of the attempt is only cut out (``repair.cuts``); the
            attempt is worth as much as an answer that passes these.
        topics: its topics, most important first.
        source: its origin.
        split: ``train``, ``eval``, or "" if its set has no splits.
        kind: ``function`` (a module, tested through its signature) or ``program`` (stdin to stdout).
        limits: the candidate's resources.
        float_tolerance: for a ``program``, numbers in the output may differ by this much, absolutely or relatively;
            None compares text.

    Raises:
        ProblemError: if the fields make no usable problem; the message names the fault and the remedy.
    """

    id: str
    statement: str
    tests: tuple[Test, ...]
    signature: str = ""
    reference: str = ""
    prelude: str = ""
    level: int | None = None
    label: str = ""
    topics: tuple[str, ...] = ()
    source: str = ""
    split: Literal["", "train", "eval"] = ""
    kind: Kind = "function"
    limits: Limits = Limits()
    float_tolerance: float | None = None
    baseline: tuple[int, ...] = ()
    complete_examples: bool = False
    solve_rate: float | None = None
    attempt: str = ""
    attempt_verdict: Verdict | None = None
    attempt_kept: tuple[str, ...] = ()

    def __init__(
        self,
        *,
        id: str,
        statement: str,
        tests: Iterable[str | Test],
        signature: str = "",
        reference: str = "",
        prelude: str = "",
        level: int | None = None,
        label: str = "",
        topics: Iterable[str] = (),
        source: str = "",
        split: Literal["", "train", "eval"] = "",
        kind: Kind = "function",
        limits: Limits | None = None,
        float_tolerance: float | None = None,
        baseline: Iterable[int] = (),
        complete_examples: bool = False,
        solve_rate: float | None = None,
        attempt: str = "",
        attempt_verdict: Verdict | None = None,
        attempt_kept: Iterable[str] = (),
    ) -> None:
        # Written by hand: tests may be given as plain strings, but the field is always a tuple of Test.
        values = dict(
            id=id,
            statement=statement,
            tests=_named(id, tests),
            signature=signature,
            reference=reference,
            prelude=prelude,
            level=level,
            label=label,
            topics=(topics,) if isinstance(topics, str) else tuple(topics),
            source=source,
            split=split,
            kind=kind,
            limits=limits if limits is not None else Limits(),
            float_tolerance=float_tolerance,
            baseline=tuple(baseline),
            complete_examples=complete_examples,
            solve_rate=solve_rate,
            attempt=attempt,
            attempt_verdict=attempt_verdict,
            attempt_kept=tuple(attempt_kept),
        )
        for name, value in values.items():
            object.__setattr__(self, name, value)
        self._validate()

    @property
    def public_tests(self) -> tuple[Test, ...]:
        return tuple(test for test in self.tests if test.public)

    @property
    def hidden_tests(self) -> tuple[Test, ...]:
        return tuple(test for test in self.tests if not test.public)

    @property
    def level_name(self) -> str:
        """The level as text, for tables: ``1`` to ``6``; without a level, its label or else ``none``."""
        return self.label or "none" if self.level is None else str(self.level)

    @property
    def reference_lines(self) -> int:
        """Non-blank lines of the reference."""
        return sum(1 for line in self.reference.splitlines() if line.strip())

    @cached_property
    def wanted(self) -> tuple[str, ...]:
        """The names that an answer must define, for extraction to look for; none for a program."""
        return names_of(self.signature)

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The hidden tests grouped by the items they mention, in the order of the signature; see ``Group``."""
        return self._make_groups(self.baseline)

    def _make_groups(self, baseline: tuple[int, ...]) -> tuple[Group, ...]:
        return make_groups(
            signature=self.signature,
            prelude=self.prelude,
            hidden={test.name: test.code for test in self.hidden_tests},
            public={test.name: test.code for test in self.public_tests},
            baseline=baseline,
        )

    @cached_property
    def digest(self) -> str:
        """SHA-256, in hexadecimal, of everything that determines a verdict and its reward: the key of caches.

        ``attempt_kept`` is left out: it follows from the reference, the attempt and the engine.
        """
        more: list[object] = [self.baseline] if self.baseline else []
        if self.attempt:
            more.append({"attempt": self.attempt})
        return _digest([*self._compiled, asdict(self.limits), self.float_tolerance, *more])

    @cached_property
    def tests_digest(self) -> str:
        """SHA-256, in hexadecimal, of the compiled tests' sources, which are independent of limits."""
        return _digest(self._compiled)

    @property
    def _compiled(self) -> list[object]:
        return [self.kind, self.signature, self.prelude, [_record(test) for test in self.tests]]

    def _validate(self) -> None:
        if not isinstance(self.id, str) or not _ID.fullmatch(self.id):
            raise ProblemError(
                f"a problem's id must be 1 to 200 letters, digits or any of _ . : / - and start with a letter or a "
                f"digit, not {self.id!r}"
            )
        for name in ("statement", "signature", "reference", "prelude", "label", "source", "attempt"):
            if not isinstance(getattr(self, name), str):
                raise self._error(f"{name} must be a string, not {type(getattr(self, name)).__name__}")
        if not self.statement.strip():
            raise self._error("the statement is empty")
        if self.kind not in get_args(Kind):
            raise self._error(f"kind must be one of {get_args(Kind)}, not {self.kind!r}")
        if self.level is not None and (isinstance(self.level, bool) or self.level not in LEVELS):
            raise self._error(f"level must be None or from 1 to 6, not {self.level!r}")
        if self.split not in ("", "train", "eval"):
            raise self._error(f'split must be "train", "eval" or "", not {self.split!r}')
        if not all(isinstance(topic, str) and topic for topic in self.topics):
            raise self._error(f"topics must be non-empty strings, not {self.topics!r}")
        if not isinstance(self.limits, Limits):
            raise self._error(f"limits must be a Limits, not {type(self.limits).__name__}")
        if self.float_tolerance is not None and not 0 <= self.float_tolerance < math.inf:
            raise self._error(f"float_tolerance must be None or a number from 0, not {self.float_tolerance!r}")
        if not isinstance(self.complete_examples, bool):
            raise self._error(f"complete_examples must be true or false, not {self.complete_examples!r}")
        if self.solve_rate is not None and not 0 <= self.solve_rate <= 1:
            raise self._error(f"solve_rate must be None or from 0 to 1, not {self.solve_rate!r}")
        verdict = self.attempt_verdict
        if verdict is not None and not isinstance(verdict, Verdict):
            raise self._error(f"attempt_verdict must be None or a Verdict, not {type(verdict).__name__}")
        if bool(self.attempt) != (verdict is not None) or (verdict is not None and verdict.passed):
            raise self._error("an attempt comes with its verdict, attempt_verdict, which has not passed")
        if self.attempt_kept and not self.attempt:
            raise self._error("attempt_kept is of an attempt, and there is none")
        if unknown := sorted(set(self.attempt_kept) - {test.name for test in self.tests}):
            raise self._error(f"attempt_kept must name tests: there is none named {unknown[0]!r}")
        if not self.tests:
            raise self._error("it has no tests: give at least one")
        if self.kind == "function" and not self.signature.strip():
            raise self._error("a function problem needs a signature (OCaml `val` lines that the candidate must fit)")
        if self.kind == "program" and (self.signature.strip() or self.prelude.strip()):
            raise self._error(
                "a program problem has neither signature nor prelude: it is tested through stdin and stdout"
            )
        for test in self.tests:
            self._validate_test(test)
        if self.baseline:
            self._validate_baseline()

    def _validate_baseline(self) -> None:
        if not all(isinstance(count, int) and not isinstance(count, bool) for count in self.baseline):
            raise self._error(f"baseline must be whole numbers, one a group of tests, not {self.baseline!r}")
        sizes = [len(group.tests) for group in self._make_groups(())]
        if len(sizes) != len(self.baseline) or not all(map(int.__ge__, sizes, self.baseline)) or min(self.baseline) < 0:
            raise self._error(
                "baseline must hold a number for each group of hidden tests, from 0 to its size, not "
                f"{self.baseline!r} for groups of {sizes} tests: ocaml-env audit --write measures it"
            )

    def _validate_test(self, test: Test) -> None:
        if self.kind == "function":
            if not isinstance(test.code, str) or not test.code.strip():
                raise self._error("its code is empty: a test is an OCaml expression of type bool", test)
            if test.stdin is not None or test.stdout is not None:
                raise self._error("a function problem's test has code, not stdin and stdout", test)
        else:
            if test.code:
                raise self._error("a program problem's test has stdin and stdout, not code", test)
            if not isinstance(test.stdin, str) or not isinstance(test.stdout, str):
                raise self._error("a program problem's test needs both stdin and stdout", test)

    def _error(self, message: str, test: Test | None = None) -> ProblemError:
        where = f"problem {self.id!r}" + (f", test {test.name!r}" if test else "")
        return ProblemError(f"{where}: {message}", problem_id=self.id, test=test.name if test else None)


def _named(problem_id: str, tests: Iterable[str | Test]) -> tuple[Test, ...]:
    """The tests as ``Test`` values with unique names."""
    if isinstance(tests, str | Test):
        raise ProblemError(
            f"problem {problem_id!r}: tests must be a sequence, not a single test", problem_id=problem_id
        )
    named: list[Test] = []
    seen: set[str] = set()
    for number, given in enumerate(tests, start=1):
        if not isinstance(given, str | Test):
            raise ProblemError(
                f"problem {problem_id!r}: test {number} must be a string or a Test, not {type(given).__name__}",
                problem_id=problem_id,
            )
        test = Test(given) if isinstance(given, str) else given
        if not test.name:
            test = replace(test, name=f"{'example' if test.public else 'test'} {number}")
        if test.name in seen:
            raise ProblemError(
                f"problem {problem_id!r}: two tests are named {test.name!r}", problem_id=problem_id, test=test.name
            )
        seen.add(test.name)
        named.append(test)
    return tuple(named)


def _record(test: Test) -> dict[str, object]:
    """Like ``asdict``, without its copies of each text."""
    return {name: getattr(test, name) for name in Test.__slots__}


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value).encode("utf-8", "surrogatepass")).hexdigest()
