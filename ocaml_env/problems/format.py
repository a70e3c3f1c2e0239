"""The Markdown format of a problem, with TOML front matter: text to ``Problem`` and back.

    +++
    id = "double"                   also: level, topics, source, split, kind, [limits], ...
    +++

    The statement, in Markdown. It may have headings, except the titles below.

    ## Signature                    one fence, labelled ocaml; so are Prelude and Reference, which may be left out
    ## Prelude
    ## Reference
    ## Examples                     public tests, shown in the prompt
    ## Tests                        hidden tests

A test of a function starts at column 0 and continues over indented lines. A comment alone on a line at column 0 names
the test after it. A test of a program is a fence labelled ``input`` and one labelled ``output``, after an optional
``### name``. The content of fences is kept exactly; blank lines around the statement are dropped.

This module handles one problem; ``load`` handles files and folders.
"""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from os import PathLike
from pathlib import Path
from typing import Any, get_args

from ocaml_env.errors import ProblemError
from ocaml_env.problem import Kind, Limits, Problem, Test
from ocaml_env.problem.record import nearest, problem_from_record

__all__ = ["format_draft", "format_problem", "parse_draft", "parse_problem", "read_problem"]

_CODE_SECTIONS = ("Signature", "Prelude", "Reference")
_TEST_SECTIONS = ("Examples", "Tests")
_SECTIONS = _CODE_SECTIONS + _TEST_SECTIONS
_FRONT_KEYS = (
    "id",
    "level",
    "label",
    "solve_rate",
    "topics",
    "source",
    "split",
    "kind",
    "float_tolerance",
    "baseline",
    "complete_examples",
    "limits",
)

_FENCE = re.compile(r"\s*(?:(?P<ticks>`{3,})(?P<label>[^`]*)|(?P<tildes>~{3,})(?P<label2>.*))")
_NAME = re.compile(r"\(\*((?:(?!\*\)).)*)\*\)\s*")
_CONTINUES = tuple(")]}|;,=<>&@^+*/:.")  # no expression starts so: the author forgot to indent the line


def parse_problem(text: str, *, where: str = "<text>") -> Problem:
    """Reads one problem.

    Args:
        text: the whole file.
        where: the file's name, for messages.

    Raises:
        ProblemError: the text is not a problem; the message names the file, the line and the remedy.
    """
    source = _source(text, where)
    values, sections = _values(source)
    if values.get("kind", "function") == "function" and "Signature" not in sections:
        raise _missing(source, "Signature")
    if not any(title in sections for title in _TEST_SECTIONS):
        raise _missing(source, "Tests")
    return problem_from_record(values, where=where)


def parse_draft(text: str, *, where: str = "<text>") -> dict[str, Any]:
    """Reads a problem whose last parts may be missing: the fields that are there, for ``format_draft``.

    Raises:
        ProblemError: the text has another form; the message names the file, the line and the remedy.
    """
    values, _ = _values(_source(text, where))
    return {name: value for name, value in values.items() if value}


def read_problem(path: str | PathLike[str]) -> Problem:
    """Reads the problem in one ``.md`` file.

    Raises:
        ProblemError: the file is not a problem, or not UTF-8.
        OSError: the file cannot be read.
    """
    try:
        text = Path(path).read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise ProblemError(f"{path}: the file is not UTF-8 text ({error})") from None
    return parse_problem(text, where=str(path))


def format_problem(problem: Problem) -> str:
    """Writes a problem as Markdown. ``parse_problem`` reads it back, except blank lines around its statement.

    Raises:
        ProblemError: the format would lose something: a test with another layout, a hidden test before a public one, a
            program's text without a final newline, a carriage return. JSONL holds them all.
    """
    problem = replace(problem, statement=_trimmed(problem.statement.split("\n")))
    text = "\n".join(_parts(problem).values())
    try:
        changed = _differences(problem, parse_problem(text))
    except ProblemError as error:
        changed = str(error)
    if changed:
        raise ProblemError(
            f"problem {problem.id!r} cannot be written as Markdown without loss ({changed}): keep it in a .jsonl file",
            problem_id=problem.id,
        )
    return text


