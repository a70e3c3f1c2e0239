"""A draft of a problem: its texts, and a stream of cases of which the tests are chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple, TypeVar

from ocaml_env.problem import Kind, Test
from ocaml_env.problems.generators.values import atom

__all__ = ["Case", "Draft", "bundle", "call", "case", "choose", "inputs", "printed"]

T = TypeVar("T")

_EXAMPLES = 3
_CANDIDATES = 8  # cases that are looked at for each test that is wanted
_PATIENCE = 2  # likewise, of which the last ones have to show something new


class Case(NamedTuple):
    """What may become a test.

    Attributes:
        asked: an OCaml expression; for a program its input.
        answer: what it has to be, as text.
        constant: the constant answer of the function that would pass, or else an answer that must not be usual.
        same: True where giving back an argument would pass.
        group: the function that is asked, where a problem has several.
    """

    asked: str
    answer: str
    constant: str
    same: bool = False
    group: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """All but the tests of a problem, and the cases to choose them from.

    Attributes:
        name: what is asked for; two drafts with the same reference but for this name ask for the same.
        hidden: how many hidden tests to choose.
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
    return Case(call(name, *arguments), answer, answer, answer in arguments, name)


def bundle(name: str, calls: Sequence[tuple[Sequence[str], str]]) -> Case:
    """Several calls in one test, for answers of which there are few."""
    return _together([case(name, arguments, answer) for arguments, answer in calls])


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


def choose(draft: Draft, seen: set[int]) -> list[Test] | None:
    """The tests: examples with different answers, then hidden ones; None where the cases do not give enough.

    No set of constant functions passes more than a quarter of the hidden tests, and neither does giving back an
    argument. As long as a question has had but one answer, the last third of the hidden tests is for cases in which
    it, or another one, has an answer that is new.

    Args:
        draft: what the tests are for.
        seen: of the draft's chance.
    """
    examples: dict[str, Case] = {}
    hidden: list[Case] = []
    spare: list[Case] = []
    asked: set[str] = set()
    covered: set[int] = set()
    missing: set[int] = set()
    tally = _Tally(draft.hidden // 4, draft.groups)
    reserved = draft.hidden - draft.hidden // 3
    for number, (found, answers) in enumerate(islice(_bundled(draft, seen), _CANDIDATES * draft.hidden)):
        if found.asked in asked:
            continue
        asked.add(found.asked)
        if len(examples) < _EXAMPLES and found.answer not in examples and not found.same:
            examples[found.answer] = found
        elif len(hidden) >= reserved and missing and number < _PATIENCE * draft.hidden and missing.isdisjoint(answers):
            spare.append(found)
            continue
        elif len(hidden) < draft.hidden and tally.admits(found):
            hidden.append(found)
        else:
            continue
        if not answers <= covered:
            covered |= answers
            missing = {~answer for answer in covered} - covered
        if not missing or number >= _PATIENCE * draft.hidden:
            while spare and len(hidden) < draft.hidden:
                if tally.admits(spare[0]):
                    hidden.append(spare[0])
                del spare[0]
        if len(hidden) == draft.hidden and len(examples) == _EXAMPLES:
            if not {*draft.groups} <= {test.group for test in hidden}:
                return None
            return _tests(list(examples.values()), hidden, draft.kind)
    return None


def _bundled(draft: Draft, seen: set[int]) -> Iterator[tuple[Case, set[int]]]:
    """The cases, several of one group together where the draft says so, with the answers that were seen for each."""
    seen.clear()
    if draft.together == 1:
        for found in draft.cases:
            yield found, {*seen}
            seen.clear()
        return
    waiting: dict[str, tuple[list[Case], set[int]]] = {}
    asked: set[str] = set()
    for found in islice(draft.cases, 2 * _CANDIDATES * draft.hidden * draft.together):
        if found.asked not in asked:
            asked.add(found.asked)
            cases, answers = waiting.setdefault(found.group, ([], set()))
            cases.append(found)
            answers |= seen
            if len(cases) == draft.together:
                yield _together(cases), answers
                del waiting[found.group]
        seen.clear()


def _together(cases: Sequence[Case]) -> Case:
    """One test of several cases; a constant function passes it only where it passes each."""
    first = cases[0]
    asked, answer = ("[" + "; ".join(parts) + "]" for parts in zip(*(one[:2] for one in cases), strict=True))
    constant = first.constant if all(one.constant == first.constant for one in cases) else answer
    return Case(asked, answer, constant, all(one.same for one in cases), first.group)


class _Tally:
    """How many tests a constant answer for each function passes at most, and how many the identity."""

    def __init__(self, limit: int, groups: Sequence[str]) -> None:
        self._limit = limit
        self._constants: dict[str, Counter[str]] = {group: Counter() for group in groups}
        self._same = 0

    def admits(self, found: Case) -> bool:
        """Counts the case, unless too many are like it."""
        if found.same and self._same == self._limit:
            return False
        counts = self._constants.setdefault(found.group, Counter())
        counts[found.constant] += 1
        # A function that has no test yet counts as if it had one, so that it may get one.
        if sum(max(each.values(), default=1) or 1 for each in self._constants.values()) > self._limit:
            counts[found.constant] -= 1
            return False
        self._same += found.same
        return True


def _tests(examples: list[Case], hidden: list[Case], kind: Kind) -> list[Test]:
    numbered = [(f"example {number}", found, True) for number, found in enumerate(examples, start=1)]
    numbered += [(f"test {number}", found, False) for number, found in enumerate(hidden, start=len(examples) + 1)]
    if kind == "program":
        return [Test(name=name, public=public, stdin=one.asked, stdout=one.answer) for name, one, public in numbered]
    return [Test(f"{one.asked} = {one.answer}", name=name, public=public) for name, one, public in numbered]
