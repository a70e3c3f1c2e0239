"""Chooses the tests of a problem: they must kill every wrong variant of the reference, and every degenerate answer.

Looks at up to 200 cases. Chooses hidden tests that distinguish a variant from the reference, then edge cases. Adds
further tests until each constant and each argument given back passes at most a fifth, and the tests make 40 calls.
Sweeps the remaining cases into a few tests of many calls each: they fail wrong answers without a matching variant. The
choice is a pure function of the draft, since time is counted in steps of the interpreter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import reduce
from itertools import islice
from operator import and_
from typing import NamedTuple

from ocaml_env.kills.interpreter.errors import Unsupported
from ocaml_env.problem import Test
from ocaml_env.problems.generators.draft import Case, Draft, given_back, swept, together
from ocaml_env.problems.generators.trial import Trial, Wrong

__all__ = ["Chosen", "choose"]

POOL = 200  # Cases to look at.
MOST = 50  # Hidden tests at most.
_CALLS = 40  # calls in hidden tests, if there are as many cases
_SWEEP = 20  # calls in one swept test
_SWEPT = 5_000  # characters of all swept calls and their answers
_EDGES = 2  # tests with one answer; further edges with this answer are skipped
_EXAMPLES = 3  # Public tests.
_READABLE = 240  # Characters: a longer example is taken only if there is no shorter one.
_SHARE = 5  # A degenerate answer may pass one hidden test in five.
_LOOK = 6  # Of the first six tests that kill a variant, take the one with the rarest answer.


class _Candidate(NamedTuple):
    """A possible test: one case or several, from these places of the pool."""

    case: Case
    places: tuple[int, ...]


class Chosen(NamedTuple):
    """The chosen tests: three examples, then the hidden ones.

    Attributes:
        tests: examples first.
        idle: rules of the reference that make no difference in any case.
    """

    tests: list[Test]
    idle: int


def choose(draft: Draft, *, most_idle: int = 0) -> Chosen | None:
    """Chooses the tests of a draft.

    Args:
        draft: the texts and cases.
        most_idle: the number of rules of the reference that may make no difference.

    Returns:
        None if the cases are too few or too much alike, or if more rules make no difference.
    """
    pool = _pool(draft)
    wrongs: list[Wrong] = []
    try:
        trial = Trial(draft, pool)
    except Unsupported:
        if not all(case.answer for case in pool):
            raise
    else:
        pool = [_answered(case, text) for case, text in zip(pool, trial.texts(), strict=True)]
        wrongs = sorted(trial.wrongs(), key=lambda wrong: wrong.kind != "rule")  # a draft may fail on these
    for size in _sizes(draft, pool):
        chosen = _Choice(draft, pool, size, wrongs).tests(most_idle)
        if chosen is not None:
            return chosen
    return None


def _pool(draft: Draft) -> list[Case]:
    asked: dict[str, Case] = {}
    size = POOL if draft.together == 1 else POOL * 2
    for case in islice(draft.cases, 2 * size):
        asked.setdefault(case.asked, case)
        if len(asked) == size:
            break
    return [*asked.values()]


def _answered(case: Case, text: str) -> Case:
    """The case with the reference's answer, if it has none of its own."""
    if case.answer:
        return case
    return case._replace(answer=text, constant=" ".join(text.split()), same=given_back(text, case.arguments))


def _sizes(draft: Draft, pool: Sequence[Case]) -> tuple[int, ...]:
    """The possible numbers of cases in a test: several if the function of a small task has few answers."""
    if not all(case.arguments for case in pool):  # calls of a family may have answers of different types
        return (draft.together,)
    kinds = len({case.answer for case in pool if case.answer})
    return (4, 8) if kinds == 2 else (1, 3)


