"""An interpreter of programs that raise and catch errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import int_join, int_map, int_test
from ocaml_env.problems.generators.values import Show, atom, integer, listing, variant
from ocaml_env.problems.generators.wording import bullets, module, paragraphs

__all__ = ["FAMILY"]

Program = tuple[Any, ...]


class _Raised(Exception):
    """An exception of the program that is run: its name and what it carries."""

    def __init__(self, name: str, value: int) -> None:
        super().__init__(name)
        self.name = name
        self.value = value


class _Form(NamedTuple):
    """A constructor: its parts are programs (p), integers (n) or names of exceptions (e)."""

    name: str
    parts: str
    words: str
    ocaml: str
    run: Callable[..., int]
    helpers: tuple[str, ...] = ()

    @property
    def variables(self) -> list[str]:
        letters, names = iter("pqr"), []
        for part in self.parts:
            names.append(next(letters) if part == "p" else part)
        return names

    @property
    def pattern(self) -> str:
        names = self.variables
        return f"{self.name} {names[0]}" if len(names) == 1 else f"{self.name} ({', '.join(names)})"


class _State:
    """The output of a program, and what has been used up."""

    def __init__(self) -> None:
        self.out: list[int] = []
        self.fuel = 80


Run = Callable[[Program, _State], int]


def _catching(chance: Chance, level: int) -> Draft:
    names = chance.sample(("Red", "Blue", "Green", "Grey"), 2 if level <= 3 else 3)
    forms = [_value_form(), _raise_form(chance), _try_form(chance), _then_form(chance)]
    forms += [make(chance) for make in chance.sample(_CATCHING, (0, 1, 2, 3, 4)[level - 1])]
    by_name = {form.name: form for form in forms}
    uncaught = int_map(chance)

    def go(program: Program, state: _State) -> int:
        state.fuel -= 1
        if state.fuel < 0:
            raise Unfit
        value = by_name[program[0]].run(go, state, *program[1:])
        if abs(value) > 1 << 40:
            raise Unfit
        return value

    def run(program: Program) -> str:
        state = _State()
        try:
            result = f"Done {atom(integer(go(program, state)))}"
        except _Raised as error:
            result = f"Stopped ({error.name}, {integer(uncaught.run(error.value))})"
        return f"({result}, {listing(integer)(state.out)})"

    def draw(depth: int) -> Program:
        fitting = [form for form in forms if depth > 0 or "p" not in form.parts]
        if depth > 0 and chance.happens(0.75):
            fitting = [form for form in forms if "p" in form.parts]
        form = fitting[0] if depth <= 0 and chance.happens(0.3) else chance.pick(fitting)
        parts: list[Any] = []
        for part in form.parts:
            parts.append(
                draw(depth - 1) if part == "p" else chance.number(-5, 20) if part == "n" else chance.pick(names)
            )
        return (form.name, *parts)

    shows: dict[str, list[Show]] = {form.name: [] for form in forms}
    show = variant(shows)
    kinds: dict[str, Show] = {"p": show, "n": integer, "e": str}
    for form in forms:
        shows[form.name] += [kinds[part] for part in form.parts]
    types = {"p": "program", "n": "int", "e": "colour"}
    declared = f"type colour = {' | '.join(names)}\n\ntype program =\n" + "\n".join(
        f"  | {form.name} of {' * '.join(types[part] for part in form.parts)}" for form in forms
    )
    declared += "\n\ntype result = Done of int | Stopped of colour * int"
    arms = "\n".join(f"    | {form.pattern} -> {form.ocaml}" for form in forms)
    code = f"""\
exception Raised of colour * int

