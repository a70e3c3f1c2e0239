"""Families about maps and sets: pairs grouped by a key, set algebra, and a store that takes commands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, int_test
from ocaml_env.problems.generators.letters import string_map
from ocaml_env.problems.generators.values import Show, integer, listing, option, pair, text, variant
from ocaml_env.problems.generators.wording import bullets, module, numbered, paragraphs, series

__all__ = ["FAMILIES"]

_WORDS = ("ash", "bee", "Cod", "dune", "elm", "fig", "Gnu", "hen", "ivy", "oak")
_SHOWS: dict[str, Show] = {"string": text, "int": integer}

# --- groups -----------------------------------------------------------------------------------------------------------

Rows = Sequence[tuple[Any, int]]


def _groups(chance: Chance, level: int) -> Draft:
    name = chance.pick(("summary", "totals", "histogram", "ledger", "overview"))
    kind = chance.pick(("string", "int"))
    key = (string_map(chance) if kind == "string" else int_map(chance)) if level >= 2 else None
    dropped = int_test(chance)
    values = [_aggregate(chance) for _ in range((1, 1, 2, 2, 3)[level - 1])]
    having = _having(chance)
    order = chance.pick(_ORDERS)
    limit = chance.between(2, 4) if level >= 4 else 0
    if len({value.ocaml for value in values}) < len(values):
        raise Unfit

    def run(rows: Rows) -> list[tuple[Any, ...]]:
        groups: dict[Any, list[int]] = {}
        for k, n in rows:
            if not dropped.run(n):
                groups.setdefault(key.run(k) if key else k, []).append(n)
        made = [(k, *(value.run(ns) for value in values)) for k, ns in groups.items() if having.run(ns)]
        made = [*order.run(made)]
        return made[:limit] if limit else made

    def draw() -> list[tuple[Any, int]]:
        keys: Sequence[Any] = chance.sample(_WORDS, 4) if kind == "string" else chance.numbers(4, -5, 20)
        return [(chance.pick(keys), chance.number(-6, 20)) for _ in range(chance.between(3, 8))]

    tried = [len(run(draw())) for _ in range(6)]
    if len({*tried}) < 2 or sum(tried) < 6:
        raise Unfit
    parts = [f"Leave out every pair with a number `n` such that {dropped.say('n')}."]
    parts.append(
        f"Every pair belongs to the group that is called by {key.say('k') if key else '`k`'}, where `k` is the key of "
        "the "
        "pair. In a group the numbers keep the order of the list."
    )
    parts.append(f"Keep only the groups {having.words}.")
    described = "; ".join(value.words for value in values)
    size = ("pair", "triple", "quadruple")[len(values) - 1]
    parts.append(f"Make a {size} of each group: what it is called by; {described}.")
    parts.append(f"{order.words}.")
    parts += [f"Keep only the first {limit} of them (all if there are fewer)."] if limit else []
    made = ", ".join(value.code("ns") for value in values)
    lines = [f"let {name} l =", "  l"]
    lines += [f"  |> List.filter (fun (_, n) -> not ({dropped.code('n')}))"]
    lines += [f"  |> List.map (fun (k, n) -> ({key.code('k')}, n))"] if key else []
    lines += ["  |> groups", f"  |> List.filter (fun (_, ns) -> {having.code('ns')})"]
    lines += [f"  |> List.map (fun (k, ns) -> (k, {made}))"]
    rest = ", ".join(["_"] * (len(values) - 1))
    lines += [f"  |> {order.ocaml.replace('@', f', {rest}' if rest else '')}"] if order.ocaml else []
    lines += [f"  |> List.filteri (fun i _ -> i < {limit})"] if limit else []
    helper = """\
