"""A typed expression language as a GADT, its evaluator and other functions on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import int_join, int_map, int_test
from ocaml_env.problems.generators.letters import some_word, string_map, string_size, string_test
from ocaml_env.problems.generators.values import Show, atom, integer, pair, text, truth
from ocaml_env.problems.generators.wording import bullets, module, paragraphs

__all__ = ["FAMILY"]

Tree = tuple[Any, ...]


_SHOWS: dict[str, Show] = {"int": integer, "bool": truth, "string": text, "int * int": pair(integer, integer)}


class _Form(NamedTuple):
    """A constructor: the types of its parts, its own type, and what it means.

    A part is an expression, except in the three constants. ``'a`` is the type of the whole. ``run`` takes the values of
    the parts; where it is None, it chooses between the second and the third part.
    """

    name: str
    parts: tuple[str, ...]
    result: str
    words: str
    ocaml: str
    run: Callable[..., Any] | None
    helpers: tuple[str, ...] = ()

    @property
    def constant(self) -> bool:
        return self.name in ("Int", "Bool", "Text")

    @property
    def variables(self) -> list[str]:
        return ["c"] if self.constant else ["a", "b", "c"][: len(self.parts)]

    @property
    def pattern(self) -> str:
        names = self.variables
        return f"{self.name} {names[0]}" if len(names) == 1 else f"{self.name} ({', '.join(names)})"

    @property
    def declaration(self) -> str:
        if self.constant:
            return f"  | {self.name} : {self.parts[0]} -> {self.result} expr"
        parts = " * ".join(f"{_typed(part)} expr" for part in self.parts)
        return f"  | {self.name} : {parts} -> {_typed(self.result)} expr"


def _typed(kind: str) -> str:
    return f"({kind})" if " " in kind else kind


def _evaluator(chance: Chance, level: int) -> Draft:
    constants = [_constant(kind) for kind in (("int", "bool") if level == 1 else ("int", "bool", "string"))]
    known = {constant.result for constant in constants}
    makers = [make for make in _FORMS if level >= 4 or make is not _pair]
    forms = [make(chance) for make in chance.sample(makers, (4, 5, 6, 7, 9)[level - 1])]
    forms = [form for form in forms if form is not None]
    if any(
        kind not in known and kind not in ("'a", "int * int") for form in forms for kind in (*form.parts, form.result)
    ):
        raise Unfit
    pairs = [form.name for form in forms if "int * int" in (*form.parts, form.result)]
    if len(pairs) == 1 and pairs != ["Pair"]:
        raise Unfit  # an operation on pairs, and none that makes one
    every = [*constants, *forms]
    if not any(form.result == "bool" for form in forms) or not any(form.result == "int" for form in forms):
        raise Unfit
    asked = ["eval", *chance.sample(("cost", "depth", "swap"), (0, 1, 1, 2, 2)[level - 1])]
    weights = {form.name: chance.between(0, 9) for form in every}
    swapped = [form for form in forms if len(form.parts) == 2 and form.parts[0] == form.parts[1]]
    if "swap" in asked and not swapped:
        raise Unfit

    by_name = {form.name: form for form in every}

    def run(tree: Tree) -> Any:
        form = by_name[tree[0]]
        if form.constant:
            return tree[1]
        if form.run is None:
            return run(tree[2] if run(tree[1]) else tree[3])
        value = form.run(*map(run, tree[1:]))
        if (isinstance(value, int) and abs(value) > 1 << 40) or (isinstance(value, str) and len(value) > 80):
            raise Unfit
        return value

    def draw(kind: str, depth: int) -> Tree:
        fitting = [form for form in forms if form.result in (kind, "'a")]
        if kind == "int * int":  # it has no constants
            fitting = [form for form in fitting if depth > 0 or form.name == "Pair"]
        elif depth <= 0 or not fitting or chance.happens(0.1):
            fitting = [constant for constant in constants if constant.result == kind]
        form = chance.pick(fitting)
        if form.constant:
            return (form.name, _drawn(chance, kind))
        return (form.name, *(draw(kind if part == "'a" else part, depth - 1) for part in form.parts))

    def show(tree: Tree) -> str:
        form = by_name[tree[0]]
        parts = [_SHOWS[form.result](tree[1])] if form.constant else [show(part) for part in tree[1:]]
        return f"{tree[0]} {atom(parts[0])}" if len(parts) == 1 else f"{tree[0]} ({', '.join(parts)})"

    def cost(tree: Tree) -> int:
        return weights[tree[0]] + (0 if by_name[tree[0]].constant else sum(map(cost, tree[1:])))

    def depth_of(tree: Tree) -> int:
        if by_name[tree[0]].constant:
            return 0
        return 1 + max(map(depth_of, tree[1:]))

    def exchanged(tree: Tree) -> Tree:
        form = by_name[tree[0]]
        if form.constant:
            return tree
        parts = [exchanged(part) for part in tree[1:]]
        return (tree[0], *(parts[::-1] if form in swapped else parts))

    results = sorted({form.result for form in forms} - {"'a"})

    def cases() -> Iterator[Case]:
        while True:
            for function in asked:
                kind = chance.pick([*results, *(one for one in results if one != "bool")])
                tree = draw(kind, chance.pick((1, 2, 3, 4)))
                shown = show(tree)
                if len(shown) > 220:
                    continue
                if function == "eval":
                    answer = _SHOWS[kind](run(tree))
                    yield Case(f"eval ({shown})", answer, answer, group="eval")
                elif function == "swap":
                    yield case("swap", [shown], show(exchanged(tree)))
                else:
                    yield case(function, [shown], integer((cost if function == "cost" else depth_of)(tree)))

    described = {
        "cost": "`cost e` is the sum of the costs of all constructors in `e`: "
        + ", ".join(f"`{form.name}` {weights[form.name]}" for form in every)
        + ".",
        "depth": "`depth e` is 0 for "
        + ", ".join(f"`{one.name}`" for one in constants)
        + ", and otherwise 1 more than the "
        "greatest depth of its parts.",
        "swap": "`swap e` is `e` with the two parts of every "
        + " and every ".join(f"`{form.name}`" for form in swapped)
        + ", everywhere in `e`, exchanged; all else stays as it is.",
    }
    declared = "type _ expr =\n" + "\n".join(form.declaration for form in every)
    signatures = {
        "eval": "val eval : 'a expr -> 'a",
        "cost": "val cost : 'a expr -> int",
        "depth": "val depth : 'a expr -> int",
        "swap": "val swap : 'a expr -> 'a expr",
    }
    return Draft(
        name="eval",
        statement=paragraphs(
            "The type of an expression says what it evaluates to. `eval e` is the value of `e`; below, `a`, `b` and "
            "`c` stand for the values of the parts:",
            bullets(f"`{form.pattern}`: {form.words}." for form in every),
            "Write `eval`" + (" and these functions:" if len(asked) > 1 else "."),
            bullets(described[one] for one in asked[1:]),
        ),
        signature=declared + "\n\n" + "\n".join(signatures[one] for one in asked),
        reference=module(
            declared,
            [h for form in forms for h in form.helpers],
            [_code(one, every, weights, swapped) for one in asked],
        ),
        cases=cases(),
        hidden=(16, 20, 24, 24)[len(asked) - 1],
        groups=tuple(asked) if len(asked) > 1 else (),
    )


def _code(function: str, forms: Sequence[_Form], weights: dict[str, int], swapped: Sequence[_Form]) -> str:
    arms = []
    for form in forms:
        names = form.variables
        if function == "eval":
            binds = "" if form.constant or form.run is None else "".join(f"let {one} = eval {one} in " for one in names)
            arms.append(f"  | {form.pattern} -> {binds}{form.ocaml}")
        elif function == "cost":
            parts = [] if form.constant else [f"cost {one}" for one in names]
            pattern = f"{form.name} _" if form.constant else form.pattern
            arms.append(f"  | {pattern} -> {' + '.join([str(weights[form.name]), *parts])}")
        elif function == "depth":
            if form.constant:
                arms.append(f"  | {form.name} _ -> 0")
            else:
                deepest = f"depth {names[0]}"
                for one in names[1:]:
                    deepest = f"max ({deepest}) (depth {one})"
                arms.append(f"  | {form.pattern} -> 1 + ({deepest})")
        elif form.constant:
            arms.append(f"  | {form.name} _ as e -> e")
        else:
            parts = [f"swap {one}" for one in (names[::-1] if form in swapped else names)]
            made = atom(parts[0]) if len(parts) == 1 else f"({', '.join(parts)})"
            arms.append(f"  | {form.pattern} -> {form.name} {made}")
    kinds = {"eval": "a. a expr -> a", "swap": "a. a expr -> a expr"}
    return f"let rec {function} : type {kinds.get(function, 'a. a expr -> int')} = function\n" + "\n".join(arms)


def _drawn(chance: Chance, kind: str) -> object:
    if kind == "int":
        return chance.number(-9, 25)
    return chance.happens(0.5) if kind == "bool" else some_word(chance)


def _constant(kind: str) -> _Form:
    name = {"int": "Int", "bool": "Bool", "string": "Text"}[kind]
    return _Form(name, (kind,), kind, "the constant `c`", "c", None)


def _join(chance: Chance) -> _Form:
    op = int_join(chance)
    return _Form("Join", ("int", "int"), "int", op.say("a", "b"), op.code("a", "b"), op.run, op.helpers)


def _fuse(chance: Chance) -> _Form:
    op = int_join(chance)
    return _Form("Fuse", ("int", "int"), "int", op.say("a", "b"), op.code("a", "b"), op.run, op.helpers)


def _change(chance: Chance) -> _Form:
    op = int_map(chance)
    return _Form("Change", ("int",), "int", op.say("a"), op.code("a"), op.run, op.helpers)


def _test(chance: Chance) -> _Form:
    test = int_test(chance)
    return _Form("Test", ("int",), "bool", f"whether {test.say('a')}", test.code("a"), test.run, test.helpers)


def _less(chance: Chance) -> _Form:
    k = chance.between(0, 6)
    return _Form(
        "Below",
        ("int", "int"),
        "bool",
        f"whether `a` plus {k} is less than `b`",
        f"a + {k} < b",
        lambda a, b: a + k < b,
    )


def _logic(chance: Chance) -> _Form:
    words, code, run = chance.pick(_LOGIC)
    return _Form("Logic", ("bool", "bool"), "bool", words, code, run)


_LOGIC: tuple[tuple[str, str, Callable[[bool, bool], bool]], ...] = (
    ("true if `a` and `b` are both true", "a && b", lambda a, b: a and b),
    ("true if at least one of `a` and `b` is true", "a || b", lambda a, b: a or b),
    ("true if exactly one of `a` and `b` is true", "a <> b", lambda a, b: a != b),
    ("true if `a` is false or `b` is true", "(not a) || b", lambda a, b: not a or b),
    ("true if `a` is true and `b` is false", "a && not b", lambda a, b: a and not b),
)


def _count(chance: Chance) -> _Form:
    yes, no = chance.between(1, 9), -chance.between(0, 9)
    return _Form(
        "Number", ("bool",), "int", f"{yes} if `a` is true, and {no} if it is false", f"if a then {yes} else {no}",
        lambda a: yes if a else no,
    )  # fmt: skip


def _if(chance: Chance) -> _Form:
    if chance.happens(0.5):
        return _Form("If", ("bool", "'a", "'a"), "'a", "`b` if `a` is true, and `c` if it is false",
                     "if eval a then eval b else eval c", None)  # fmt: skip
    return _Form("If", ("bool", "'a", "'a"), "'a", "`b` if `a` is true, and `c` if it is false",
                 "(match eval a with true -> eval b | false -> eval c)", None)  # fmt: skip


def _cat(chance: Chance) -> _Form:
    sign = chance.pick(("", "-", "+", " ", ", "))
    middle = f', with "{sign}" between' if sign else ""
    code = f'a ^ "{sign}" ^ b' if sign else "a ^ b"
    return _Form("Cat", ("string", "string"), "string", f"`a` followed by `b`{middle}", code, lambda a, b: a + sign + b)


def _edit(chance: Chance) -> _Form:
    op = string_map(chance)
    return _Form("Edit", ("string",), "string", op.say("a"), op.code("a"), op.run, op.helpers)


def _size(chance: Chance) -> _Form:
    op = string_size(chance)
    return _Form("Size", ("string",), "int", op.say("a"), op.code("a"), op.run, op.helpers)


def _ask(chance: Chance) -> _Form:
    op = string_test(chance)
    return _Form("Ask", ("string",), "bool", f"whether {op.say('a')}", op.code("a"), op.run, op.helpers)


def _spell(chance: Chance) -> _Form:
    sign = chance.pick(("#", "n", "<", "="))
    return _Form(
        "Spell", ("int",), "string", f"`{sign}` followed by `a` in decimal digits (with `-` in front of them if it is "
        "negative)", f'"{sign}" ^ string_of_int a', lambda a: f"{sign}{a}",
    )  # fmt: skip


def _pair(chance: Chance) -> _Form:
    op = int_map(chance)
    return _Form(
        "Pair", ("int", "int"), "int * int", f"the pair of `a` and of something made of `b`: {op.say('b')}",
        f"(a, {op.code('b')})", lambda a, b: (a, op.run(b)), op.helpers,
    )  # fmt: skip


def _unpair(chance: Chance) -> _Form:
    op = int_join(chance)
    return _Form(
        "Unite", ("int * int",), "int", f"with `x` for the first and `y` for the second part of `a`: {op.say()}",
        f"let x, y = a in {op.code()}", lambda a: op.run(*a), op.helpers,
    )  # fmt: skip


_FORMS = (
    _join,
    _fuse,
    _change,
    _test,
    _less,
    _logic,
    _count,
    _if,
    _cat,
    _edit,
    _size,
    _ask,
    _spell,
    _pair,
    _unpair,
)


FAMILY = Family(
    name="gadts.evaluator",
    topics=("gadts", "parsing-interpreters", "pattern-matching"),
    description="a typed expression language as a GADT, its evaluator and other functions on it",
    make=_evaluator,
)
