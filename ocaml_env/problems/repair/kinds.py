"""The kinds of faults. Rules over the text make those of syntax and type; a rule and the engine's mutants those of
value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

from ocaml_env.problems.repair.call_faults import CALL_FAULTS
from ocaml_env.problems.repair.code import Code
from ocaml_env.problems.repair.syntax_faults import SYNTAX_FAULTS
from ocaml_env.problems.repair.word_faults import WORD_FAULTS

__all__ = ["FAULTS", "KINDS", "Fault", "Kind"]

Fault: TypeAlias = Literal["type", "value", "syntax"]
FAULTS: tuple[Fault, ...] = get_args(Fault)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of fault.

    Attributes:
        name: a word for ids of problems.
        fault: type, value or syntax.
        description: the fault, in a sentence.
        plant: yields code with the fault, for each possible place, from the code and the interface; None for mutants.
        operator: the engine's name for these mutants; "" for a rule.
    """

    name: str
    fault: Fault
    description: str
    plant: Callable[[Code, str], Iterator[str]] | None = None
    operator: str = ""


def physical_equality(code: Code, signature: str) -> Iterator[str]:
    """``==`` for ``=``, or ``!=`` for ``<>``, between values that are made anew."""
    for place in (*code.comparisons(), *code.find("<>")):
        sides = (place - 1, place + 1)
        if any(
            code.kind(side) in ("text", "float") or code.word(side) in ("(", ")", "]", "Some", "{") for side in sides
        ):
            yield code.put(place, "==" if code.word(place) == "=" else "!=")


# Mutants of the operator "body" are left out: an answer that gives up leaves nothing to repair.
_MUTANTS = {
    "append": "Two lists or texts put together in the wrong order.",
    "arguments": "Two arguments of a call exchanged.",
    "arithmetic": "An arithmetic operator for another, or none.",
    "assignment": "An assignment left out.",
    "bound": "A bound of a loop one off.",
    "call": "A call left out: its argument stands there.",
    "case": "A case left out.",
    "cases": "Two cases with each other's values.",
    "comparison": "A comparison for another, as ``<`` for ``<=``.",
    "condition": "A condition turned round, or always the same.",
    "connective": "``&&`` for ``||``, the other way about, or ``not`` left out.",
    "cons": "An element left out of a list.",
    "constant": "Another constant, or a constant off by one.",
    "function": "A function for its neighbour, as ``max`` for ``min``.",
    "guard": "A ``when`` left out, or turned round.",
    "handler": "A handler of exceptions left out.",
    "option": "``None`` for ``Some``.",
    "pattern": "A pattern left out of several.",
    "recursion": "A recursive call replaced by its argument.",
    "sequence": "A step of a sequence left out.",
    "variable": "A variable for another one.",
}


def _planted(fault: Fault, *functions: Callable[[Code, str], Iterator[str]]) -> Iterator[Kind]:
    for function in functions:
        description = " ".join((function.__doc__ or "").split())
        yield Kind(name=function.__name__, fault=fault, description=description, plant=function)


_ALL = (
    *_planted("type", *WORD_FAULTS, *CALL_FAULTS),
    *_planted("syntax", *SYNTAX_FAULTS),
    *_planted("value", physical_equality),
    *(
        Kind(name=f"wrong_{operator}", fault="value", description=description, operator=operator)
        for operator, description in _MUTANTS.items()
    ),
)
KINDS = MappingProxyType({kind.name: kind for kind in _ALL})
"""By name."""
assert len(KINDS) == len(_ALL)