class _Choice:
    """The candidates of a draft, and the chosen ones so far."""

    def __init__(self, draft: Draft, pool: Sequence[Case], size: int, wrongs: Sequence[Wrong]) -> None:
        self._draft, self._pool, self._size, self._wrongs = draft, pool, size, wrongs
        self._chosen: dict[int, None] = {}
        self._constants: dict[str, Counter[str]] = {}
        self._least: dict[str, int] = {}
        self._shown: set[int] = set()  # places of examples
        self._given: Counter[tuple[str, int]] = Counter()  # tests passed by giving back an argument

    def tests(self, most_idle: int) -> Chosen | None:
        examples = self._examples()
        if len(examples) < _EXAMPLES:
            return None
        self._shown = {place for example in examples for place in example.places}
        self._left = self._candidates(self._shown)
        idle = 0
        for wrong in self._wrongs:
            if not self._kill(wrong) and wrong.kind == "rule":
                idle += 1
                if idle > most_idle:
                    return None
        self._take_edges()
        if not self._fill():
            return None
        self._broaden()
        hidden = [self._left[number].case for number in sorted(self._chosen)] + self._swept()
        return Chosen(_tests([example.case for example in examples], hidden, self._draft), idle)

    def _examples(self) -> list[_Candidate]:
        """Three examples. Prefers short ones, different answers, and answers that are no argument."""
        asked = [_Candidate(case, (place,)) for place, case in enumerate(self._pool) if case.answer]
        if self._draft.together > 1:
            asked = self._candidates(set())

        def weakness(candidate: _Candidate) -> tuple[bool, bool]:
            return len(candidate.case.asked) + len(candidate.case.answer) > _READABLE, candidate.case.same > 0

        asked.sort(key=weakness)
        different: dict[str, _Candidate] = {}
        for candidate in asked:
            different.setdefault(candidate.case.answer, candidate)
        found = [*different.values()][:_EXAMPLES]
        if self._size > 1:  # a function with two answers has only two different ones
            found += [candidate for candidate in asked if candidate not in found][: _EXAMPLES - len(found)]
        return found

    def _candidates(self, taken: set[int]) -> list[_Candidate]:
        """The candidates from untaken cases; with several cases in a test, they are of one function."""
        groups: dict[str, list[int]] = {}
        made = []
        for place, case in enumerate(self._pool):
            if place in taken or not case.answer:
                continue
            waiting = groups.setdefault(case.group, [])
            waiting.append(place)
            if len(waiting) == self._size:
                merged = case if self._size == 1 else together([self._pool[each] for each in waiting])
                made.append(_Candidate(merged, tuple(waiting)))
                waiting.clear()
        return made

    def _kill(self, wrong: Wrong) -> bool:
        """Chooses a test that distinguishes the variant from the reference, unless a chosen one does, or none can."""
        if any(map(wrong.dies_of, sorted(self._shown))) or any(self._dies(wrong, number) for number in self._chosen):
            return True
        killers: list[int] = []
        for number in range(len(self._left)):
            if self._dies(wrong, number):
                killers.append(number)
                if len(killers) == _LOOK:
                    break
        if not killers:
            return False
        self._take(min(killers, key=self._commonness))
        return True

    def _dies(self, wrong: Wrong, number: int) -> bool:
        return any(map(wrong.dies_of, self._left[number].places))

    def _commonness(self, number: int) -> int:
        case = self._left[number].case
        given = max((self._given[case.group, place] for place in _places(case.same)), default=0)
        return max(self._constants.setdefault(case.group, Counter())[case.constant], given)

    def _take(self, number: int) -> None:
        case = self._left[number].case
        self._chosen[number] = None
        self._constants.setdefault(case.group, Counter())[case.constant] += 1
        self._given.update((case.group, place) for place in _places(case.same))

    def _take_edges(self) -> None:
        """Chooses edge cases, but few with the same answer."""
        for number, candidate in enumerate(self._left):
            if len(self._chosen) == MOST // 2:
                return
            if candidate.case.edge and number not in self._chosen and self._commonness(number) < _EDGES:
                self._take(number)

    def _fill(self) -> bool:
        """Adds tests until each function has enough, and no degenerate answer passes many of them."""
        groups = {candidate.case.group for candidate in self._left} | {*self._draft.groups}
        self._least = dict.fromkeys(groups, max(_SHARE, self._draft.hidden // max(1, len(groups))))
        for number, candidate in enumerate(self._left):
            if self._is_enough():
                return True
            if len(self._chosen) == MOST:
                return False
            group = candidate.case.group
            if number in self._chosen or (len(self._chosen) >= self._draft.hidden and self._has_enough(group)):
                continue
            size = max(self._least[group], self._constants.setdefault(group, Counter()).total())
            if self._commonness(number) < size // _SHARE:
                self._take(number)
        return self._is_enough()

    def _is_enough(self) -> bool:
        return self._draft.hidden <= len(self._chosen) <= MOST and all(map(self._has_enough, self._least))

    def _has_enough(self, group: str) -> bool:
        """True if a function has enough tests, and each degenerate answer passes at most a fifth of them."""
        answers = self._constants.get(group, Counter())
        given = (count for (of, _), count in self._given.items() if of == group)
        most = max((*answers.values(), *given), default=0)
        return answers.total() >= max(self._least[group], most * _SHARE)

    def _broaden(self) -> None:
        """Adds tests against wrong answers without a matching variant, without raising a degenerate answer's share."""
        wanted = _CALLS // max(self._size, self._draft.together)
        while len(self._chosen) < wanted:
            # Start from the first one again: with more tests, the answer of a skipped edge may no longer be too common.
            number = next(filter(self._is_welcome, range(len(self._left))), None)
            if number is None:
                return
            self._take(number)

    def _swept(self) -> list[Case]:
        """Tests of many unused cases each; no degenerate answer passes one."""
        if self._draft.kind == "program":
            return []
        chosen = [place for number in sorted(self._chosen) for place in self._left[number].places]
        taken = self._shown.union(chosen)
        rest, left = [], _SWEPT
        for place, case in enumerate(self._pool):
            if place not in taken:
                left -= len(case.asked + case.answer)
                if case.answer and left >= 0:
                    rest.append(case)
        count = min(len(rest) // _SWEEP, MOST - len(self._chosen))
        sweeps = [rest[start::count] for start in range(count)]
        for number, cases in enumerate(sweeps):
            if _is_guessed(cases):  # add two chosen cases with other answers, different ones in each sweep
                others = [self._pool[place] for place in chosen if self._pool[place].constant != cases[0].constant]
                cases += (2 * others)[number % max(1, len(others)) :][:2]
        return [swept(cases) for cases in sweeps if not _is_guessed(cases)]

    def _is_welcome(self, number: int) -> bool:
        total = self._constants[self._left[number].case.group].total()
        return number not in self._chosen and (self._commonness(number) + 1) * _SHARE <= total + 1


def _is_guessed(cases: Sequence[Case]) -> bool:
    """True if a constant, or an argument given back, is right in all cases."""
    return len({case.constant for case in cases}) == 1 or reduce(and_, (case.same for case in cases)) > 0


def _places(bits: int) -> list[int]:
    return [place for place in range(bits.bit_length()) if bits >> place & 1]


def _tests(examples: list[Case], hidden: list[Case], draft: Draft) -> list[Test]:
    numbered = [(f"example {number}", case, True) for number, case in enumerate(examples, start=1)]
    numbered += [(f"test {number}", case, False) for number, case in enumerate(hidden, start=len(examples) + 1)]
    if draft.kind == "program":
        return [Test(name=name, public=public, stdin=case.asked, stdout=case.answer) for name, case, public in numbered]
    return [Test(f"{case.asked} = {case.answer}", name=name, public=public) for name, case, public in numbered]