def format_draft(record: Mapping[str, Any]) -> str:
    """Writes the fields of an unfinished problem as Markdown.

    Raises:
        ProblemError: a field is unknown or of a wrong type, or the format would lose something.
    """
    is_program = record.get("kind") == "program"
    tests = record.get("tests") or (Test(stdin="", stdout="") if is_program else Test("true"),)
    filled = {"statement": "-"} | ({} if is_program else {"signature": "-"}) | dict(record) | {"tests": tests}
    problem = problem_from_record(filled, where=str(record.get("id")))
    there = [name for name in ("statement", *map(str.lower, _CODE_SECTIONS)) if record.get(name)]
    there += _TEST_SECTIONS if record.get("tests") else ()
    text = "\n".join(text for name, text in _parts(problem).items() if name in ("front matter", *there))
    read = parse_draft(text)
    for name in there:
        if name not in _TEST_SECTIONS and read.get(name) != record[name]:
            raise ProblemError(f"the {name} cannot stand in a problem file: a heading in it has the title of a section")
    return text


# --- reading ----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Source:
    """The lines of a file, and its name and problem id for errors."""

    where: str
    lines: list[str]
    problem_id: str | None = None

    def error(self, line: int, message: str) -> ProblemError:
        """An error at a line, counted from 1."""
        return ProblemError(f"{self.where}:{line}: {message}", problem_id=self.problem_id)


@dataclass(frozen=True, slots=True)
class _Fence:
    label: str
    line: int  # of its first content line, counted from 1
    lines: tuple[str, ...]
    heading: str | None  # the `### name` before the fence


@dataclass(frozen=True, slots=True)
class _Section:
    title: str
    line: int
    fences: list[_Fence] = field(default_factory=list)


