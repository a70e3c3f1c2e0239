"""Proposes hidden tests for a problem: the reference's answers to inputs that kill its mutants, and to edge cases.

The reference is run on up to 2,000 inputs. Each mutant that any of them kills gives a test: the first input in this
order: edge cases, then short ones. A problem without hidden tests gets edge cases too, and further inputs until
degenerate answers pass few tests. Inputs on which the reference does not end are left out; so are those on which it
raises an exception that the problem does not mention, since its statement may not allow them.

Long, because all steps share the results of one run on the inputs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ocaml_env.errors import ProblemError
from ocaml_env.kills.inputs import Input, Inputs
from ocaml_env.kills.mutants import measure
from ocaml_env.problem import Limits, Problem, Test
from ocaml_env.verdict import TestOutcome
from ocaml_env.verifiers.base import AuthoringVerifier, Mutant

__all__ = ["INPUTS", "Proposal", "Proposals", "as_tests", "call_key", "propose"]

INPUTS = 2_000
"""Inputs to try, for all functions together."""

_BATCH = 200  # inputs in one run of the reference
_TEST_SECONDS = 0.05  # of CPU for one input; a reference that takes longer is too slow for a test, or endless
_PATIENT = Limits(test_cpu_seconds=0.25, total_cpu_seconds=600.0)
_READABLE = 80  # characters of a call and its answer; longer ones are only used if they kill a mutant
_HIDDEN = 12  # tests, for all functions together
_LEAST = 8  # tests of each function
_CALLS = 3  # in one test, if they are joined
_SAME_EDGES = 2  # edge cases with one answer
_SHARE = 5  # a degenerate answer may pass one test in five
_MOST = 2  # times as many tests, of a function whose common answers are hard to avoid

_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"' + r"|'(?:[^'\\]|\\.[^']*)'", re.DOTALL)
_UNWRITTEN = re.compile(r"\.\.\.|<|\bnan\b|\(\*")  # of a printed value: cut, hidden, or equal to nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A call with the reference's answer.

    Attributes:
        function: the function that it shows.
        call: the expression.
        answer: its value; for an exception, a pattern.
        raises: True if it raises.
        reason: why it is proposed.
        given_back: the places of arguments that are the answer.
    """

    function: str
    call: str
    answer: str
    raises: bool = False
    reason: str = ""
    given_back: tuple[int, ...] = ()

    @property
    def code(self) -> str:
        """The test."""
        call = f"({self.call})" if self.call.startswith("let ") else self.call
        if self.raises:
            return f"match {call} with _ -> false | exception {self.answer} -> true"
        return f"{call} = {self.answer}"

    @property
    def guesses(self) -> tuple[object, ...]:
        """The degenerate answers that are right: a constant, and arguments given back."""
        return (self.answer, *self.given_back)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposals:
    """The proposed tests of a problem.

    Attributes:
        tests: in the order of their inputs.
        survivors: mutants that no input kills, in order of the text.
        mutants: number of mutants that count.
        inputs: number of inputs that the reference answered.
        notes: what was left out, in plain words.
    """

    tests: tuple[Proposal, ...]
    survivors: tuple[Mutant, ...]
    mutants: int
    inputs: int
    notes: tuple[str, ...]


def propose(
    problem: Problem,
    verifier: AuthoringVerifier,
    *,
    equivalent: Mapping[str, str] | None = None,
    dropped: Collection[str] = (),
) -> Proposals:
    """Proposes hidden tests for a problem, in addition to those it has; the same ones every time.

    Args:
        problem: its reference must pass its tests.
        verifier: runs the reference and its mutants.
        equivalent: reasons of mutants that no test can kill, by key.
        dropped: calls not to propose, by ``call_key``.

    Raises:
        ProblemError: the reference does not pass the tests.
    """
    inputs = Inputs(
        problem.signature,
        [problem.reference, *(test.code for test in problem.public_tests)],
        verifier.answers([test.code for test in problem.public_tests]),
    )
    known = {call_key(test.code) for test in problem.tests}
    drawn = [
        each
        for each in inputs.draw(INPUTS)
        if (key := call_key(each.code)) not in dropped and not any(code.startswith(f"{key}=") for code in known)
    ]
    notes = [f"{name}: no inputs, {reason}" for name, reason in inputs.unknown.items()]
    if not drawn:
        notes.append("no function has a result that can be compared: write its tests by hand")
    answered = list(_answered(problem, drawn, verifier, notes))
    pool, tried = _holding(problem, _in_order(answered), verifier)
    score = measure(tried, verifier=verifier, equivalent=equivalent, cap=len(verifier.mutants(problem)) or 1)
    kills = {name: key for key, name in reversed([*score.killers.items()]) if name in pool}
    chosen = {name: f"kills {key}" for name, key in kills.items()}
    if not problem.hidden_tests:
        _complete(pool, chosen)
    tests = [replace(proposal, reason=chosen[name]) for name, (_, proposal) in pool.items() if name in chosen]
    return Proposals(
        tests=tuple(tests), survivors=score.survivors, mutants=score.total, inputs=len(pool), notes=tuple(notes)
    )


