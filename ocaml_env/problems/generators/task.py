"""Small problems of levels 1 and 2: a statement and a reference with gaps, filled by chance.

A gap is written ``$test`` or ``${test}``. Its words go into the statement, its code into the signature and the
reference, and its name into the name of the function. The reference alone defines the meaning of a task, and gives the
expected answers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import NamedTuple, TypeAlias

from ocaml_env.kills.types import Type, parameters, result, types_of_values
from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.draft import Case, Draft, call
from ocaml_env.problems.generators.inputs import Input, by_type

__all__ = ["Gap", "Part", "Task", "draft_of", "number"]

_ALIKE = 0.1  # the share of calls with two equal arguments, if both are drawn alike
_UNKNOWN = Type("?")  # of a value in a module
_HOLDERS = {"list", "array", "option", "*", "string", "unit"}  # adding no numbers to their parts
_LEXEME = re.compile(r"""\"(?:[^"\\]|\\.)*\"|'[^']*'|-?\d+\.\d*|(-?\d+)""")
_BOXED = 0.3  # the share of calls with strings for values of any type


class Part(NamedTuple):
    """A filling for a gap.

    Attributes:
        words: for the statement.
        code: for the signature and the reference; by default the words.
        name: for the name of the function.
    """

    words: str
    code: str | None = None
    name: str = ""


Gap: TypeAlias = Sequence[Part | tuple[str, ...]] | Callable[[Chance], Part]


