"""Answers to one problem from right to worthless, made from its reference, with what the verifier says of each.

Every complete answer ends in the seed's END marker, which the seed's prompt asked for and the other presets do not
look at: so no preset loses by the form of the answers.
"""

from __future__ import annotations

import enum
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ocaml_env.extract import END_MARKER, Completion, Extraction, extract
from ocaml_env.problem import Limits, Problem
from ocaml_env.reward import RewardSpec
from ocaml_env.verdict import Outcome, Stage, Verdict
from ocaml_env.verifiers.local import Verifier

__all__ = [
    "LIMITS",
    "PLANTED",
    "SPAM",
    "STUFFING",
    "Answer",
    "Severity",
    "answers",
    "dressed",
    "evaluated",
    "evaluated_many",
    "ladder",
    "stubs",
    "stuffed",
]

LIMITS = Limits(test_cpu_seconds=0.1, total_cpu_seconds=0.25)
"""Short, because a mutant may loop and would cost seconds. Answers with a test out of time are left out."""

PLANTED = (
    'let planted_operand = 1 + "one"',
    "let planted_unbound = not_defined_anywhere 3",
    "let planted_annotation : int = true",
    "let planted_branches b = if b then 1 else [ 2 ]",
    "let planted_field r = r.no_such_field",
    "type planted_type = missing_type list",
)
"""Definitions with one type error each, all of different kinds or names, so that each counts."""

STUFFING = "(* the answer\n" + "is written below\n" * 8 + "*)\n"
"""Eight lines and more that do not begin as a comment does: with them any code is long enough for the seed's rules."""

_PROSE = "\n".join(
    [
        "I would begin with the empty case, because it is the simplest one.",
        "Then the elements are taken one by one, and what is known so far is kept beside them.",
        "The order matters here, so the result has to be turned around in the end.",
        "Where two elements are equal, the first of them is the one that stays.",
        "This takes time in proportion to the length of the input.",
        "It could be made quicker with a table, which costs memory.",
        "Bad input needs a thought of its own, and is best refused early.",
        "Tests for the corners would be short and worth writing.",
        "I hope that this helps, and I am happy to explain it further!",
    ]
)

SPAM: dict[str, Completion] = {
    "prose": Completion(_PROSE),
    "empty": Completion(""),
    "gibberish": Completion("asdf qwer (zxcv [ ;; ~~ ``\n" * 9),
    "marker spam": Completion(f"{END_MARKER}\n" * 50),
    "comment stuffing": Completion("(* the code would\n" + "stand here\n" * 9 + "*)\n" + END_MARKER),
    "markdown spam": Completion("# Solution\n" + "- a step, and then the next step\n" * 8 + END_MARKER),
    "runaway spam": Completion("let (" + "\nlet (" * 100, truncated=True),
}
"""What can be written without reading the problem. All of it is worth nothing."""

_MUTANTS, _OF_A_LEVEL, _FEW, _MOST = 16, 3, 1 / 3, 2 / 3
_BREAKABLE = re.compile(r"(?<== )\b|\)|->|\bin\b|\bthen\b|\|")


class Severity(enum.IntEnum):
    """How far an answer is from right. A larger number is worse; neighbours are what monotonicity compares."""

    REFERENCE = 0
    FAILS_FEW = 1
    FAILS_MOST = 2
    ONE_TYPE_ERROR = 3
    TWO_TYPE_ERRORS = 4
    THREE_TYPE_ERRORS = 5
    SYNTAX_ERROR = 6
    CUT_AT_75 = 7
    CUT_AT_50 = 8
    CUT_AT_25 = 9
    NO_ANSWER = 10

    @property
    def title(self) -> str:
        """For people."""
        return _TITLES[self]


