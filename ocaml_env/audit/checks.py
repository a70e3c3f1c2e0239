"""Checks one problem with the engine, without a model.

Long, because every check is a few lines, and the checks share the results of the runs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ocaml_env.audit.finding import Finding
from ocaml_env.audit.guesses import Guess, usual_passes
from ocaml_env.audit.limits import TIMES_REFERENCE, fit_limits, patient
from ocaml_env.engine.authoring import Answer, CodeMetrics, Stub
from ocaml_env.errors import ProblemError
from ocaml_env.kills.baseline import Baseline, measure_baselines
from ocaml_env.kills.stubs import passed_by, stubs_of, verify_stub
from ocaml_env.problem import Limits, Problem
from ocaml_env.verdict import Outcome, Verdict
from ocaml_env.verifiers.base import AuthoringVerifier

__all__ = ["Examined", "as_json", "examine"]


_TOKEN = re.compile(r"""\"(?:\\.|[^"\\])*\"|'(?:\\.[^']*|[^'\\])'|[\w.]+|[^\s()\w]""")
_TABLE = "table of the examples"  # a stub
_NOISE = 1.5  # of measured times, on a busy machine


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """The result of one problem.

    Attributes:
        problem: the problem as given.
        findings: faults and remarks.
        code_metrics: of the reference; None without a reference that parses.
        slowest_seconds: CPU time of the reference's slowest test; 0 if it does not pass.
        fitting_limit: CPU seconds for a test that fit the reference: 20 times its slowest, and at least 50 ms.
        limits: the problem's, with enough CPU time for its reference; None if that was not measured.
        guess: of the answers that ignore the question, the one that passes most hidden tests.
        baselines: for each group of hidden tests, the most that a degenerate answer passes, and its name; empty if the
            reference does not pass.
        inside: tests with their result from the candidate's process, each with the reason.
    """

    problem: Problem
    findings: tuple[Finding, ...] = ()
    code_metrics: CodeMetrics | None = None
    slowest_seconds: float = 0.0
    fitting_limit: float = 0.05
    limits: Limits | None = None
    guess: Guess = field(default_factory=Guess)
    baselines: tuple[Baseline, ...] = ()
    inside: Mapping[str, str] = field(default_factory=dict)

    @property
    def fitted(self) -> Problem:
        """The problem with its baselines, and with limits that fit its reference."""
        found = self.problem if self.limits is None else replace(self.problem, limits=self.limits)
        baselines = tuple(baseline.group.baseline for baseline in self.baselines)
        return replace(found, baseline=baselines) if baselines else found

    @property
    def reference_passes(self) -> bool:
        return bool(self.problem.reference.strip()) and not any(
            finding.check in ("reference-fails", "does-not-compile") for finding in self.findings
        )


def examine(problem: Problem, verifier: AuthoringVerifier, *, guessable: float = 0.25) -> Examined:
    """Checks one problem, without mutants. A fault of it is a finding, never an exception.

    Args:
        guessable: the share of hidden tests that any guess may pass, beside chance; see ``usual_passes``.
    """
    found: list[Finding] = []

    def say(check: str, message: str, test: str = "") -> None:
        found.append(Finding(check=check, problem_id=problem.id, message=message, test=test))

    sound = _without_broken_tests(problem, verifier, found)
    if sound is None:
        return Examined(problem=problem, findings=tuple(found))
    answers = _known_answers(sound, verifier)
    _contradictions(sound, answers, verifier, found)
    _repeated(sound, found)
    stubs = _worth_a_run(stubs_of(sound, verifier), answers)
    verdicts = [verify_stub(sound, stub, verifier) for stub in stubs]
    passing = {stub: passed_by(verdict) for stub, verdict in zip(stubs, verdicts, strict=True)}
    _stub_findings(sound, verdicts[0], {stub.name: tests for stub, tests in passing.items()}, answers, found)
    if problem.complete_examples:
        _incomplete(sound, passing, found)
        passing = {stub: tests for stub, tests in passing.items() if stub.name != _TABLE}  # it is a right answer
    guess = _best_guess(sound, passing, answers, guessable)
    _guess_findings(sound, guess, found)
    examined = Examined(problem=problem, guess=guess, inside=verifier.inside(sound))
    if not sound.reference.strip():
        say("no-reference", "the tests were only tried on answers that must fail")
    else:
        examined = _with_reference(examined, sound, verifier, found)
        if sound is problem and examined.limits is not None:
            passed = {_plain(stub): tests for stub, tests in passing.items() if tests is not None}
            examined = replace(examined, baselines=measure_baselines(problem, passed))
        if examined.limits is not None:
            # The reference gives both answers, one after the other: a matter of order.
            found = [finding for finding in found if finding.check != "contradiction"]
    return replace(examined, findings=tuple(found))


