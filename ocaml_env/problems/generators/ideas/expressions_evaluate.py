"""The evaluator of a small expression language, with variables and, from level 3 on, failures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
    """An expression has no value; the argument is the error as OCaml."""


class _Form(NamedTuple):
    """A constructor: its parts ("e" an expression, "x" a name, "n" an integer), and what it means.

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


def _evaluate(chance: Chance, level: int) -> Draft:
    binary = [make(chance) for make in chance.sample((_mix, _fuse, _pick), (2, 2, 3, 3, 3)[level - 1])]
    others = chance.sample(_FORMS, (0, 1, 1, 2, 3)[level - 1])
    told = level >= 4
    default = chance.between(0, 9)
    forms = [_num(), _var(default if level <= 2 else None), *binary, *(make(chance) for make in others)]
    if level >= 3:
        forms.append(_divide())
    by_name = {form.name: form for form in forms}

    def go(env: Env, tree: Tree) -> int:
        value = by_name[tree[0]].run(go, env, *tree[1:])
        if abs(value) > 1 << 40:
            raise Unfit
        return value

    def run(env: Env, tree: Tree) -> str:
        try:
            value = go(env, tree)
        except _Failed as error:
            return f"Error {atom(str(error))}" if told else "None"
        shown = integer(value)
        return shown if level <= 2 else f"{'Ok' if told else 'Some'} {atom(shown)}"

    def draw(depth: int) -> Tree:
        if depth == 0:
            return ("Num", chance.number(-6, 20)) if chance.happens(0.5) else ("Var", chance.pick(_NAMES[:3]))
        form = chance.pick(forms[2:] if chance.happens(0.9) else forms)
        parts: list[Any] = []
        for part in form.parts:
            parts.append(
                draw(depth - 1) if part == "e" else chance.pick(_NAMES) if part == "x" else chance.number(-4, 12)
            )
        return (form.name, *parts)

    def environment() -> Env:
        return {name: chance.number(-6, 20) for name in chance.sample(_NAMES, chance.between(2, 4))}

    shows: dict[str, list[Show]] = {form.name: [] for form in forms}
    show_tree = variant(shows)
    kinds: dict[str, Show] = {"e": show_tree, "x": text, "n": integer}
    for form in forms:
        shows[form.name] += [kinds[part] for part in form.parts]
    show_env = listing(pair(text, integer))
    types = {"e": "expr", "x": "string", "n": "int"}
    declared = "type expr =\n" + "\n".join(
        f"  | {form.name} of {' * '.join(types[part] for part in form.parts)}" for form in forms
    )
    if told:
        declared += "\n\ntype error = Unbound of string | Division_by of int"
    result = "int" if level <= 2 else "(int, error) result" if told else "int option"
    ending = {
        True: "`eval env e` is `Ok` of the value, or `Error` of the error that comes first: `Unbound x` where a "
        "variable `x` has no value, `Division_by a` where a division is not possible, with the value of the left "
        "side. Parts are evaluated from left to right, and only those that are needed.",
        False: "`eval env e` is `Some` of the value, or `None` if a part that has to be evaluated has none. Only the "
        "parts that are needed are evaluated.",
    }[told]
    if level <= 2:
        ending = "`eval env e` is the value."
    arms = "\n".join(f"    | {form.pattern} -> {form.ocaml}" for form in forms)
    arms = arms.replace("(Failed_unbound x)", "(Failed (Unbound x))" if told else "Failed")
    arms = arms.replace("(Failed_division a)", "(Failed (Division_by a))" if told else "Failed")
    code = f"let eval env e =\n  let rec go env = function\n{arms}\n  in\n  "
    code += {
        "int": "go env e",
        "int option": "match go env e with value -> Some value | exception Failed -> None",
        "(int, error) result": "match go env e with value -> Ok value | exception Failed error -> Error error",
    }[result]
    failing = "" if level <= 2 else "exception Failed of error" if told else "exception Failed"

    def cases() -> Iterator[Case]:
        edges: list[tuple[int, Env]] = [(0, {}), (0, {}), (1, {})]
        for size, env in inputs(lambda: (chance.pick((1, 2, 2, 3)), environment()), edges):
            tree = draw(size)
            if len(shown := show_tree(tree)) < 200:
                yield case("eval", [show_env([*env.items()]), shown], run(env, tree))

    return Draft(
        name="eval",
        statement=paragraphs(
            "Expressions have integers as values. An environment is a list of the variables that have a value, no "
            "name twice. Below, `a`, `b` and `c` stand for the values of these parts:",
            bullets(f"`{form.pattern}`: {form.words}." for form in forms),
            ending,
        ),
        signature=f"{declared}\n\nval eval : (string * int) list -> expr -> {result}",
        reference=module(declared, failing, [h for form in forms for h in form.helpers], code),
        cases=cases(),
        together=2,
    )


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
