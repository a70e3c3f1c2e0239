"""A draft of a problem: its texts, and a stream of cases to choose tests from."""

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
    """A possible test.

    Attributes:
        asked: an OCaml expression; for a program its input.
        answer: the expected value or output, as text.
        constant: the answer of a constant function that would pass, or another text to be shared by few tests.
        same: bit ``n`` is set if giving back the argument at place ``n`` would pass.
        group: the called function, if a problem has several.
        arguments: the results if the function gives back its first argument, its second, and so on; only if the
            reference gives the answer.
        edge: True for a case that deserves a test even if it kills nothing.
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
    """A problem without its tests, and the cases to choose them from.

    Attributes:
        name: the function to write. Two drafts with the same reference, up to this name, are the same problem.
        hidden: the least number of hidden tests to choose.
        together: the number of cases in one test, if a single case says little.
        groups: the functions to write, if there are several; each gets a test.
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
    """A call with literals as arguments, in parentheses if they need them."""
    return " ".join((name, *map(atom, arguments)))


def case(name: str, arguments: Sequence[str], answer: str) -> Case:
    """``name arguments = answer``."""
    return Case(call(name, *arguments), answer, answer, given_back(answer, arguments), name)


def given_back(answer: str, arguments: Sequence[str]) -> int:
    """The bits of the arguments equal to the answer."""
    return sum(1 << place for place, argument in enumerate(arguments) if argument == answer)


def bundle(name: str, calls: Sequence[tuple[Sequence[str], str]]) -> Case:
    """Several calls in one test, for functions with few different answers."""
    return together([case(name, arguments, answer) for arguments, answer in calls])


def printed(stdin: str, stdout: str) -> Case:
    """A test of a program. Outputs that differ in white space count as one, since verdicts may not distinguish them."""
    words = stdout.split()
    return Case(stdin, stdout, " ".join(words), stdin.split() == words)


def inputs(draw: Callable[[], T], edges: Iterable[T] = ()) -> Iterator[T]:
    """Typical inputs for the examples, then the edges, then typical ones without end."""
    for _ in range(_EXAMPLES):
        yield draw()
    yield from edges
    while True:
        yield draw()


def together(cases: Sequence[Case]) -> Case:
    """One test of several cases. A constant function passes it only if it passes each case."""
    first = cases[0]
    asked, answer = ("[" + "; ".join(parts) + "]" for parts in zip(*(item[:2] for item in cases), strict=True))
    constant = first.constant if all(item.constant == first.constant for item in cases) else answer
    same, edge = reduce(and_, (item.same for item in cases)), any(item.edge for item in cases)
    return Case(asked, answer, constant, same, first.group, edge=edge)


def swept(cases: Sequence[Case]) -> Case:
    """One test of many cases; their answers may have different types."""
    asked, answer = (
        "(" + ", ".join(f"({part})" for part in parts) + ")" for parts in zip(*(c[:2] for c in cases), strict=True)
    )
    return Case(asked, answer, answer)