def _without_broken_tests(problem: Problem, verifier: AuthoringVerifier, found: list[Finding]) -> Problem | None:
    """The problem without its broken tests; None if no test is left."""
    while True:
        try:
            verifier.check(problem)
        except ProblemError as error:
            message = str(error).split(": ", 1)[-1]
            found.append(
                Finding(check="does-not-compile", problem_id=problem.id, message=message, test=error.test or "")
            )
            rest = tuple(test for test in problem.tests if test.name != error.test)
            if error.test is None or not rest or len(rest) == len(problem.tests):
                return None
            problem = replace(problem, tests=rest, baseline=())
        else:
            return problem


def _repeated(problem: Problem, found: list[Finding]) -> None:
    seen: dict[str, str] = {}
    for test in problem.tests:
        key = _one_line(test.code) if problem.kind == "function" else repr((test.stdin, test.stdout))
        if key in seen:
            message = f"it repeats {seen[key]!r}"
            found.append(Finding(check="repeated-test", problem_id=problem.id, message=message, test=test.name))
        else:
            seen[key] = test.name


def _one_line(code: str) -> str:
    """The code with single spaces, except in strings."""
    return re.sub(r'("(?:\\.|[^"\\])*")|\s+', lambda found: found[1] or " ", code.strip())


def _known_answers(problem: Problem, verifier: AuthoringVerifier) -> list[Answer | None]:
    """The call and the expected answer of each test, if it has such a form. An alias of the prelude is resolved."""
    if problem.kind == "program":
        return [
            Answer(function="", arguments=(test.stdin or "",), expected=test.stdout or "") for test in problem.tests
        ]
    aliases = dict(re.findall(r"^let (\w+) = (\w+)[ \t]*$", problem.prelude, re.MULTILINE))
    answers = verifier.answers([test.code for test in problem.tests])
    return [answer and replace(answer, function=aliases.get(answer.function, answer.function)) for answer in answers]


def _contradictions(
    problem: Problem, answers: list[Answer | None], verifier: AuthoringVerifier, found: list[Finding]
) -> None:
    """Finds tests of equal calls with different expected answers."""
    first: dict[tuple[str, tuple[str, ...]], int] = {}
    for index, answer in enumerate(answers):
        if answer is None:
            continue
        is_program = problem.kind == "program"
        call = (answer.function, answer.arguments if is_program else tuple(map(_bare, answer.arguments)))
        earlier = first.setdefault(call, index)
        other = answers[earlier]
        if other is None or _bare(other.expected) == _bare(answer.expected):
            continue
        if is_program or not _equal(problem, verifier, other.expected, answer.expected):
            message = f"it expects {answer.expected} of a call of which {problem.tests[earlier].name!r} expects "
            test = problem.tests[index].name
            found.append(
                Finding(check="contradiction", problem_id=problem.id, message=message + other.expected, test=test)
            )


def _bare(text: str) -> str:
    """The tokens of the text, without parentheses: equal values may differ in these and in white space."""
    return " ".join(_TOKEN.findall(text))


def _equal(problem: Problem, verifier: AuthoringVerifier, one: str, other: str) -> bool:
    """True if two texts mean the same value, or if only a candidate could tell."""
    try:
        asked = replace(problem, tests=(f"{one} = {other}",), baseline=())  # type: ignore[arg-type]
        stub = verifier.stubs(asked)[0]
        return verifier.verify(asked, stub.code).outcome is not Outcome.TEST_FAILURE
    except ProblemError:
        return True


# --- degenerate answers -----------------------------------------------------------------------------------------------


