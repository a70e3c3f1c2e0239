"""Rows of a question, a block of assertions, and perhaps a solution.

    id, prompt, tests              prompt: (** Adds. >>> add 1 2 ... *) let add (x : int) (y : int) : int =
    id, problem, solution, tests   problem: Write `add`, which adds.    solution: let add x y = x + y

The question is a comment with the beginning of a function, or plain text. With plain text, the types come from a column
``signature``, or else from the solution. Assertions may stand in ``let () =``, one a line, or in a list; a line without
``assert`` is an expression that must be true.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ocaml_env.engine.authoring import Header, SplitTests
from ocaml_env.errors import ProblemError
from ocaml_env.problem import Problem, Test
from ocaml_env.problem.signature import mentioned
from ocaml_env.problems.importers.columns import ANSWER, COMMON, IDS, STATEMENT
from ocaml_env.problems.importers.doc_prompt import Prompt, checked_examples, comment_text, read_prompt, whole_reference
from ocaml_env.problems.importers.fields import (
    check_text,
    id_of,
    label_of,
    make_problem,
    one_line,
    optional_text,
    split_of,
    text_of,
    topics_of,
    unpacked,
    unseen,
)
from ocaml_env.problems.importers.row import Column, Converted, Format, Reason, Record, Refused, Row
from ocaml_env.verifiers.base import AuthoringVerifier

__all__ = ["ASSERTIONS", "function_problem"]

_SHOWN_IGNORED = 3
_TESTS = ("tests", "test", "assertions")
_SIGNATURE = ("signature", "interface")
_DEFINED = re.compile(r"^(?:let|and)\s+(?:rec\s+)?([a-z_][\w']*)", re.MULTILINE)
_BEGINS_CODE = re.compile(r"[\s\ufeff]*(?:\(\*|(?:exception|open)\s+[A-Z]|(?:type|let|module)\s+[\w'(]+.*=)")
_GOES_ON = re.compile(r"(?:[=;(,]|->|\b(?:in|begin|do|then|else|fun))\s*\Z")  # the end of a line before an assertion


def function_problem(
    row: Row, record: Record, problem_id: str, verifier: AuthoringVerifier, notes: list[str]
) -> Converted:
    """The problem in a question and a block of assertions. ``notes`` are the notes so far."""
    question, solution = text_of(record, *STATEMENT), optional_text(record, *ANSWER)
    split = _split(_assertions(record), verifier, notes)
    typed = optional_text(record, *_SIGNATURE)
    if _BEGINS_CODE.match(question) and (re.search(r"^let\b", question, re.MULTILINE) or not typed + solution):
        prompt = read_prompt(question, verifier)
    else:
        prompt = _plain(question, typed, solution, split, verifier)
    prompt, examples, repaired = checked_examples(prompt, verifier, notes)
    reference = whole_reference(prompt, solution, verifier, notes) if prompt.code else solution
    signature = prompt.header.signature
    if not prompt.header.annotated:
        signature = _inferred(reference, prompt.header.name, verifier, notes)
    public = [Test(example.code, public=True) for example in examples]
    problem: Problem = make_problem(
        id=problem_id,
        statement=prompt.statement,
        signature=signature,
        tests=[*public, *unseen(public, map(Test, split.expressions), notes)],
        prelude=split.prelude,
        reference=reference,
        label=label_of(record),
        topics=topics_of(record),
        split=split_of(row, notes),
        source=row.origin,
    )
    return Converted(problem=problem, notes=tuple(notes), repaired=split.repaired + repaired)


# --- assertions -------------------------------------------------------------------------------------------------------


def _assertions(record: Record) -> str:
    """The tests as one text; a list of them, perhaps as JSON text, is joined."""
    name = next((name for name in _TESTS if record.get(name) is not None), _TESTS[0])
    given = unpacked(record.get(name))
    if not isinstance(given, list | tuple):
        return _separated(text_of(record, *_TESTS))
    if not given:
        raise Refused(Reason.MISSING, f"the field {name!r} is an empty list")
    if not all(isinstance(item, str) and item.strip() for item in given):
        raise Refused(Reason.TESTS, f"the field {name!r} must be a list of OCaml texts that are not empty")
    return "\n".join(map(_statement, given))


def _separated(text: str) -> str:
    """The text with a separator before each line that begins with ``assert``, and with bare lines asserted."""
    if not re.search(r"\bassert\b", text):
        return "\n".join(map(_statement, filter(str.strip, text.splitlines())))
    lines: list[str] = []
    for line in text.splitlines():
        before = next((line for line in reversed(lines) if line.strip()), "")
        if re.match(r"\s*assert\b", line) and before and not _GOES_ON.search(before):
            lines.append(";")
        lines.append(line)
    return "\n".join(lines)


def _statement(expression: str) -> str:
    """One assertion as a statement of its own."""
    code = expression.strip().removesuffix(";;").removesuffix(";").rstrip()
    if re.match(r"let\s*(?:\(\s*\)|_)\s*=", code):
        return code
    return f"let () = {code}" if code.startswith("assert") else f"let () = assert ({code}\n)"


def _split(text: str, verifier: AuthoringVerifier, notes: list[str]) -> SplitTests:
    try:
        split = verifier.split_tests(text)
    except ProblemError as error:
        raise Refused(Reason.TESTS, f"its tests do not parse: {error}") from None
    if not split.expressions:
        raise Refused(Reason.TESTS, "its tests assert nothing")
    for statement in split.ignored[:_SHOWN_IGNORED]:
        notes.append(f"a statement of its tests that asserts nothing by itself is left out: `{one_line(statement)}`")
    if (more := len(split.ignored) - _SHOWN_IGNORED) > 0:
        notes.append(f"and {more} more such statements")
    return split


# --- types ------------------------------------------------------------------------------------------------------------


def _plain(question: str, signature: str, solution: str, split: SplitTests, verifier: AuthoringVerifier) -> Prompt:
    """A question in plain text. Its types are the signature's, or those of the solution's functions under test."""
    if signature:
        header = Header(signature=signature.strip(), name="", annotated=True)
    elif solution:
        header = Header(signature="\n".join(_signature(solution, split, verifier)).strip(), name="", annotated=True)
    else:
        raise Refused(
            Reason.TYPE,
            "nothing tells the type of the function: give a column signature or solution, or begin the question with "
            "(** ... *) let f (x : int) : int =",
        )
    statement = question.replace("\r\n", "\n").strip().removeprefix("\ufeff")
    if statement.startswith("(*") and statement.endswith("*)"):
        statement = comment_text(statement)
    return Prompt(statement=statement, header=header, code="")


def _signature(solution: str, split: SplitTests, verifier: AuthoringVerifier) -> Iterator[str]:
    """The types of the solution, then each of its functions that the tests mention."""
    try:
        last = verifier.header(solution)
    except ProblemError as error:
        raise Refused(
            Reason.TYPE, f"its solution does not compile, so the type of the function is unknown: {error}"
        ) from None
    tested = {name for code in (split.prelude, *split.expressions) for name in mentioned(code)}
    names = [name for name in dict.fromkeys(_DEFINED.findall(solution)) if name in tested]
    if not names:
        raise Refused(Reason.TYPE, f"its tests mention no function of its solution, such as {last.name!r}")
    yield last.signature[: _start(last)].strip()
    for name in names:
        # A last definition of the same function makes it the one that is shown.
        header = verifier.header(f"{solution}\nlet {name} = {name}")
        if header.name == name:
            yield header.signature[_start(header) :]


def _start(header: Header) -> int:
    return header.signature.rindex(f"val {header.name}")


def _inferred(reference: str, name: str, verifier: AuthoringVerifier, notes: list[str]) -> str:
    """The signature from the reference, for a header without a result type."""
    try:
        header = verifier.header(reference) if reference else None
    except ProblemError:
        header = None
    if header is None or header.name != name:
        raise Refused(Reason.PROMPT, f"its prompt does not say the type of {name}'s result, and no reference does")
    notes.append("its header does not say the type of the result: the signature is that of its reference")
    return header.signature


def _recognises(record: Record) -> bool:
    return any(isinstance(record.get(name), str) for name in STATEMENT) and any(name in record for name in _TESTS)


def _convert(row: Row, verifier: AuthoringVerifier) -> Converted:
    record: Mapping[str, object] = row.record or {}
    check_text(record)
    notes: list[str] = []
    return function_problem(
        row, record, id_of(row, notes, required=any(name in record for name in IDS)), verifier, notes
    )


ASSERTIONS = Format(
    name="assertions",
    about="functions: a question and a block of assertions",
    columns=(
        Column(
            STATEMENT,
            "plain text, or a comment and the beginning of a function: (** ... *) let f (x : int) : int =",
            needed=True,
        ),
        Column(
            _TESTS,
            "assertions: in let () =, one a line, or a list; a line without assert is a true expression",
            needed=True,
        ),
        Column(IDS, "by default the number of the row"),
        Column(ANSWER, "an answer; tells the types if the question is plain text without a signature"),
        Column(_SIGNATURE, "val lines"),
        *COMMON,
    ),
    recognises=_recognises,
    convert=_convert,
)