def as_tests(proposals: Sequence[Proposal]) -> list[str]:
    """The tests' code. If a degenerate answer is often right, calls are joined so that it passes no test."""
    found: list[str] = []
    for function in dict.fromkeys(proposal.function for proposal in proposals):
        these = [proposal for proposal in proposals if proposal.function == function]
        values = [proposal for proposal in these if not proposal.raises]
        guess, most = _commonest(values)
        if most * _SHARE <= len(values) or most == len(values):
            found += [proposal.code for proposal in these]
            continue
        number = min(-(-len(values) // _CALLS), len(values) - most)
        values.sort(key=lambda proposal: guess in proposal.guesses)  # each test has a call for which it is wrong
        for start in range(number):
            joined = values[start::number]
            calls, answers = (p.call for p in joined), (p.answer for p in joined)
            found.append(f"({', '.join(calls)}) = ({', '.join(answers)})" if joined[1:] else joined[0].code)
        found += [proposal.code for proposal in these if proposal.raises]
    return found


def call_key(code: str) -> str:
    """A text without layout and parentheses, to compare calls."""
    return re.sub(r"[\s()]", "", code)


# --- the reference's answers ------------------------------------------------------------------------------------------


def _answered(
    problem: Problem, inputs: Sequence[Input], verifier: AuthoringVerifier, notes: list[str]
) -> Iterator[tuple[Input, Proposal]]:
    endless: Counter[str] = Counter()
    unmentioned: Counter[tuple[str, str]] = Counter()
    for function in dict.fromkeys(each.function for each in inputs):
        these = [each for each in inputs if each.function == function]
        for start in range(0, len(these), _BATCH):
            batch = these[start : start + _BATCH]
            for each, outcome in _outcomes(problem, batch, verifier):
                proposal = _proposal(each, outcome.detail)
                if not outcome.returned and proposal is None:
                    endless[function] += 1
                elif proposal is not None and proposal.raises and not _mentions(problem, proposal.answer):
                    unmentioned[function, proposal.answer.split()[0]] += 1
                elif proposal is not None:
                    yield each, proposal
    notes += [
        f"{function}: {count} inputs raise {name}, which the problem does not mention: left out"
        for (function, name), count in unmentioned.items()
    ]
    notes += [
        f"{function}: {count} inputs have no answer within limits: left out" for function, count in endless.items()
    ]


def _outcomes(
    problem: Problem, inputs: Sequence[Input], verifier: AuthoringVerifier
) -> Iterable[tuple[Input, TestOutcome]]:
    """Runs the reference on each input that typechecks; few do not, with functions of functions."""
    # A failed example tells its value. The line break makes the text of each call `it`.
    tests = [Test(f"match ({each.code}\n) with _ -> false | exception Exit -> true", public=True) for each in inputs]
    limits = Limits(test_cpu_seconds=_TEST_SECONDS, total_cpu_seconds=2 * _TEST_SECONDS * (len(inputs) + 1))
    asked = replace(problem, tests=tests, baseline=(), limits=limits)  # type: ignore[arg-type]
    try:
        return zip(inputs, verifier.verify(asked, problem.reference).tests, strict=True)
    except ProblemError as error:
        rest = [each for each, test in zip(inputs, asked.tests, strict=True) if test.name != error.test]
        if len(rest) == len(inputs):
            raise
        return _outcomes(problem, rest, verifier) if rest else ()


def _proposal(given: Input, detail: str) -> Proposal | None:
    """The answer in a detail such as ``it gave `3```; None if there is none, or if it was cut or has no literal."""
    found = re.fullmatch(r"it (gave|raised) (?:`` (.*) ``|`(.*)`)", detail, re.DOTALL)
    if found is None:
        return None
    answer, raises = found[2] or found[3], found[1] == "raised"
    if _UNWRITTEN.search(_TEXT.sub('""', answer)):
        return None
    given_back = tuple(n for n, argument in enumerate(given.arguments) if call_key(argument) == call_key(answer))
    if raises:
        answer = re.sub(r"^(Failure|Invalid_argument) .*", r"\1 _", answer, flags=re.DOTALL)
    return Proposal(function=given.function, call=given.code, answer=answer, raises=raises, given_back=given_back)


def _mentions(problem: Problem, exception: str) -> bool:
    name = re.split(r"[\s(]", exception)[0].rpartition(".")[2]
    texts = (problem.statement, problem.signature, *(test.code for test in problem.public_tests))
    return any(re.search(rf"\b{name}\b", text) for text in texts)


def _in_order(answered: Sequence[tuple[Input, Proposal]]) -> dict[str, tuple[Input, Proposal]]:
    """The proposals by name, edge cases first, then short ones; the number in a name is its place as drawn."""
    named = {f"input {number}": pair for number, pair in enumerate(answered)}

    def length(item: tuple[str, tuple[Input, Proposal]]) -> int:
        each, proposal = item[1]
        return 0 if each.edge else len(proposal.code)

    return dict(sorted(named.items(), key=length))


def _holding(
    problem: Problem, pool: dict[str, tuple[Input, Proposal]], verifier: AuthoringVerifier
) -> tuple[dict[str, tuple[Input, Proposal]], Problem]:
    """The proposals whose tests hold for the reference, by name, and the problem with them.

    The examples come last: hidden tests must kill what they can kill, also without the examples.
    """
    examples = [replace(test, public=False) for test in problem.public_tests]
    while True:
        more = [Test(pair[1].code, name=name) for name, pair in pool.items()]
        tests = (*problem.hidden_tests, *more, *examples)
        tried = replace(problem, tests=tests, baseline=(), limits=_PATIENT)
        try:
            verdict = verifier.verify(tried, problem.reference)
        except ProblemError as error:
            if error.test not in pool:
                raise
            del pool[error.test]
            continue
        failed = {test.name for test in verdict.tests if not test.passed}
        if not failed & pool.keys():
            return pool, tried
        pool = {name: pair for name, pair in pool.items() if name not in failed}


# --- the choice -------------------------------------------------------------------------------------------------------


def _complete(pool: Mapping[str, tuple[Input, Proposal]], chosen: dict[str, str]) -> None:
    """Chooses edge cases, and further inputs with rare answers until no degenerate answer passes many tests."""
    functions = dict.fromkeys(proposal.function for _, proposal in pool.values())
    wanted = max(_LEAST, -(-_HIDDEN // max(1, len(functions))))
    for function in functions:
        these = {name: pair for name, pair in pool.items() if pair[1].function == function}
        taken = [these[name][1] for name in chosen if name in these]
        for name, (each, proposal) in these.items():
            same = sum(proposal.answer == other.answer for other in taken)
            if each.edge and name not in chosen and same < _SAME_EDGES:
                chosen[name] = "edge case"
                taken.append(proposal)
        left = [name for name, pair in these.items() if name not in chosen and _is_plain(pair[1])]
        left.sort(key=lambda name: int(name.split()[1]))  # as drawn, short and long
        while left and len(taken) < _MOST * wanted:
            if len(taken) >= wanted and _commonest(taken)[1] * _SHARE <= len(taken):
                break
            counts = Counter(guess for proposal in taken for guess in proposal.guesses)
            name = min(left, key=lambda name: max(counts[guess] for guess in these[name][1].guesses))
            left.remove(name)
            chosen[name] = "another answer"
            taken.append(these[name][1])


def _commonest(proposals: Sequence[Proposal]) -> tuple[object, int]:
    """The degenerate answer that is right most often, and how often."""
    counts = Counter(guess for proposal in proposals for guess in proposal.guesses)
    return max(counts.items(), key=lambda item: item[1], default=("", 0))


def _is_plain(proposal: Proposal) -> bool:
    """True if a person can check the answer. Few statements say what happens at the largest numbers."""
    return (
        not proposal.raises and len(proposal.code) <= _READABLE and not re.search(r"\b(?:max|min)_int\b", proposal.code)
    )
