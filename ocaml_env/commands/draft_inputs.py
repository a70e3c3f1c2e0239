"""Proposes hidden tests for a program: inputs like those of its examples, with the outputs of its reference.

An input is an example with small changes: another number, a word of another line, a line left out, repeated or moved.
A first number that counts the lines, or the numbers of the next line, in every example keeps counting them. If all
examples have the same number of lines, so have the inputs. Inputs on which the reference fails are left out. The
statement may not allow all others: the user reads them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random

from ocaml_env.kills.mutants import measure
from ocaml_env.kills.propose import Proposal, Proposals
from ocaml_env.problem import Limits, Problem, Test
from ocaml_env.verifiers.base import AuthoringVerifier

__all__ = ["propose_inputs"]

_INPUTS = 300  # each is a run of the program, for the reference and for each mutant
_LIMITS = Limits(test_cpu_seconds=0.25, total_cpu_seconds=600.0)
_TESTS = 12  # hidden tests, unless more are needed to kill
_LARGEST = 2_000  # characters of an input or an output
_CHANGES = (1, 1, 1, 2, 2, 3)  # of one input

_TOKEN = re.compile(r"-?\d+|[A-Za-z]+|\s+|.", re.DOTALL)
_NUMBER = re.compile(r"-?\d+")

Lines = list[str]


def propose_inputs(
    problem: Problem, verifier: AuthoringVerifier, *, equivalent: Mapping[str, str], dropped: Collection[str]
) -> Proposals:
    """Proposes hidden tests for a program, in addition to those it has; the same ones every time.

    The arguments are those of ``draft_tests.propose_tests``. A proposal has the input as call, the output as answer.
    """
    known = {test.stdin for test in problem.tests} | set(dropped)
    drawn = [text for text in _Inputs(problem).draw(_INPUTS) if text not in known]
    answered = list(_answered(problem, drawn, verifier))
    pool = {f"input {number}": proposal for number, proposal in enumerate(sorted(answered, key=_size))}
    tests = [*problem.hidden_tests, *(_test(proposal, name) for name, proposal in pool.items())]
    # Examples come last: hidden tests must kill what they can kill, also without the examples.
    tests += [replace(test, public=False) for test in problem.public_tests]
    tried = replace(problem, tests=tuple(tests), baseline=(), limits=_LIMITS)
    score = measure(tried, verifier=verifier, equivalent=equivalent, cap=len(verifier.mutants(problem)) or 1)
    chosen = {name: f"kills {key}" for key, name in reversed([*score.killers.items()]) if name in pool}
    if not problem.hidden_tests:
        _add_rare(pool, chosen)
    failed = len(drawn) - len(answered)
    notes = [f"{failed} inputs end the reference with an error, or late: left out"] if failed else []
    return Proposals(
        tests=tuple(replace(each, reason=chosen[name]) for name, each in pool.items() if name in chosen),
        survivors=score.survivors,
        mutants=score.total,
        inputs=len(pool),
        notes=tuple(notes),
    )


def _answered(problem: Problem, drawn: Sequence[str], verifier: AuthoringVerifier) -> Iterator[Proposal]:
    if not drawn:
        return
    asked = replace(problem, tests=tuple(Test(stdin=text, stdout="") for text in drawn), baseline=(), limits=_LIMITS)
    for text, output in zip(drawn, verifier.outputs(asked, problem.reference), strict=True):
        answer = "" if output is None else output.decode("utf-8", "replace")
        # A problem file holds whole lines of valid text.
        if output is not None and len(answer) <= _LARGEST and "\ufffd" not in answer:
            yield Proposal(function="", call=text, answer=f"{answer}\n" if answer[-1:] not in ("", "\n") else answer)


def _test(proposal: Proposal, name: str) -> Test:
    return Test(stdin=proposal.call, stdout=proposal.answer, name=name)


def _size(proposal: Proposal) -> int:
    return len(proposal.call) + len(proposal.answer)


def _add_rare(pool: Mapping[str, Proposal], chosen: dict[str, str]) -> None:
    """Chooses further inputs, those with the rarest outputs first."""
    counts = Counter(pool[name].answer for name in chosen)
    left = [name for name in pool if name not in chosen]
    while left and len(chosen) < _TESTS:
        name = min(left, key=lambda name: counts[pool[name].answer])
        left.remove(name)
        chosen[name] = "another answer"
        counts[pool[name].answer] += 1


# --- inputs -----------------------------------------------------------------------------------------------------------


class _Inputs:
    """The inputs of a program."""

    def __init__(self, problem: Problem) -> None:
        self._examples = [(test.stdin or "").splitlines() for test in problem.public_tests]
        self._chance = Random("inputs")
        self._counts = self._counting()
        # Examples of one length tell of a form with so many lines.
        sizes = {len(lines) for lines in self._examples}
        self._keeps_lines = len(self._examples) > 1 and len(sizes) == 1 and self._counts != "lines"
        text = "\n".join(line for lines in self._examples for line in lines)
        self._words: list[str] = sorted(set(re.findall(r"[A-Za-z]+", text))) or ["a"]
        numbers = [int(number) for number in _NUMBER.findall(f"{text} {problem.reference}") if len(number) < 10]
        least = min(map(int, _NUMBER.findall(text)), default=0)
        near = {number + step for number in numbers for step in (-1, 0, 1)}
        self._numbers = sorted(number for number in near | {0, 1, 2, 10, 100} if number >= min(least, 0))

    def draw(self, number: int) -> list[str]:
        """Up to so many different inputs: no line at all, each line alone, then changed examples."""
        alone = [[], *([line] for lines in self._examples for line in lines)]
        found = dict.fromkeys(map(self._text, [] if self._counts or self._keeps_lines else alone))
        for _ in range(3 * number if any(self._examples) else 0):
            if len(found) >= number:
                break
            lines = [*self._chance.choice(self._examples)]
            for _ in range(self._chance.choice(_CHANGES)):
                lines = self._changed(lines)
            found[self._text(lines)] = None
        return [text for text in found if len(text) <= _LARGEST][:number]

    def _text(self, lines: Lines) -> str:
        if lines and self._counts == "lines":
            lines = [str(len(lines) - 1), *lines[1:]]
        elif lines[1:] and self._counts == "numbers":
            lines = [str(len(lines[1].split())), *lines[1:]]
        return "".join(f"{line}\n" for line in lines)

    def _counting(self) -> str | None:
        """What the first line of every example counts: the ``lines`` after it, or the ``numbers`` of the next one."""
        if not self._examples or any(not lines or not lines[0].strip().isdigit() for lines in self._examples):
            return None
        if all(int(lines[0]) == len(lines) - 1 for lines in self._examples):
            return "lines"
        if all(lines[1:] and int(lines[0]) == len(lines[1].split()) for lines in self._examples):
            return "numbers"
        return None

    def _changed(self, lines: Lines) -> Lines:
        chance, first = self._chance, 1 if self._counts else 0
        if len(lines) <= first:
            return [*lines, *chance.choice(self._examples)[first:]]
        at = chance.randrange(first, len(lines))
        share = chance.random()
        if share < 0.55 or self._keeps_lines:
            return [*lines[:at], self._changed_line(lines[at]), *lines[at + 1 :]]
        if share < 0.7:
            return lines[:at] + lines[at + 1 :]
        if share < 0.8:
            return lines[:at] + lines[at : at + 1] + lines[at:]
        other = chance.choice(self._examples)[first:] or lines[first:]
        moved = lines[at] if share < 0.9 else chance.choice(other)
        rest = lines[:at] + lines[at + 1 :] if share < 0.9 else lines
        place = chance.randrange(first, len(rest) + 1)
        return [*rest[:place], moved, *rest[place:]]

    def _changed_line(self, line: str) -> str:
        chance = self._chance
        tokens: list[str] = _TOKEN.findall(line)
        places = [place for place, token in enumerate(tokens) if not token.isspace()]
        if not places:
            return chance.choice(self._words)
        place = chance.choice(places)
        token = tokens[place]
        if chance.random() < 0.25 and len(places) > 1:  # the token and the space before it go, or come twice
            start = place - 1 if place and tokens[place - 1].isspace() else place
            again = tokens[start : place + 1] if chance.random() < 0.5 else []
            return "".join([*tokens[:start], *again, *again, *tokens[place + 1 :]]).strip() or line
        if _NUMBER.fullmatch(token):
            near = (int(token) + 1, max(int(token) - 1, min(self._numbers)))
            tokens[place] = str(chance.choice(near) if chance.random() < 0.4 else chance.choice(self._numbers))
        elif token.isalpha():
            tokens[place] = self._changed_word(token)
        return "".join(tokens)

    def _changed_word(self, word: str) -> str:
        chance = self._chance
        share = chance.random()
        if share < 0.4:
            return chance.choice(self._words)
        if share < 0.6:
            return word.swapcase()
        at = chance.randrange(len(word))
        letter = chance.choice("abcxyzAZ")
        return word[:at] + chance.choice(("", letter, word[at] * 2)) + word[at + 1 :] or letter
