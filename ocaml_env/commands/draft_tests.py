"""Proposes hidden tests for a draft: calls of its functions and of its prelude's, or inputs of its program.

``kills/propose.py`` draws calls with plain values. The prelude of a draft widens that: a function of it that uses the
reference is called like those of the signature, so it reaches functors, GADTs and hash tables. Its function
``NAME_domain`` tells which arguments of ``NAME`` are allowed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from ocaml_env.commands.draft_inputs import propose_inputs
from ocaml_env.errors import ProblemError
from ocaml_env.kills.propose import Proposal, Proposals, as_tests, call_key, propose
from ocaml_env.kills.types import Type, parameters, result, types_of_values
from ocaml_env.problem import Problem, Test
from ocaml_env.problem.groups import make_groups
from ocaml_env.problem.signature import mentioned, parameter_labels
from ocaml_env.verifiers.base import AuthoringVerifier

__all__ = ["proposal_key", "propose_tests", "table_functions", "tests_of"]

_OUTSIDE = "Outside_of_the_domain"  # raised by the reference for arguments that are not allowed
_JOINED = 3  # calls in one test of a wholly known domain

_DEFINED = re.compile(r"^(?:let|and)\s+(?:rec\s+)?([a-z_][\w']*)", re.MULTILINE)
_VALUE = re.compile(r"^val\s+([a-z_][\w']*)\s*:(.*?)(?=^\S|\Z)", re.MULTILINE | re.DOTALL)
_GADT = re.compile(r"[=|]\s*[A-Z]\w*\s*:")
_FUNCTOR = re.compile(r"\bmodule\s+[A-Z]\w*\s*(?:\(|:\s*functor\b)")
_EXAMPLES = {
    "a GADT": "let eval_sum (a : int) (b : int) = eval (Add (Int a, Int b))",
    "a functor": "let sorted (l : int list) = let module S = Make (Int) in S.elements (S.of_list l)",
    "this": "let last_of (n : int) = last (List.init n Fun.id)",
}


def propose_tests(
    problem: Problem, verifier: AuthoringVerifier, *, equivalent: Mapping[str, str], dropped: Collection[str]
) -> Proposals:
    """Proposes hidden tests for a problem of any kind, in addition to those it has.

    Args:
        problem: its reference must pass its tests.
        verifier: runs the reference and its mutants.
        equivalent: reasons of mutants that no test can kill, by key.
        dropped: keys of proposals not to make again.

    Raises:
        ProblemError: nothing can be drawn and there are no hidden tests; complete examples are not complete.
    """
    if problem.kind == "program":
        return propose_inputs(problem, verifier, equivalent=equivalent, dropped=dropped)
    functions = _functions_of_prelude(problem, verifier)
    asked = _widened(problem, functions, verifier)
    lines = len(problem.reference.splitlines())
    found = _of_reference(propose(asked, verifier, equivalent=equivalent, dropped=dropped), lines)
    if problem.hidden_tests and asked is not problem:
        # Its tests kill the reference's mutants: the others are of the prelude.
        found = replace(found, tests=tuple(each for each in found.tests if each.reason.startswith("kills")))
    if problem.complete_examples:
        return _of_whole_domain(problem, found, verifier, dropped)
    if not found.inputs and not problem.hidden_tests:
        raise _nothing_drawn(problem, found.notes)
    return replace(found, notes=tuple(_plain_notes(problem, found.notes, functions)))


def proposal_key(problem: Problem, proposal: Proposal) -> str:
    """A text for ``dropped``."""
    return proposal.call if problem.kind == "program" else call_key(proposal.call)


def tests_of(problem: Problem, proposals: Sequence[Proposal]) -> list[Test]:
    """The tests of confirmed proposals."""
    if problem.kind == "program":
        return [Test(stdin=each.call, stdout=each.answer) for each in proposals]
    return [Test(code) for code in (_joined(proposals) if problem.complete_examples else as_tests(proposals))]


# --- the prelude ------------------------------------------------------------------------------------------------------


def _functions_of_prelude(problem: Problem, verifier: AuthoringVerifier) -> dict[str, str]:
    """The types of the prelude's functions that use the reference, by name."""
    found: dict[str, str] = {}
    for name in dict.fromkeys(_DEFINED.findall(problem.prelude)):
        if not _uses(problem, name):
            continue
        # A last definition of the same function is the one whose header is read.
        header = verifier.header(f"{_typed(problem, verifier)}\n{problem.prelude}\nlet {name} = {name}")
        if header.name == name:
            found[name] = header.signature[header.signature.rindex(f"val {name}") :]
    return found


def _typed(problem: Problem, verifier: AuthoringVerifier) -> str:
    """The reference with the types of the signature, which may be less general, if it defines those types itself."""
    code = f"include (struct\n{problem.reference}\nend : sig\n{problem.signature}\nend)"
    try:
        verifier.header(f"{code}\nlet it x = x")
    except ProblemError:
        return problem.reference
    return code


def _uses(problem: Problem, name: str) -> tuple[str, ...]:
    """The items of the signature that a name of the prelude uses."""
    [group] = make_groups(signature=problem.signature, prelude=problem.prelude, hidden={"it": name}, public={})
    return group.items


def _widened(problem: Problem, functions: Mapping[str, str], verifier: AuthoringVerifier) -> Problem:
    """The problem as if its prelude belonged to the reference, which raises outside of the declared domains."""
    kinds = dict(_VALUE.findall(problem.signature)) | dict(_VALUE.findall("\n".join(functions.values())))
    defined = set(_DEFINED.findall(problem.prelude))
    guards = [_guard(name, kind) for name, kind in kinds.items() if f"{name}_domain" in defined]
    if not functions and not guards:
        return problem
    widened = replace(
        problem,
        signature="\n".join([problem.signature, *functions.values()]),
        reference="\n".join([problem.reference, problem.prelude, f"exception {_OUTSIDE}", *guards]),
        prelude="",
        baseline=(),
    )
    for test, outcome in zip(problem.tests, verifier.verify(widened, widened.reference).tests, strict=False):
        if not outcome.passed:
            raise ProblemError(f"`{test.code}` is outside of a domain that the prelude declares")
    return widened


