"""A problem that is being written: its file, and a check of each part as soon as it is there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ocaml_env.audit.rules import THRESHOLDS
from ocaml_env.audit.statement import statement_findings
from ocaml_env.display.terminal import code_frame
from ocaml_env.errors import ConfigError, ProblemError
from ocaml_env.problem import Problem, Test
from ocaml_env.problem.record import problem_from_record
from ocaml_env.problem.signature import items_of
from ocaml_env.problems.format import format_draft, parse_draft
from ocaml_env.verdict import Stage, Verdict
from ocaml_env.verifiers.base import AuthoringVerifier

__all__ = ["PARTS", "Draft", "read_tests", "write_tests", "wrong_tests"]

PARTS = ("statement", "signature", "reference", "prelude", "examples")
"""The parts that an author gives, in this order. The prelude may be missing; a program has no signature either."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_SHOWN = 5  # faults of tests
_GIVES, _NEXT = "=>", "---"  # lines of a program's test: before its output, and after it


@dataclass
class Draft:
    """A problem file, complete or not.

    Attributes:
        path: the file. It is written after each change, so that nothing is lost.
        fields: those of ``Problem`` that are known.
    """

    path: Path
    fields: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def open(cls, path: Path) -> Draft:
        """Reads the file, or begins a new one.

        Raises:
            ConfigError: the name or the folder cannot be used.
            ProblemError: the file has another form, or is no problem of functions.
        """
        if path.suffix != ".md" or path.is_dir():
            raise ConfigError(f"{path}: give the name of a .md file, such as my_problems/double.md")
        if not path.absolute().parent.is_dir():
            raise ConfigError(f"{path}: there is no folder {path.parent}")
        if not path.exists():
            draft = cls(path, {"id": path.stem})
            draft.problem()  # checks the id
            return draft
        try:
            fields = parse_draft(path.read_bytes().decode("utf-8"), where=str(path))
        except UnicodeDecodeError as error:
            raise ProblemError(f"{path}: the file is not UTF-8 text ({error})") from None
        fields.pop("baseline", None)  # measured again at the end
        return cls(path, fields)

    @property
    def is_program(self) -> bool:
        return self.fields.get("kind") == "program"

    @property
    def parts(self) -> tuple[str, ...]:
        """Those of ``PARTS`` that this problem has."""
        return tuple(part for part in PARTS if not (self.is_program and part in ("signature", "prelude")))

    @property
    def missing(self) -> tuple[str, ...]:
        """The parts that it needs and does not have."""
        return tuple(part for part in self.parts if part != "prelude" and not self.has(part))

    @property
    def examples(self) -> list[Test]:
        return [test for test in self.fields.get("tests", ()) if test.public]

    @property
    def hidden(self) -> list[Test]:
        return [test for test in self.fields.get("tests", ()) if not test.public]

    def has(self, part: str) -> bool:
        return bool(self.examples if part == "examples" else self.fields.get(part))

    def text(self, part: str) -> str:
        """The text of a part; "" if it is missing."""
        return write_tests(self.examples) if part == "examples" else self.fields.get(part, "")

    def put(self, part: str, text: str) -> None:
        """Sets a part, and writes the file.

        Raises:
            ProblemError: the text cannot stand in the file.
        """
        text = text.replace("\r\n", "\n").strip("\n").rstrip()
        if found := _CONTROL.search(text):
            raise ProblemError(f"the {part}: it has the control character {found[0]!r}")
        if part == "examples":
            self.fields["tests"] = [*read_tests(text, public=True, program=self.is_program), *self.hidden]
        else:
            self.fields[part] = text
        self.save()

    def add(self, tests: Sequence[Test]) -> None:
        """Adds hidden tests, and writes the file."""
        self.fields["tests"] = [*self.fields.get("tests", ()), *tests]
        self.save()

    def save(self, text: str | None = None) -> None:
        """Replaces the file at once, by the given text or by what is known so far."""
        partial = self.path.with_name(f"{self.path.name}.partial")
        partial.write_text(text or format_draft(self.fields), encoding="utf-8", newline="\n")
        partial.replace(self.path)

    def problem(self, tests: Sequence[Test] | None = None) -> Problem:
        """The problem with its own or the given tests; missing parts are filled in."""
        filled = {"statement": "-"} | ({} if self.is_program else {"signature": "val _unknown : unit"}) | self.fields
        some = Test(stdin="", stdout="", public=True) if self.is_program else Test("true", public=True)
        filled["tests"] = list((self.fields.get("tests") if tests is None else tests) or [some])
        return problem_from_record(filled, where=str(self.path))

    def fault(self, part: str, verifier: AuthoringVerifier) -> str:
        """What is wrong with a part, in one or more lines; "" if nothing is. Earlier parts must be right."""
        try:
            return _FAULTS[part](self, verifier)
        except ProblemError as error:
            return _plain(error)

    def _statement_fault(self, verifier: AuthoringVerifier) -> str:
        del verifier
        found = statement_findings([self.problem([])], fewest_words=int(THRESHOLDS["words"].small))
        return "\n".join(finding.message for finding in found)

    def _signature_fault(self, verifier: AuthoringVerifier) -> str:
        verifier.check(replace(self.problem([]), prelude=""))
        if not items_of(self.text("signature")):
            return "it asks for no value: write lines such as `val double : int -> int`"
        return ""

    def _reference_fault(self, verifier: AuthoringVerifier) -> str:
        verdict = verifier.verify(replace(self.problem([]), prelude=""), self.text("reference"))
        runs = verdict.stage is Stage.TEST and not verdict.diagnostics
        if verdict.passed or (runs and self.is_program):  # a program may need an input
            return ""
        if runs:
            return f"it does not run: {verdict.outcome} {verdict.tests[0].detail}".rstrip()
        return _diagnosed(verdict, self.text("reference"))

    def _prelude_fault(self, verifier: AuthoringVerifier) -> str:
        verdict = verifier.verify(self.problem([]), self.text("reference"))
        return "" if verdict.passed else f"it does not run: {verdict.outcome} {verdict.tests[0].detail}".rstrip()

    def _examples_fault(self, verifier: AuthoringVerifier) -> str:
        return "\n".join(wrong_tests(self, self.examples, verifier))