let groups pairs =
  let table = Hashtbl.create 16 in
  let add (k, n) = Hashtbl.replace table k (n :: Option.value (Hashtbl.find_opt table k) ~default:[]) in
  List.iter add pairs;
  let keys = List.fold_left (fun seen (k, _) -> if List.mem k seen then seen else k :: seen) [] pairs in
  List.rev_map (fun k -> (k, List.rev (Hashtbl.find table k))) keys"""
    ops = [op for op in (key, dropped, having, *values) if op]
    show = listing(pair(_SHOWS[kind], *[integer] * len(values)))
    shown = listing(pair(_SHOWS[kind], integer))

    def cases() -> Iterator[Case]:
        one = draw()[:1]
        for rows in inputs(draw, [[], one, one * 4]):
            yield case(name, [shown(rows)], show(run(rows)))

    return Draft(
        name=name,
        statement=paragraphs(
            f"`{name} l` summarises a list of pairs of a key and a number, which may be empty, in these steps:",
            numbered(parts),
            "The result is what is there after the last step.",
        ),
        signature=f"val {name} : ({kind} * int) list -> ({' * '.join([kind] + ['int'] * len(values))}) list",
        reference=module([h for op in ops for h in op.helpers], helper, "\n".join(lines)),
        cases=cases(),
        together=2,
    )


def _aggregate(chance: Chance) -> Op:
    k = chance.between(2, 9)
    op = int_join(chance)
    test = int_test(chance)
    return chance.pick(
        (
            Op(f"the sum of its numbers plus {k}", f"List.fold_left ( + ) {k} {{x}}", lambda v: sum(v) + k),
            Op(f"{k} times how many numbers it has", f"{k} * List.length {{x}}", lambda v: k * len(v)),
            Op(
                "its greatest number minus its smallest",
                "List.fold_left max (List.hd {x}) {x} - List.fold_left min (List.hd {x}) {x}",
                lambda v: max(v) - min(v),
            ),
            Op(
                f"what its first number as `x` and its last as `y` make: {op.say()}",
                f"let x = List.hd {{x}} and y = List.hd (List.rev {{x}}) in {op.code()}",
                lambda v: op.run(v[0], v[-1]),
                op.helpers,
            ),
            Op(
                f"how many of its numbers `x` are such that {test.say()}",
                f"List.length (List.filter (fun x -> {test.code()}) {{x}})",
                lambda v: sum(1 for x in v if test.run(x)),
                test.helpers,
            ),
        )
    )


def _having(chance: Chance) -> Op:
    total, test = chance.between(3, 12), int_test(chance)
    return chance.pick(
        (
            Op("of at least two numbers", "List.length {x} >= 2", lambda v: len(v) >= 2),
            Op(
                f"whose numbers have a sum of at least {total}",
                f"List.fold_left ( + ) 0 {{x}} >= {total}",
                lambda v: sum(v) >= total,
            ),
            Op(
                f"whose numbers have a sum of less than {total}",
                f"List.fold_left ( + ) 0 {{x}} < {total}",
                lambda v: sum(v) < total,
            ),
            Op(
                f"with at least one number `x` such that {test.say()}",
                f"List.exists (fun x -> {test.code()}) {{x}}",
                lambda v: any(test.run(x) for x in v),
                test.helpers,
            ),
            Op(
                f"whose last number `x` is such that {test.say()}",
                f"List.exists (fun x -> {test.code()}) [ List.hd (List.rev {{x}}) ]",
                lambda v: test.run(v[-1]),
                test.helpers,
            ),
        )
    )


_ORDERS = (
    Op("Leave them in the order in which the groups first occur in the list", "", lambda rows: rows),
    Op("Sort them by what they are called by, in ascending order", "List.sort compare", sorted),
    Op(
        "Sort them by what they are called by, in descending order",
        "List.sort (fun a b -> compare b a)",
        lambda rows: sorted(rows, reverse=True),
    ),
    Op(
        "Sort them by their second part, in descending order; where that is equal, by what they are called by, in "
        "ascending order",
        "List.sort (fun (k, a@) (j, b@) -> compare (b, k) (a, j))",
        lambda rows: sorted(sorted(rows), key=lambda row: -row[1]),
    ),
    Op(
        "Sort them by their second part, in ascending order; where that is equal, by what they are called by, in "
        "descending order",
        "List.sort (fun (k, a@) (j, b@) -> compare (a, j) (b, k))",
        lambda rows: sorted(sorted(rows, reverse=True), key=lambda row: row[1]),
    ),
)


# --- algebra ----------------------------------------------------------------------------------------------------------

_SET = "module Ints = Set.Make (Int)"


class _Defined(NamedTuple):
    words: str
    ocaml: str
    run: Callable[[dict[str, frozenset[int]]], frozenset[int]]
    uses: tuple[str, ...]
    helpers: tuple[str, ...] = ()


def _algebra(chance: Chance, level: int) -> Draft:
    name = chance.pick(("common", "select", "blend", "survivors", "mixture"))
    given = ["a", "b", "c"][: 2 if level == 1 else 3]
    names = [*given]
    steps: list[tuple[str, _Defined]] = []
    for new in ("s", "t", "u", "v", "w")[: (3, 3, 4, 4, 5)[level - 1]]:
        steps.append((new, _defined(chance, names)))
        names.append(new)
    last = names[-1]
    used = {one for _, step in steps for one in step.uses} | {last}
    if not used.issuperset(names):
        raise Unfit
    ending = chance.pick(_SET_ENDINGS)

    def run(sets: Sequence[frozenset[int]]) -> Any:
        known = dict(zip(given, sets, strict=True))
        for new, step in steps:
            known[new] = step.run(known)
        return ending.run(known[last])

    def draw() -> list[list[int]]:
        return [chance.numbers(chance.between(2, 7), 0, 14) for _ in given]

    outcomes = [run([frozenset(v) for v in draw()]) for _ in range(6)]
    if sum(outcome != ending.run(frozenset()) for outcome in outcomes) < 5:
        raise Unfit
    code = [f"let {name} {' '.join(given)} ="]
    code += [f"  let {one} = Ints.of_list {one} in" for one in given]
    code += [f"  let {new} = {step.ocaml} in" for new, step in steps]
    code += [f"  {ending.code(last)}"]
    listed = ending.words.startswith("the list")
    show: Show = listing(integer) if listed else pair(integer, integer)
    kind = "int list" if listed else "int * int"

    def cases() -> Iterator[Case]:
        some = draw()[0]
        edges: list[list[list[int]]] = [
            [[] for _ in given],
            [some for _ in given],
            [some, *([] for _ in given[1:])],
            [[1, 1, 2] for _ in given],
        ]
        for lists in inputs(draw, edges):
            answer = run([frozenset(v) for v in lists])
            yield case(name, [listing(integer)(v) for v in lists], show(answer))

    return Draft(
        name=name,
        statement=paragraphs(
            f"`{name} {' '.join(given)}` takes {series([f'`{one}`' for one in given])} as sets of integers: in the "
            "lists an "
            "element may occur several times and in any order, which makes no difference. Further sets are made of "
            "them:",
            bullets(
                f"`{new}` has {step.words}{';' if i < len(steps) - 1 else '.'}" for i, (new, step) in enumerate(steps)
            ),
            f"The result is {ending.words.replace('{x}', f'`{last}`')}.",
        ),
        signature=f"val {name} : {'int list -> ' * len(given)}{kind}",
        reference=module([h for _, step in steps for h in step.helpers], _SET, "\n".join(code)),
        cases=cases(),
    )


def _defined(chance: Chance, names: Sequence[str]) -> _Defined:
    """A set that is made of the newest one, and of others."""
    newest, other = names[-1], chance.pick(names[:-1])
    x, y = chance.shuffled((newest, other))
    test, op = int_test(chance), int_map(chance)
    return chance.pick(
        (
            _Defined(
                f"all that is in `{x}` or in `{y}`, or in both", f"Ints.union {x} {y}", lambda s: s[x] | s[y], (x, y)
            ),
            _Defined(f"all that is both in `{x}` and in `{y}`", f"Ints.inter {x} {y}", lambda s: s[x] & s[y], (x, y)),
            _Defined(f"all that is in `{x}` and not in `{y}`", f"Ints.diff {x} {y}", lambda s: s[x] - s[y], (x, y)),
            _Defined(
                f"all that is in exactly one of `{x}` and `{y}`",
                f"Ints.union (Ints.diff {x} {y}) (Ints.diff {y} {x})",
                lambda s: s[x] ^ s[y],
                (x, y),
            ),
            _Defined(
                f"all `x` of `{newest}` such that {test.say()}, and all of `{other}`",
                f"Ints.union (Ints.filter (fun x -> {test.code()}) {newest}) {other}",
                lambda s: frozenset(x for x in s[newest] if test.run(x)) | s[other],
                (newest, other),
                test.helpers,
            ),
            _Defined(
                f"all `x` of `{newest}` such that {test.say()} or `x` is in `{other}`",
                f"Ints.filter (fun x -> ({test.code()}) || Ints.mem x {other}) {newest}",
                lambda s: frozenset(x for x in s[newest] if test.run(x) or x in s[other]),
                (newest, other),
                test.helpers,
            ),
            _Defined(
                f"for each `x` of `{newest}`: {op.say()}",
                f"Ints.map (fun x -> {op.code()}) {newest}",
                lambda s: frozenset(map(op.run, s[newest])),
                (newest,),
                op.helpers,
            ),
            _Defined(
                f"all `x` of `{newest}` for which the result of the following is not in `{other}`: {op.say()}",
                f"Ints.filter (fun x -> not (Ints.mem ({op.code()}) {other})) {newest}",
                lambda s: frozenset(x for x in s[newest] if op.run(x) not in s[other]),
                (newest, other),
                op.helpers,
            ),
        )
    )


_SET_ENDINGS = (
    Op("the list of the elements of {x} in ascending order", "Ints.elements {x}", sorted),
    Op(
        "the list of the elements of {x} in descending order",
        "List.rev (Ints.elements {x})",
        lambda s: sorted(s, reverse=True),
    ),
    Op(
        "the pair of the number of elements of {x} and of their sum",
        "(Ints.cardinal {x}, Ints.fold ( + ) {x} 0)",
        lambda s: (len(s), sum(s)),
    ),
)


# --- a store ----------------------------------------------------------------------------------------------------------

Store = dict[str, int]


class _Command(NamedTuple):
    """A command: what it carries, and what it does to a store; a query gives an answer instead.

    ``ocaml`` is the store after it, for a query the answer; ``k``, ``j`` and ``n`` are what it carries.
    """

    name: str
    payload: tuple[str, ...]
    words: str
    ocaml: str
    run: Callable[..., Any]
    query: bool = False
    helpers: tuple[str, ...] = ()

    @property
    def variables(self) -> list[str]:
        keys = iter("kj")
        return [next(keys) if kind == "string" else "n" for kind in self.payload]

    @property
    def pattern(self) -> str:
        names = self.variables
        if not names:
            return self.name
        return f"{self.name} {names[0]}" if len(names) == 1 else f"{self.name} ({', '.join(names)})"


def _store(chance: Chance, level: int) -> Draft:
    changes = [make(chance) for make in chance.sample(_CHANGES, (2, 3, 4, 5, 6)[level - 1])]
    queries = [make(chance) for make in chance.sample(_QUERIES, (1, 1, 2, 2, 3)[level - 1])]
    commands = chance.shuffled([*changes, *queries])
    set_one = _set(chance)
    commands.insert(0, set_one)
    missing = 0 if level <= 2 else chance.between(1, 9)  # what a key that is not there counts as

    def run(given: Sequence[tuple[_Command, tuple[Any, ...]]]) -> tuple[list[int | None], Store]:
        store: Store = {}
        answers: list[int | None] = []
        for command, payload in given:
            if command.query:
                answers.append(command.run(store, missing, *payload))
            else:
                store = command.run(dict(store), missing, *payload)
            if any(abs(value) > 1 << 40 for value in store.values()):
                raise Unfit
        return answers, store

    def draw() -> list[tuple[_Command, tuple[Any, ...]]]:
        keys = chance.sample(_WORDS, 3)
        picked = [set_one] + [
            set_one if chance.happens(0.2) else chance.pick(commands) for _ in range(chance.between(2, 8))
        ]
        return [
            (one, tuple(chance.pick(keys) if kind == "string" else chance.number(-4, 15) for kind in one.payload))
            for one in picked
        ]

    tried = [draw() for _ in range(12)]
    for command in changes:
        kept = [run(given) == run([pair for pair in given if pair[0] is not command]) for given in tried]
        if all(kept):
            raise Unfit
    shows = {command.name: [_SHOWS[kind] for kind in command.payload] for command in commands}
    show_command = variant(shows)
    show = pair(listing(option(integer)), listing(pair(text, integer)))
    declared = "type command =\n" + "\n".join(
        f"  | {command.name}" + (f" of {' * '.join(command.payload)}" if command.payload else "")
        for command in commands
    )
    arms = []
    for command in commands:
        made = f"({command.ocaml} :: answers, store)" if command.query else f"(answers, {command.ocaml})"
        arms.append(f"    | {command.pattern} -> {made}")
    code = (
        f"""\