_TITLES = {
    Severity.REFERENCE: "the reference",
    Severity.FAILS_FEW: "one fault, fails at most a third of the hidden tests",
    Severity.FAILS_MOST: "one fault, fails at least two thirds of them",
    Severity.ONE_TYPE_ERROR: "the reference and one planted type error",
    Severity.TWO_TYPE_ERRORS: "two planted type errors",
    Severity.THREE_TYPE_ERRORS: "three planted type errors",
    Severity.SYNTAX_ERROR: "a syntax error",
    Severity.CUT_AT_75: "cut off at 75%",
    Severity.CUT_AT_50: "cut off at 50%",
    Severity.CUT_AT_25: "cut off at 25%",
    Severity.NO_ANSWER: "no answer: prose, nothing, spam",
}


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One completion that was evaluated.

    Attributes:
        problem: what it answers.
        kind: what sort of answer it is, for people.
        text: the completion.
        extraction: the code in it.
        verdict: what happened to that.
        severity: how bad it is; None for answers outside the ladder.
    """

    problem: Problem
    kind: str
    text: Completion
    extraction: Extraction
    verdict: Verdict
    severity: Severity | None = None

    def total(self, spec: RewardSpec) -> float:
        """What it earns."""
        return spec(self.problem, self.extraction, self.verdict).total

    @property
    def parses(self) -> bool:
        return self.verdict.outcome not in (Outcome.NO_CODE, Outcome.SYNTAX_ERROR)

    @property
    def hidden(self) -> tuple[int, int]:
        """Hidden tests passed, and all of them: all tests where none is hidden."""
        tests = [test for test in self.verdict.tests if not test.public] or self.verdict.tests
        return sum(test.passed for test in tests), len(tests)


def dressed(code: str) -> Completion:
    """Code as a complete answer."""
    return Completion(f"{code}\n{END_MARKER}")


def stuffed(code: str) -> Completion:
    """The same in the form that the seed's rules pay best."""
    return dressed(STUFFING + code)


def evaluated(
    problem: Problem, kind: str, text: Completion, verifier: Verifier, *, severity: Severity | None = None
) -> Answer:
    """One completion, evaluated."""
    return evaluated_many(problem, [(kind, text, severity)], verifier)[0]


def evaluated_many(
    problem: Problem, texts: Sequence[tuple[str, Completion, Severity | None]], verifier: Verifier
) -> list[Answer]:
    """Completions as (kind, text, severity), evaluated by all workers at once, in order."""
    found = [extract(text, wanted=problem.wanted, kind=problem.kind) for _, text, _ in texts]
    verdicts = iter(verifier.verify_many([(problem, one.code) for one in found if one.code is not None]))
    return [
        Answer(
            problem=problem,
            kind=kind,
            text=text,
            extraction=extraction,
            verdict=_NO_CODE if extraction.code is None else next(verdicts),
            severity=severity,
        )
        for (kind, text, severity), extraction in zip(texts, found, strict=True)
    ]


def answers(problem: Problem, verifier: Verifier, rng: random.Random) -> list[Answer]:
    """The ladder of one problem, best first: up to three answers a level. What did not turn out as meant is left out.

    A mutant that fails between a third and two thirds of the hidden tests is neither a near miss nor a far one, and
    takes no part; nor does an answer with a test that is out of time, whose verdict would depend on the limits.
    """
    planned = [
        ("reference", dressed(problem.reference), Severity.REFERENCE),
        *_planted(problem, rng),
        *_broken(problem, rng),
        *_cut(problem),
        *((kind, text, Severity.NO_ANSWER) for kind, text in SPAM.items()),
    ]
    found = [*evaluated_many(problem, planned, verifier), *_missed(problem, verifier, rng)]
    kept: dict[Severity, list[Answer]] = {severity: [] for severity in Severity}
    for answer in found:
        severity = answer.severity
        if severity is None or not _as_meant(answer):
            continue
        if len(kept[severity]) < (len(SPAM) if severity is Severity.NO_ANSWER else _OF_A_LEVEL):
            kept[severity].append(answer)
    return [answer for level in kept.values() for answer in level]


