"""Erroneous programs, one a file in ``errors/``: the engine counts their errors as a competent person does.

The first comment of a file declares the problem's signature and tests, as in ``honest/``. Then comes one entry for each
error that a person counts: its kind, its name, the reason, and the repair as pairs of lines. A ``-`` line has text of
the program; the ``+`` line after it replaces that text everywhere. The comment itself is not evaluated. An entry
``hidden:`` is an error that shows only after another is repaired; it is not counted.

The repairs prove the count: the program is right with all of them, and wrong if a counted one is left out.

An entry ``differs:`` gives the reason why the reward's rule counts otherwise (distinct pairs of kind and name, plus
each missing or ill-typed item of the signature).
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ocaml_env.problem import Problem
from ocaml_env.verdict import Outcome, Verdict
from tests.engine.cases import function

if TYPE_CHECKING:
    from ocaml_env.verifiers.local import Verifier

_HEADER = re.compile(r"\(\* (?P<body>.*?)^\*\)$", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"^   (signature|tests|error|hidden|differs):(.*)\n", re.MULTILINE)
_ENTRY = re.compile(r" (?P<kind>[a-z-]+) (?P<name>\S+): (?P<why>.+)")
_REPAIR = re.compile(r"^     - (.*)\n     \+ (.*)$", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class Mistake:
    """One deliberate error and its repair."""

    kind: str
    name: str
    repairs: tuple[tuple[str, str], ...]
    hidden: bool

    def repair(self, code: str) -> str:
        for wrong, right in self.repairs:
            assert wrong in code, f"{wrong!r} is not in the program"
            code = code.replace(wrong, right)
        return code


@dataclass(frozen=True, kw_only=True)
class Case:
    """One golden case. ``code`` has blank lines instead of the file's header, so that positions agree with the file."""

    problem: Problem
    code: str
    mistakes: tuple[Mistake, ...]
    differs: str

    @property
    def golden(self) -> int:
        return len(self.visible)

    @property
    def visible(self) -> tuple[Mistake, ...]:
        return tuple(mistake for mistake in self.mistakes if not mistake.hidden)

    def repaired(self, *, but: Mistake | None = None) -> str:
        code = self.code
        for mistake in self.mistakes:
            if mistake is not but:
                code = mistake.repair(code)
        return code


def read_case(path: Path) -> Case:
    text = path.read_text(encoding="utf-8")
    header = _HEADER.match(text)
    assert header, f"{path.name}: it does not begin with a comment that ends in '*)' on a line of its own"
    title, *parts = _HEADING.split(header["body"])
    sections: dict[str, str] = {}
    mistakes = []
    for heading, inline, block in zip(parts[0::3], parts[1::3], parts[2::3], strict=True):
        if heading in ("error", "hidden"):
            entry = _ENTRY.fullmatch(inline)
            assert entry, f"{path.name}: {heading!r} needs a kind, a name and a reason, not {inline!r}"
            repairs = tuple(_REPAIR.findall(block))
            assert len(repairs) * 2 == len(block.splitlines()), f"{path.name}: lines - and + must come in pairs"
            mistakes.append(
                Mistake(kind=entry["kind"], name=entry["name"], repairs=repairs, hidden=heading == "hidden")
            )
        else:
            assert heading not in sections, f"{path.name}: {heading!r} twice"
            sections[heading] = inline.strip() or textwrap.dedent(block)
    problem = Problem(
        id=path.stem,
        statement=title.strip(),
        signature=sections["signature"],
        tests=sections["tests"].splitlines(),
    )
    return Case(
        problem=problem,
        code="\n" * header[0].count("\n") + text[header.end() :],
        mistakes=tuple(mistakes),
        differs=sections.get("differs", ""),
    )


CASES = [read_case(path) for path in sorted((Path(__file__).parent / "errors").glob("*.ml"))]


