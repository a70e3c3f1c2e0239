"""A store of keys and numbers, changed by a list of commands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, int_test, telling
from ocaml_env.problems.generators.values import Show, integer, listing, option, pair, text, variant
from ocaml_env.problems.generators.wording import bullets, module, paragraphs

__all__ = ["FAMILY"]

_WORDS = ("ash", "bee", "Cod", "dune", "elm", "fig", "Gnu", "hen", "ivy", "oak")


_SHOWS: dict[str, Show] = {"string": text, "int": integer}


Store = dict[str, int]


class _Command(NamedTuple):
    """A command: its arguments, and its effect on a store; a query gives an answer instead.

    ``ocaml`` is the store after it, for a query the answer; ``k``, ``j`` and ``n`` are its arguments.
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


Given = Sequence[tuple[_Command, tuple[Any, ...]]]


@dataclass(frozen=True, slots=True)
class _Machine:
    """The drawn commands, and the value of a key that is not in the store."""

    commands: Sequence[_Command]
    missing: int

    def run(self, given: Given) -> tuple[list[int | None], Store]:
        store: Store = {}
        answers: list[int | None] = []
        for command, payload in given:
            if command.query:
                answers.append(command.run(store, self.missing, *payload))
            else:
                store = command.run(dict(store), self.missing, *payload)
            if any(abs(value) > 1 << 40 for value in store.values()):
                raise Unfit
        return answers, store

    def show(self, given: Given) -> str:
        """A list of commands, in OCaml."""
        shows = {command.name: [_SHOWS[kind] for kind in command.payload] for command in self.commands}
        return listing(variant(shows))([(command.name, *payload) for command, payload in given])

    @property
    def needs_missing(self) -> bool:
        """True if a command uses the value of a key that may be missing."""
        return any("value " in command.ocaml for command in self.commands)

    @property
    def declared(self) -> str:
        """The type of commands."""
        return "type command =\n" + "\n".join(
            f"  | {command.name}" + (f" of {' * '.join(command.payload)}" if command.payload else "")
            for command in self.commands
        )

    @property
    def reference(self) -> str:
        arms = []
        for command in self.commands:
            made = f"({command.ocaml} :: answers, store)" if command.query else f"(answers, {command.ocaml})"
            arms.append(f"    | {command.pattern} -> {made}")
        value = f"let value k store = Option.value (Store.find_opt k store) ~default:{self.missing}"
        value = value if self.needs_missing else ""
        code = ["let run commands =", "  let step (answers, store) = function", *arms, "  in"]
        code += ["  let answers, store = List.fold_left step ([], Store.empty) commands in"]
        code += ["  (List.rev answers, Store.bindings store)"]
        helpers = [h for command in self.commands for h in command.helpers]
        return module(self.declared, helpers, "module Store = Map.Make (String)", value, "\n".join(code))


