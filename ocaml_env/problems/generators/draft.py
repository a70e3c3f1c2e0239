"""A draft of a problem: its texts, and a stream of cases of which the tests are chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import NamedTuple, TypeVar

from ocaml_env.problem import Kind
from ocaml_env.problems.generators.values import atom

__all__ = ["Case", "Draft", "bundle", "call", "case", "given_back", "inputs", "printed", "swept", "together"]

T = TypeVar("T")

_EXAMPLES = 3


class Case(NamedTuple):
    """What may become a test.

    Attributes:
        asked: an OCaml expression; for a program its input.
        answer: what it has to be, as text.
        constant: the answer of a constant function that would pass, or another text that few tests may share.
        same: bit ``n`` is set if giving back the argument at place ``n`` would pass.
        group: the function that is asked, where a problem has several.
        arguments: what the case comes to if the function gives back its first argument, its second, and so on; only if
            the answer is left to the reference.
        edge: it is worth a test whatever it kills.
    """

    asked: str
    answer: str
    constant: str
    same: int = 0
    group: str = ""
    arguments: tuple[str, ...] = ()
    edge: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """All but the tests of a problem, and the cases to choose them from.

    Attributes:
        name: what is asked for; two drafts with the same reference but for this name ask for the same.
        hidden: how many hidden tests to choose at least.
        together: how many cases make one test, where one case alone tells little.
        groups: the functions that are asked for, where there are several; each gets a test.
    """

    name: str
    statement: str
    reference: str
    cases: Iterable[Case]
    signature: str = ""
    prelude: str = ""
    hidden: int = 12
    together: int = 1
    groups: tuple[str, ...] = ()
    kind: Kind = "function"


def call(name: str, *arguments: str) -> str:
    """A call with arguments that are literals, each in parentheses where it needs them."""
    return " ".join((name, *map(atom, arguments)))


def case(name: str, arguments: Sequence[str], answer: str) -> Case:
    """``name arguments = answer``."""
    return Case(call(name, *arguments), answer, answer, given_back(answer, arguments), name)


def given_back(answer: str, arguments: Sequence[str]) -> int:
    """The bits of the arguments that are the answer."""
    return sum(1 << place for place, argument in enumerate(arguments) if argument == answer)


def bundle(name: str, calls: Sequence[tuple[Sequence[str], str]]) -> Case:
    """Several calls in one test, for answers of which there are few."""
    return together([case(name, arguments, answer) for arguments, answer in calls])


def printed(stdin: str, stdout: str) -> Case:
    """A test of a program; outputs that differ in white space count as one, since a verdict may not tell them apart."""
    words = stdout.split()
    return Case(stdin, stdout, " ".join(words), stdin.split() == words)


def inputs(draw: Callable[[], T], edges: Iterable[T] = ()) -> Iterator[T]:
    """Typical inputs, which become the examples, then the edges, then typical ones without end."""
    for _ in range(_EXAMPLES):
        yield draw()
    yield from edges
    while True:
        yield draw()


def together(cases: Sequence[Case]) -> Case:
    """One test of several cases; a constant function passes it only where it passes each."""
    first = cases[0]
    asked, answer = ("[" + "; ".join(parts) + "]" for parts in zip(*(one[:2] for one in cases), strict=True))
    constant = first.constant if all(one.constant == first.constant for one in cases) else answer
    same, edge = reduce(and_, (one.same for one in cases)), any(one.edge for one in cases)
    return Case(asked, answer, constant, same, first.group, edge=edge)


def swept(cases: Sequence[Case]) -> Case:
    """One test of many cases, whose answers may have different types."""
    asked, answer = (
        "(" + ", ".join(f"({part})" for part in parts) + ")" for parts in zip(*(c[:2] for c in cases), strict=True)
    )
    return Case(asked, answer, answer)
