"""Families about expression languages: an evaluator, and a printer that sets no parentheses without need."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import int_join, int_map, int_test, quotient
from ocaml_env.problems.generators.values import Show, atom, integer, listing, pair, text, variant
from ocaml_env.problems.generators.wording import bullets, module, numbered, paragraphs

__all__ = ["FAMILIES"]

Tree = tuple[Any, ...]
Env = dict[str, int]

# --- evaluation -------------------------------------------------------------------------------------------------------


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
        "variable `x` "
        "has no value, `Division_by a` where a division is not possible, with the value of the left side. Parts are "
        "evaluated from left to right, and only those that are needed.",
        False: "`eval env e` is `Some` of the value, or `None` if a part that has to be evaluated has none. Only the "
        "parts "
        "that are needed are evaluated.",
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
            "Expressions have integers as values. An environment is a list of the variables that have a value, no name "
            "twice. Below, `a`, `b` and `c` stand for the values of these parts:",
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
        f"`b`, evaluated where the variable `x` has this value: {op.say('a')}; the value that `x` had otherwise is not "
        "seen in `b`",
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
        "value `i`, "
        f"call the result `u`, and let the new `t` be {op.say('t', 'u')}; the value is the last `t`",
        f"List.fold_left (fun t i -> let u = go ((x, i) :: env) b in {op.code('t', 'u')}) (go env a) "
        f"[ {'; '.join(map(str, range(1, k + 1)))} ]",
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


# --- printing ---------------------------------------------------------------------------------------------------------


class _Operator(NamedTuple):
    """A binary operator: a higher rank binds tighter; ``side`` is where it associates."""

    name: str
    sign: str
    rank: int
    side: str  # "left", "right" or "none"
    spaced: bool


_SIGNS = ("+", "-", "*", "/", "%", "^", "&", "|", "@", "<>")
_OPERATOR_NAMES = ("Plus", "Minus", "Times", "Join", "Meet", "Over")


def _printing(chance: Chance, level: int) -> Draft:
    name = chance.pick(("show", "print", "render", "display", "write"))
    count = (2, 3, 3, 4, 5)[level - 1]
    names = chance.sample(_OPERATOR_NAMES, count)
    signs = chance.sample(_SIGNS, count)
    ranks = [chance.between(1, 2 if count < 4 else 3) for _ in range(count)]
    sides = {rank: chance.pick(("left", "right", "none")) for rank in sorted({*ranks})}
    spaces = {rank: chance.happens(0.5) for rank in sorted({*ranks})}
    if len(sides) < 2:
        raise Unfit
    operators = [
        _Operator(one, sign, rank, sides[rank], spaces[rank])
        for one, sign, rank in zip(names, signs, ranks, strict=True)
    ]
    by_name = {operator.name: operator for operator in operators}
    prefix = chance.pick(("!", "~", "-")) if level >= 3 else ""
    brackets = chance.pick(("()", "[]", "{}")) if level >= 4 else "()"
    calls = level >= 5
    opening, closing = brackets[0], brackets[1]

    def write(tree: Tree) -> tuple[str, int]:
        """The text and its rank; atoms have rank 9, a prefix rank 8."""
        kind, *parts = tree
        if kind == "Num":
            return (str(parts[0]) if parts[0] >= 0 else f"{opening}{parts[0]}{closing}"), 9
        if kind == "Var":
            return parts[0], 9
        if kind == "Call":
            return f"{parts[0]}({', '.join(write(part)[0] for part in parts[1])})", 9
        if kind == "Not":
            return prefix + enclosed(parts[0], 8), 8
        operator = by_name[kind]
        left = enclosed(parts[0], operator.rank + (operator.side != "left"))
        right = enclosed(parts[1], operator.rank + (operator.side != "right"))
        gap = " " if operator.spaced else ""
        return f"{left}{gap}{operator.sign}{gap}{right}", operator.rank

    def enclosed(tree: Tree, least: int) -> str:
        shown, rank = write(tree)
        return shown if rank >= least else f"{opening}{shown}{closing}"

    def draw(depth: int) -> Tree:
        if depth == 0 or chance.happens(0.15):
            if chance.happens(0.5):
                return ("Var", chance.pick("xyz"))
            return ("Num", chance.between(-9 if chance.happens(0.3) else 0, 12))
        if prefix and chance.happens(0.15):
            return ("Not", draw(depth - 1))
        if calls and chance.happens(0.15):
            return ("Call", chance.pick("fgh"), [draw(depth - 1) for _ in range(chance.between(0, 2))])
        return (chance.pick(names), draw(depth - 1), draw(depth - 1))

    shows: dict[str, list[Show]] = {"Num": [integer], "Var": [text], "Not": []}
    show_tree = variant(shows)
    shows["Not"] = [show_tree]
    shows["Call"] = [text, listing(show_tree)]
    for one in names:
        shows[one] = [show_tree, show_tree]
    declared = "type expr =\n  | Num of int\n  | Var of string\n" + "\n".join(
        f"  | {one} of expr * expr" for one in names
    )
    declared += "\n  | Not of expr" if prefix else ""
    declared += "\n  | Call of string * expr list" if calls else ""
    ordered = sorted({*ranks}, reverse=True)
    groups = []
    for rank in ordered:
        members = [operator for operator in operators if operator.rank == rank]
        signs_of = ", ".join(f"`{operator.sign}` (`{operator.name}`)" for operator in members)
        first = members[0]
        side = {"left": "to the left", "right": "to the right", "none": "to neither side"}[first.side]
        gap = "with one space on each side of the sign" if first.spaced else "without spaces around the sign"
        groups.append(f"{signs_of}: {'it associates' if len(members) == 1 else 'they associate'} {side}, written {gap}")
    rules = [
        "`Num n` is the number in decimal digits; a negative one begins with `-` and always stands in brackets.",
        "`Var x` is `x`.",
    ]
    rules += (
        [f"`Not a` is `{prefix}` directly followed by `a`; it binds tighter than all binary operators."]
        if prefix
        else []
    )
    if calls:
        rules.append(
            "`Call (f, l)` is `f`, directly followed by `(`, the expressions of `l` with `, ` between each two, and "
            "`)`; these "
            "parentheses are always there, and the expressions in them need no brackets of their own."
        )
    code = _printing_code(name, operators, prefix, brackets, calls)

    def cases() -> Iterator[Case]:
        edges: list[Tree] = [("Num", -3), ("Var", "x"), (names[0], ("Num", 1), (names[0], ("Num", 2), ("Num", 3)))]
        edges += [(names[0], (names[0], ("Num", 1), ("Num", 2)), ("Num", 3))]
        for tree in inputs(lambda: draw(chance.pick((2, 2, 3))), edges):
            if len(shown := show_tree(tree)) < 200:
                yield case(name, [shown], text(write(tree)[0]))

    return Draft(
        name=name,
        statement=paragraphs(
            f"`{name} e` writes an expression as a string, with no more brackets than are needed. The binary "
            "operators are, "
            "from those that bind tightest to those that bind least:",
            numbered(f"{group}{'.' if i == len(groups) - 1 else ';'}" for i, group in enumerate(groups)),
            f"An operand of an operator stands in brackets, `{opening}` and `{closing}`, if it is itself an operator "
            "that binds "
            "less, or one of the same place in this list on a side to which that place does not associate: with "
            "operators "
            "that associate to the left only the left operand needs none, with those that associate to the right only "
            "the "
            "right one, and with those that associate to neither side both need them.",
            bullets(rules),
        ),
        signature=f"{declared}\n\nval {name} : expr -> string",
        reference=module(declared, code),
        cases=cases(),
        together=2,
    )


def _printing_code(name: str, operators: Sequence[_Operator], prefix: str, brackets: str, calls: bool) -> str:
    opening, closing = brackets[0], brackets[1]
    arms = [
        f'    | Num n -> ((if n < 0 then "{opening}" ^ string_of_int n ^ "{closing}" else string_of_int n), 9)',
        "    | Var x -> (x, 9)",
    ]
    for one in operators:
        sign = f" {one.sign} " if one.spaced else one.sign
        left, right = one.rank + (one.side != "left"), one.rank + (one.side != "right")
        arms.append(f'    | {one.name} (a, b) -> (within {left} a ^ "{sign}" ^ within {right} b, {one.rank})')
    arms += [f'    | Not a -> ("{prefix}" ^ within 8 a, 8)'] if prefix else []
    if calls:
        arms.append('    | Call (f, l) -> (f ^ "(" ^ String.concat ", " (List.map (fun e -> fst (go e)) l) ^ ")", 9)')
    lines = "\n".join(arms)
    return f"""\
(* Each text with the rank of its outermost operator; a higher one binds tighter. *)
let {name} e =
  let rec go = function
{lines}
  and within least e =
    let shown, rank = go e in
    if rank >= least then shown else "{opening}" ^ shown ^ "{closing}"
  in
  fst (go e)"""


FAMILIES = (
    Family(
        name="expressions.evaluate",
        topics=("parsing-interpreters", "recursion", "options-results"),
        description="the evaluator of a small expression language, with variables and, from level 3 on, failures",
        make=_evaluate,
    ),
    Family(
        name="expressions.printing",
        topics=("parsing-interpreters", "trees", "strings"),
        description="expressions written with as few brackets as possible, by ranks and associativity",
        make=_printing,
    ),
)
