"""Families about pattern matching: decision tables, rules on the front of a list, and simplification of formulas."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, bundle, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import int_join, int_map, int_test, some_ints
from ocaml_env.problems.generators.values import Show, atom, integer, listing, option, text, truth, variant
from ocaml_env.problems.generators.wording import module, numbered, paragraphs, series

__all__ = ["FAMILIES"]

# --- tables -----------------------------------------------------------------------------------------------------------

_ENUMS = (
    ("colour", ("Red", "Green", "Blue", "Grey")),
    ("size", ("Small", "Medium", "Large", "Huge")),
    ("weather", ("Sun", "Rain", "Snow", "Fog")),
    ("day", ("Weekday", "Saturday", "Sunday", "Holiday")),
    ("rank", ("Guest", "Member", "Officer", "Chief")),
    ("shape", ("Disc", "Bar", "Star", "Ring")),
)
_VERDICTS = ("Accept", "Refuse", "Wait", "Ask", "Warn", "Skip", "Repeat")


class _Input(NamedTuple):
    """An argument of a table: its type, and how one is drawn and shown."""

    kind: str
    name: str
    show: Show
    draw: Callable[[], Any]
    values: tuple[str, ...]


class _Cell(NamedTuple):
    """A condition on one argument: a pattern, and perhaps a guard."""

    words: str
    pattern: str
    guard: str
    run: Callable[[Any], bool]
    helpers: tuple[str, ...] = ()


def _table(chance: Chance, level: int) -> Draft:
    name = chance.pick(("decide", "judge", "classify", "route", "advise"))
    enums = chance.sample(_ENUMS, (1, 2, 2, 2, 2)[level - 1])
    columns = [_enum_input(chance, kind, names) for kind, names in enums]
    columns.append(_int_input(chance) if level <= 3 else _option_input(chance))
    if level >= 3:
        columns.append(_bool_input(chance))
    columns = chance.shuffled(columns)
    verdicts = chance.sample(_VERDICTS, (3, 3, 4, 4, 5)[level - 1])
    drawn = [tuple(column.draw() for column in columns) for _ in range(40)]
    rows, left = _rows(chance, columns, (3, 4, 5, 6, 7)[level - 1], drawn)
    answers: list[str] = []
    for _ in range(len(rows) + 1):  # neighbours differ, so that their order matters
        answers.append(chance.pick([one for one in verdicts if one != (answers or [""])[-1]]))
    if len(left) < 2:
        raise Unfit

    def place(values: Sequence[Any]) -> int:
        return next((i for i, row in enumerate(rows) if _fits(row, values)), len(rows))

    def draw() -> tuple[Any, ...]:
        return tuple(column.draw() for column in columns)

    lines = []
    for row, answer in zip(rows, answers, strict=False):
        said = [cell.words.replace("{x}", f"`{column.name}`") for cell, column in zip(row, columns, strict=True)]
        lines.append(f"if {' and '.join(filter(None, said))}: `{answer}`;")
    lines.append(f"otherwise: `{answers[-1]}`.")
    arguments = " ".join(column.name for column in columns)
    types = "\n\n".join(f"type {kind} = {' | '.join(names)}" for kind, names in enums)
    declared = f"{types}\n\ntype verdict = {' | '.join(verdicts)}"
    body = [f"let {name} {arguments} =", f"  match ({', '.join(column.name for column in columns)}) with"]
    for row, answer in zip(rows, answers, strict=False):
        guards = " && ".join(f"({cell.guard})" for cell in row if cell.guard)
        patterns = ", ".join(cell.pattern for cell in row)
        body.append(f"  | {patterns}{f' when {guards}' if guards else ''} -> {answer}")
    body.append(f"  | _ -> {answers[-1]}")

    def cases() -> Iterator[Case]:
        while True:
            calls = [draw() for _ in range(4)]
            yield bundle(
                name,
                [
                    (
                        [column.show(value) for column, value in zip(columns, values, strict=True)],
                        answers[place(values)],
                    )
                    for values in calls
                ],
            )

    kinds = " -> ".join(column.kind for column in columns)
    return Draft(
        name=name,
        statement=paragraphs(
            f"`{name} {arguments}` is the verdict of the first of these rules that fits:", numbered(lines)
        ),
        signature=f"{declared}\n\nval {name} : {kinds} -> verdict",
        reference=module(declared, [h for row in rows for cell in row for h in cell.helpers], "\n".join(body)),
        cases=cases(),
    )


def _enum_input(chance: Chance, kind: str, names: tuple[str, ...]) -> _Input:
    return _Input(kind, kind, str, lambda: chance.pick(names), names)


def _int_input(chance: Chance) -> _Input:
    return _Input("int", "n", integer, lambda: chance.number(-6, 24), ())


def _option_input(chance: Chance) -> _Input:
    return _Input(
        "int option",
        "limit",
        option(integer),
        lambda: None if chance.happens(0.3) else chance.number(-6, 24),
        (),
    )


def _bool_input(chance: Chance) -> _Input:
    return _Input("bool", chance.pick(("urgent", "paid", "old", "first")), truth, lambda: chance.happens(0.5), ())


def _rows(
    chance: Chance, columns: Sequence[_Input], count: int, drawn: Sequence[tuple[Any, ...]]
) -> tuple[list[list[_Cell]], Sequence[tuple[Any, ...]]]:
    """Rows each of which is the first that fits for some of what was drawn, and that for which none fits."""
    rows: list[list[_Cell]] = []
    for _ in range(4 * count):
        row = _row(chance, columns)
        left = [values for values in drawn if not _fits(row, values)]
        if 2 <= len(drawn) - len(left) <= 20:
            drawn = left
            rows.append(row)
        if len(rows) == count:
            return rows, drawn
    raise Unfit


def _fits(row: Sequence[_Cell], values: Sequence[Any]) -> bool:
    return all(cell.run(value) for cell, value in zip(row, values, strict=True))


def _row(chance: Chance, columns: Sequence[_Input]) -> list[_Cell]:
    kept = chance.sample(range(len(columns)), chance.pick((1, 2, 2)) if len(columns) > 2 else chance.between(1, 2))
    return [
        _cell(chance, column) if i in kept else _Cell("", "_", "", lambda _: True) for i, column in enumerate(columns)
    ]


def _cell(chance: Chance, column: _Input) -> _Cell:
    if column.kind == "bool":
        wanted = chance.happens(0.5)
        return _Cell(f"{{x}} is {truth(wanted)}", truth(wanted), "", lambda value: value is wanted)
    if column.kind == "int":
        test = int_test(chance)
        return _Cell(test.words, column.name, test.code(column.name), test.run, test.helpers)
    if column.kind == "int option":
        if chance.happens(0.3):
            return _Cell("{x} is `None`", "None", "", lambda value: value is None)
        test = int_test(chance)
        return _Cell(
            f"{{x}} is `Some k` and {test.say('k')}",
            "Some k",
            test.code("k"),
            lambda value: value is not None and test.run(value),
            test.helpers,
        )
    wanted_ones = chance.sample(column.values, chance.pick((1, 2, 2)))
    return _Cell(
        f"{{x}} is {series([f'`{one}`' for one in wanted_ones], 'or')}",
        f"({' | '.join(wanted_ones)})" if len(wanted_ones) > 1 else wanted_ones[0],
        "",
        lambda value: value in wanted_ones,
    )


# --- the front of a list ----------------------------------------------------------------------------------------------


class _Rule(NamedTuple):
    """A rule on the front of a list: how much it takes, what it gives to the result, and what it puts back."""

    words: str
    pattern: str
    guard: str
    given: tuple[str, ...]
    back: str
    run: Callable[[Sequence[int]], tuple[list[int], list[int], int] | None]  # given, put back, taken
    helpers: tuple[str, ...] = ()


def _front(chance: Chance, level: int) -> Draft:
    name = chance.pick(("rewrite", "consume", "pass_through", "settle", "process"))
    rules = [chance.pick(_RULES if level >= 3 else _RULES[:-2])(chance) for _ in range((2, 3, 3, 4, 5)[level - 1])]
    last = int_map(chance)
    if len({(rule.pattern, rule.guard) for rule in rules}) < len(rules):
        raise Unfit
    uses = [0] * len(rules)

    def run(front: Sequence[int], skipped: int = -1) -> list[int]:
        made: list[int] = []
        while front:
            for i, rule in enumerate(rules):
                found = rule.run(front) if i != skipped else None
                if found:
                    given, back, taken = found
                    made += given
                    front = [*back, *front[taken:]]
                    uses[i] += 1
                    break
            else:
                made.append(last.run(front[0]))
                front = front[1:]
        return made

    def draw() -> list[int]:
        return chance.numbers(chance.between(2, 9), 0, chance.pick((5, 9, 25)))

    tried = [draw() for _ in range(10)]
    whole = [run(v) for v in tried]
    if min(uses) < 2 or any(all(run(v, i) == w for v, w in zip(tried, whole, strict=True)) for i in range(len(rules))):
        raise Unfit
    lines = [f"{rule.words};" for rule in rules]
    lines.append(f"otherwise take the first element `a`, and give {last.say('a')}.")
    body = [f"let rec {name} = function", "  | [] -> []"]
    for rule in rules:
        again = f"{name} ({rule.back} :: rest)" if rule.back else f"{name} rest"
        given = "".join(f"{atom(one)} :: " for one in rule.given)
        body.append(f"  | {rule.pattern} :: rest{f' when {rule.guard}' if rule.guard else ''} -> {given}{again}")
    body.append(f"  | a :: rest -> {atom(last.code('a'))} :: {name} rest")

    def cases() -> Iterator[Case]:
        ints = listing(integer)
        edges = [[], [chance.between(0, 9)], [3, 3, 3, 3], [5, 4, 3, 2, 1, 0], some_ints(chance, 12)]
        for v in inputs(draw, edges):
            yield case(name, [ints(v)], ints(run(v)))

    return Draft(
        name=name,
        statement=paragraphs(
            f"`{name} l` goes through a list of integers from the front. As long as something is left, the first of "
            "these rules that fits is applied. In them `a`, `b` and `c` are the first, second and third element of "
            "what "
            "is left; a rule that speaks of an element that is not there does not fit. To take elements removes them "
            "from what is left; to give a number appends it to the result, which is empty at the beginning.",
            numbered(f"{line[0].upper()}{line[1:]}" for line in lines),
        ),
        signature=f"val {name} : int list -> int list",
        reference=module([h for rule in rules for h in rule.helpers], last.helpers, "\n".join(body)),
        cases=cases(),
        together=2,
    )


def _when_equal(chance: Chance) -> _Rule:
    op = int_map(chance)
    return _Rule(
        f"if `a` and `b` are equal, take both, and give {op.say('a')}",
        "a :: b",
        "a = b",
        (op.code("a"),),
        "",
        lambda v: ([op.run(v[0])], [], 2) if len(v) > 1 and v[0] == v[1] else None,
        op.helpers,
    )


def _when_ordered(chance: Chance) -> _Rule:
    op, sign = int_join(chance), chance.pick("<>")
    k = chance.between(0, 2)
    word = "less" if sign == "<" else "greater"
    bound = f"`b` {'minus' if sign == '<' else 'plus'} {k}" if k else "`b`"
    code = f"a {sign} b {'-' if sign == '<' else '+'} {k}" if k else f"a {sign} b"
    holds: Callable[[int, int], bool] = (lambda a, b: a < b - k) if sign == "<" else (lambda a, b: a > b + k)
    return _Rule(
        f"if `a` is {word} than {bound}, take both, and give {op.say('a', 'b')}",
        "a :: b",
        code,
        (op.code("a", "b"),),
        "",
        lambda v: ([op.run(v[0], v[1])], [], 2) if len(v) > 1 and holds(v[0], v[1]) else None,
        op.helpers,
    )


def _when_test(chance: Chance) -> _Rule:
    test, op = int_test(chance), int_map(chance)
    if chance.happens(0.4):
        return _Rule(
            f"if {test.say('a')}, take `a`, and give nothing",
            "a",
            test.code("a"),
            (),
            "",
            lambda v: ([], [], 1) if test.run(v[0]) else None,
            test.helpers,
        )
    return _Rule(
        f"if {test.say('a')}, take `a`, and give `a` and then {op.say('a')}",
        "a",
        test.code("a"),
        ("a", op.code("a")),
        "",
        lambda v: ([v[0], op.run(v[0])], [], 1) if test.run(v[0]) else None,
        test.helpers + op.helpers,
    )


def _when_three(chance: Chance) -> _Rule:
    op = int_join(chance)
    conditions: tuple[tuple[str, str, Callable[[int, int, int], bool]], ...]
    conditions = (
        ("`b` is greater than both `a` and `c`", "b > a && b > c", lambda a, b, c: b > a and b > c),
        ("`b` is less than both `a` and `c`", "b < a && b < c", lambda a, b, c: b < a and b < c),
        ("`a` is equal to `c`", "a = c", lambda a, b, c: a == c),
        ("the sum of `a`, `b` and `c` is even", "(a + b + c) mod 2 = 0", lambda a, b, c: (a + b + c) % 2 == 0),
    )
    words, code, holds = chance.pick(conditions)
    return _Rule(
        f"if there are at least three elements and {words}, take all three, and give `b` and then {op.say('a', 'c')}",
        "a :: b :: c",
        code,
        ("b", op.code("a", "c")),
        "",
        lambda v: ([v[1], op.run(v[0], v[2])], [], 3) if len(v) > 2 and holds(v[0], v[1], v[2]) else None,
        op.helpers,
    )


def _when_zero(chance: Chance) -> _Rule:
    k = chance.between(0, 9)
    return _Rule(
        f"if `a` is {k} and there is a second element, take both, and give `b` twice",
        f"{k} :: b",
        "",
        ("b", "b"),
        "",
        lambda v: ([v[1], v[1]], [], 2) if len(v) > 1 and v[0] == k else None,
    )


def _merge_back(chance: Chance) -> _Rule:
    test = int_test(chance)
    return _Rule(
        f"if there are at least two elements and {test.say('b')}, take both, give nothing, and put the sum of `a` and "
        "`b` "
        "in front of what is left",
        "a :: b",
        test.code("b"),
        (),
        "(a + b)",
        lambda v: ([], [v[0] + v[1]], 2) if len(v) > 1 and test.run(v[1]) else None,
        test.helpers,
    )


def _keep_back(chance: Chance) -> _Rule:
    k = chance.between(1, 5)
    return _Rule(
        f"if there are at least two elements and they differ by exactly {k}, take both, give `a`, and put the greater "
        "of "
        "both in front of what is left",
        "a :: b",
        f"abs (a - b) = {k}",
        ("a",),
        "max a b",
        lambda v: ([v[0]], [max(v[0], v[1])], 2) if len(v) > 1 and abs(v[0] - v[1]) == k else None,
    )


_RULES = (_when_equal, _when_ordered, _when_test, _when_test, _when_three, _when_zero, _merge_back, _keep_back)


# --- simplification ---------------------------------------------------------------------------------------------------

Tree = tuple[Any, ...]


class _Law(NamedTuple):
    """A rewriting of one node whose parts are simple already.

    Patterns and images are trees with names in them: ``a`` and ``b`` for trees, ``m`` and ``n`` for integers, ``_`` for
    anything; an image may hold a formula of integers. Where ``twins`` is true, ``a`` and ``b`` have to be equal.
    """

    pattern: Tree
    image: Any
    twins: bool = False

    @property
    def left(self) -> str:
        return _text(self.pattern)

    @property
    def right(self) -> str:
        return _text(self.image)

    @property
    def guard(self) -> str:
        return " when a = b" if self.twins else ""

    def run(self, tree: Tree) -> Any:
        bound: dict[str, Any] = {}
        if not _match(self.pattern, tree, bound) or (self.twins and bound["a"] != bound["b"]):
            return None
        return _build(self.image, bound)

    def instance(self, draw: Callable[[], Tree], number: int) -> Tree:
        """A tree that it fits."""
        a = draw()
        bound = {"a": a, "b": a if self.twins else draw(), "_": draw(), "m": number, "n": number + 3}
        made: Tree = _build(self.pattern, bound)
        return made


_ARITIES = {"Num": 0, "Var": 0, "Neg": 1, "Half": 1, "Add": 2, "Sub": 2, "Mul": 2, "Max": 2}


def _simplify(chance: Chance, level: int) -> Draft:
    binary = chance.sample(("Add", "Sub", "Mul", "Max"), (2, 2, 3, 3, 4)[level - 1])
    unary = chance.sample(("Neg", "Half"), (0, 1, 1, 1, 2)[level - 1])
    known = {"Num", "Var", *binary, *unary}
    k = chance.between(2, 9)
    laws = [law for law in _laws(k) if known >= _names(law.pattern) | _names(law.image)]
    wanted = (4, 5, 6, 7, 8)[level - 1]
    if len(laws) < wanted:
        raise Unfit
    laws = chance.sample(laws, wanted)
    again = level >= 3 and chance.happens(0.5)
    letters = chance.sample("nmxyz", 2)

    fired: set[int] = set()

    def at_root(tree: Tree) -> Tree:
        for _ in range(20):
            for i, law in enumerate(laws):
                image = law.run(tree)
                if image is not None:
                    fired.add(i)
                    break
            else:
                return tree
            if not again:
                return tuple(image)
            tree = image
        raise Unfit  # rules that turn in a circle

    def run(tree: Tree) -> Tree:
        if tree[0] in ("Num", "Var"):
            return at_root(tree)
        return at_root((tree[0], *map(run, tree[1:])))

    def draw(depth: int) -> Tree:
        if depth and chance.happens(0.45):
            law = chance.pick(laws)
            return law.instance(lambda: draw(depth - 2 if depth > 1 else 0), chance.between(-4, 9))
        if depth == 0 or chance.happens(0.15):
            if chance.happens(0.4):
                return ("Var", chance.pick(letters))
            return ("Num", chance.pick((0, 0, 1, 1, 2, k, chance.between(-4, 9))))
        name = chance.pick((*binary, *binary, *unary))
        parts = [draw(depth - 1) for _ in range(_ARITIES[name])]
        if len(parts) == 2 and chance.happens(0.15):
            parts[1] = parts[0]
        return (name, *parts)

    def size() -> int:
        return chance.pick((1, 2, 2, 3)) if level <= 2 else chance.pick((2, 2, 3))

    for _ in range(20):
        run(draw(size()))
    if len(fired) < len(laws):
        raise Unfit
    names = [name for name in _ARITIES if name in known]
    kinds = {"Num": "int", "Var": "string"}
    declared = "type expr =\n" + "\n".join(
        f"  | {name} of {kinds.get(name) or ' * '.join(['expr'] * _ARITIES[name])}" for name in names
    )
    lines = [f"`{law.left}` becomes `{law.right}`{' if `a` and `b` are equal' if law.twins else ''}" for law in laws]
    shows: dict[str, list[Show]] = {name: [] for name in names}
    show = variant(shows)
    for name in names:
        shows[name] += [integer] if name == "Num" else [text] if name == "Var" else [show] * _ARITIES[name]
    arms = [f"  | {law.left}{law.guard} -> {f'root ({law.right})' if again else law.right}" for law in laws]
    walk = ["let rec simplify = function", "  | (Num _ | Var _) as e -> root e"]
    for name in (*binary, *unary):
        inner = ", ".join(f"simplify {part}" for part in "ab"[: _ARITIES[name]])
        pattern = "(a, b)" if _ARITIES[name] == 2 else "a"
        walk.append(f"  | {name} {pattern} -> root ({name} ({inner}))")
    how = (
        "Then the rules are tried on the node in this order, and the first that fits is applied; this is repeated with "
        "the new node at this place, until no rule fits. The parts of the node are not looked at again."
        if again
        else "Then the rules are tried on the node in this order, and the first that fits is applied, once. What it "
        "makes "
        "is not looked at again, neither as a whole nor its parts. If none fits, the node stays as it is."
    )

    def cases() -> Iterator[Case]:
        edges = [("Num", 0), ("Var", letters[0]), draw(4)]
        for tree in inputs(lambda: draw(size()), edges):
            yield case("simplify", [show(tree)], show(run(tree)))

    return Draft(
        name="simplify",
        statement=paragraphs(
            "`simplify e` rewrites a formula by these rules, in which `a` and `b` stand for any formula, `m` and `n` "
            "for "
            "any integer, and the right sides are computed where they hold `+`, `-`, `*` or `max` of integers:",
            numbered(f"{line}{'.' if i == len(lines) - 1 else ';'}" for i, line in enumerate(lines)),
            f"It works from the inside out: first all parts of a node are simplified. {how} `Num` and `Var` have no "
            "parts.",
        ),
        signature=f"{declared}\n\nval simplify : expr -> expr",
        reference=module(
            declared,
            f"let {'rec ' if again else ''}root = function\n" + "\n".join(arms) + "\n  | e -> e",
            "\n".join(walk),
        ),
        cases=cases(),
        together=2,
    )


_FORMULAS: dict[str, Callable[[int, int], int]] = {
    "m + n": lambda m, n: m + n,
    "m - n": lambda m, n: m - n,
    "m * n": lambda m, n: m * n,
    "max m n": max,
    "-n": lambda m, n: -n,
}


def _match(pattern: Any, tree: Any, bound: dict[str, Any]) -> bool:
    if isinstance(pattern, str):
        bound[pattern] = tree
        return True
    if isinstance(pattern, int):
        return bool(pattern == tree)
    if pattern[0] != tree[0]:
        return False
    if pattern[0] == "Var":
        return bool(pattern == tree)
    return all(_match(part, child, bound) for part, child in zip(pattern[1:], tree[1:], strict=True))


def _build(image: Any, bound: dict[str, Any]) -> Any:
    if isinstance(image, str):
        return _FORMULAS[image](bound.get("m", 0), bound["n"]) if image in _FORMULAS else bound[image]
    if isinstance(image, int) or image[0] == "Var":
        return image
    return (image[0], *(_build(part, bound) for part in image[1:]))


def _text(pattern: Any) -> str:
    if not isinstance(pattern, tuple):
        return str(pattern)
    if pattern[0] == "Var":
        return f'Var "{pattern[1]}"'
    parts = [_text(part) for part in pattern[1:]]
    return f"{pattern[0]} {atom(parts[0])}" if len(parts) == 1 else f"{pattern[0]} ({', '.join(parts)})"


def _names(pattern: Any) -> set[str]:
    """The constructors that it speaks of."""
    if not isinstance(pattern, tuple):
        return set()
    parts = [_names(part) for part in pattern[1:]]
    return {str(pattern[0])}.union(*parts)


def _laws(k: int) -> list[_Law]:
    zero, one, two, some = ("Num", 0), ("Num", 1), ("Num", 2), ("Num", k)
    m, n = ("Num", "m"), ("Num", "n")
    return [
        _Law(("Add", zero, "a"), "a"),
        _Law(("Add", "a", zero), "a"),
        _Law(("Add", m, n), ("Num", "m + n")),
        _Law(("Add", "a", "b"), ("Mul", two, "a"), twins=True),
        _Law(("Add", "a", ("Neg", "b")), ("Sub", "a", "b")),
        _Law(("Add", ("Neg", "a"), "b"), ("Sub", "b", "a")),
        _Law(("Add", some, "a"), ("Add", "a", some)),
        _Law(("Add", ("Sub", "a", "_"), "b"), ("Add", "a", "b")),
        _Law(("Sub", "a", zero), "a"),
        _Law(("Sub", zero, "a"), ("Neg", "a")),
        _Law(("Sub", m, n), ("Num", "m - n")),
        _Law(("Sub", "a", "b"), zero, twins=True),
        _Law(("Sub", "a", ("Neg", "b")), ("Add", "a", "b")),
        _Law(("Sub", "a", some), ("Add", "a", ("Num", -k))),
        _Law(("Sub", ("Add", "a", "_"), "b"), ("Sub", "a", "b")),
        _Law(("Mul", zero, "_"), zero),
        _Law(("Mul", "_", zero), zero),
        _Law(("Mul", one, "a"), "a"),
        _Law(("Mul", "a", one), "a"),
        _Law(("Mul", m, n), ("Num", "m * n")),
        _Law(("Mul", two, "a"), ("Add", "a", "a")),
        _Law(("Mul", ("Neg", "a"), "b"), ("Neg", ("Mul", "a", "b"))),
        _Law(("Mul", "a", some), ("Mul", some, "a")),
        _Law(("Max", m, n), ("Num", "max m n")),
        _Law(("Max", "a", "b"), "a", twins=True),
        _Law(("Max", "a", some), ("Max", some, "a")),
        _Law(("Max", zero, "a"), ("Max", "a", zero)),
        _Law(("Max", ("Neg", "a"), ("Neg", "b")), ("Neg", ("Max", "b", "a"))),
        _Law(("Max", ("Max", "a", "_"), "b"), ("Max", "a", "b")),
        _Law(("Neg", ("Neg", "a")), "a"),
        _Law(("Neg", n), ("Num", "-n")),
        _Law(("Neg", ("Sub", "a", "b")), ("Sub", "b", "a")),
        _Law(("Half", ("Add", "a", "_")), "a"),
        _Law(("Half", ("Mul", two, "a")), "a"),
        _Law(("Half", zero), zero),
        _Law(("Half", ("Neg", "a")), ("Neg", ("Half", "a"))),
        _Law(("Var", "x"), some),
    ]


FAMILIES = (
    Family(
        name="patterns.table",
        topics=("pattern-matching", "variants-records"),
        description="a decision table over enumerations, numbers, options and booleans",
        make=_table,
    ),
    Family(
        name="patterns.front",
        topics=("pattern-matching", "lists", "recursion"),
        description="ordered rules on the first elements of a list",
        make=_front,
    ),
    Family(
        name="patterns.simplify",
        topics=("pattern-matching", "trees", "parsing-interpreters"),
        description="formulas rewritten from the inside out by ordered rules",
        make=_simplify,
    ),
)