def _source(text: str, where: str) -> _Source:
    return _Source(where, text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n"))


def _values(source: _Source) -> tuple[dict[str, Any], dict[str, _Section]]:
    """The fields of a problem, and its sections by title."""
    values, end = _front_matter(source)
    source.problem_id = values["id"] if isinstance(values.get("id"), str) else None
    values["statement"], sections = _split_sections(source, end)
    for title in _CODE_SECTIONS:
        if title in sections:
            values[title.lower()] = _code(source, sections[title])
    tests = _program_tests if values.get("kind") == "program" else _function_tests
    values["tests"] = [test for title in _TEST_SECTIONS if title in sections for test in tests(source, sections[title])]
    return values, sections


def _front_matter(source: _Source) -> tuple[dict[str, Any], int]:
    """The values of the front matter, and the index of the first line after it."""
    lines = source.lines
    if lines[0].rstrip() != "+++":
        raise source.error(1, "the first line must be `+++`, which opens the TOML front matter")
    end = next((number for number in range(1, len(lines)) if lines[number].rstrip() == "+++"), None)
    if end is None:
        raise source.error(1, "the front matter is never closed: add a line `+++` after it")
    try:
        # The blank first line stands for `+++`, so that TOML's line numbers are those of the file.
        values = tomllib.loads("\n".join(["", *lines[1:end]]))
    except (ValueError, RecursionError) as error:  # TOMLDecodeError, and numbers that are too long
        at = re.search(r"at line (\d+)", str(error))
        raise source.error(int(at[1]) if at else end, f"the front matter is not TOML: {error}") from None
    for key in values:
        if key not in _FRONT_KEYS:
            line = next((n for n in range(1, end) if lines[n].lstrip("[ \"'").startswith(key)), 0)
            raise source.error(line + 1, f"unknown key {key!r} in the front matter{nearest(key, _FRONT_KEYS)}")
    if "id" not in values:
        raise source.error(1, 'the front matter has no `id = "..."`')
    kind = values.get("kind", "function")
    if kind not in get_args(Kind):
        raise source.error(1, f"kind must be one of {get_args(Kind)}, not {kind!r}")
    return values, end + 1


def _split_sections(source: _Source, start: int) -> tuple[str, dict[str, _Section]]:
    """The statement, and the sections by title."""
    lines, index = source.lines, start
    statement: list[str] = []
    sections: dict[str, _Section] = {}
    current: _Section | None = None
    heading: str | None = None
    while index < len(lines):
        line = lines[index]
        title = line[3:].strip() if line.startswith("## ") else None
        if heading is not None and line.strip() and not _FENCE.fullmatch(line):
            raise source.error(index + 1, f"a fence must follow the heading `### {heading}`")
        if title in _SECTIONS:
            if title in sections:
                raise source.error(
                    index + 1, f"a second section `## {title}`; the first is on line {sections[title].line}"
                )
            current = sections[title] = _Section(title, index + 1)
        elif fence := _FENCE.fullmatch(line):
            end = _fence_end(source, index, fence["ticks"] or fence["tildes"])
            if current is None:
                statement += lines[index : end + 1]
            else:
                label = (fence["label"] or fence["label2"] or "").strip()
                current.fences.append(_Fence(label, index + 2, tuple(lines[index + 1 : end]), heading))
                heading = None
            index = end
        elif current is None:
            statement.append(line)
        elif title is not None:
            raise source.error(index + 1, f"unknown section {title!r}{nearest(title, _SECTIONS)}")
        elif line.startswith("### "):
            heading = line[4:].strip()
        elif line.strip():
            raise source.error(
                index + 1, f"text outside a fence in section `## {current.title}`: put it in the statement"
            )
        index += 1
    if heading is not None:
        raise source.error(len(lines), f"a fence must follow the heading `### {heading}`")
    return _trimmed(statement), sections


def _fence_end(source: _Source, start: int, opening: str) -> int:
    for index in range(start + 1, len(source.lines)):
        line = source.lines[index].strip()
        if len(line) >= len(opening) and not line.strip(opening[0]):
            return index
    raise source.error(start + 1, f"this fence is never closed: add a line `{opening}` after it")


def _code(source: _Source, section: _Section) -> str:
    if len(section.fences) != 1:
        line = section.fences[1].line - 1 if section.fences else section.line
        raise source.error(
            line, f"section `## {section.title}` must hold one ```ocaml fence, not {len(section.fences)}"
        )
    fence = section.fences[0]
    if fence.label != "ocaml":
        raise source.error(fence.line - 1, f"this fence must be labelled `ocaml`, not {fence.label!r}")
    if fence.heading is not None:
        raise source.error(fence.line - 1, f"section `## {section.title}` takes no `###` headings")
    return "\n".join(fence.lines)


def _function_tests(source: _Source, section: _Section) -> list[Test]:
    code = _code(source, section).split("\n")
    first = section.fences[0].line
    tests: list[Test] = []
    body: list[str] = []
    name = ""

    def flush() -> None:
        nonlocal name
        if body:
            tests.append(Test("\n".join(body).rstrip("\n"), name=name, public=section.title == "Examples"))
            body.clear()
            name = ""

    for number, line in enumerate(code, start=first):
        comment = _NAME.fullmatch(line)
        if comment:
            flush()
            if name:
                raise source.error(number, f"two names for one test: no test follows (* {name} *)")
            name = comment[1].strip()
        elif not line.strip():
            if body:
                body.append(line)
        elif line[0].isspace():
            if not body:
                raise source.error(number, "a test must start at column 0: this line is indented and continues nothing")
            body.append(line)
        elif line.startswith("(*") and "*)" not in line:
            raise source.error(number, "a comment that names a test must be on one line")
        elif line.startswith(_CONTINUES):
            raise source.error(
                number, f"no test starts with {line[0]!r}: indent the line if it continues the one before"
            )
        else:
            flush()
            body.append(line)
    flush()
    if name:
        raise source.error(first + len(code), f"no test follows (* {name} *)")
    return tests


def _program_tests(source: _Source, section: _Section) -> list[Test]:
    fences = section.fences
    for number, fence in enumerate(fences):
        expected = "output" if number % 2 else "input"
        if fence.label != expected:
            raise source.error(fence.line - 1, f"a fence labelled `{expected}` is expected here, not {fence.label!r}")
        if fence.heading is not None and expected == "output":
            raise source.error(fence.line - 1, "a `###` heading names a pair of fences: put it before ```input")
    if len(fences) % 2:
        raise source.error(fences[-1].line - 1, "this input has no ```output fence after it")
    return [
        Test(
            name=given.heading or "",
            public=section.title == "Examples",
            stdin="".join(f"{line}\n" for line in given.lines),
            stdout="".join(f"{line}\n" for line in wanted.lines),
        )
        for given, wanted in zip(fences[::2], fences[1::2], strict=True)
    ]


def _trimmed(lines: Sequence[str]) -> str:
    """The lines without blank ones at both ends."""
    full = [index for index, line in enumerate(lines) if line.strip()]
    return "\n".join(lines[full[0] : full[-1] + 1]) if full else ""


def _missing(source: _Source, title: str) -> ProblemError:
    """An error at a heading similar to ``title``, or else at the end of the file."""
    for number, line in enumerate(source.lines, start=1):
        if line.startswith("#") and difflib.get_close_matches(title.lower(), [line.strip("# :").lower()], cutoff=0.8):
            return source.error(number, f"there is no section `## {title}`: is `{line}` meant to be it?")
    return source.error(len(source.lines), f"there is no section `## {title}`: add it")


# --- writing ----------------------------------------------------------------------------------------------------------


def _parts(problem: Problem) -> dict[str, str]:
    """The text of each part: the front matter, the statement, and sections; those without content are missing."""
    parts = {"front matter": _format_front_matter(problem), "statement": problem.statement + "\n"}
    for title in _CODE_SECTIONS:
        if code := getattr(problem, title.lower()):
            parts[title.lower()] = f"## {title}\n{_fenced('ocaml', code + chr(10))}"
    for title, tests in zip(_TEST_SECTIONS, (problem.public_tests, problem.hidden_tests), strict=True):
        if tests:
            parts[title] = f"## {title}\n{_format_tests(problem, tests)}"
    return parts


def _format_front_matter(problem: Problem) -> str:
    lines = ["+++", f"id = {_toml(problem.id)}"]
    if problem.level is not None:
        lines.append(f"level = {problem.level}")
    if problem.label:
        lines.append(f"label = {_toml(problem.label)}")
    lines.append(f"topics = [{', '.join(map(_toml, problem.topics))}]")
    for name in ("source", "split"):
        if value := getattr(problem, name):
            lines.append(f"{name} = {_toml(value)}")
    if problem.kind != "function":
        lines.append(f"kind = {_toml(problem.kind)}")
    for name in ("float_tolerance", "solve_rate"):
        if (number := getattr(problem, name)) is not None:
            lines.append(f"{name} = {number!r}")
    if problem.baseline:
        lines.append(f"baseline = {list(problem.baseline)}")
    if problem.complete_examples:
        lines.append("complete_examples = true")
    usual = asdict(Limits())
    changed = [f"{name} = {value!r}" for name, value in asdict(problem.limits).items() if value != usual[name]]
    if changed:
        lines += ["", "[limits]", *changed]
    return "\n".join([*lines, "+++", ""])


def _toml(text: str) -> str:
    # A JSON string is a TOML string, except for the one control character that JSON does not escape.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _format_tests(problem: Problem, tests: Iterable[Test]) -> str:
    own = _own_names(problem)
    if problem.kind == "program":
        return "\n".join(
            (f"### {own[test.name]}\n" if own[test.name] else "")
            + _fenced("input", test.stdin or "")
            + _fenced("output", test.stdout or "")
            for test in tests
        )
    lines = ((f"(* {own[test.name]} *)\n" if own[test.name] else "") + f"{test.code}\n" for test in tests)
    return _fenced("ocaml", "".join(lines))


def _own_names(problem: Problem) -> dict[str, str]:
    """The name to write for each test; "" if the problem would give the test the same name."""
    unnamed = replace(problem, tests=tuple(replace(test, name="") for test in problem.tests))
    return {
        test.name: "" if test.name == usual.name else test.name
        for test, usual in zip(problem.tests, unnamed.tests, strict=True)
    }


def _fenced(label: str, text: str) -> str:
    """A fence around ``text``, longer than any fence in it. The text is empty or ends its last line."""
    longest = max((len(ticks) for ticks in re.findall(r"`+", text)), default=0)
    ticks = "`" * max(3, longest + 1)
    return f"{ticks}{label}\n{text}{ticks}\n"


def _differences(problem: Problem, read: Problem) -> str:
    changed = [field.name for field in fields(Problem) if getattr(problem, field.name) != getattr(read, field.name)]
    return f"these would be read back differently: {', '.join(changed)}" if changed else ""