let run program =
  let out = ref [] in
  let rec go = function
{arms}
  in
  let result =
    match go program with
    | n -> Done n
    | exception Raised (e, n) -> Stopped (e, {uncaught.code("n")})
  in
  (result, List.rev !out)"""

    def cases() -> Iterator[Case]:
        edges = [0, 0, 1, 1]
        for depth in inputs(lambda: chance.pick((2, 2, 3)), edges):
            program = draw(depth)
            if len(shown := show(program)) < 220:
                answer = run(program)
                yield Case(f"run {atom(shown)}", answer, answer)

    lines = [f"`{form.pattern}`: {form.words}." for form in forms]
    return Draft(
        name="run",
        statement=paragraphs(
            "Programs of a small language have an integer as their value, or raise an error, which has a colour and "
            "carries an integer. An error that is raised ends all programs around it, up to one that catches it. "
            "Programs can also output integers; an output stays, whatever is raised later. Below, the parts of a "
            "program are run in the order in which they are mentioned, and if one of them raises an error that is not "
            "caught, so does the whole:",
            bullets(lines),
            "`run p` is a pair. Its first part is `Done` of the value of `p`, or, if an error with the colour `e` "
            f"that carries `n` is not caught, `Stopped` of `e` and of this number: {uncaught.say('n')}. Its second "
            "part is the list of all outputs, the first one first.",
        ),
        signature=f"{declared}\n\nval run : program -> result * int list",
        reference=module(declared, [h for form in forms for h in form.helpers], uncaught.helpers, code),
        cases=cases(),
        together=2,
    )


def _value_form() -> _Form:
    return _Form("Value", "n", "its value is `n`", "n", lambda go, state, n: int(n))


def _raise_form(chance: Chance) -> _Form:
    op = int_map(chance)

    def run(go: Run, state: _State, e: str, n: int) -> int:
        raise _Raised(e, op.run(n))

    return _Form(
        "Raise",
        "en",
        f"it raises an error with the colour `e` that carries this number: {op.say('n')}",
        f"raise (Raised (e, {op.code('n')}))",
        run,
        op.helpers,
    )


def _try_form(chance: Chance) -> _Form:
    op = int_join(chance)

    def run(go: Run, state: _State, p: Program, e: str, q: Program) -> int:
        try:
            return go(p, state)
        except _Raised as error:
            if error.name != e:
                raise
            return int(op.run(error.value, go(q, state)))

    return _Form(
        "Try",
        "pep",
        "it runs `p`; if that raises an error with the colour `e` that carries `n`, the error is caught, `q` is run, "
        f"and with `v` for the value of `q` the value is {op.say('n', 'v')}; errors of other colours are not caught; "
        "if `p` raises none, its value is that of `p`",
        f"(match go p with v -> v | exception Raised (f, n) when f = e -> let v = go q in {op.code('n', 'v')})",
        run,
        op.helpers,
    )


def _then_form(chance: Chance) -> _Form:
    op = int_join(chance)
    return _Form(
        "Both",
        "pp",
        f"it runs `p`, then `q`; with `v` and `w` for their values, its value is {op.say('v', 'w')}",
        f"(let v = go p in let w = go q in {op.code('v', 'w')})",
        lambda go, state, p, q: op.run(go(p, state), go(q, state)),
        op.helpers,
    )


def _print_form(chance: Chance) -> _Form:
    op = int_map(chance)

    def run(go: Run, state: _State, p: Program) -> int:
        value = go(p, state)
        state.out.append(op.run(value))
        return value

    return _Form(
        "Print",
        "p",
        f"it runs `p`, and, with `v` for its value, outputs {op.say('v')}; its value is `v`",
        f"(let v = go p in out := ({op.code('v')}) :: !out; v)",
        run,
        op.helpers,
    )


def _finally_form(chance: Chance) -> _Form:
    def run(go: Run, state: _State, p: Program, q: Program) -> int:
        try:
            value = go(p, state)
        except _Raised:
            go(q, state)
            raise
        go(q, state)
        return value

    return _Form(
        "Finally",
        "pp",
        "it runs `p`, and then `q`, also if `p` raises an error; its value is that of `p`, or it raises the error "
        "that `p` has raised; but if `q` raises an error, it raises that one",
        "(match go p with v -> ignore (go q); v | exception error -> ignore (go q); raise error)",
        run,
    )


def _check_form(chance: Chance) -> _Form:
    test = int_test(chance)

    def run(go: Run, state: _State, p: Program, e: str) -> int:
        value = go(p, state)
        if test.run(value):
            raise _Raised(e, value)
        return value

    return _Form(
        "Check",
        "pe",
        "it runs `p`; with `v` for its value, it raises an error with the colour `e` that carries `v` if "
        f"{test.say('v')}, and has the value `v` otherwise",
        f"(let v = go p in if {test.code('v')} then raise (Raised (e, v)) else v)",
        run,
        test.helpers,
    )


def _convert_form(chance: Chance) -> _Form:
    op = int_map(chance)

    def run(go: Run, state: _State, p: Program, e: str) -> int:
        try:
            return go(p, state)
        except _Raised as error:
            raise _Raised(e, op.run(error.value)) from None

    return _Form(
        "Recolour",
        "pe",
        "it runs `p` and has its value; if `p` raises an error, of whatever colour, that carries `n`, it raises one "
        f"with the colour `e` instead that carries this number: {op.say('n')}",
        f"(match go p with v -> v | exception Raised (_, n) -> raise (Raised (e, {op.code('n')})))",
        run,
        op.helpers,
    )


_CATCHING = (_print_form, _finally_form, _check_form, _convert_form)


FAMILY = Family(
    name="exceptions.catching",
    topics=("exceptions", "parsing-interpreters"),
    description="an interpreter of programs that raise and catch errors",
    make=_catching,
)