def number(low: int, high: int) -> Gap:
    """A gap for a number. Code has a negative one in parentheses."""

    def drawn(chance: Chance) -> Part:
        n = chance.between(low, high)
        return Part(str(n), f"({n})" if n < 0 else str(n), str(abs(n)))

    return drawn


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A small problem with gaps.

    Attributes:
        level: 1 or 2.
        says: statements to choose from; ``$f`` is the function.
        names: of the function, to choose from.
        signature: its type, such as ``int list -> int``, or an interface with ``$f`` among other values, if it begins
            with ``val`` or ``type``.
        code: the reference.
        gaps: possible fillings by name. A filling may have gaps itself.
        inputs: of each parameter; by default those for its type.
        edges: lists of arguments that deserve a test, such as ``("[]", "0")``.
        looks: hidden tests look at the first argument after the call, too: it is changed in place, or must not be.
        stdin: draws an input, if the task is a program: then it has no signature, and ``$f`` means nothing.
    """

    level: int
    says: tuple[str, ...]
    code: str
    names: tuple[str, ...] = ("f",)
    signature: str = ""
    gaps: Mapping[str, Gap] = field(default_factory=dict)
    inputs: tuple[Input, ...] = ()
    edges: tuple[tuple[str, ...], ...] = ()
    looks: bool = False
    stdin: Callable[[Chance], str] | None = None


def draft_of(tasks: Sequence[Task], chance: Chance, level: int) -> Draft:
    """A draft of one of the tasks of this level."""
    task = chance.pick([task for task in tasks if task.level == level])
    fill = _Filling(task, chance)
    name = fill(chance.pick(task.names), "name")
    fill.parts["f"] = Part(name, name, name)
    says = fill(chance.pick(task.says), "words")
    code = fill(task.code, "code")
    signature = fill(task.signature, "code")
    if signature and not re.match(r"val |type |exception ", signature):
        signature = f"val {name} : {signature}"
    _mark(chance, code)
    if task.stdin is not None:
        return Draft(
            name="", statement=says, reference=code, cases=_runs(task.stdin, chance), kind="program", hidden=10
        )
    kind = types_of_values(signature).get(name)
    if kind is None and not task.inputs:
        raise ValueError(f"no val {name}, or an unknown type, in {signature!r}")
    inputs = task.inputs or tuple(map(by_type, parameters(kind or _UNKNOWN)))
    return Draft(
        name=name,
        statement=says,
        signature=signature,
        reference=code,
        cases=_calls(name, inputs, task, chance, kind or _UNKNOWN),
        hidden=10,
    )


class _Filling:
    """Fills gaps; the same gap always gets the same part."""

    def __init__(self, task: Task, chance: Chance) -> None:
        self._gaps, self._chance = task.gaps, chance
        self.parts: dict[str, Part] = {}

    def __call__(self, text: str, kind: str) -> str:
        return re.sub(r"\$(\w+|\{\w+\})", lambda found: self._filled(found[1].strip("{}"), kind), text)

    def _filled(self, gap: str, kind: str) -> str:
        part = self.parts.get(gap)
        if part is None:
            choices = self._gaps[gap]
            part = self.parts[gap] = choices(self._chance) if callable(choices) else Part(*self._chance.pick(choices))
        text = part.words if kind == "words" else part.name if kind == "name" else part.code
        return self(part.words if text is None else text, kind)


def _mark(chance: Chance, code: str) -> None:
    """Marks the constants in the reference for inputs: numbers and their neighbours, characters, strings."""
    numbers = map(int, re.findall(r"(?<![\w.])\d+(?![\w.])", code))
    quarters = (int(4 * float(found)) for found in re.findall(r"(?<![\w.])\d+\.\d*(?![\w.])", code))
    chance.mark(*sorted({n + step for n in (*numbers, *quarters) for step in (0, 1, -1)}))  # floats draw quarters
    for character in re.findall(r"'([^'\\])'", code):
        chance.mark_characters(*(chr(ord(character) + step) for step in (0, 1, -1)))
    for text in re.findall(r'"([^"\\]*)"', code):
        chance.mark_characters(*text)


def _calls(name: str, inputs: Sequence[Input], task: Task, chance: Chance, kind: Type) -> Iterator[Case]:
    """Typical calls for the examples, then edges, then typical ones without end."""
    alike = [(a, b) for b, parameter in enumerate(inputs) for a in range(b) if inputs[a] is parameter]
    boxes, share = _boxes(kind), _BOXED
    if _variables(result(kind)):  # answers in one test are of one type
        share = chance.pick((0, 1))

    def typical() -> list[str]:
        drawn = [parameter.draw(chance) for parameter in inputs]
        if alike and chance.happens(_ALIKE):
            a, b = chance.pick(alike)
            drawn[b] = drawn[a]
        return drawn

    def plain(arguments: Sequence[str]) -> Case:
        if any(boxes) and chance.happens(share):
            arguments = [_boxed(literal) if box else literal for literal, box in zip(arguments, boxes, strict=True)]
        return Case(call(name, *arguments), "", "", group=name, arguments=tuple(arguments))

    def asked(arguments: Sequence[str], *, edge: bool = False) -> Case:
        if not task.looks:
            return plain(arguments)._replace(edge=edge)
        first = arguments[0]
        looked = f"let a = {first} in let result = {call(name, 'a', *arguments[1:])} in (result, a)"
        return Case(f"({looked})", "", "", group=name, arguments=(f"({first}, {first})",), edge=edge)

    for _ in range(6):
        yield plain(typical())
    for edge in task.edges:
        yield asked(edge, edge=True)
    for row in zip_longest(*(parameter.edges for parameter in inputs)):
        yield asked(
            [literal or parameter.draw(chance) for literal, parameter in zip(row, inputs, strict=True)], edge=True
        )
    for place, parameter in enumerate(inputs) if len(inputs) > 1 else ():
        for literal in parameter.edges:
            arguments = typical()
            arguments[place] = literal
            yield asked(arguments, edge=True)
    while True:
        yield asked(typical())


def _boxes(kind: Type) -> tuple[bool, ...]:
    """True for each parameter with values of any type: strings may replace its numbers.

    This shows answers that compare by identity, since two equal strings are different in memory. Empty if such a
    parameter also has other parts: numbers, functions, or a type of the problem's own.
    """
    held = parameters(kind)
    if any(_variables(part) and not all(n in _HOLDERS or n.startswith("'") for n in _names(part)) for part in held):
        return ()
    return tuple(_variables(part) for part in held)


def _names(kind: Type) -> set[str]:
    return {kind.name}.union(*map(_names, kind.parts))


def _variables(kind: Type) -> bool:
    return any(name.startswith("'") for name in _names(kind))


def _boxed(literal: str) -> str:
    """Turns whole numbers in a literal into strings, except those inside strings and characters."""
    return _LEXEME.sub(lambda found: f'"{found[1]}"' if found[1] else found[0], literal)


def _runs(stdin: Callable[[Chance], str], chance: Chance) -> Iterator[Case]:
    while True:
        yield Case(stdin(chance), "", "")
