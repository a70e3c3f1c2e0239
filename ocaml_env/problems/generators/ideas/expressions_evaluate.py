"""The evaluator of a small expression language, with variables and, from level 3 on, failures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import cycle
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import int_join, int_map, int_test, quotient
from ocaml_env.problems.generators.values import Show, atom, integer, listing, pair, text, variant
from ocaml_env.problems.generators.wording import bullets, module, paragraphs

__all__ = ["FAMILY"]

Tree = tuple[Any, ...]


Env = dict[str, int]


class _Failed(Exception):
    """An expression without a value; the argument is the error as OCaml."""


class _Form(NamedTuple):
    """A constructor: its parts ("e" an expression, "x" a name, "n" an integer), and its meaning.

    The OCaml is written for ``go env``; ``run`` takes the evaluator, the environment and the parts.
    """

    name: str
    parts: str
    words: str
    ocaml: str
    run: Callable[..., int]
    helpers: tuple[str, ...] = ()

    @property
    def variables(self) -> list[str]:
        names, letters = [], iter("abc")
        for part in self.parts:
            names.append(next(letters) if part == "e" else part)
        return names

    @property
    def pattern(self) -> str:
        names = self.variables
        return f"{self.name} {names[0]}" if len(names) == 1 else f"{self.name} ({', '.join(names)})"


Eval = Callable[[Env, Tree], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Language:
    """The drawn language.

    Attributes:
        forms: its constructors; the first two are numbers and variables.
        failing: the result for an expression without a value: ``none``, ``error``, or ``never`` if all have values.
    """

    forms: tuple[_Form, ...]
    failing: str

    def run(self, env: Env, tree: Tree) -> str:
        """The answer, as OCaml."""
        by_name = {form.name: form for form in self.forms}

        def go(env: Env, tree: Tree) -> int:
            value = by_name[tree[0]].run(go, env, *tree[1:])
            if abs(value) > 1 << 40:
                raise Unfit
            return value

        try:
            shown = integer(go(env, tree))
        except _Failed as error:
            return "None" if self.failing == "none" else f"Error {atom(str(error))}"
        return {"never": shown, "none": f"Some {atom(shown)}", "error": f"Ok {atom(shown)}"}[self.failing]


def _evaluate(chance: Chance, level: int) -> Draft:
    binary = [make(chance) for make in chance.sample((_mix, _fuse, _pick), 2 if level == 1 else 3)]
    others = [make(chance) for make in chance.sample(_FORMS, {1: 0, 3: 1, 5: 3}[level])]
    default = chance.between(1, 9) if level == 1 else None
    language = _Language(
        forms=(_num(), _var(default), *binary, *others, *(() if level == 1 else (_divide(),))),
        failing={1: "never", 3: "none", 5: "error"}[level],
    )
    types = {"e": "expr", "x": "string", "n": "int"}
    declared = "type expr =\n" + "\n".join(
        f"  | {form.name} of {' * '.join(types[part] for part in form.parts)}" for form in language.forms
    )
    if language.failing == "error":
        declared += "\n\ntype error = Unbound of string | Division_by of int"
    result = {"never": "int", "none": "int option", "error": "(int, error) result"}[language.failing]
    return Draft(
        name="eval",
        statement=_statement(language),
        signature=f"{declared}\n\nval eval : (string * int) list -> expr -> {result}",
        reference=module(declared, [h for form in language.forms for h in form.helpers], _code(language)),
        cases=_cases(chance, language),
        hidden=18,
    )


def _statement(language: _Language) -> str:
    ending = {
        "never": "`eval env e` is the value.",
        "none": "`eval env e` is `Some` of the value, or `None` if a part that has to be evaluated has none. Only the "
        "parts that are needed are evaluated.",
        "error": "`eval env e` is `Ok` of the value, or `Error` of the error that comes first: `Unbound x` if a "
        "variable `x` has no value, `Division_by a` if a division is not possible, with the value of the left side. "
        "Parts are evaluated from left to right, and only those that are needed. Both sides of a division are "
        "evaluated before it.",
    }[language.failing]
    return paragraphs(
        "Expressions have integers as values. An environment is a list of the variables that have a value, no name "
        "twice. Below, `a`, `b` and `c` stand for the values of these parts:",
        bullets(f"`{form.pattern}`: {form.words}." for form in language.forms),
        ending,
    )


def _code(language: _Language) -> str:
    told = language.failing == "error"
    arms = "\n".join(f"    | {form.pattern} -> {form.ocaml}" for form in language.forms)
    arms = arms.replace("(Failed_unbound x)", "(Failed (Unbound x))" if told else "Failed")
    arms = arms.replace("(Failed_division a)", "(Failed (Division_by a))" if told else "Failed")
    asked = {
        "never": "go env e",
        "none": "match go env e with value -> Some value | exception Failed -> None",
        "error": "match go env e with value -> Ok value | exception Failed error -> Error error",
    }[language.failing]
    failing = {"never": "", "none": "exception Failed\n\n", "error": "exception Failed of error\n\n"}
    return f"{failing[language.failing]}let eval env e =\n  let rec go env = function\n{arms}\n  in\n  {asked}"


def _cases(chance: Chance, language: _Language) -> Iterator[Case]:
    shows: dict[str, list[Show]] = {}
    show_tree = variant(shows)
    kinds: dict[str, Show] = {"e": show_tree, "x": text, "n": integer}
    shows |= {form.name: [kinds[part] for part in form.parts] for form in language.forms}
    show_env = listing(pair(text, integer))
    turns = cycle(language.forms[2:])

    def draw() -> tuple[Env, Tree]:
        known = chance.pick((0, 1, 2, 2, 2, 3, 3, 3, 4))
        env = {name: 0 if chance.happens(0.1) else chance.number(-9, 20) for name in chance.sample(_NAMES, known)}
        tree = _drawn(chance, language, next(turns), chance.pick((1, 1, 2, 2, 3)))
        if twice and chance.happens(0.2):
            tree = _failing_twice(chance, chance.pick(twice))
        elif chance.happens(0.15):
            tree = _special(chance, language, env, tree)
        return env, tree

    twice = [form for form in language.forms if form.parts == "ee" and language.failing == "error"]
    edges: list[tuple[Env, Tree]] = [({"z": 2}, _failing_twice(chance, form)) for form in twice]
    edges += [({}, ("Num", -4)), ({}, ("Var", "x")), ({"x": 3, "y": 5}, ("Var", "y"))]
    if language.failing != "never":
        edges += [({}, ("Div", ("Num", -7), ("Num", 2))), ({"z": 2}, ("Div", ("Num", 9), ("Num", -4)))]
        edges += [({}, tree) for tree in _left_out(chance, language)]
    for env, tree in inputs(draw, edges):
        if len(shown := show_tree(tree)) < 160:
            yield case("eval", [show_env([*env.items()]), shown], language.run(env, tree))


def _drawn(chance: Chance, language: _Language, form: _Form, depth: int) -> Tree:
    """An expression that begins with this constructor."""

    def part(kind: str) -> Any:
        if kind == "x":
            return chance.pick(_NAMES)
        if kind == "n":
            return chance.number(-9, 20)
        if depth > 1 and chance.happens(0.8):
            return _drawn(chance, language, chance.pick(language.forms[2:]), depth - 1)
        return ("Num", chance.number(-9, 20)) if chance.happens(0.7) else ("Var", chance.pick(_NAMES[:3]))

    parts = [part(kind) for kind in form.parts]
    if form.parts == "xee" and chance.happens(0.7):  # the name is used
        used = ("Var", parts[0])
        parts[-1] = used if chance.happens(0.5) else ("Mix" if chance.happens(0.5) else "Fuse", used, parts[-1])
    return (form.name, *parts)


def _left_out(chance: Chance, language: _Language) -> list[Tree]:
    """Choices with an unneeded part that has no value, and some in which that part is needed."""
    if all(form.name != "Pick" for form in language.forms):
        return []
    made: list[Tree] = []
    failing: Tree = chance.pick((("Var", "u"), ("Div", ("Num", chance.between(1, 9)), ("Num", 0))))
    for number in chance.sample(range(-9, 21), 8):
        value: Tree = ("Num", chance.between(10, 40))
        parts = [failing, value]
        if language.run({}, ("Pick", ("Num", number), *parts)).startswith(("None", "Error")) == (len(made) < 6):
            parts.reverse()
        made.append(("Pick", ("Num", number), *parts))
    return made


def _special(chance: Chance, language: _Language, env: Env, tree: Tree) -> Tree:
    """An expression that divides by one of value 0, leaves out a failing part, or uses a bound name outside, too."""
    names = {form.name for form in language.forms}
    n, m = chance.between(1, 9), chance.between(10, 20)
    made: list[Tree] = [("Fuse" if "Fuse" in names else "Mix", tree, tree)]
    if "Div" in names:
        zero = chance.pick((("Div", ("Num", 0), ("Num", n)), ("Div", ("Num", -n), ("Num", m))))
        made += [("Div", tree, zero), ("Div", zero, ("Num", n)), ("Div", ("Num", -m), ("Num", n))]
    if "Pick" in names and language.failing != "never":
        failing = chance.pick((("Var", "u"), ("Div", ("Num", n), ("Num", 0))))
        made += [("Pick", tree, *chance.shuffled([failing, ("Num", n)]))]
    for binder in names & {"Let", "Loop"}:
        x = chance.pick("xyz")
        inner = (binder, x, ("Num", n), ("Var", x))
        made += [("Mix" if "Mix" in names else "Fuse", inner, ("Var", x)), (binder, x, ("Var", x), inner)]
    return chance.pick(sorted(made, key=str))


def _failing_twice(chance: Chance, form: _Form) -> Tree:
    """An expression of two parts that fail for different reasons: it shows the order of evaluation."""
    first, second = chance.sample("uvt", 2)
    division = ("Div", chance.pick((("Num", chance.number(-6, 20)), ("Var", second))), ("Num", 0))
    return (form.name, *chance.shuffled([("Var", first), division]))


_NAMES = ("x", "y", "z", "w")


def _num() -> _Form:
    return _Form("Num", "n", "the integer `n`", "n", lambda go, env, n: n)


def _var(default: int | None) -> _Form:
    if default is not None:
        return _Form(
            "Var",
            "x",
            f"the value of the variable `x` in the environment, or {default} if it is not there",
            f"Option.value (List.assoc_opt x env) ~default:{default}",
            lambda go, env, x: env.get(x, default),
        )

    def run(go: Eval, env: Env, x: str) -> int:
        if x not in env:
            raise _Failed(f'Unbound "{x}"')
        return env[x]

    return _Form(
        "Var",
        "x",
        "the value of the variable `x` in the environment; if it is not there, there is no value",
        "(match List.assoc_opt x env with Some n -> n | None -> raise (Failed_unbound x))",
        run,
    )


def _two(name: str, chance: Chance) -> _Form:
    op = int_join(chance)
    return _Form(
        name,
        "ee",
        op.say("a", "b"),
        f"let a = go env a in let b = go env b in {op.code('a', 'b')}",
        lambda go, env, a, b: op.run(go(env, a), go(env, b)),
        op.helpers,
    )


def _mix(chance: Chance) -> _Form:
    return _two("Mix", chance)


def _fuse(chance: Chance) -> _Form:
    return _two("Fuse", chance)


def _pick(chance: Chance) -> _Form:
    test = int_test(chance)
    return _Form(
        "Pick",
        "eee",
        f"`b` if {test.say('a')}, and `c` otherwise; only one of `b` and `c` is evaluated",
        f"let a = go env a in if {test.code('a')} then go env b else go env c",
        lambda go, env, a, b, c: go(env, b if test.run(go(env, a)) else c),
        test.helpers,
    )


def _change(chance: Chance) -> _Form:
    op = int_map(chance)
    return _Form(
        "Change",
        "e",
        op.say("a"),
        f"let a = go env a in {op.code('a')}",
        lambda go, env, a: op.run(go(env, a)),
        op.helpers,
    )


def _let(chance: Chance) -> _Form:
    op = int_map(chance)
    return _Form(
        "Let",
        "xee",
        f"`b`, evaluated where the variable `x` has this value: {op.say('a')}; the value that `x` had otherwise is "
        "not seen in `b`",
        f"let a = go env a in go ((x, {op.code('a')}) :: env) b",
        lambda go, env, x, a, b: go({**env, x: op.run(go(env, a))}, b),
        op.helpers,
    )


def _loop(chance: Chance) -> _Form:
    op, k = int_join(chance), chance.between(2, 3)

    def run(go: Eval, env: Env, x: str, a: Tree, b: Tree) -> int:
        total = go(env, a)
        for i in range(1, k + 1):
            total = op.run(total, go({**env, x: i}, b))
        return total

    return _Form(
        "Loop",
        "xee",
        f"begin with the value of `a` as `t`; then, for `i` = 1 to {k}, evaluate `b` where the variable `x` has the "
        f"value `i`, call the result `u`, and let the new `t` be {op.say('t', 'u')}; the value is the last `t`",
        f"List.fold_left (fun t i -> let u = go ((x, i) :: env) b in {op.code('t', 'u')}) (go env a) [ "
        f"{'; '.join(map(str, range(1, k + 1)))} ]",
        run,
        op.helpers,
    )


def _times(chance: Chance) -> _Form:
    op = int_join(chance)
    return _Form(
        "With",
        "ne",
        op.say("n", "a"),
        f"let a = go env a in {op.code('n', 'a')}",
        lambda go, env, n, a: op.run(n, go(env, a)),
        op.helpers,
    )


_FORMS = (_change, _let, _loop, _times)


def _divide() -> _Form:
    def run(go: Eval, env: Env, a: Tree, b: Tree) -> int:
        left, right = go(env, a), go(env, b)
        if right == 0:
            raise _Failed(f"Division_by {atom(str(left))}")
        return quotient(left, right)

    return _Form(
        "Div",
        "ee",
        "`a` divided by `b`, rounded towards zero; if `b` is 0, there is no value",
        "let a = go env a in let b = go env b in if b = 0 then raise (Failed_division a) else a / b",
        run,
    )


FAMILY = Family(
    name="expressions.evaluate",
    topics=("parsing-interpreters", "recursion", "options-results"),
    description="the evaluator of a small expression language, with variables and, from level 3 on, failures",
    make=_evaluate,
)
