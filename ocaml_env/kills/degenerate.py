"""Degenerate answers, and how many tests each passes: submissions of somebody who has given up.

For functions: a constant, an argument given back, an exception, and a table of the examples with one of these for
everything else. For programs: a constant output, the input given back, and a table of the outputs. The recorded calls
of the tests decide which tests pass, so no answer has to be run.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from ocaml_env.kills.interpreter.calls import UNKNOWN, Call

__all__ = ["Degenerate", "degenerate_functions", "degenerate_programs", "most_passed"]

_RARE = 4  # make constants of this many answers at least, even if each is expected only once
_PRODUCTS = 2_000  # try all combinations of answers for several functions, up to this many


@dataclass(frozen=True, slots=True)
class Degenerate:
    """A degenerate answer for one function.

    Attributes:
        what: the answer, in plain words.
        right: for each test, True if the answer is right for all calls of the function.
    """

    what: str
    right: tuple[bool, ...]


def degenerate_functions(
    tests: Sequence[Sequence[Call]], examples: Iterable[int], codes: Sequence[str]
) -> dict[str, list[Degenerate]]:
    """The degenerate answers of each called function.

    Args:
        tests: the calls of each test.
        examples: the places of the public tests.
        codes: the code of each test. A value becomes a constant only if it occurs in one of them.
    """
    written = _bare(" ".join(codes))
    by_name: dict[str, list[list[Call]]] = {}
    for place, calls in enumerate(tests):
        for call in calls:
            if call.changes and _drops_arguments(codes[place], call.function):
                call = call._replace(changes=False)
            by_name.setdefault(call.function, [[] for _ in tests])[place].append(call)
    public = frozenset(examples)
    return {name: _answers(calls, public, written) for name, calls in by_name.items()}


def _drops_arguments(code: str, function: str) -> bool:
    """True for ``f [|1|] = ..``: no name is left for the argument, so the test cannot see a change of it."""
    return re.match(rf"\(*{re.escape(function)}\b", code) is not None and re.search(r"\blet\b", code) is None


def degenerate_programs(runs: Sequence[tuple[str, str]], examples: Iterable[int]) -> list[Degenerate]:
    """The degenerate answers of a program, from its inputs and outputs. White space does not count."""
    calls = [[Call("", (_words(stdin),), "=" + _words(stdout))] for stdin, stdout in runs]
    return _answers(calls, frozenset(examples), _bare(" ".join(stdout for _, stdout in runs)))


def _words(text: str) -> str:
    return " ".join(text.split())


def most_passed(
    answers: Mapping[str, Sequence[Degenerate]], tests: Sequence[int], among: Iterable[int] = ()
) -> tuple[frozenset[int], str]:
    """Chooses a degenerate answer for each function, such that most tests pass.

    Args:
        answers: the degenerate answers of each function.
        tests: the tests to count.
        among: further tests to report.

    Returns:
        The passed tests, of ``tests`` and ``among``, and a description of the answers.
    """

    def passed(chosen: Sequence[Degenerate]) -> int:
        return sum(1 for test in tests if all(answer.right[test] for answer in chosen))

    choices = [*answers.values()]
    if not choices:
        return frozenset(), ""
    size = 1
    for choice in choices:
        size *= len(choice)
    if size <= _PRODUCTS:
        best: Sequence[Degenerate] = max(product(*choices), key=passed)
    else:
        # Choose one function's answer after another, each for the tests that the others pass.
        best = [max(choice, key=lambda answer: sum(answer.right[test] for test in tests)) for choice in choices]
        for place, choice in [*enumerate(choices)] * 2:
            others = (best[:place], best[place + 1 :])
            best = max(([*others[0], answer, *others[1]] for answer in choice), key=passed)
    right = frozenset(test for test in {*tests, *among} if all(answer.right[test] for answer in best))
    return right, "; ".join(
        f"{name}: {answer.what}" if name else answer.what for name, answer in zip(answers, best, strict=True)
    )


def _bare(text: str) -> str:
    """The text without white space and parentheses: equal values may differ in these."""
    return re.sub(r"[\s()]", "", text)


def _answers(tests: Sequence[Sequence[Call]], examples: frozenset[int], written: str) -> list[Degenerate]:
    """The degenerate answers of one function, from its calls in each test."""
    # Hidden tests come first, so that an answer of theirs is tried even if each answer is expected only once.
    hidden_first = sorted(range(len(tests)), key=lambda place: place in examples)
    counts = Counter(
        call.answer
        for place in hidden_first
        for call in tests[place]
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
    """True if the answer is known and nothing else can happen. A call that answers ``()`` may have hidden effects."""
    return not call.changes and call.answer not in ("=()", UNKNOWN)


def _leaves_alone(call: Call) -> bool:
    """True if the call changed nothing, though a change of its arguments would have been seen."""
    is_seen = UNKNOWN not in call.arguments and any("[|" in text or "ref " in text for text in call.arguments)
    return call.answer == "=()" and is_seen and not call.changes


def _is(answer: str) -> Callable[[Call], bool]:
    return lambda call: call.answer == answer


def _gives_back(place: int) -> Callable[[Call], bool]:
    return lambda call: place < len(call.arguments) and call.answer == f"={call.arguments[place]}"