def _guard(name: str, kind: str) -> str:
    labels = (label or f"a{place}" for place, label in enumerate(parameter_labels(kind)))
    given = " ".join(labels)
    return f"let {name} {given} = if {name}_domain {given} then {name} {given} else raise {_OUTSIDE}"


def _of_reference(found: Proposals, lines: int) -> Proposals:
    """The proposals without mutants of the lines after the reference."""

    def told(proposal: Proposal) -> Proposal:
        at = re.match(r"kills (\d+):", proposal.reason)
        return replace(proposal, reason="another answer") if at and int(at[1]) > lines else proposal

    survivors = tuple(mutant for mutant in found.survivors if mutant.line <= lines)
    return replace(found, tests=tuple(map(told, found.tests)), survivors=survivors)


def _plain_notes(problem: Problem, notes: Sequence[str], functions: Mapping[str, str]) -> Iterator[str]:
    reached = {item for name in functions for item in _uses(problem, name)}
    for note in notes:
        name, _, rest = note.partition(": ")
        if not rest.startswith("no inputs"):
            yield note.replace(f"raise {_OUTSIDE}, which the problem does not mention", "are outside of its domain")
        elif not reached & set(mentioned(name)):
            yield f"{note}; give the prelude a function of plain values that uses it, and calls of that are drawn"


def _nothing_drawn(problem: Problem, notes: Sequence[str]) -> ProblemError:
    kind = (
        "a functor" if _FUNCTOR.search(problem.signature) else "a GADT" if _GADT.search(problem.signature) else "this"
    )
    reasons = [note.replace(": no inputs,", ":") for note in notes if ": no inputs" in note]
    return ProblemError(
        "\n".join(
            [
                "no calls can be drawn, so there are no hidden tests:",
                *(f"  {reason}" for reason in reasons),
                "Write a function that takes and returns plain values (numbers, texts, lists, types of the signature)",
                f"into the prelude, with --prelude or below `## Prelude`, and calls of it are drawn; for {kind}:",
                f"  {_EXAMPLES[kind]}",
                "Or write hidden tests below `## Tests`, and run the command again: it audits them.",
            ]
        )
    )


# --- hash tables ------------------------------------------------------------------------------------------------------


def table_functions(problem: Problem) -> str:
    """Functions for the prelude that call those of the signature with lists of bindings in place of hash tables."""
    found = []
    for name, kind in types_of_values(problem.signature).items():
        if kind is None or not parameters(kind) or not any(map(_is_table, (*parameters(kind), result(kind)))):
            continue
        if any(name in _uses(problem, defined) for defined in _DEFINED.findall(problem.prelude)):
            continue
        found.append(_table_function(name, parameters(kind), result(kind)))
    return "\n\n".join(found)


def _table_function(name: str, given: Sequence[Type], answer: Type) -> str:
    names = [f"table{place}" if _is_table(kind) else f"x{place}" for place, kind in enumerate(given, start=1)]
    tables = [each for each, kind in zip(names, given, strict=True) if _is_table(kind)]
    call = " ".join([name, *names])
    lines = [f"let {name}_bindings {' '.join(names)} ="]
    lines += [f"  let {table} = Hashtbl.of_seq (List.to_seq {table}) in" for table in tables]
    if answer.name == "unit":
        shown = ", ".join(_bindings(table) for table in tables)
        return "\n".join([*lines, f"  {call};", f"  ({shown})" if tables[1:] else f"  {shown}"])
    return "\n".join([*lines, f"  {_bindings(f'({call})')}" if _is_table(answer) else f"  {call}"])


def _bindings(table: str) -> str:
    return f"List.sort compare (List.of_seq (Hashtbl.to_seq {table}))"


def _is_table(kind: Type) -> bool:
    return kind.name == "Hashtbl.t" and len(kind.parts) == 2


# --- a domain that the examples show wholly ---------------------------------------------------------------------------


def _of_whole_domain(
    problem: Problem, found: Proposals, verifier: AuthoringVerifier, dropped: Collection[str]
) -> Proposals:
    """The examples' calls, to be joined: a table of the examples may pass, and no constant."""
    if found.tests:
        raise ProblemError(
            f"the examples do not show every possible input: `{found.tests[0].call}` is missing. Add it, or leave out "
            "complete_examples"
        )
    if problem.hidden_tests:
        return found
    tests = []
    for test, answer in zip(problem.tests, verifier.answers([test.code for test in problem.tests]), strict=True):
        if answer is None:
            raise ProblemError(f"`{test.code}`: a complete example is a call and its answer, such as `f x = y`")
        call, _, expected = test.code.rpartition(" = ")
        if call_key(call) not in dropped:
            tests.append(Proposal(function=answer.function, call=call, answer=expected, reason="joined with others"))
    return replace(found, tests=tuple(tests), notes=())


def _joined(proposals: Sequence[Proposal]) -> list[str]:
    """Tests of a few calls each, with different answers as far as there are some."""
    found = []
    for function in dict.fromkeys(each.function for each in proposals):
        these = sorted((each for each in proposals if each.function == function), key=lambda each: each.answer)
        number = -(-len(these) // _JOINED)
        for start in range(number):
            calls, answers = zip(*((each.call, each.answer) for each in these[start::number]), strict=True)
            found.append(f"({', '.join(calls)}) = ({', '.join(answers)})")
    return found