def _worth_a_run(stubs: Sequence[Stub], answers: Sequence[Answer | None]) -> list[Stub]:
    """Leaves out constants that cannot pass more than the common answers, because each test expects a known one."""
    spare = ("constant 3", "constant 4", "constant 5") if all(answers) else ()
    return [stub for stub in stubs if stub.name not in spare]


def _plain(stub: Stub) -> str:
    return stub.what or stub.name


def _stub_findings(
    problem: Problem,
    raising: Verdict,
    passed_by: Mapping[str, set[str] | None],
    answers: Sequence[Answer | None],
    found: list[Finding],
) -> None:
    for test in raising.tests:
        if test.passed:
            message = "code that raises in every function passes it"
            found.append(Finding(check="stub-passes", problem_id=problem.id, message=message, test=test.name))
        elif test.returned:
            message = "it gives an answer although every function raises: let it catch only what it expects"
            found.append(Finding(check="stub-answers", problem_id=problem.id, message=message, test=test.name))
    same = {
        test.name
        for test, answer in zip(problem.tests, answers, strict=True)
        if answer is not None and problem.kind == "function" and _expects_itself(answer)
    }
    for name in sorted(same):
        message = "it compares a call with itself"
        found.append(Finding(check="vacuous-test", problem_id=problem.id, message=message, test=name))
    # The first two constants differ in every type, and the common answers are different texts. If one does not compile,
    # nothing is known. With one of both pairs, all of these answers together tell of a test that takes any answer.
    given = {
        name: passed
        for name, passed in passed_by.items()
        if passed is not None and name.startswith(("constant", "common answer"))
    }
    if not ({"constant 1", "constant 2"} <= given.keys() or {"common answer 1", "common answer 2"} <= given.keys()):
        return
    needless = same | {test.name for test in raising.tests if test.passed}
    for name in sorted(set.intersection(*given.values()) - needless):
        message = f"{len(given)} different constant answers pass it"
        found.append(Finding(check="vacuous-test", problem_id=problem.id, message=message, test=name))


def _expects_itself(answer: Answer) -> bool:
    return _bare(f"{answer.function} {' '.join(answer.arguments)}") == _bare(answer.expected)


def _best_guess(
    problem: Problem, passing: Mapping[Stub, set[str] | None], answers: Sequence[Answer | None], share: float
) -> Guess:
    hidden = {test.name for test in problem.hidden_tests}
    counts = {stub: len(hidden & (passed or set())) for stub, passed in passing.items()}
    if not hidden or not counts:
        return Guess()
    best = max(counts, key=lambda stub: counts[stub])
    usual, few = usual_passes(problem, answers, share)
    return Guess(what=_plain(best), passes=counts[best], tests=len(hidden), few=few, usual=usual)


def _guess_findings(problem: Problem, guess: Guess, found: list[Finding]) -> None:
    if guess.passes <= guess.usual:
        return
    check = "lopsided" if guess.is_lopsided else "guessable"
    message = f"{guess.what} passes {guess.passes} of {guess.tests} hidden tests; up to {guess.usual} are usual"
    if guess.what == f"a {_TABLE}" and guess.passes == guess.tests:
        message += "; if the examples show every possible input, declare complete_examples"
    found.append(Finding(check=check, problem_id=problem.id, message=message))


def _incomplete(problem: Problem, passing: Mapping[Stub, set[str] | None], found: list[Finding]) -> None:
    """Finds hidden tests of inputs that examples declared complete do not show."""
    table = next((passed for stub, passed in passing.items() if stub.name == _TABLE), None)
    missed = [test.name for test in problem.hidden_tests if test.name not in (table or ())]
    if missed:
        message = f"{len(missed)} of {len(problem.hidden_tests)} hidden tests fail with a table of the examples"
        found.append(Finding(check="not-complete", problem_id=problem.id, message=message, test=missed[0]))


# --- the reference ----------------------------------------------------------------------------------------------------


