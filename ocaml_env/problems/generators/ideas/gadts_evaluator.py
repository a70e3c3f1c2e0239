"""A typed expression language as a GADT, with its evaluator and other functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, together
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import int_join, int_map, int_test
from ocaml_env.problems.generators.letters import some_text, string_map, string_size, string_test
from ocaml_env.problems.generators.values import Show, atom, integer, pair, text, truth
from ocaml_env.problems.generators.wording import bullets, module, paragraphs, series

__all__ = ["FAMILY"]

Tree = tuple[Any, ...]


_SHOWS: dict[str, Show] = {"int": integer, "bool": truth, "string": text, "int * int": pair(integer, integer)}


class _Form(NamedTuple):
    """A constructor: the types of its parts, its own type, and its meaning.

    A part is an expression, except in the three constants. ``'a`` is the type of the whole. ``run`` takes the values of
    the parts; None chooses between the second and the third part. For a comparison, ``tie`` is the difference of two
    numbers at its boundary.
    """

    name: str
    parts: tuple[str, ...]
    result: str
    words: str
    ocaml: str
    run: Callable[..., Any] | None
    helpers: tuple[str, ...] = ()
    tie: int | None = None

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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Language:
    """The drawn language.

    Attributes:
        constants: the constructors of constants.
        forms: the other ones.
        weights: the cost of each constructor, by its name.
        asked: the functions to write.
    """

    constants: tuple[_Form, ...]
    forms: tuple[_Form, ...]
    weights: dict[str, int]
    asked: tuple[str, ...]

    @property
    def every(self) -> tuple[_Form, ...]:
        return *self.constants, *self.forms

    @property
    def by_name(self) -> dict[str, _Form]:
        return {form.name: form for form in self.every}

    @property
    def swapped(self) -> list[_Form]:
        """Forms whose parts are exchanged by ``swap``."""
        return [form for form in self.forms if len(form.parts) == 2 and form.parts[0] == form.parts[1]]

    def run(self, tree: Tree) -> Any:
        form = self.by_name[tree[0]]
        if form.constant:
            return tree[1]
        if form.run is None:
            return self.run(tree[2] if self.run(tree[1]) else tree[3])
        value = form.run(*map(self.run, tree[1:]))
        if (isinstance(value, int) and abs(value) > 1 << 40) or (isinstance(value, str) and len(value) > 80):
            raise Unfit
        return value

    def show(self, tree: Tree) -> str:
        form = self.by_name[tree[0]]
        parts = [_SHOWS[form.result](tree[1])] if form.constant else [self.show(part) for part in tree[1:]]
        return f"{tree[0]} {atom(parts[0])}" if len(parts) == 1 else f"{tree[0]} ({', '.join(parts)})"

    def cost(self, tree: Tree) -> int:
        return self.weights[tree[0]] + (0 if self.by_name[tree[0]].constant else sum(map(self.cost, tree[1:])))

    def depth(self, tree: Tree) -> int:
        return 0 if self.by_name[tree[0]].constant else 1 + max(map(self.depth, tree[1:]))

    def swap(self, tree: Tree) -> Tree:
        form = self.by_name[tree[0]]
        if form.constant:
            return tree
        parts = [self.swap(part) for part in tree[1:]]
        return (tree[0], *(parts[::-1] if form in self.swapped else parts))

    def answer(self, function: str, tree: Tree) -> str:
        """The answer of a function other than ``eval``."""
        if function == "swap":
            return self.show(self.swap(tree))
        return integer(self.cost(tree) if function == "cost" else self.depth(tree))

    def drawn(self, chance: Chance, kind: str, depth: int) -> Tree:
        """An expression of this type and depth."""
        fitting = [form for form in self.forms if form.result in (kind, "'a")]
        if kind == "int * int":  # it has no constants
            fitting = [form for form in fitting if depth > 0 or form.name == "Pair"]
        elif depth <= 0 or not fitting or chance.happens(0.1):
            fitting = [constant for constant in self.constants if constant.result == kind]
        return self.drawn_as(chance, chance.pick(fitting), kind, depth)

    def drawn_as(self, chance: Chance, form: _Form, kind: str, depth: int) -> Tree:
        """An expression of this type and depth that begins with this constructor."""
        if form.constant:
            return (form.name, _drawn(chance, kind))
        if form.tie is not None and chance.happens(0.2):
            n = chance.number(-12, 25)
            return (form.name, ("Int", n), ("Int", n + form.tie))
        deepest = chance.below(len(form.parts))  # the others may be less deep
        depths = [depth - 1 if i == deepest else chance.between(0, depth - 1) for i in range(len(form.parts))]
        kinds = [kind if part == "'a" else part for part in form.parts]
        return (form.name, *(self.drawn(chance, part, left) for part, left in zip(kinds, depths, strict=True)))


def _evaluator(chance: Chance, level: int) -> Draft:
    constants = tuple(_constant(kind) for kind in (("int", "bool") if level == 1 else ("int", "bool", "string")))
    forms = tuple(make(chance) for make in _makers(chance, level))
    every = (*constants, *forms)
    language = _Language(
        constants=constants,
        forms=forms,
        weights={form.name: chance.between(1, 9) for form in every},
        asked=("eval",),
    )
    others = ["cost", "depth", *(["swap"] if language.swapped else [])]
    language = replace(language, asked=("eval", *chance.sample(others, (level - 1) // 2)))
    declared = "type _ expr =\n" + "\n".join(form.declaration for form in every)
    return Draft(
        name="eval",
        statement=_statement(language),
        signature=declared + "\n\n" + "\n".join(_SIGNATURES[function] for function in language.asked),
        reference=module(
            declared,
            [h for form in forms for h in form.helpers],
            [_code(function, every, language.weights, language.swapped) for function in language.asked],
        ),
        cases=_cases(chance, language),
        hidden=12 + 4 * len(language.asked),
    )


def _makers(chance: Chance, level: int) -> list[Callable[[Chance], _Form]]:
    """Makers of forms. Some make integers and some truths; level 1 has no strings, and only level 5 has pairs."""
    made = [chance.pick((_join, _fuse, _change)), chance.pick((_test, _less))]
    if level >= 3:
        made += [chance.pick((_cat, _edit)), chance.pick((_size, _ask))]
    if level >= 5:
        made += (_pair, _unpair)
    known = _FORMS if level >= 3 else _NO_STRINGS
    return [*made, *chance.sample([make for make in known if make not in made], {1: 4, 3: 6, 5: 9}[level] - len(made))]


_SIGNATURES = {
    "eval": "val eval : 'a expr -> 'a",
    "cost": "val cost : 'a expr -> int",
    "depth": "val depth : 'a expr -> int",
    "swap": "val swap : 'a expr -> 'a expr",
}


def _statement(language: _Language) -> str:
    described = {
        "cost": "`cost e` is the sum of the costs of all constructors in `e`: "
        + ", ".join(f"`{form.name}` {language.weights[form.name]}" for form in language.every)
        + ".",
        "depth": f"`depth e` is 0 for {series([f'`{form.name}`' for form in language.constants])}, and otherwise 1 more "
        "than the greatest depth of its parts.",
        "swap": "`swap e` is `e` with the two parts of every "
        + " and every ".join(f"`{form.name}`" for form in language.swapped)
        + ", everywhere in `e`, exchanged; all else stays as it is.",
    }
    others = language.asked[1:]
    return paragraphs(
        "The type of an expression says what it evaluates to. `eval e` is the value of `e`; below, `a`, `b` and `c` "
        "stand for the values of the parts:",
        bullets(f"`{form.pattern}`: {form.words}." for form in language.every),
        f"Write `eval`{' and these functions:' if others else '.'}",
        bullets(described[function] for function in others),
    )


def _cases(chance: Chance, language: _Language) -> Iterator[Case]:
    """Each function in turn, with each type for ``eval``, and each constructor in turn."""
    kinds = [constant.result for constant in language.constants]  # pairs are parts of others
    ways = [("eval", kind) for kind in kinds] + [(function, "") for function in language.asked[1:]]
    forms = {
        (function, kind): cycle([form for form in language.every[::-1] if not kind or form.result in (kind, "'a")])
        for function, kind in ways
    }

    def one(function: str, kind: str, depth: int) -> Case:
        form = next(forms[function, kind])
        if not kind:
            kind = chance.pick(kinds) if form.result == "'a" else form.result
        tree = language.drawn_as(chance, form, kind, depth)
        for _ in range(8):  # most expressions are changed by `swap`
            if function != "swap" or language.swap(tree) != tree or chance.happens(0.02):
                break
            tree = language.drawn_as(chance, form, kind, depth + 1)
        shown = language.show(tree)
        if function == "eval":
            answer = _SHOWS[kind](language.run(tree))
            return Case(f"eval ({shown})", answer, answer, group=f"eval {kind}")
        return case(function, [shown], language.answer(function, tree))

    def some(function: str, kind: str) -> Case:
        if kind == "bool" or function == "depth":  # several in a test, as there are few answers
            return together([one(function, kind, chance.pick((1, 2, 2, 3))) for _ in range(4)])
        return one(function, kind, chance.pick((1, 2, 2, 3, 3, 4)))

    while True:
        for function, kind in ways:
            made = some(function, kind)
            if len(made.asked) < 300:
                yield made


def _code(function: str, forms: Sequence[_Form], weights: dict[str, int], swapped: Sequence[_Form]) -> str:
    arms = []
    for form in forms:
        names = form.variables
        if function == "eval":
            binds = (
                "" if form.constant or form.run is None else "".join(f"let {part} = eval {part} in " for part in names)
            )
            arms.append(f"  | {form.pattern} -> {binds}{form.ocaml}")
        elif function == "cost":
            parts = [] if form.constant else [f"cost {part}" for part in names]
            pattern = f"{form.name} _" if form.constant else form.pattern
            arms.append(f"  | {pattern} -> {' + '.join([str(weights[form.name]), *parts])}")
        elif function == "depth":
            if form.constant:
                arms.append(f"  | {form.name} _ -> 0")
            else:
                deepest = f"depth {names[0]}"
                for part in names[1:]:
                    deepest = f"max ({deepest}) (depth {part})"
                arms.append(f"  | {form.pattern} -> 1 + ({deepest})")
        elif form.constant:
            arms.append(f"  | {form.name} _ as e -> e")
        else:
            parts = [f"swap {part}" for part in (names[::-1] if form in swapped else names)]
            made = atom(parts[0]) if len(parts) == 1 else f"({', '.join(parts)})"
            arms.append(f"  | {form.pattern} -> {form.name} {made}")
    kinds = {"eval": "a. a expr -> a", "swap": "a. a expr -> a expr"}
    return f"let rec {function} : type {kinds.get(function, 'a. a expr -> int')} = function\n" + "\n".join(arms)


def _drawn(chance: Chance, kind: str) -> object:
    if kind == "int":
        low, high = chance.pick(((-12, 25), (-12, 25), (-12, 25), (-9, -1), (-3, 5), (0, 0)))
        return chance.number(low, high)
    if kind == "bool":
        return chance.happens(0.5)
    return "" if chance.happens(0.1) else some_text(chance, 2)[: chance.pick((2, 4, 5, 9))]


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
    k = chance.between(1, 6)
    return _Form(
        "Below",
        ("int", "int"),
        "bool",
        f"whether `a` plus {k} is less than `b`",
        f"a + {k} < b",
        lambda a, b: a + k < b,
        tie=k,
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


_FORMS = (_join, _fuse, _change, _test, _less, _logic, _count, _if, _cat, _edit, _size, _ask, _spell)

_NO_STRINGS = (_join, _fuse, _change, _test, _less, _logic, _count, _if)


FAMILY = Family(
    name="gadts.evaluator",
    topics=("gadts", "parsing-interpreters", "pattern-matching"),
    description="a typed expression language as a GADT, its evaluator and other functions on it",
    make=_evaluator,
)
