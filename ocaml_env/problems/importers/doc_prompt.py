"""Splits a prompt for base models: OCaml comments, then the beginning of a function.

    (** Adds.
        >>> add 1 2
        3 *)
    let add (x : int) (y : int) : int =

The comments are the statement. Each ``>>>`` with the result below it is an example. The engine reads the rest, which is
OCaml. This module only finds the ends of comments, and these can differ from OCaml's: people write a lone quote or a
``(*`` into a comment, which no compiler accepts, and the comment is meant to go on.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ocaml_env.engine.authoring import Header
from ocaml_env.errors import ProblemError
from ocaml_env.problems.importers.fields import one_line
from ocaml_env.problems.importers.row import Reason, Refused
from ocaml_env.verifiers.base import AuthoringVerifier

__all__ = ["Example", "Prompt", "checked_examples", "comment_text", "read_prompt", "whole_reference"]

_STRING = r'"(?:[^"\\]|\\.)*"'
_CHARACTER = r"'(?:[^'\\\n]|\\[^'\n]{1,4}|\\')'"
_IN_CODE = re.compile(rf"\(\*|{_STRING}|{_CHARACTER}", re.DOTALL)
# Ways to read a comment, the compiler's own first.
_IN_COMMENT = (
    re.compile(rf"\(\*|\*\)|{_STRING}|{_CHARACTER}", re.DOTALL),
    re.compile(r"\(\*|\*\)"),
    re.compile(r"\*\)"),
)

_EXCEPTION = re.compile(r"(?:\*\*\*\s*)?(?:Exception|Fatal error|Error|raises?)\b", re.IGNORECASE)
_TOPLEVEL = re.compile(r"- : .*? = ", re.DOTALL)  # before a result of the toplevel
_KEYWORD = re.compile(r"\b(?:let|if|match|fun|function|try|assert|lazy|while|for)\b")
_BRACKETED = re.compile(r"\([^()\[\]{}]*\)|\[[^()\[\]{}]*\]|\{[^()\[\]{}]*\}")


@dataclass(frozen=True, slots=True)
class Example:
    """A ``>>>`` of a statement.

    Attributes:
        call: the expression.
        result: the lines below it.
        line: its first line in the statement, counted from 0.
        end: the line after it.
    """

    call: str
    result: str
    line: int
    end: int

    @property
    def code(self) -> str:
        """The example as a test."""
        return f"{_operand(self.call)} = {_operand(self.result, right=True)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """The parts of a prompt.

    Attributes:
        statement: the text of its comments, without their markers.
        header: the function to write.
        code: its OCaml, without comments; "" if it has none.
    """

    statement: str
    header: Header
    code: str

    @property
    def before(self) -> str:
        """The code before the function."""
        return self.code[: [match.start() for match in re.finditer(r"^let\b", self.code, re.MULTILINE)][-1]].strip()


# --- the whole --------------------------------------------------------------------------------------------------------


def read_prompt(text: str, verifier: AuthoringVerifier) -> Prompt:
    """Splits a prompt.

    Raises:
        Refused: it is cut off, has no text, or has no function that OCaml can read.
    """
    comments, code, header = _read(text.replace("\r\n", "\n").lstrip("\ufeff"), verifier)
    statement = "\n\n".join(filter(None, map(comment_text, comments)))
    if not statement:
        raise Refused(Reason.PROMPT, "its prompt has no comment that says what is asked")
    if not re.search(r"^let\b", code, re.MULTILINE):
        raise Refused(Reason.PROMPT, "its prompt has no line that begins with `let`")
    prompt = Prompt(statement=statement, header=header, code=code)
    if re.search(r"^(?:let|module|open)\b", prompt.before, re.MULTILINE):
        # The signature does not show these definitions, and the candidate has to know them.
        shown = f"{statement}\n\nThe file begins with:\n\n```ocaml\n{prompt.before}\n```"
        prompt = replace(prompt, statement=shown)
    return prompt


def _read(text: str, verifier: AuthoringVerifier) -> tuple[list[str], str, Header]:
    failure = "a comment of it never ends: it is cut off"
    tried: list[str] = []
    for marks in _IN_COMMENT:
        parts = _split_comments(text, marks)
        if parts is None or parts[1] in tried:
            continue
        comments, code = parts
        try:
            return comments, code, verifier.header(code)
        except ProblemError as error:
            if not tried:
                failure = str(error)
            tried.append(code)
    raise Refused(Reason.PROMPT, f"its prompt: {failure}")


def _split_comments(text: str, marks: re.Pattern[str]) -> tuple[list[str], str] | None:
    """The comments and the code around them; None if a comment never ends."""
    comments: list[str] = []
    code: list[str] = []
    position = after = 0
    while found := _IN_CODE.search(text, position):
        position = found.end()
        if found[0] != "(*":
            continue
        depth = 1
        while depth:
            mark = marks.search(text, position)
            if mark is None:
                return None
            position = mark.end()
            depth += {"(*": 1, "*)": -1}.get(mark[0], 0)
        code.append(text[after : found.start()])
        comments.append(text[found.start() : position])
        after = position
    code.append(text[after:])
    return comments, "".join(code).strip()


def comment_text(comment: str) -> str:
    """The text of a comment, without its markers and the stars that begin its lines."""
    first, *rest = comment[2:-2].lstrip("*").expandtabs().split("\n")
    full = [line for line in rest if line.strip()]
    if full and all(line.lstrip().startswith("*") for line in full):
        rest = [re.sub(r"^\s*\* ?", "", line) for line in rest]
    else:
        rest = textwrap.dedent("\n".join(rest)).split("\n")
    return "\n".join(line.rstrip() for line in [first.strip(), *rest]).strip()


# --- examples ---------------------------------------------------------------------------------------------------------


def checked_examples(
    prompt: Prompt, verifier: AuthoringVerifier, notes: list[str]
) -> tuple[Prompt, list[Example], int]:
    """The examples that OCaml accepts. The others are noted and left out.

    Returns:
        The prompt with repaired numbers in its examples, the examples, and the count of repaired numbers.
    """
    found = [example for example in _examples(prompt.statement.split("\n")) if _has_result(example, notes)]
    try:
        # One check of all is nearly always enough. If it fails, check them one by one.
        accepted = [_accept(found, prompt.header, verifier)] if found else []
    except ProblemError:
        accepted = [single for example in found if (single := _accept_alone(example, prompt.header, verifier, notes))]
    old = [example for group in accepted for example in group.old]
    new = [example for group in accepted for example in group.new]
    statement = _rewritten(prompt.statement, old, new)
    return replace(prompt, statement=statement), new, sum(group.repaired for group in accepted)


@dataclass(frozen=True, slots=True)
class _Accepted:
    old: Sequence[Example]
    new: Sequence[Example]
    repaired: int


def _examples(lines: Sequence[str]) -> Iterator[Example]:
    index = 0
    while index < len(lines):
        line = lines[index].strip()
        start = index
        index += 1
        if not line.startswith(">>>"):
            continue
        call = [line[3:].strip()]
        while index < len(lines) and lines[index].strip().startswith("..."):
            call.append(lines[index].strip()[3:].strip())
            index += 1
        result = []
        while index < len(lines) and (line := lines[index].strip()) and not line.startswith(">>>"):
            result.append(line)
            index += 1
        shown = _TOPLEVEL.sub("", "\n".join(result), count=1) if result and result[0].startswith("- :") else None
        yield Example(_expression(call), shown or _expression(result), start, index)


def _expression(lines: Sequence[str]) -> str:
    return "\n".join(lines).removesuffix(";;").rstrip()


def _has_result(example: Example, notes: list[str]) -> bool:
    if not example.call or not example.result:
        notes.append(f"example `{one_line(example.call)}` is left out: it has no result")
    elif _EXCEPTION.match(example.result):
        notes.append(f"example `{one_line(example.call)}` is left out: its result is an exception")
    else:
        return True
    return False


def _accept_alone(example: Example, header: Header, verifier: AuthoringVerifier, notes: list[str]) -> _Accepted | None:
    """The accepted part of one example; a sentence may follow its result without a blank line."""
    failure: ProblemError | None = None
    for result in dict.fromkeys((example.result, example.result.split("\n")[0])):
        try:
            return _accept([replace(example, result=result)], header, verifier)
        except ProblemError as error:
            failure = failure or error
    notes.append(f"example `{one_line(example.call)}` is left out: {failure}")
    return None


def _accept(examples: Sequence[Example], header: Header, verifier: AuthoringVerifier) -> _Accepted:
    """Parses and types examples.

    Raises:
        ProblemError: one of them is wrong.
    """
    text = ";\n".join(f"assert (({example.call}\n) = ({example.result}\n))" for example in examples)
    split = verifier.split_tests(f"let () =\n{text}")
    if len(split.expressions) != len(examples) or split.prelude or split.ignored:
        raise ProblemError("it is not one expression and its value")
    new = [_repaired(*pair) for pair in zip(examples, split.expressions, strict=True)]
    tests = "\n".join(f"let _ = fun () -> ({example.code})" for example in new)
    # The functor types the examples with the signature alone. The header after it satisfies ``verifier.header``.
    verifier.header(
        f"module _ (M : sig\n{header.signature}\nend) = struct\nopen M\n{tests}\nend\nlet checked () : unit ="
    )
    return _Accepted(examples, new, split.repaired)


def _repaired(example: Example, expression: str) -> Example:
    """The example with its numbers repaired. A repair keeps the length, so the places of call and result are known."""
    start = expression.index("((") + 2
    call = expression[start : start + len(example.call)]
    start += len(example.call) + len("\n) = (")
    return replace(example, call=call, result=expression[start : start + len(example.result)])


def _rewritten(statement: str, old: Sequence[Example], new: Sequence[Example]) -> str:
    lines = statement.split("\n")
    for before, after in zip(old, new, strict=True):
        pieces = zip(
            range(before.line, before.end),
            [*before.call.split("\n"), *before.result.split("\n")],
            [*after.call.split("\n"), *after.result.split("\n")],
            strict=False,
        )
        for line, was, is_now in pieces:
            lines[line] = lines[line].replace(was, is_now, 1)
    return "\n".join(lines)


def _operand(text: str, *, right: bool = False) -> str:
    """The text as a side of `=`: in brackets unless it plainly needs none."""
    rest = re.sub(rf"{_STRING}|{_CHARACTER}", "x", text, flags=re.DOTALL)
    while (outer := _BRACKETED.sub("x", rest)) != rest:
        rest = outer
    sign = r"-?" if right else ""
    plain = re.fullmatch(rf"{sign}[\w.' ]+", rest) and not _KEYWORD.search(rest)
    return text if plain else f"({text})"


# --- the reference ----------------------------------------------------------------------------------------------------


def whole_reference(prompt: Prompt, solution: str, verifier: AuthoringVerifier, notes: list[str]) -> str:
    """A solution as a whole file: some sets give the whole function, others only the part after the prompt."""
    if not solution:
        return ""
    for code in dict.fromkeys((solution, f"{prompt.before}\n{solution}".strip(), f"{prompt.code}\n{solution}")):
        try:
            if verifier.header(code).name == prompt.header.name:
                return code
        except ProblemError:
            continue
    notes.append(f"its solution is no definition of {prompt.header.name} that compiles")
    return solution
