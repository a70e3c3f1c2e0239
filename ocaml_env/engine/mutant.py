"""A mutant: a copy of a program with one small fault. ``ocaml/checker/mutant.ml`` makes them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

__all__ = ["Mutant"]

_SHOWN = 48
_HEAD = 32
_TAIL = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A program with one fault.

    Attributes:
        operator: the kind of fault: ``arithmetic``, ``comparison``, ``constant``, ...
        line: its line, from 1.
        column: its column, from 0, in bytes, as OCaml counts.
        before: the original text.
        after: its replacement; "" if the text was removed.
        code: the whole program.
    """

    operator: str
    line: int
    column: int
    before: str
    after: str
    code: str

    @property
    def key(self) -> str:
        """The fault on one line, such as ``7:12 comparison: a < b -> a <= b``; unique among mutants of the text."""
        before, after = " ".join(self.before.split()), " ".join(self.after.split())
        key = f"{self.line}:{self.column} {self.operator}: {_shown(before)} -> {_shown(after) or '(nothing)'}"
        if max(len(before), len(after)) <= _SHOWN:
            return key
        mark = hashlib.sha256(f"{self.before}\0{self.after}".encode("utf-8", "surrogatepass")).hexdigest()[:6]
        return f"{key} [{mark}]"


def _shown(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_HEAD]} ... {text[-_TAIL:]}"