def _store(chance: Chance, level: int) -> Draft:
    changes = [make(chance) for make in chance.sample(_CHANGES, level + 1)]
    queries = [make(chance) for make in chance.sample(_QUERIES, (level + 1) // 2)]
    set_one = _set(chance)
    others = chance.shuffled([*changes, *queries])
    machine = _Machine([set_one, *others], chance.between(1, 9) if level >= 3 else 0)

    def draw() -> list[tuple[_Command, tuple[Any, ...]]]:
        keys = chance.sample(_WORDS, 3)
        picked = [set_one if chance.happens(0.8) else chance.pick(others)]
        picked += [
            set_one if chance.happens(0.2) else chance.pick(others)
            for _ in range(chance.pick((1, 2, 4, 5, 6, 7, 8, 8, 12)))
        ]
        return [
            (
                command,
                tuple(chance.pick(keys) if kind == "string" else chance.number(-4, 15) for kind in command.payload),
            )
            for command in picked
        ]

    tried = [draw() for _ in range(16)]
    for command in changes:
        if all(
            machine.run(given) == machine.run([item for item in given if item[0] is not command]) for given in tried
        ):
            raise Unfit

    def cases() -> Iterator[Case]:
        edges: list[list[tuple[_Command, tuple[Any, ...]]]] = [[], [(set_one, ("oak", 4))]]
        edges += [[(query, ("oak",) if query.payload else ())] for query in queries]
        for given in inputs(draw, edges):
            answers, store = machine.run(given)
            answer = pair(listing(option(integer)), listing(pair(text, integer)))((answers, sorted(store.items())))
            yield case("run", [machine.show(given)], answer)

    return _draft(machine, cases())


def _draft(machine: _Machine, cases: Iterator[Case]) -> Draft:
    missing = ""
    if machine.needs_missing:
        missing = f" The value of a key that is not in the store counts as {machine.missing}."
    return Draft(
        name="run",
        statement=paragraphs(
            "A store maps keys, which are strings, to integers. It is empty at the beginning and goes through a list "
            f"of commands.{missing}",
            bullets(f"`{command.pattern}` {command.words}." for command in machine.commands),
            "`run commands` is a pair: the list of the answers, in the order in which they were asked for, and the "
            "list of the keys in the store at the end with their values, in ascending order of the keys.",
        ),
        signature=f"{machine.declared}\n\nval run : command list -> int option list * (string * int) list",
        reference=machine.reference,
        cases=cases,
    )


def _int_join(chance: Chance) -> Op:
    return telling(chance, int_join, [(x, y) for x in range(-4, 16, 2) for y in range(-5, 16, 3)])


def _int_map(chance: Chance) -> Op:
    return telling(chance, int_map, [(x,) for x in range(-6, 21)])


def _int_test(chance: Chance) -> Op:
    return telling(chance, int_test, [(x,) for x in range(-6, 21)])


def _set(chance: Chance) -> _Command:
    return _Command(
        "Set",
        ("string", "int"),
        "gives the key `k` the value `n`",
        "Store.add k n store",
        lambda store, missing, k, n: {**store, k: n},
    )


def _update(chance: Chance) -> _Command:
    op = _int_join(chance)
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
    op = _int_map(chance)
    return _Command(
        "Copy",
        ("string", "string"),
        f"gives the key `j` a value that is computed of the value `v` of the key `k`: {op.say('v')}",
        f"(let v = value k store in Store.add j ({op.code('v')}) store)",
        lambda store, missing, k, j: {**store, j: op.run(store.get(k, missing))},
        helpers=op.helpers,
    )


def _move(chance: Chance) -> _Command:
    op = _int_join(chance)

    def run(store: Store, missing: int, k: str, j: str) -> Store:
        if k == j or k not in store:
            return store
        made = op.run(store[k], store.get(j, missing))
        return {key: value for key, value in {**store, j: made}.items() if key != k}

    return _Command(
        "Merge",
        ("string", "string"),
        "takes the key `k`, with the value `v`, out of the store, and gives the key `j`, with the value `w`, the new "
        f"value {op.say('v', 'w')}; nothing happens if `k` is not there or `k` and `j` are equal",
        "(if k = j || not (Store.mem k store) then store else let v = value k store and w = value j store in "
        f"Store.add j ({op.code('v', 'w')}) (Store.remove k store))",
        run,
        helpers=op.helpers,
    )


def _all(chance: Chance) -> _Command:
    op = _int_join(chance)
    return _Command(
        "Change_all",
        ("int",),
        f"gives every key in the store a new value: with `v` for its old value, {op.say('v', 'n')}",
        f"Store.map (fun v -> {op.code('v', 'n')}) store",
        lambda store, missing, n: {k: op.run(v, n) for k, v in store.items()},
        helpers=op.helpers,
    )


def _purge(chance: Chance) -> _Command:
    test = _int_test(chance)
    return _Command(
        "Purge",
        (),
        f"takes every key with a value `v` such that {test.say('v')} out of the store",
        f"Store.filter (fun _ v -> not ({test.code('v')})) store",
        lambda store, missing: {k: v for k, v in store.items() if not test.run(v)},
        helpers=test.helpers,
    )


def _fill(chance: Chance) -> _Command:
    op = _int_map(chance)
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
    test = _int_test(chance)
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
    op = _int_map(chance)
    return _Command(
        "Sum",
        (),
        f"asks for the sum, over all keys with their values `v`, of: {op.say('v')}; it is `Some` of that sum, or "
        "`None` if the store is empty",
        f"(if Store.is_empty store then None else Some (Store.fold (fun _ v sum -> sum + ({op.code('v')})) store 0))",
        lambda store, missing: sum(op.run(v) for v in store.values()) if store else None,
        query=True,
        helpers=op.helpers,
    )


_QUERIES = (_get, _count, _sum)


FAMILY = Family(
    name="maps.store",
    topics=("maps-sets-hashtables", "variants-records", "simulation"),
    description="a store of keys and numbers that goes through a list of commands",
    make=_store,
)