module Store = Map.Make (String)

let value k store = Option.value (Store.find_opt k store) ~default:{missing}

let run commands =
  let step (answers, store) = function
"""
        + "\n".join(arms)
        + """
  in
  let answers, store = List.fold_left step ([], Store.empty) commands in
  (List.rev answers, Store.bindings store)"""
    )

    def cases() -> Iterator[Case]:
        for given in inputs(draw, [[], [(set_one, ("oak", 4))]]):
            answers, store = run(given)
            shown = listing(show_command)([(command.name, *payload) for command, payload in given])
            yield case("run", [shown], show((answers, sorted(store.items()))))

    helpers = [h for command in commands for h in command.helpers]
    return Draft(
        name="run",
        statement=paragraphs(
            "A store maps keys, which are strings, to integers. It is empty at the beginning and goes through a list "
            "of "
            f"commands. The value of a key that is not in the store counts as {missing}.",
            bullets(f"`{command.pattern}` {command.words}." for command in commands),
            "`run commands` is a pair: the list of the answers, in the order in which they were asked for, and the "
            "list of "
            "the keys in the store at the end with their values, in ascending order of the keys.",
        ),
        signature=f"{declared}\n\nval run : command list -> int option list * (string * int) list",
        reference=module(declared, helpers, code),
        cases=cases(),
        together=2,
    )


def _set(chance: Chance) -> _Command:
    return _Command(
        "Set",
        ("string", "int"),
        "gives the key `k` the value `n`",
        "Store.add k n store",
        lambda store, missing, k, n: {**store, k: n},
    )


def _update(chance: Chance) -> _Command:
    op = int_join(chance)
    return _Command(
        "Update",
        ("string", "int"),
        f"gives the key `k` a new value: with `v` for its old value, {op.say('v', 'n')}",
        f"(let v = value k store in Store.add k ({op.code('v', 'n')}) store)",
        lambda store, missing, k, n: {**store, k: op.run(store.get(k, missing), n)},
        helpers=op.helpers,
    )


def _remove(chance: Chance) -> _Command:
    return _Command(
        "Remove",
        ("string",),
        "takes the key `k` out of the store (nothing happens if it is not there)",
        "Store.remove k store",
        lambda store, missing, k: {key: value for key, value in store.items() if key != k},
    )


def _copy(chance: Chance) -> _Command:
    op = int_map(chance)
    return _Command(
        "Copy",
        ("string", "string"),
        f"gives the key `j` a value that is computed of the value `v` of the key `k`: {op.say('v')}",
        f"(let v = value k store in Store.add j ({op.code('v')}) store)",
        lambda store, missing, k, j: {**store, j: op.run(store.get(k, missing))},
        helpers=op.helpers,
    )


def _move(chance: Chance) -> _Command:
    op = int_join(chance)

    def run(store: Store, missing: int, k: str, j: str) -> Store:
        if k == j or k not in store:
            return store
        made = op.run(store[k], store.get(j, missing))
        return {key: value for key, value in {**store, j: made}.items() if key != k}

    return _Command(
        "Merge",
        ("string", "string"),
        "takes the key `k`, with the value `v`, out of the store, and gives the key `j`, with the value `w`, the new "
        "value "
        f"{op.say('v', 'w')}; nothing happens if `k` is not there or `k` and `j` are equal",
        f"(if k = j || not (Store.mem k store) then store else let v = value k store and w = value j store in "
        f"Store.add j ({op.code('v', 'w')}) (Store.remove k store))",
        run,
        helpers=op.helpers,
    )


def _all(chance: Chance) -> _Command:
    op = int_join(chance)
    return _Command(
        "Change_all",
        ("int",),
        f"gives every key in the store a new value: with `v` for its old value, {op.say('v', 'n')}",
        f"Store.map (fun v -> {op.code('v', 'n')}) store",
        lambda store, missing, n: {k: op.run(v, n) for k, v in store.items()},
        helpers=op.helpers,
    )


def _purge(chance: Chance) -> _Command:
    test = int_test(chance)
    return _Command(
        "Purge",
        (),
        f"takes every key with a value `v` such that {test.say('v')} out of the store",
        f"Store.filter (fun _ v -> not ({test.code('v')})) store",
        lambda store, missing: {k: v for k, v in store.items() if not test.run(v)},
        helpers=test.helpers,
    )


def _fill(chance: Chance) -> _Command:
    op = int_map(chance)
    return _Command(
        "Default",
        ("string", "int"),
        f"gives the key `k` the value {op.say('n')}, if it is not in the store; nothing happens if it is",
        f"(if Store.mem k store then store else Store.add k ({op.code('n')}) store)",
        lambda store, missing, k, n: store if k in store else {**store, k: op.run(n)},
        helpers=op.helpers,
    )


_CHANGES = (_update, _remove, _copy, _move, _all, _purge, _fill)


def _get(chance: Chance) -> _Command:
    return _Command(
        "Get",
        ("string",),
        "asks for the value of `k`: `Some` of it, or `None` if it is not in the store",
        "Store.find_opt k store",
        lambda store, missing, k: store.get(k),
        query=True,
    )


def _count(chance: Chance) -> _Command:
    test = int_test(chance)
    return _Command(
        "Count",
        (),
        f"asks for `Some` of the number of keys with a value `v` such that {test.say('v')}",
        f"Some (Store.cardinal (Store.filter (fun _ v -> {test.code('v')}) store))",
        lambda store, missing: sum(1 for v in store.values() if test.run(v)),
        query=True,
        helpers=test.helpers,
    )


def _sum(chance: Chance) -> _Command:
    op = int_map(chance)
    return _Command(
        "Sum",
        (),
        f"asks for the sum, over all keys with their values `v`, of: {op.say('v')}; it is `Some` of that sum, or "
        "`None` if the "
        "store is empty",
        f"(if Store.is_empty store then None else Some (Store.fold (fun _ v sum -> sum + ({op.code('v')})) store 0))",
        lambda store, missing: sum(op.run(v) for v in store.values()) if store else None,
        query=True,
        helpers=op.helpers,
    )


_QUERIES = (_get, _count, _sum)


FAMILIES = (
    Family(
        name="maps.groups",
        topics=("maps-sets-hashtables", "lists"),
        description="pairs grouped by a key, each group summarised, sorted and cut",
        make=_groups,
    ),
    Family(
        name="maps.algebra",
        topics=("maps-sets-hashtables",),
        description="sets made of sets by union, difference, selection and images",
        make=_algebra,
    ),
    Family(
        name="maps.store",
        topics=("maps-sets-hashtables", "variants-records", "simulation"),
        description="a store of keys and numbers that goes through a list of commands",
        make=_store,
    ),
)
