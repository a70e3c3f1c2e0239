"""Detects drafts that solve a bundled problem of the evaluation split. Training families must not draw them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from ocaml_env.kills.interpreter.errors import Diverged, Raised, Unsupported
from ocaml_env.kills.interpreter.evaluate import Compiler, Program
from ocaml_env.kills.interpreter.syntax import read_expressions, read_items
from ocaml_env.kills.interpreter.tree import Expr
from ocaml_env.kills.types import Type, is_instance, types_of_values
from ocaml_env.problem import Problem
from ocaml_env.problems.format import read_problem
from ocaml_env.problems.generators.draft import Draft

__all__ = ["held_out_files", "renamings", "solves_held_out"]

_BUNDLED = Path(__file__).parents[1] / "bundled"

_MOST = 2  # functions of a problem to compare
_STEPS = 4_000


class _HeldOut(NamedTuple):
    problem: Problem
    values: Mapping[str, Type]


def solves_held_out(draft: Draft) -> bool:
    """True if the reference, renamed, passes the hidden tests of an evaluation problem of its type."""
    try:
        items = read_items(draft.reference)
        if draft.kind == "program":
            program = Compiler().program(items)
            return any(_prints_what(program, asked) for _, asked in renamings(draft))
        return any(_passes(draft, renamed, asked) for renamed, asked in renamings(draft))
    except Unsupported:
        return False


def renamings(draft: Draft) -> Iterator[tuple[str, Problem]]:
    """Evaluation problems of the draft's types, each with definitions that rename the draft's functions to its own."""
    if draft.kind == "program":
        yield from (("", asked) for asked in _programs())
    given = _values(draft.signature)
    if not given or len(given) > _MOST:
        return
    types = _declared(draft.signature)
    for asked in _functions():
        if len(asked.values) != len(given) or _declared(asked.problem.signature) != types:
            continue
        pairs = list(zip(asked.values.items(), given.items(), strict=True))
        if all(is_instance(wanted, kind) for (_, wanted), (_, kind) in pairs):
            bindings = [f"{name} = {own}" for (name, _), (own, _) in pairs if name != own]
            # All at once: two names may be exchanged.
            yield f"let {' and '.join(bindings)}" if bindings else "", asked.problem


def _passes(draft: Draft, renamed: str, asked: Problem) -> bool:
    compiler = Compiler()
    try:
        program = compiler.program(read_items(draft.reference), read_items(f"{renamed}\n{asked.prelude}"))
    except (Raised, Diverged, Unsupported):
        return False

    def holds(test: Expr) -> bool:
        return program.value(test, steps=_STEPS) is True

    return _all_true(partial(holds, test) for test in _tests(asked.id))


def _prints_what(program: Program, asked: Problem) -> bool:
    def prints(stdin: str, stdout: str) -> bool:
        return program.output(stdin.encode(), steps=_STEPS).decode("latin-1").split() == stdout.split()

    return _all_true(partial(prints, test.stdin or "", test.stdout or "") for test in asked.hidden_tests)


def _all_true(tests: Iterable[Callable[[], bool]]) -> bool:
    """True if all decidable tests are true, and there is one. A test is undecidable if it takes long, or if the
    interpreter cannot run it.
    """
    told = False
    for test in tests:
        try:
            if not test():
                return False
            told = True
        except Raised:
            return False
        except (Diverged, Unsupported):
            continue
    return told


@cache
def _problems() -> tuple[Problem, ...]:
    return tuple(read_problem(path) for path in held_out_files())


def held_out_files() -> list[Path]:
    """The files of the bundled problems for evaluation, sorted."""
    return [path for path in sorted(_BUNDLED.rglob("*.md")) if _IS_HELD_OUT.search(path.read_text(encoding="utf-8"))]


_IS_HELD_OUT = re.compile(r'^split = "eval"$', re.MULTILINE)


@cache
def _functions() -> tuple[_HeldOut, ...]:
    found = (_HeldOut(problem, _values(problem.signature)) for problem in _problems() if problem.kind == "function")
    return tuple(asked for asked in found if 0 < len(asked.values) <= _MOST)


@cache
def _programs() -> tuple[Problem, ...]:
    return tuple(problem for problem in _problems() if problem.kind == "program")


@cache
def _tests(problem_id: str) -> tuple[Expr, ...]:
    [problem] = (problem for problem in _problems() if problem.id == problem_id)
    return tuple(read_expressions([test.code for test in problem.hidden_tests]))


def _values(signature: str) -> dict[str, Type]:
    """The functions of a signature with their types; none if a type is unknown here."""
    found = types_of_values(signature)
    known = {name: kind for name, kind in found.items() if kind is not None}
    return known if len(known) == len(found) else {}


def _declared(signature: str) -> list[str]:
    """The declarations of types and exceptions, without white space."""
    parts = re.split(r"^(?=\S)", signature, flags=re.MULTILINE)
    return sorted(re.sub(r"\s", "", part) for part in parts if part.strip() and not part.startswith("val "))