def _with_reference(
    examined: Examined, problem: Problem, verifier: AuthoringVerifier, found: list[Finding]
) -> Examined:
    def say(check: str, message: str, test: str = "") -> None:
        found.append(Finding(check=check, problem_id=problem.id, message=message, test=test))

    try:
        code_metrics = verifier.measure(problem)
    except ProblemError as error:
        say("reference-fails", str(error).split(": ", 1)[-1])
        return examined
    examined = replace(examined, code_metrics=code_metrics)
    fitting = fit_limits(problem, verifier)
    if fitting.probe is not None and fitting.probe.outcome is Outcome.TIMEOUT:
        most = patient(problem.limits)
        long = f"a test takes over {most.test_cpu_seconds:g} s, or all of them over {most.total_cpu_seconds:g} s"
        say("reference-fails", f"{Outcome.TIMEOUT}: {long} of CPU time", fitting.probe.failed)
        return examined
    if fitting.probe is None or not fitting.probe.passed:
        # With all tests public, each failed test tells its result to the author.
        opened = replace(problem, tests=tuple(replace(test, public=True) for test in problem.tests), baseline=())
        say("reference-fails", *_why(problem, verifier.verify(opened, problem.reference)))
        return examined
    slowest = fitting.probe.slowest_seconds
    if _clearly_longer(fitting.limits, problem.limits):
        say(
            "reference-slow",
            f"its slowest test takes {slowest:.3f} s and all of them {fitting.probe.cpu_seconds:.3f} s: "
            f"test_cpu_seconds should be {fitting.limits.test_cpu_seconds:g}, not {problem.limits.test_cpu_seconds:g}, "
            f"and total_cpu_seconds {fitting.limits.total_cpu_seconds:g}, not {problem.limits.total_cpu_seconds:g}",
        )
    elif not code_metrics.stateless:
        for arrangement in ("reversed", "alone"):
            [again] = verifier.probe(problem, [problem.reference], arrangement=arrangement)
            if not again.passed:
                say("order", f"the reference does not pass it when the tests run {arrangement}", again.failed)
    fitting_limit = max(0.05, TIMES_REFERENCE * slowest)
    return replace(examined, slowest_seconds=slowest, fitting_limit=round(fitting_limit, 3), limits=fitting.limits)


def _clearly_longer(wanted: Limits, given: Limits) -> bool:
    """True if limits are missed by more than a busy machine explains."""
    return (
        wanted.test_cpu_seconds > _NOISE * given.test_cpu_seconds
        or wanted.total_cpu_seconds > _NOISE * given.total_cpu_seconds
    )


def _why(problem: Problem, verdict: Verdict) -> tuple[str, str]:
    """The reason for a reference's failure, and the first failed test."""
    if verdict.diagnostics:
        first = verdict.diagnostics[0]
        return f"line {first.line}: {first.message}" if first.line else first.message, ""
    failed = [test for test in verdict.tests if not test.passed]
    if not failed:
        return f"{verdict.outcome}", ""
    is_stub = len(failed) == len(verdict.tests) and all(test.outcome is Outcome.RUNTIME_ERROR for test in failed)
    return (
        f"{failed[0].outcome} {failed[0].detail}".strip()
        + (f", as {len(failed) - 1} more" if len(failed) > 1 else "")
        + ("; it seems to be a stub" if is_stub else ""),
        failed[0].name,
    )


def as_json(examined: Examined) -> dict[str, object]:
    """The result of one problem as plain data."""
    code_metrics = examined.code_metrics
    return {
        "problem_id": examined.problem.id,
        "split": examined.problem.split,
        "level": examined.problem.level_name,
        "topics": list(examined.problem.topics),
        "tests": len(examined.problem.tests),
        "tests_inside": dict(examined.inside),
        "slowest_seconds": round(examined.slowest_seconds, 6),
        "fitting_limit": examined.fitting_limit,
        "groups": [
            {
                "items": list(baseline.group.items),
                "tests": len(baseline.group.tests),
                "baseline": baseline.group.baseline,
                "by": baseline.what,
            }
            for baseline in examined.baselines
        ],
        "guess": {
            "by": examined.guess.what,
            "passes": examined.guess.passes,
            "usual": examined.guess.usual,
            "tests": examined.guess.tests,
        },
        "reference": None
        if code_metrics is None
        else {
            "lines": code_metrics.lines,
            "nodes": code_metrics.nodes,
            "constructs": list(code_metrics.constructs),
            "modules": list(code_metrics.modules),
        },
    }
