"""A problem that is being written: its file, and a check of each part as soon as it is there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
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

__all__ = ["PARTS", "Draft", "read_tests", "wrong_tests"]

PARTS = ("statement", "signature", "reference", "examples")
"""The parts that an author gives, in this order."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_SHOWN = 5  # faults of tests


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
            draft.problem([Test("true")])  # checks the id
            return draft
        try:
            fields = parse_draft(path.read_bytes().decode("utf-8"), where=str(path))
        except UnicodeDecodeError as error:
            raise ProblemError(f"{path}: the file is not UTF-8 text ({error})") from None
        if fields.get("kind") == "program":
            raise ProblemError(f"{path}: this command writes tests of functions, and the problem is a program")
        fields.pop("baseline", None)  # measured again at the end
        return cls(path, fields)

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
        return "\n".join(test.code for test in self.examples) if part == "examples" else self.fields.get(part, "")

    def put(self, part: str, text: str) -> None:
        """Sets a part, and writes the file.

        Raises:
            ProblemError: the text cannot stand in the file.
        """
        text = text.replace("\r\n", "\n").strip("\n").rstrip()
        if found := _CONTROL.search(text):
            raise ProblemError(f"the {part}: it has the control character {found[0]!r}")
        if part == "examples":
            self.fields["tests"] = [*read_tests(text, public=True), *self.hidden]
        else:
            self.fields[part] = text
        self.save()

    def add(self, tests: Sequence[str]) -> None:
        """Adds hidden tests, and writes the file."""
        self.fields["tests"] = [*self.fields.get("tests", ()), *map(Test, tests)]
        self.save()

    def save(self, text: str | None = None) -> None:
        """Replaces the file at once, by the given text or by what is known so far."""
        partial = self.path.with_name(f"{self.path.name}.partial")
        partial.write_text(text or format_draft(self.fields), encoding="utf-8", newline="\n")
        partial.replace(self.path)

    def problem(self, tests: Sequence[Test] | None = None) -> Problem:
        """The problem with its own or the given tests; missing parts are filled in."""
        filled = {"statement": "-", "signature": "val _unknown : unit", **self.fields}
        return problem_from_record(
            {**filled, "tests": list(self.fields["tests"] if tests is None else tests)}, where=str(self.path)
        )

    def fault(self, part: str, verifier: AuthoringVerifier) -> str:
        """What is wrong with a part, in one or more lines; "" if nothing is. Earlier parts must be right."""
        try:
            return _FAULTS[part](self, verifier)
        except ProblemError as error:
            return _plain(error)

    def _statement_fault(self, verifier: AuthoringVerifier) -> str:
        del verifier
        found = statement_findings([self.problem([Test("true")])], fewest_words=int(THRESHOLDS["words"].small))
        return "\n".join(finding.message for finding in found)

    def _signature_fault(self, verifier: AuthoringVerifier) -> str:
        verifier.check(self.problem([Test("true")]))
        if not items_of(self.text("signature")):
            return "it asks for no value: write lines such as `val double : int -> int`"
        return ""

    def _reference_fault(self, verifier: AuthoringVerifier) -> str:
        verdict = verifier.verify(self.problem([Test("true", public=True)]), self.text("reference"))
        if verdict.passed:
            return ""
        if verdict.stage is Stage.TEST and not verdict.diagnostics:
            return f"it does not run: {verdict.outcome} {verdict.tests[0].detail}".rstrip()
        return _diagnosed(verdict, self.text("reference"))

    def _examples_fault(self, verifier: AuthoringVerifier) -> str:
        return "\n".join(wrong_tests(self, self.examples, verifier))


_FAULTS = {
    "statement": Draft._statement_fault,
    "signature": Draft._signature_fault,
    "reference": Draft._reference_fault,
    "examples": Draft._examples_fault,
}


def read_tests(text: str, *, public: bool = False) -> list[Test]:
    """Reads tests in the form of a problem file: one begins at column 0 and continues over indented lines.

    Raises:
        ProblemError: the text has another form.
    """
    ticks = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    title = "Examples" if public else "Tests"
    lines = f'+++\nid = "tests"\n+++\n## {title}\n{ticks}ocaml\n{text}\n{ticks}\n'
    try:
        tests: list[Test] = parse_draft(lines, where="tests").get("tests", [])
    except ProblemError as error:
        where, line, message = str(error).split(":", 2)
        raise ProblemError(f"{where}, line {int(line) - 5}:{message}") from None
    return tests


def wrong_tests(draft: Draft, tests: Sequence[Test], verifier: AuthoringVerifier) -> list[str]:
    """The tests that do not hold for the reference, each with the reason; a few of them, if there are many."""
    opened = [Test(test.code, public=True) for test in tests]
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


def _diagnosed(verdict: Verdict, code: str) -> str:
    lines = []
    for diagnostic in verdict.diagnostics[:_SHOWN]:
        lines.append((f"line {diagnostic.line}: " if diagnostic.line else "") + diagnostic.message)
        lines += code_frame(code, diagnostic.line, diagnostic.column)
    return "\n".join(lines) or str(verdict.outcome)


def _plain(error: ProblemError) -> str:
    """The message without the name of the problem."""
    return re.sub(r"^(?:\S+\.md: )?problem '[^']*'(?:, test '[^']*')?: ", "", str(error))
