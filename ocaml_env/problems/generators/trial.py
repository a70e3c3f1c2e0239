"""Runs a draft's reference and its wrong variants on cases, in Python, and compares their answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from ocaml_env.kills.interpreter.data import equal
from ocaml_env.kills.interpreter.errors import Diverged, Raised, Unsupported
from ocaml_env.kills.interpreter.evaluate import Compiler, Program
from ocaml_env.kills.interpreter.literal import literal
from ocaml_env.kills.interpreter.syntax import read_expressions, read_items
from ocaml_env.kills.interpreter.tree import Expr
from ocaml_env.kills.variants import variants
from ocaml_env.problems.generators.draft import Case, Draft

__all__ = ["Answer", "Trial", "Wrong"]

_STEPS = 800  # of the reference on one case; a variant may take some more
_SPARE = 200

Answer: TypeAlias = tuple[str, Any]
"""``("value", v)``, ``("raised", e)``, ``("output", text)``, ``("endless", None)``, or ``("unknown", None)``."""


class Trial:
    """A draft's reference on its cases.

    Attributes:
        answers: of the reference, by the case's place; ``endless`` if it takes too many steps.
        costs: steps that it took.

    Raises:
        Unsupported: the interpreter cannot run the reference.
    """

    def __init__(self, draft: Draft, cases: Sequence[Case]) -> None:
        self._compiler = Compiler()
        self._items = read_items(draft.reference)
        self._signature = draft.signature
        self._prelude = read_items(draft.prelude)
        self._asked: list[Expr] | list[bytes]
        if draft.kind == "program":
            self._asked = [case.asked.encode() for case in cases]
        else:
            self._asked = read_expressions([case.asked for case in cases])
        program = self._compiler.program(self._items, self._prelude)
        self.answers: list[Answer] = []
        self.costs: list[int] = []
        for place in range(len(cases)):
            self.answers.append(self._run(program, place, _STEPS))
            self.costs.append(_STEPS - max(0, program.steps_left()))

    def texts(self) -> list[str]:
        """The reference's answer to each case, as OCaml or as printed; empty if it gives no such value."""
        return [
            answer[1].rstrip("\n") + "\n" if answer[0] == "output" else _text(answer) if answer[0] == "value" else ""
            for answer in self.answers
        ]

    def wrongs(self) -> Iterator[Wrong]:
        """The wrong variants of the reference."""
        for variant in variants(self._items, self._signature):
            try:
                program = self._compiler.program(variant.items, self._prelude)
            except Unsupported:
                continue
            yield Wrong(variant.kind, self, program)

    def differs(self, program: Program, place: int) -> bool:
        """True if a variant's answer differs."""
        expected = self.answers[place]
        if expected[0] in ("endless", "unknown"):
            return False
        found = self._run(program, place, 2 * self.costs[place] + _SPARE)
        if found[0] != expected[0]:
            return True
        if found[0] == "value":
            return not equal(found[1], expected[1])
        return _text(found) != _text(expected)

    def _run(self, program: Program, place: int, steps: int) -> Answer:
        asked = self._asked[place]
        try:
            if isinstance(asked, bytes):
                return "output", program.output(asked, steps=steps).decode("latin-1")
            return "value", program.value(asked, steps=steps)
        except Raised as raised:
            return "raised", raised.value
        except Diverged:
            return "endless", None
        except Unsupported:
            return "unknown", None


class Wrong:
    """A wrong variant.

    Attributes:
        kind: of its fault.
    """

    def __init__(self, kind: str, trial: Trial, program: Program) -> None:
        self.kind = kind
        self._trial, self._program = trial, program
        self._known: dict[int, bool] = {}

    def dies_of(self, place: int) -> bool:
        """True if this case distinguishes it from the reference."""
        found = self._known.get(place)
        if found is None:
            found = self._known[place] = self._trial.differs(self._program, place)
        return found


def _text(answer: Answer) -> str:
    kind, value = answer
    if kind == "value":
        try:
            return literal(value, 400)
        except Unsupported:
            return ""
    if kind == "raised":
        try:
            return literal(value)
        except Unsupported:
            return "?"
    return " ".join(value.split()) if kind == "output" else ""