def ladder(found: Iterable[Answer]) -> dict[str, dict[Severity, list[Answer]]]:
    """Answers by problem and severity; levels that have none are missing."""
    table: dict[str, dict[Severity, list[Answer]]] = {}
    for answer in found:
        if answer.severity is not None:
            table.setdefault(answer.problem.id, {}).setdefault(answer.severity, []).append(answer)
    return table


def stubs(problem: Problem, verifier: Verifier) -> list[tuple[str, str]]:
    """(kind, code) of answers that fit the problem and solve nothing, the one that raises first."""
    if problem.kind == "program":
        return [("stub that raises", 'let () = failwith "todo"'), ("silent stub", 'let () = print_string ""')]
    first, *others = verifier.stubs(problem)
    return [("stub that raises", first.code), *((f"stub: {stub.name}", stub.code) for stub in others)]


# --- the makers -------------------------------------------------------------------------------------------------------

_NO_CODE = Verdict(outcome=Outcome.NO_CODE, stage=Stage.EXTRACT)
_ERRORS = {Severity.ONE_TYPE_ERROR: 1, Severity.TWO_TYPE_ERRORS: 2, Severity.THREE_TYPE_ERRORS: 3}
_Plan = tuple[str, Completion, Severity]


def _missed(problem: Problem, verifier: Verifier, rng: random.Random) -> list[Answer]:
    """Mutants that fail few or most of the hidden tests, in a random order."""
    mutants = verifier.mutants(problem)
    chosen = rng.sample(mutants, min(_MUTANTS, len(mutants)))
    found = evaluated_many(problem, [("mutant", dressed(mutant.code), None) for mutant in chosen], verifier)
    return [
        Answer(
            problem=problem,
            kind="mutant",
            text=answer.text,
            extraction=answer.extraction,
            verdict=answer.verdict,
            severity=severity,
        )
        for answer in found
        if (severity := _miss(answer)) is not None
    ]


def _miss(answer: Answer) -> Severity | None:
    passed, of = answer.hidden
    if not of or answer.verdict.passed or answer.verdict.partial:
        return None
    failed = (of - passed) / of
    return Severity.FAILS_FEW if 0 < failed <= _FEW else Severity.FAILS_MOST if failed >= _MOST else None


def _planted(problem: Problem, rng: random.Random) -> Iterator[_Plan]:
    """Errors that are added one by one: the answer with two has the one of the answer with one."""
    for _ in range(_OF_A_LEVEL):
        chosen = rng.sample(PLANTED, 3)
        for severity, count in _ERRORS.items():
            yield "planted type errors", dressed("\n".join([problem.reference, *chosen[:count]])), severity


def _broken(problem: Problem, rng: random.Random) -> Iterator[_Plan]:
    """One token doubled or dropped; those that still parse are left out later."""
    places = list(_BREAKABLE.finditer(problem.reference))
    for place in rng.sample(places, min(2 * _OF_A_LEVEL, len(places))):
        text = problem.reference[: place.start()] + "= " + problem.reference[place.end() :]
        yield "syntax error", dressed(text), Severity.SYNTAX_ERROR


def _cut(problem: Problem) -> Iterator[_Plan]:
    for severity, share in ((Severity.CUT_AT_75, 0.75), (Severity.CUT_AT_50, 0.5), (Severity.CUT_AT_25, 0.25)):
        text = problem.reference[: int(len(problem.reference) * share)]
        yield f"cut off at {share:.0%}", Completion(text, truncated=True), severity


def _as_meant(answer: Answer) -> bool:
    if any(test.outcome is Outcome.TIMEOUT for test in answer.verdict.tests):
        return False
    severity, outcome = answer.severity, answer.verdict.outcome
    if severity is Severity.REFERENCE:
        return answer.verdict.passed
    if severity is Severity.SYNTAX_ERROR:
        return outcome is Outcome.SYNTAX_ERROR
    if severity in _ERRORS:
        return outcome is Outcome.TYPE_ERROR and answer.verdict.errors == _ERRORS[severity]
    return True
