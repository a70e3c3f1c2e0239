"""An interpreter of programs that raise and catch errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, int_test, telling
from ocaml_env.problems.generators.values import Show, atom, integer, listing, variant
from ocaml_env.problems.generators.wording import bullets, module, paragraphs

__all__ = ["FAMILY"]

Program = tuple[Any, ...]

_COLOURS = ("Red", "Blue", "Green", "Grey")
_LOW, _HIGH = -5, 20  # of the numbers in programs
_LONGEST = 200  # characters of a program


class _Raised(Exception):
    """An error raised by the interpreted program: its colour and its number."""

    def __init__(self, colour: str, carried: int) -> None:
        super().__init__(colour)
        self.colour = colour
        self.carried = carried


class _Form(NamedTuple):
    """A kind of program.

    Attributes:
        parts: programs (p), integers (n) and colours (e).
        catches: True if the errors of its first part matter.
    """

    name: str
    parts: str
    words: str
    ocaml: str
    run: Callable[..., int]
    helpers: tuple[str, ...] = ()
    catches: bool = False

    @property
    def pattern(self) -> str:
        letters = iter("pq")
        names = [next(letters) if part == "p" else part for part in self.parts]
        return f"{self.name} {names[0]}" if len(names) == 1 else f"{self.name} ({', '.join(names)})"


@dataclass(frozen=True, slots=True)
class _Language:
    colours: tuple[str, ...]
    forms: tuple[_Form, ...]  # the first one is a value, the second one raises an error

    @property
    def nested(self) -> list[_Form]:
        """The forms with programs as parts. Those that print come more often."""
        return [form for form in self.forms if "p" in form.parts for _ in range(3 if form.name == "Print" else 1)]

    @property
    def prints(self) -> bool:
        return any(form.name == "Print" for form in self.forms)


@dataclass(slots=True)
class _Machine:
    """Runs a program, and collects its outputs."""

    forms: dict[str, _Form]
    out: list[int] = field(default_factory=list)

    def go(self, program: Program) -> int:
        return self.forms[program[0]].run(self, *program[1:])


def _catching(chance: Chance, level: int) -> Draft:
    language = _language(chance, level)
    declared = _declared(language)
    result = "outcome * int list" if language.prints else "outcome"
    return Draft(
        name="run",
        statement=_statement(language),
        signature=f"{declared}\n\nval run : program -> {result}",
        reference=module(declared, [helper for form in language.forms for helper in form.helpers], _code(language)),
        cases=_cases(chance, language),
        hidden={1: 20, 3: 28, 5: 32}[level],
    )


# --- drawing ----------------------------------------------------------------------------------------------------------


def _language(chance: Chance, level: int) -> _Language:
    always = {1: (), 3: (_print_form,), 5: (_print_form, _finally_form)}[level]
    others = [make for make in _SPECIAL if make not in always and (level > 1 or make is not _finally_form)]
    special = [*always, *chance.sample(others, 1 if level == 1 else 2)]
    error = telling(chance, int_map, [(n,) for n in _NUMBERS])
    carried = [int(error.run(n)) for n in _NUMBERS]
    forms = [_value_form(), _raise_form(error), _try_form(chance, carried), _both_form(chance)]
    forms += [make(chance, carried) for make in special]
    return _Language(tuple(chance.sample(_COLOURS, 2 if level == 1 else 3)), tuple(forms))


def _pairs(chance: Chance, first: Sequence[int]) -> list[tuple[int, int]]:
    return [(chance.pick(first), chance.pick(_NUMBERS)) for _ in range(24)]


def _program(chance: Chance, language: _Language, depth: int, risky: bool = False) -> Program:
    """A program; a risky one raises errors more often."""
    if depth == 0 or chance.happens(0.2):
        form = language.forms[1 if chance.happens(0.6 if risky else 0.15) else 0]
    else:
        form = chance.pick(language.nested)
    parts: list[Any] = []
    for place, part in enumerate(form.parts):
        if part == "p":
            parts.append(_program(chance, language, depth - 1, form.catches if place == 0 else risky))
        else:
            parts.append(_number(chance) if part == "n" else chance.pick(language.colours))
    return (form.name, *parts)


def _number(chance: Chance) -> int:
    return chance.between(-99, 300) if chance.happens(0.06) else chance.number(_LOW, _HIGH)


def _edges(chance: Chance, language: _Language) -> list[Program]:
    """Each form with parts that have a value or raise errors, in random order."""
    edges = [_program(chance, language, 0)]
    for form in language.forms[2:]:
        for raising in product((False, True), repeat=form.parts.count("p")):
            e, *others = chance.shuffled(language.colours)
            ways = [[e, *others], [*others, e]]  # the first part raises e, or another error
            for colours in ways if raising[0] and form.parts != "pp" else ways[:1]:
                made = zip(raising, colours, strict=False)
                programs = iter([_part(chance, language, colour if raises else "") for raises, colour in made])
                n = chance.number(_LOW, _HIGH)
                parts = [next(programs) if part == "p" else n if part == "n" else e for part in form.parts]
                edges.append((form.name, *parts))
    return chance.shuffled(edges)


def _part(chance: Chance, language: _Language, colour: str) -> Program:
    """A program that outputs a number, if programs can, and then raises an error of this colour, if there is one."""
    value: Program = ("Value", chance.number(_LOW, _HIGH))
    if language.prints:
        value = ("Print", value)
    if not colour:
        return value
    error = ("Raise", colour, chance.number(_LOW, _HIGH))
    return ("Both", value, error) if language.prints else error


def _cases(chance: Chance, language: _Language) -> Iterator[Case]:
    show = _show(language)
    edges = [edge for _ in range(4) for edge in _edges(chance, language)]
    for program in inputs(lambda: _program(chance, language, chance.pick((1, 2, 2, 2, 3, 3, 4))), edges):
        if len(shown := show(program)) < _LONGEST:
            yield case("run", [shown], _answer(language, program))


# --- meaning ----------------------------------------------------------------------------------------------------------


def _answer(language: _Language, program: Program) -> str:
    machine = _Machine({form.name: form for form in language.forms})
    try:
        outcome = f"Done {atom(integer(machine.go(program)))}"
    except _Raised as error:
        outcome = f"Stopped ({error.colour}, {integer(error.carried)})"
    return f"({outcome}, {listing(integer)(machine.out)})" if language.prints else outcome


def _show(language: _Language) -> Show:
    shows: dict[str, list[Show]] = {form.name: [] for form in language.forms}
    show = variant(shows)
    kinds: dict[str, Show] = {"p": show, "n": integer, "e": str}
    for form in language.forms:
        shows[form.name] += [kinds[part] for part in form.parts]
    return show


# --- words and OCaml --------------------------------------------------------------------------------------------------


def _statement(language: _Language) -> str:
    stays = " Programs can also output integers; an output stays, whatever is raised later." if language.prints else ""
    outcome = (
        "`Done` of the value of `p`, or, if an error with the colour `e` that carries `n` is not caught, "
        "`Stopped (e, n)`"
    )
    return paragraphs(
        "Programs of a small language have an integer as their value, or raise an error, which has a colour and "
        "carries an integer. An error that is raised ends all programs around it, up to one that catches it. A program "
        "runs its parts in the order in which they are mentioned below. If one of them raises an error that is not "
        f"caught, so does the whole.{stays}",
        bullets(f"`{form.pattern}`: {form.words}." for form in language.forms),
        f"`run p` is a pair. Its first part is {outcome}. Its second part is the list of all outputs, the first one "
        "first."
        if language.prints
        else f"`run p` is {outcome}.",
    )


def _declared(language: _Language) -> str:
    types = {"p": "program", "n": "int", "e": "colour"}
    lines = [f"  | {form.name} of {' * '.join(types[part] for part in form.parts)}" for form in language.forms]
    return "\n".join(
        [
            f"type colour = {' | '.join(language.colours)}",
            "",
            "type program =",
            *lines,
            "",
            "type outcome = Done of int | Stopped of colour * int",
        ]
    )


def _code(language: _Language) -> str:
    ending = ["match go program with", "| n -> Done n", "| exception Raised (e, n) -> Stopped (e, n)"]
    if language.prints:
        ending = ["let outcome =", *[f"  {line}" for line in ending], "in", "(outcome, List.rev !out)"]
    return "\n".join(
        [
            "exception Raised of colour * int",
            "",
            "let run program =",
            *(["  let out = ref [] in"] if language.prints else []),
            "  let rec go = function",
            *[f"    | {form.pattern} -> {form.ocaml}" for form in language.forms],
            "  in",
            *[f"  {line}" for line in ending],
        ]
    )


# --- the forms --------------------------------------------------------------------------------------------------------

_NUMBERS = range(_LOW, _HIGH + 1)


def _value_form() -> _Form:
    return _Form("Value", "n", "its value is `n`", "n", lambda machine, n: int(n))


def _raise_form(op: Op) -> _Form:
    def run(machine: _Machine, e: str, n: int) -> int:
        raise _Raised(e, op.run(n))

    return _Form(
        "Raise",
        "en",
        f"it raises an error with the colour `e` that carries this number: {op.say('n')}",
        f"raise (Raised (e, {op.code('n')}))",
        run,
        op.helpers,
    )


def _try_form(chance: Chance, carried: list[int]) -> _Form:
    op = telling(chance, int_join, _pairs(chance, carried))

    def run(machine: _Machine, p: Program, e: str, q: Program) -> int:
        try:
            return machine.go(p)
        except _Raised as error:
            if error.colour != e:
                raise
            return int(op.run(error.carried, machine.go(q)))

    return _Form(
        "Try",
        "pep",
        "it runs `p`; if that raises an error with the colour `e` that carries `n`, the error is caught, `q` is run, "
        f"and with `v` for the value of `q` the value is {op.say('n', 'v')}; errors of other colours are not caught; "
        "if `p` raises none, its value is that of `p`",
        f"(try go p with Raised (f, n) when f = e -> let v = go q in {op.code('n', 'v')})",
        run,
        op.helpers,
        catches=True,
    )


def _both_form(chance: Chance) -> _Form:
    op = telling(chance, int_join, _pairs(chance, _NUMBERS))
    return _Form(
        "Both",
        "pp",
        f"it runs `p`, then `q`; with `v` and `w` for their values, its value is {op.say('v', 'w')}",
        f"let v = go p in let w = go q in {op.code('v', 'w')}",
        lambda machine, p, q: op.run(machine.go(p), machine.go(q)),
        op.helpers,
    )


def _print_form(chance: Chance, carried: list[int]) -> _Form:
    op = telling(chance, int_map, [(n,) for n in _NUMBERS])

    def run(machine: _Machine, p: Program) -> int:
        value = machine.go(p)
        machine.out.append(op.run(value))
        return value

    return _Form(
        "Print",
        "p",
        f"it runs `p`, and, with `v` for its value, outputs {op.say('v')}; its value is `v`",
        f"let v = go p in out := ({op.code('v')}) :: !out; v",
        run,
        op.helpers,
    )


def _finally_form(chance: Chance, carried: list[int]) -> _Form:
    def run(machine: _Machine, p: Program, q: Program) -> int:
        try:
            value = machine.go(p)
        except _Raised:
            machine.go(q)
            raise
        machine.go(q)
        return value

    return _Form(
        "Finally",
        "pp",
        "it runs `p`, and then `q`, also if `p` raises an error; its value is that of `p`, or it raises the error "
        "that `p` has raised; but if `q` raises an error, it raises that one",
        "(match go p with v -> ignore (go q); v | exception error -> ignore (go q); raise error)",
        run,
        catches=True,
    )


def _check_form(chance: Chance, carried: list[int]) -> _Form:
    test = telling(chance, int_test, [(n,) for n in _NUMBERS])

    def run(machine: _Machine, p: Program, e: str) -> int:
        value = machine.go(p)
        if test.run(value):
            raise _Raised(e, value)
        return value

    return _Form(
        "Check",
        "pe",
        "it runs `p`; with `v` for its value, it raises an error with the colour `e` that carries `v` if "
        f"{test.say('v')}, and has the value `v` otherwise",
        f"let v = go p in if {test.code('v')} then raise (Raised (e, v)) else v",
        run,
        test.helpers,
    )


def _recolour_form(chance: Chance, carried: list[int]) -> _Form:
    op = telling(chance, int_map, [(n,) for n in carried])

    def run(machine: _Machine, p: Program, e: str) -> int:
        try:
            return machine.go(p)
        except _Raised as error:
            raise _Raised(e, op.run(error.carried)) from None

    return _Form(
        "Recolour",
        "pe",
        "it runs `p` and has its value; if `p` raises an error, of whatever colour, that carries `n`, it raises one "
        f"with the colour `e` instead that carries this number: {op.say('n')}",
        f"(try go p with Raised (_, n) -> raise (Raised (e, {op.code('n')})))",
        run,
        op.helpers,
        catches=True,
    )


def _invert_form(chance: Chance, carried: list[int]) -> _Form:
    op = telling(chance, int_map, [(n,) for n in _NUMBERS])

    def run(machine: _Machine, p: Program, e: str) -> int:
        try:
            value = machine.go(p)
        except _Raised as error:
            return error.carried
        raise _Raised(e, op.run(value))

    return _Form(
        "Invert",
        "pe",
        "it runs `p`; if that raises an error, of whatever colour, that carries `n`, its value is `n`; otherwise, with "
        f"`v` for the value of `p`, it raises an error with the colour `e` that carries this number: {op.say('v')}",
        f"(match go p with v -> raise (Raised (e, {op.code('v')})) | exception Raised (_, n) -> n)",
        run,
        op.helpers,
        catches=True,
    )


def _rescue_form(chance: Chance, carried: list[int]) -> _Form:
    op = telling(chance, int_join, _pairs(chance, carried))

    def run(machine: _Machine, p: Program, n: int) -> int:
        try:
            return machine.go(p)
        except _Raised as error:
            return int(op.run(error.carried, n))

    return _Form(
        "Rescue",
        "pn",
        "it runs `p` and has its value; if `p` raises an error, of whatever colour, the error is caught, and with `m` "
        f"for what it carries the value is {op.say('m', 'n')}",
        f"(try go p with Raised (_, m) -> {op.code('m', 'n')})",
        run,
        op.helpers,
        catches=True,
    )


_SPECIAL = (_print_form, _finally_form, _check_form, _recolour_form, _invert_form, _rescue_form)


FAMILY = Family(
    name="exceptions.catching",
    topics=("exceptions", "parsing-interpreters"),
    description="an interpreter of programs that raise and catch errors",
    make=_catching,
)