_FAULTS = {
    "statement": Draft._statement_fault,
    "signature": Draft._signature_fault,
    "reference": Draft._reference_fault,
    "prelude": Draft._prelude_fault,
    "examples": Draft._examples_fault,
}


def read_tests(text: str, *, public: bool = False, program: bool = False) -> list[Test]:
    """Reads tests as an author types them.

    A test of functions begins at column 0 and continues over indented lines, as in a problem file. One of a program is
    an input, a line ``=>`` and an output; a line ``---`` stands between two tests.

    Raises:
        ProblemError: the text has another form.
    """
    if program:
        return [_program_test(part, public) for part in re.split(rf"^{_NEXT}[ \t]*\n", text + "\n", flags=re.MULTILINE)]
    ticks = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    title = "Examples" if public else "Tests"
    lines = f'+++\nid = "tests"\n+++\n## {title}\n{ticks}ocaml\n{text}\n{ticks}\n'
    try:
        tests: list[Test] = parse_draft(lines, where="tests").get("tests", [])
    except ProblemError as error:
        where, line, message = str(error).split(":", 2)
        raise ProblemError(f"{where}, line {int(line) - 5}:{message}") from None
    return tests


def write_tests(tests: Sequence[Test]) -> str:
    """The tests as ``read_tests`` reads them."""
    if any(test.stdin is not None for test in tests):
        return f"{_NEXT}\n".join(f"{test.stdin}{_GIVES}\n{test.stdout}" for test in tests).removesuffix("\n")
    return "\n".join(test.code for test in tests)


def _program_test(text: str, public: bool) -> Test:
    parts = re.split(rf"^{_GIVES}[ \t]*\n", text, flags=re.MULTILINE)
    if len(parts) != 2:
        raise ProblemError(
            f"a test of a program is an input, a line `{_GIVES}` and its output, and a line `{_NEXT}` before the next "
            f"one; this has {len(parts) - 1} lines `{_GIVES}`: {text.strip()!r}"
        )
    return Test(stdin=parts[0], stdout=parts[1], public=public)


def wrong_tests(draft: Draft, tests: Sequence[Test], verifier: AuthoringVerifier) -> list[str]:
    """The tests that do not hold for the reference, each with the reason; a few of them, if there are many."""
    opened = [replace(test, name="", public=True) for test in tests]
    if draft.is_program:
        return _wrong_runs(draft, opened, verifier)[:_SHOWN]
    try:
        verdict = verifier.verify(draft.problem(opened), draft.text("reference"))
    except ProblemError as error:
        number = re.search(r"example (\d+)", error.test or "")
        code = f"`{opened[int(number[1]) - 1].code}`: " if number else ""
        return [f"{code}{_plain(error)}"]
    found = [
        f"`{test.code}` does not hold: {outcome.detail or outcome.outcome}"
        for test, outcome in zip(opened, verdict.tests, strict=True)
        if not outcome.passed
    ]
    return found[:_SHOWN] + ([f"and {len(found) - _SHOWN} more"] if len(found) > _SHOWN else [])


def _wrong_runs(draft: Draft, tests: Sequence[Test], verifier: AuthoringVerifier) -> list[str]:
    """The tests of a program to which its reference gives another output."""
    verdict = verifier.verify(draft.problem(tests), draft.text("reference"))
    return [
        f"the input {test.stdin!r} does not give {test.stdout!r}: {outcome.detail or outcome.outcome}"
        for test, outcome in zip(tests, verdict.tests, strict=True)
        if not outcome.passed
    ]


def _diagnosed(verdict: Verdict, code: str) -> str:
    lines = []
    for diagnostic in verdict.diagnostics[:_SHOWN]:
        lines.append((f"line {diagnostic.line}: " if diagnostic.line else "") + diagnostic.message)
        lines += code_frame(code, diagnostic.line, diagnostic.column)
    return "\n".join(lines) or str(verdict.outcome)


def _plain(error: ProblemError) -> str:
    """The message without the name of the problem."""
    return re.sub(r"^(?:\S+\.md: )?problem '[^']*'(?:, test '[^']*')?: ", "", str(error))
