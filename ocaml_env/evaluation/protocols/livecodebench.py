"""LiveCodeBench's comparison of a program's output (Jain et al., 2024), for sets of stdin and stdout.

Blanks around a line do not count, nor blank lines at the beginning; numbers of a line may be spelled differently. A
test has 6 seconds. Ours, beside it, follows the problem: only blanks at the end of a line do not count, numbers may
differ only by ``float_tolerance``, and the problem sets its limits.

Only the comparison is theirs. Their programs are Python, so prompts and the extraction of code are ours. They give a
test 6 seconds of wall time and stop at the first failure; here it is CPU time, with 30 seconds for all tests, to limit
the cost of endless loops.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal, InvalidOperation
from types import MappingProxyType

from ocaml_env.episode import evaluate
from ocaml_env.errors import ConfigError
from ocaml_env.evaluation.protocols.base import PeerEvaluation, PeerProtocol
from ocaml_env.evaluation.record import PeerStatus
from ocaml_env.problem import Limits, Problem
from ocaml_env.problems import ProblemSet
from ocaml_env.problems.sources import read_sets, spread
from ocaml_env.reward import RewardSpec
from ocaml_env.verdict import Outcome, Stage, Verdict
from ocaml_env.verifiers.base import AnyVerifier, AuthoringVerifier

__all__ = ["LiveCodeBench", "same_lines"]

_LIMITS = Limits(test_cpu_seconds=6, total_cpu_seconds=30, memory_mb=1024)


_STATUS = {
    Outcome.PASSED: PeerStatus.OK,
    Outcome.TEST_FAILURE: PeerStatus.WRONG_ANSWER,
    Outcome.TIMEOUT: PeerStatus.TIME_LIMIT_EXCEEDED,
    Outcome.RUNTIME_ERROR: PeerStatus.RUNTIME_ERROR,
}


class LiveCodeBench(PeerProtocol):
    """Problems of stdin and stdout under LiveCodeBench's protocol.

    Raises:
        ConfigError: if a problem is not of this kind.
    """

    name = "livecodebench"
    stricter = MappingProxyType(
        {
            Outcome.TEST_FAILURE: "ours takes blanks or numbers to the letter",
            Outcome.TIMEOUT: "ours allows less time",
            Outcome.MEMORY_LIMIT: "ours allows less memory",
        }
    )

    def __init__(self, source: str, limit: int) -> None:
        problems = read_sets(source)
        if others := [problem.id for problem in problems if problem.kind != "program"]:
            raise ConfigError(
                f"--protocol livecodebench evaluates what programs print, and {others[0]!r} is a function"
            )
        asked = ProblemSet(spread(problems, limit), name=problems.name, note=problems.note)
        super().__init__(asked, whole=[problem.id for problem in problems])

    def evaluate(
        self, problem: Problem, completion: object, *, verifier: AnyVerifier, reward: RewardSpec
    ) -> PeerEvaluation:
        ours = evaluate(problem, completion, verifier=verifier, reward=reward)
        theirs = self._theirs(problem, ours.extraction.code, ours.verdict, verifier)
        return PeerEvaluation(
            problem=problem,
            completion=ours.completion,
            extraction=ours.extraction,
            verdict=theirs,
            reward=reward(problem, ours.extraction, theirs),
            version=reward.version,
            reason=ours.reason,
            status=_status(theirs),
            ours=ours.verdict,
        )

    @staticmethod
    def _theirs(problem: Problem, code: str | None, ours: Verdict, verifier: AnyVerifier) -> Verdict:
        if code is None or ours.stage < Stage.TEST or (ours.passed and problem.float_tolerance is None):
            return ours  # an exact pass of ours passes theirs
        if not isinstance(verifier, AuthoringVerifier):
            raise ConfigError("LiveCodeBench compares outputs by its own rule, and a service does not tell them")
        problem = replace(problem, limits=_LIMITS)
        verdict = verifier.verify(problem, code)
        if not all(test.returned for test in verdict.tests):
            return verdict
        printed = zip(verdict.tests, verifier.outputs(problem, code), problem.tests, strict=True)
        tests = tuple(
            replace(ran, outcome=Outcome.PASSED, detail="")
            if output is not None and same_lines(output, test.stdout or "")
            else replace(ran, outcome=Outcome.TEST_FAILURE)
            for ran, output, test in printed
        )
        outcome = next((test.outcome for test in tests if not test.passed), Outcome.PASSED)
        return replace(verdict, outcome=outcome, tests=tests)


def _status(verdict: Verdict) -> PeerStatus:
    otherwise = PeerStatus.COMPILE_ERROR if verdict.stage < Stage.TEST else PeerStatus.RUNTIME_ERROR
    return _STATUS.get(verdict.outcome, otherwise)


def same_lines(actual: bytes, expected: str) -> bool:
    """True if two outputs agree line by line: without blanks around a line, and lines of numbers by their values."""
    try:
        left, right = _lines(actual.decode("utf-8")), _lines(expected)
    except UnicodeDecodeError:
        return False
    return len(left) == len(right) and all(a == b or _same_numbers(a, b) for a, b in zip(left, right, strict=True))


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().split("\n")]


def _same_numbers(left: str, right: str) -> bool:
    try:
        return [Decimal(word) for word in left.split()] == [Decimal(word) for word in right.split()]
    except InvalidOperation:
        return False
