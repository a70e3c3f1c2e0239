"""Rows of ``id, prompt, tests``: a commented header, and one block of assertions.

    prompt   (** Adds. >>> add 1 2 ... *) let add (x : int) (y : int) : int =
    tests    let () = assert (add 1 2 = 3); assert (add 0 0 = 0)

Optional are ``solution`` or ``reference``, ``difficulty``, ``topics`` and ``split``.
"""

from __future__ import annotations

from collections.abc import Mapping

from ocaml_env.engine.authoring import SplitTests
from ocaml_env.errors import ProblemError
from ocaml_env.problem import Problem, Test
from ocaml_env.problems.importers.doc_prompt import checked_examples, read_prompt, whole_reference
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
    unseen,
)
from ocaml_env.problems.importers.row import Converted, Format, Reason, Record, Refused, Row
from ocaml_env.verifiers.base import AuthoringVerifier

__all__ = ["ASSERTIONS", "function_problem"]

_SHOWN_IGNORED = 3


def function_problem(
    row: Row, record: Record, problem_id: str, verifier: AuthoringVerifier, notes: list[str]
) -> Converted:
    """The problem in a prompt and a block of assertions. ``notes`` are the notes so far."""
    prompt_text, tests_text = text_of(record, "prompt"), text_of(record, "tests", "test")
    split = _split(tests_text, verifier, notes)
    prompt = read_prompt(prompt_text, verifier)
    prompt, examples, repaired = checked_examples(prompt, verifier, notes)
    reference = whole_reference(prompt, optional_text(record, "solution", "reference"), verifier, notes)
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
    return all(isinstance(record.get(name), str) for name in ("prompt", "tests")) and "id" in record


def _convert(row: Row, verifier: AuthoringVerifier) -> Converted:
    record: Mapping[str, object] = row.record or {}
    check_text(record)
    notes: list[str] = []
    return function_problem(row, record, id_of(row, notes, required=True, names=("id",)), verifier, notes)


ASSERTIONS = Format(name="assertions", needs="id, prompt, tests", recognises=_recognises, convert=_convert)