def counted(verdict: Verdict) -> int:
    """Returns the number of errors, or of shown syntax errors if the text does not parse."""
    return len(verdict.diagnostics) if verdict.outcome is Outcome.SYNTAX_ERROR else verdict.errors


every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.problem.id)


@every_case
def test_errors_are_counted_as_a_person_counts_them(case: Case, verifier: Verifier) -> None:
    verdict = verifier.verify(case.problem, case.code)
    shown = [f"{d.line}:{d.column} {d.kind} {d.name!r} cascade={d.cascade}: {d.message}" for d in verdict.diagnostics]
    if case.differs:
        assert counted(verdict) != case.golden, f"it agrees now: remove 'differs: {case.differs}'"
    else:
        assert counted(verdict) == case.golden, "\n".join(shown)


@every_case
def test_the_outcome_is_the_kind_of_the_errors(case: Case, verifier: Verifier) -> None:
    expected = (
        Outcome.PASSED
        if not case.mistakes
        else Outcome.SYNTAX_ERROR
        if any(mistake.kind == "syntax" for mistake in case.mistakes)
        else Outcome.TYPE_ERROR
    )
    assert verifier.verify(case.problem, case.code).outcome is expected


@every_case
def test_with_every_repair_the_program_is_right(case: Case, verifier: Verifier) -> None:
    verdict = verifier.verify(case.problem, case.repaired())
    assert verdict.passed, [diagnostic.message for diagnostic in verdict.diagnostics]


@pytest.mark.parametrize(
    ("case", "mistake"),
    [pytest.param(case, mistake, id=f"{case.problem.id}-{mistake.name}") for case in CASES for mistake in case.visible],
)
def test_each_counted_error_alone_is_still_an_error(case: Case, mistake: Mistake, verifier: Verifier) -> None:
    verdict = verifier.verify(case.problem, case.repaired(but=mistake))
    syntax = mistake.kind == "syntax"
    assert verdict.outcome is (Outcome.SYNTAX_ERROR if syntax else Outcome.TYPE_ERROR)
    assert counted(verdict) >= 1


def test_no_message_mentions_the_checkers_own_code(verifier: Verifier) -> None:
    verdicts = verifier.verify_many([(case.problem, case.code) for case in CASES])
    messages = [diagnostic.message for verdict in verdicts for diagnostic in verdict.diagnostics]
    assert len(messages) > 100
    untrue = re.compile(r"\w/[12]\b|type variable _ |<hole|#")
    assert [message for message in messages if untrue.search(message)] == []


HIDDEN = "module {0} = struct let length = {0}.length end\n\n"


@pytest.mark.parametrize(
    ("before", "access", "name"),
    [
        (HIDDEN.format("Array"), "a.(0)", "Array.get"),
        (HIDDEN.format("Array"), "a.(0) <- 1", "Array.set"),
        (HIDDEN.format("String"), "a.[0]", "String.get"),
        ("module Bigarray = struct end\n\n", "a.{0}", "Bigarray.Array1"),
        ("\n\n", "a.%(0)", ".%()"),
        ("\n\n", "a.%{0} <- 1", ".%{}<-"),
    ],
)
def test_errors_in_index_syntax_have_their_position(before: str, access: str, name: str, verifier: Verifier) -> None:
    verdict = verifier.verify(
        function("val f : int -> int", "f 1 = 1"), f"{before}let f a =\n  ignore ({access});\n  a"
    )
    (error,) = verdict.diagnostics
    assert (error.name, error.line, error.column) == (name, 4, 10)


def test_at_least_22_of_25_cases_are_counted_as_a_person_counts_them(verifier: Verifier) -> None:
    verdicts = verifier.verify_many([(case.problem, case.code) for case in CASES])
    agreed = sum(counted(verdict) == case.golden for case, verdict in zip(CASES, verdicts, strict=True))
    assert len(CASES) >= 25
    assert agreed / len(CASES) >= 22 / 25, f"{agreed} of {len(CASES)}"
