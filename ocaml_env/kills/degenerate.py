"""Degenerate answers: what somebody who has given up submits, and how many tests it passes.

They are a constant, an argument given back, an exception, and a table of the examples with one of these for everything
else; for programs a constant output, the input given back, and a table of the outputs. What each of them answers is
known from the calls that tests make, so that none has to be run.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from ocaml_env.kills.interpreter.calls import UNKNOWN, Call

__all__ = ["Degenerate", "degenerate_functions", "degenerate_programs", "most_passed"]

_RARE = 4  # answers that are expected but once, of which constants are made
_PRODUCTS = 2_000  # combinations of answers for several functions that are all tried


@dataclass(frozen=True, slots=True)
class Degenerate:
    """A degenerate answer for one function.

    Attributes:
        what: in plain words.
        right: for each test, if it is right whenever the test calls the function.
    """

    what: str
    right: tuple[bool, ...]


def degenerate_functions(
    tests: Sequence[Sequence[Call]], examples: Iterable[int], codes: Sequence[str]
) -> dict[str, list[Degenerate]]:
    """For each function that is called, its degenerate answers.

    Args:
        tests: the calls of each test.
        examples: the places of those that are public.
        codes: of the tests; a constant is a value that stands in one of them.
    """
    written = _bare(" ".join(codes))
    by_name: dict[str, list[list[Call]]] = {}
    for place, calls in enumerate(tests):
        for call in calls:
            by_name.setdefault(call.function, [[] for _ in tests])[place].append(call)
    public = frozenset(examples)
    return {name: _answers(calls, public, written) for name, calls in by_name.items()}


def degenerate_programs(runs: Sequence[tuple[str, str]], examples: Iterable[int]) -> list[Degenerate]:
    """The degenerate answers of a program, of which inputs and outputs are given; white space does not count."""
    calls = [[Call("", (_words(stdin),), "=" + _words(stdout))] for stdin, stdout in runs]
    return _answers(calls, frozenset(examples), _bare(" ".join(stdout for _, stdout in runs)))


def _words(text: str) -> str:
    return " ".join(text.split())


def most_passed(
    answers: Mapping[str, Sequence[Degenerate]], tests: Sequence[int], among: Iterable[int] = ()
) -> tuple[frozenset[int], str]:
    """The tests that the most successful degenerate answers pass, one for each function, and what they are.

    Args:
        answers: those of each function that the tests call.
        tests: by which success is counted.
        among: other tests that are looked at, too.
    """

    def passed(chosen: Sequence[Degenerate]) -> int:
        return sum(1 for test in tests if all(one.right[test] for one in chosen))

    choices = [*answers.values()]
    if not choices:
        return frozenset(), ""
    size = 1
    for choice in choices:
        size *= len(choice)
    if size <= _PRODUCTS:
        best: Sequence[Degenerate] = max(product(*choices), key=passed)
    else:
        # One after the other: each is chosen for the tests that the others leave.
        best = [max(choice, key=lambda one: sum(one.right[test] for test in tests)) for choice in choices]
        for place, choice in [*enumerate(choices)] * 2:
            others = (best[:place], best[place + 1 :])
            best = max(([*others[0], one, *others[1]] for one in choice), key=passed)
    right = frozenset(test for test in {*tests, *among} if all(one.right[test] for one in best))
    return right, "; ".join(
        f"{name}: {one.what}" if name else one.what for name, one in zip(answers, best, strict=True)
    )


def _bare(text: str) -> str:
    """Without white space and parentheses, in which texts of one value may differ."""
    return re.sub(r"[\s()]", "", text)


def _answers(tests: Sequence[Sequence[Call]], examples: frozenset[int], written: str) -> list[Degenerate]:
    """The degenerate answers of one function, of which the calls of each test are given."""
    counts = Counter(
        call.answer
        for calls in tests
        for call in calls
        if call.answer != UNKNOWN and (call.answer[0] == "!" or _bare(call.answer[1:]) in written)
    )
    often = {answer for place, (answer, count) in enumerate(counts.most_common()) if count > 1 or place < _RARE}
    arity = max(len(call.arguments) for calls in tests for call in calls)
    simple: list[tuple[str, Callable[[Call], bool]]] = [
        (f"always {answer[1:]}" if answer[0] == "=" else f"raises {answer[1:]}", _is(answer))
        for answer in counts
        if answer in often
    ]
    simple += [(f"argument {place + 1} given back", _gives_back(place)) for place in range(arity)]
    table = {
        call.arguments: call.answer for place in examples for call in tests[place] if UNKNOWN not in call.arguments
    }
    found = [Degenerate("does nothing", tuple(all(map(_leaves_alone, calls)) for calls in tests))]
    for what, right in simple:
        alone = tuple(all(_is_seen(call) and right(call) for call in calls) for calls in tests)
        found.append(Degenerate(what, alone))
        known = tuple(
            all(
                _is_seen(call) and (table[call.arguments] == call.answer if call.arguments in table else right(call))
                for call in calls
            )
            for calls in tests
        )
        found.append(Degenerate(f"a table of the examples, or {what}", known))
    return found


def _is_seen(call: Call) -> bool:
    """Is its answer known, and all that it does? What answers ``()`` changes something that cannot be seen here."""
    return not call.changes and call.answer not in ("=()", UNKNOWN)


def _leaves_alone(call: Call) -> bool:
    """Did it change nothing, of arguments in which a change is seen?"""
    is_seen = UNKNOWN not in call.arguments and any("[|" in text or "ref " in text for text in call.arguments)
    return call.answer == "=()" and is_seen and not call.changes


def _is(answer: str) -> Callable[[Call], bool]:
    return lambda call: call.answer == answer


def _gives_back(place: int) -> Callable[[Call], bool]:
    return lambda call: place < len(call.arguments) and call.answer == f"={call.arguments[place]}"
