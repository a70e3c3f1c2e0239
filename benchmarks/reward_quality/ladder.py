"""Makes answers to a problem, from right to worthless, from its reference, and evaluates them.

Every complete answer ends in the seed's END marker. The seed's prompt asked for it, and other presets ignore it, so no
preset pays less because of the form of the answers.
"""

from __future__ import annotations

import enum
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ocaml_env import Outcome, Stage, Verdict
from ocaml_env.extract import END_MARKER, Completion, Extraction, extract
from ocaml_env.problem import Limits, Problem
from ocaml_env.reward import RewardSpec
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
"""Short, because a looping mutant would cost seconds. Answers with a timeout are left out."""

PLANTED = (
    'let planted_operand = 1 + "one"',
    "let planted_unbound = not_defined_anywhere 3",
    "let planted_annotation : int = true",
    "let planted_branches b = if b then 1 else [ 2 ]",
    "let planted_field r = r.no_such_field",
    "type planted_type = missing_type list",
)
"""Definitions with one type error each, of different kinds or names, so that each error counts."""

STUFFING = "(* the answer\n" + "is written below\n" * 8 + "*)\n"
"""A comment whose eight inner lines do not begin like one: with it any code is long enough for the seed's rules."""

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
"""Texts that need no knowledge of the problem. All of them are worth nothing."""

_MUTANTS, _OF_A_LEVEL, _FEW, _MOST = 16, 3, 1 / 3, 2 / 3
_BREAKABLE = re.compile(r"(?<== )\b|\)|->|\bin\b|\bthen\b|\|")


class Severity(enum.IntEnum):
    """The distance of an answer from a right one. Larger is worse; the study compares neighbouring values."""

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
    """An evaluated completion.

    Attributes:
        problem: the problem that it answers.
        kind: the sort of answer, for people.
        text: the completion.
        extraction: the code in it.
        verdict: the verdict on the code.
        severity: its place in the ladder; None for answers outside the ladder.
    """

    problem: Problem
    kind: str
    text: Completion
    extraction: Extraction
    verdict: Verdict
    severity: Severity | None = None

    def total(self, spec: RewardSpec) -> float:
        """Its reward."""
        return spec(self.problem, self.extraction, self.verdict).total

    @property
    def parses(self) -> bool:
        return self.verdict.outcome not in (Outcome.NO_CODE, Outcome.SYNTAX_ERROR)

    @property
    def hidden(self) -> tuple[int, int]:
        """The numbers of passed hidden tests and of hidden tests; of all tests if none is hidden."""
        tests = [test for test in self.verdict.tests if not test.public] or self.verdict.tests
        return sum(test.passed for test in tests), len(tests)


def dressed(code: str) -> Completion:
    """Makes a complete answer from code."""
    return Completion(f"{code}\n{END_MARKER}")


def stuffed(code: str) -> Completion:
    """Makes a complete answer in the form that the seed's rules pay best."""
    return dressed(STUFFING + code)


def evaluated(
    problem: Problem, kind: str, text: Completion, verifier: Verifier, *, severity: Severity | None = None
) -> Answer:
    """Evaluates one completion."""
    return evaluated_many(problem, [(kind, text, severity)], verifier)[0]


def evaluated_many(
    problem: Problem, texts: Sequence[tuple[str, Completion, Severity | None]], verifier: Verifier
) -> list[Answer]:
    """Evaluates completions, given as (kind, text, severity), with all workers at once; returns answers in order."""
    found = [extract(text, wanted=problem.wanted, kind=problem.kind) for _, text, _ in texts]
    verdicts = iter(
        verifier.verify_many([(problem, extraction.code) for extraction in found if extraction.code is not None])
    )
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
    """Makes the ladder of a problem, best first, with up to three answers of each severity.

    Answers with another outcome than intended are left out. So are mutants that fail between a third and two thirds of
    the hidden tests, neither near nor far misses, and answers with a timeout, because their verdicts depend on the
    limits.
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
    """Groups answers by problem and severity, without empty groups."""
    table: dict[str, dict[Severity, list[Answer]]] = {}
    for answer in found:
        if answer.severity is not None:
            table.setdefault(answer.problem.id, {}).setdefault(answer.severity, []).append(answer)
    return table


def stubs(problem: Problem, verifier: Verifier) -> list[tuple[str, str]]:
    """Returns (kind, code) of well-typed answers that solve nothing; the raising one comes first."""
    if problem.kind == "program":
        return [("stub that raises", 'let () = failwith "todo"'), ("silent stub", 'let () = print_string ""')]
    first, *others = verifier.stubs(problem)
    return [("stub that raises", first.code), *((f"stub: {stub.name}", stub.code) for stub in others)]


# --- makers of answers ------------------------------------------------------------------------------------------------

_NO_CODE = Verdict(outcome=Outcome.NO_CODE, stage=Stage.EXTRACT)
_ERRORS = {Severity.ONE_TYPE_ERROR: 1, Severity.TWO_TYPE_ERRORS: 2, Severity.THREE_TYPE_ERRORS: 3}
_Plan = tuple[str, Completion, Severity]


def _missed(problem: Problem, verifier: Verifier, rng: random.Random) -> list[Answer]:
    """Returns mutants that fail few or most of the hidden tests, in a random order."""
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
    """Adds errors one by one, so that the answer with two errors contains the error of the answer with one."""
    for _ in range(_OF_A_LEVEL):
        chosen = rng.sample(PLANTED, 3)
        for severity, count in _ERRORS.items():
            yield "planted type errors", dressed("\n".join([problem.reference, *chosen[:count]])), severity


def _broken(problem: Problem, rng: random.Random) -> Iterator[_Plan]:
    """Replaces a token by ``=``, or inserts ``=``; texts that still parse are left out later."""
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
