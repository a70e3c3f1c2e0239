"""Sequences of parts with a given sum under restrictions: their number, or the best one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from textwrap import indent
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.small.dynamic_ways import TASKS
from ocaml_env.problems.generators.values import Show, integer, listing, option
from ocaml_env.problems.generators.wording import bullets, module, paragraphs, series

__all__ = ["FAMILY"]

_LARGEST = 100  # argument
_FAR = 4  # tests with arguments near the largest, and as many with arguments in between
_CALLS = 280  # of the reference, at most, for the other arguments
_SEEN = 2  # of these arguments at least must show each rule
_DIFFERENT = 7  # answers at least
_ENDLESS = 20_000  # calls
_FAR_TOO_MANY = 10**10  # calls
_DRAWS = 100


class _State(NamedTuple):
    """The information for a rule: the size before, 0 at the start, and a count."""

    last: int = 0
    used: int = 0


class _Rule(NamedTuple):
    """A restriction. Its OCaml uses ``size``, ``last`` and ``used``. An empty code allows everything, or keeps the
    count.
    """

    words: str
    sees: str  # last or used
    allows: Callable[[_State, int], bool] = lambda state, size: True
    code: str = ""
    counts: Callable[[int, int], int] = lambda used, size: used
    after: str = "used"
    ends: Callable[[_State], bool] = lambda state: True
    end_code: str = ""
    faults: tuple[dict[str, Any], ...] = ()  # mistaken versions of its parts


class _Aim(NamedTuple):
    """The question. ``joined`` makes the answer from each possible next size and the answer for the rest."""

    names: tuple[str, ...]
    words: str
    result: str  # its type
    show: Show
    empty: Any
    joined: Callable[[Sequence[tuple[int, Any]]], Any]
    dead: Any  # the answer if there is no sequence
    table: str  # in OCaml, a list with a line for each size
    pattern: str  # of a line
    way: str  # the answer from a line and the answer ``{rest}`` for the rest
    none: str
    found: str  # the answer from all lines of ``{table}``
    helpers: tuple[str, ...] = ()
    comment: str = ""
    ascending: bool = True  # True if smaller sizes are tried first
    kept: bool = True  # True if results are kept, since it takes too long otherwise


@dataclass(frozen=True, slots=True)
class _Puzzle:
    sizes: tuple[int, ...]
    rules: tuple[_Rule, ...]
    aim: _Aim
    _next: dict[_State, list[tuple[int, _State]]] = field(default_factory=dict, init=False)

    def sees(self, what: str) -> bool:
        return any(rule.sees == what for rule in self.rules)

    def answers(self, largest: int) -> list[Any]:
        known: dict[tuple[int, _State], Any] = {}
        return [self._answer(n, _State(), known) for n in range(largest + 1)]

    def _answer(self, left: int, state: _State, known: dict[tuple[int, _State], Any]) -> Any:
        if left == 0:
            return self.aim.empty if all(rule.ends(state) for rule in self.rules) else self.aim.dead
        if (left, state) not in known:
            ways = [(size, self._answer(left - size, after, known)) for size, after in self.next(left, state)]
            known[left, state] = self.aim.joined([way for way in ways if way[1] is not None])
        return known[left, state]

    def next(self, left: int, state: _State) -> list[tuple[int, _State]]:
        """The possible next sizes, each with the state after it."""
        if state not in self._next:
            self._next[state] = [*self._all_next(state)]
        return [way for way in self._next[state] if way[0] <= left]

    def _all_next(self, state: _State) -> Iterator[tuple[int, _State]]:
        for size in self.sizes:
            if all(rule.allows(state, size) for rule in self.rules):
                used = state.used
                for rule in self.rules:
                    used = rule.counts(used, size)
                yield size, _State(size if self.sees("last") else 0, used)

    def faulty(self) -> Iterator[_Puzzle]:
        for place, rule in enumerate(self.rules):
            before, after = self.rules[:place], self.rules[place + 1 :]
            yield replace(self, rules=before + after)
            for fault in rule.faults:
                yield replace(self, rules=(*before, rule._replace(**fault), *after))
        for place in range(len(self.sizes)):
            yield replace(self, sizes=self.sizes[:place] + self.sizes[place + 1 :])


class _Effort:
    """The number of calls of a puzzle's reference for each argument, with and without keeping results."""

    def __init__(self, puzzle: _Puzzle) -> None:
        self._puzzle = puzzle
        self._found: dict[tuple[int, _State], tuple[int, bool]] = {}

    def calls(self, n: int) -> int:
        seen = {(n, _State())}
        waiting = [*seen]
        while waiting:
            left, state = waiting.pop()
            new = {(left - size, after) for size, after in self._puzzle.next(left, state)} - seen
            seen |= new
            waiting += new
        return sum(1 + len(self._puzzle.sizes) for left, _ in seen if left)

    def without(self, n: int) -> int:
        return self._without(n, _State())[0]

    def _without(self, left: int, state: _State) -> tuple[int, bool]:
        """The number of calls, and True if a sequence is found. The search for the first sequence ends there."""
        if left == 0:
            return 1, all(rule.ends(state) for rule in self._puzzle.rules)
        if (left, state) not in self._found:
            calls, found = 1, False
            ways = self._puzzle.next(left, state)
            for size, after in ways if self._puzzle.aim.ascending else ways[::-1]:
                more, done = self._without(left - size, after)
                calls, found = calls + 1 + more, found or done
                if found and not self._puzzle.aim.kept:
                    break
            self._found[left, state] = calls, found
        return self._found[left, state]

    def usual(self) -> int:
        """The largest argument for which the reference makes few calls."""
        calls = self.calls if self._puzzle.aim.kept else self.without
        return bisect_right(range(1, _LARGEST + 1), _CALLS, key=calls)


def _ways(chance: Chance, level: int) -> Draft:
    puzzle, usual = _puzzle(chance, level)
    name = chance.pick(puzzle.aim.names)
    return Draft(
        name=name,
        statement=_statement(name, puzzle),
        signature=f"val {name} : int -> {puzzle.aim.result}",
        reference=_reference(name, puzzle),
        cases=_cases(chance, name, puzzle, usual),
        hidden=10,
    )


# --- drawing ----------------------------------------------------------------------------------------------------------


def _puzzle(chance: Chance, level: int) -> tuple[_Puzzle, int]:
    """A puzzle, and the largest argument of most tests."""
    aim = chance.pick(_AIMS)
    count = {1: 1, 3: 2, 5: 3 if aim in (_count, _first) else 2}[level]  # the others show fewer rules
    for _ in range(_DRAWS):
        counted = chance.happens(0.5)
        sizes = tuple(sorted(chance.sample(range(1, 8 if level == 1 else 6), 4 if level == 5 and not counted else 3)))
        kinds = chance.sample(_OF_LAST, count - counted)
        rules = tuple(kind(chance, sizes) for kind in (*kinds, *([chance.pick(_OF_USED)] if counted else [])))
        puzzle = _Puzzle(sizes, rules, aim(chance, sizes))
        effort = _Effort(puzzle)
        usual = effort.usual()
        if usual >= 2 * sizes[-1] and _is_worth(puzzle, effort, usual) and _every_part_shows(puzzle, usual):
            return puzzle, usual
    raise Unfit


def _is_worth(puzzle: _Puzzle, effort: _Effort, usual: int) -> bool:
    """True if keeping results pays and they are kept, or if they are not kept and not needed."""
    if puzzle.aim.kept:
        return effort.without(usual) > 4 * effort.calls(usual) + 300 and effort.without(_LARGEST) > _FAR_TOO_MANY
    return all(effort.without(n) < _ENDLESS for n in range(_LARGEST + 1))


def _every_part_shows(puzzle: _Puzzle, usual: int) -> bool:
    answers = puzzle.answers(usual)
    if sum(answers.index(answer) == n for n, answer in enumerate(answers)) < _DIFFERENT:
        return False
    if puzzle.aim.helpers and puzzle.aim.dead not in answers:
        return False
    for faulty in puzzle.faulty():
        if sum(a != b for a, b in zip(answers, faulty.answers(usual), strict=True)) < _SEEN:
            return False
    return True


def _cases(chance: Chance, name: str, puzzle: _Puzzle, usual: int) -> Iterator[Case]:
    answers = puzzle.answers(_LARGEST)
    far = [_LARGEST - n for n in range(_FAR)]
    far += chance.ints(_FAR, usual, _LARGEST)
    for n in inputs(lambda: chance.between(0, usual), [*far, 0, 1, 2]):
        yield case(name, [integer(n)], puzzle.aim.show(answers[n]))


# --- its words and its OCaml ------------------------------------------------------------------------------------------


def _statement(name: str, puzzle: _Puzzle) -> str:
    aim = puzzle.aim
    empty = puzzle.answers(0)[0] != aim.dead
    return paragraphs(
        f"A sequence consists of parts, each of which has the size {series([*map(str, puzzle.sizes)], 'or')}. The sum of a "
        + "sequence is the sum of the sizes of its parts. "
        + ("This rule holds:" if len(puzzle.rules) == 1 else "These rules hold:"),
        bullets(rule.words for rule in puzzle.rules),
        f"`{name} n` is {aim.words}",
        f"`n` is from 0 to {_LARGEST}. The empty sequence has the sum 0, and {'keeps' if empty else 'does not keep'} the "
        f"{'rule' if len(puzzle.rules) == 1 else 'rules'}."
        + (" There are far too many sequences to try them all." if aim.kept else ""),
    )


def _reference(name: str, puzzle: _Puzzle) -> str:
    aim, rules = puzzle.aim, puzzle.rules
    seen = [what for what in ("last", "used") if puzzle.sees(what)]
    after = next((rule.after for rule in rules if rule.sees == "used"), "used")
    state = {"last": "size", "used": f"({after})"}
    fits = " && ".join(["size <= left", *(rule.code for rule in rules if rule.code)])
    ends = " && ".join(rule.end_code for rule in rules if rule.end_code)
    empty = {"int": "1", "int option": "Some 0", "int list option": "Some []"}[aim.result]
    key = f"(left, {', '.join(seen)})"
    rest = f"(go (left - size) {' '.join(state[what] for what in seen)})"
    part = f"""\
let part {aim.pattern} =
  if {fits} then
    {aim.way.format(rest=rest)}
  else {aim.none}
in
"""
    found = aim.found.format(table=aim.table)
    if aim.kept:
        body = f"""\
match Hashtbl.find_opt known {key} with
| Some found -> found
| None ->
{indent(part, "  ")}\
  let found = {found} in
  Hashtbl.add known {key} found;
  found"""
    else:
        body = part + found
    go = f"""\
(* {aim.comment} *)
let rec go left {" ".join(seen)} =
  if left = 0 then {f"if {ends} then {empty} else {aim.none}" if ends else empty}
  else
{indent(body, "    ")}"""
    zeros = " ".join("0" for _ in seen)
    table = "let known = Hashtbl.create 1000" if aim.kept else ""
    return module(aim.helpers, table, go, f"let {name} n = go n {zeros}")


# --- rules ------------------------------------------------------------------------------------------------------------


def _forbidden(chance: Chance, sizes: Sequence[int]) -> _Rule:
    a, b = chance.pick(sizes), chance.pick(sizes)
    return _Rule(
        f"A part of size {b} must not follow directly behind one of size {a}.",
        "last",
        lambda state, size: (state.last, size) != (a, b),
        f"not (last = {a} && size = {b})",
    )


def _no_equals(chance: Chance, sizes: Sequence[int]) -> _Rule:
    return _Rule(
        "Two parts that stand next to each other must not have the same size.",
        "last",
        lambda state, size: size != state.last,
        "size <> last",
    )


def _rising_slowly(chance: Chance, sizes: Sequence[int]) -> _Rule:
    d = chance.between(1, 3)
    return _Rule(
        f"No part is more than {d} larger than the one directly before it.",
        "last",
        lambda state, size: state.last == 0 or size <= state.last + d,
        f"(last = 0 || size <= last + {d})",
        faults=({"allows": lambda state, size: size <= state.last + d},),
    )


def _sums(chance: Chance, sizes: Sequence[int]) -> _Rule:
    k = chance.between(3, 5)
    guarded = any(size % k == 0 for size in sizes)  # the first part has none before it
    return _Rule(
        f"The sum of two sizes that stand next to each other must not be divisible by {k}.",
        "last",
        lambda state, size: state.last == 0 or (state.last + size) % k != 0,
        f"({'last = 0 || ' if guarded else ''}(last + size) mod {k} <> 0)",
        faults=({"allows": lambda state, size: (state.last + size) % k != 0},) if guarded else (),
    )


def _not_first(chance: Chance, sizes: Sequence[int]) -> _Rule:
    a = chance.pick(sizes)
    return _Rule(
        f"The first part must not have the size {a}.",
        "last",
        lambda state, size: state.last > 0 or size != a,
        f"(last > 0 || size <> {a})",
    )


def _not_last(chance: Chance, sizes: Sequence[int]) -> _Rule:
    a = chance.pick(sizes)
    return _Rule(
        f"The last part must not have the size {a}.",
        "last",
        ends=lambda state: state.last != a,
        end_code=f"last <> {a}",
    )


def _limited(chance: Chance, sizes: Sequence[int]) -> _Rule:
    a, most = chance.pick(sizes), chance.between(1, 2)
    often = "only once" if most == 1 else f"at most {most} times"
    return _Rule(
        f"Parts of size {a} may occur {often} in a sequence.",
        "used",
        lambda state, size: size != a or state.used < most,
        f"(size <> {a} || used < {most})",
        lambda used, size: used + (size == a),
        f"if size = {a} then {'1' if most == 1 else 'used + 1'} else used",
        faults=(
            {"allows": lambda state, size: state.used < most},
            {"counts": lambda used, size: 1 if most == 1 else used + 1},
        ),
    )


def _needed(chance: Chance, sizes: Sequence[int]) -> _Rule:
    a = chance.pick(sizes)
    return _Rule(
        f"At least one part has the size {a}.",
        "used",
        counts=lambda used, size: 1 if size == a else used,
        after=f"if size = {a} then 1 else used",
        ends=lambda state: state.used == 1,
        end_code="used = 1",
    )


def _parity(chance: Chance, sizes: Sequence[int]) -> _Rule:
    odd = chance.below(2)
    return _Rule(
        f"The number of parts is {'odd' if odd else 'even'}.",
        "used",
        counts=lambda used, size: 1 - used,
        after="1 - used",
        ends=lambda state: state.used == odd,
        end_code=f"used = {odd}",
    )


def _parity_of_one(chance: Chance, sizes: Sequence[int]) -> _Rule:
    a = chance.pick(sizes)
    return _Rule(
        f"The number of parts of size {a} is even (it may be 0).",
        "used",
        counts=lambda used, size: 1 - used if size == a else used,
        after=f"if size = {a} then 1 - used else used",
        ends=lambda state: state.used == 0,
        end_code="used = 0",
    )


_OF_LAST = (_forbidden, _no_equals, _rising_slowly, _sums, _not_first, _not_last)
_OF_USED = (_limited, _needed, _parity, _parity_of_one)


# --- questions --------------------------------------------------------------------------------------------------------


def _count(chance: Chance, sizes: Sequence[int]) -> _Aim:
    kinds = {size: chance.pick((1, 1, 2, 3)) for size in sizes}
    kinds[chance.pick(sizes)] = chance.between(2, 3)
    modulus = chance.pick((97, 100, 101, 256, 499, 1000))
    colours = series([f"{count} for size {size}" for size, count in kinds.items()])
    table = "; ".join(f"({size}, {count})" for size, count in kinds.items())
    return _Aim(
        ("ways", "count_ways", "arrangements", "tilings"),
        "the number of such sequences with the sum `n`; since it may be large, give the remainder of it divided by "
        f"{modulus}. Every part also has a colour, and the size decides how many colours there are to choose from: "
        f"{colours}. Sequences are different if they differ in a size or a colour at some place.",
        "int",
        integer,
        1,
        lambda ways: sum(kinds[size] * count for size, count in ways) % modulus,
        0,
        f"[ {table} ]",
        "(size, colours)",
        "colours * {rest}",
        "0",
        f"List.fold_left ( + ) 0 (List.map part {{table}}) mod {modulus}",
        comment="The number of ways to go on, with this sum left.",
    )


def _cost(chance: Chance, sizes: Sequence[int]) -> _Aim:
    costs = {size: max(1, 3 * size + chance.between(-2, 2)) for size in sizes}  # no size is by far the best
    word, function, best = chance.pick((("least", "min", min), ("greatest", "max", max)))
    choose: Callable[[Sequence[int]], int] = best
    words = ", ".join(f"a part of size {size} costs {cost}" for size, cost in costs.items())
    table = "; ".join(f"({size}, {cost})" for size, cost in costs.items())
    return _Aim(
        ("best_cost", "price", "expense"),
        f"`Some` of the {word} cost of such a sequence with the sum `n`, or `None` if there is no such sequence: {words}.",
        "int option",
        option(integer),
        0,
        lambda ways: choose([costs[size] + rest for size, rest in ways]) if ways else None,
        None,
        f"[ {table} ]",
        "(size, cost)",
        "Option.map (fun rest -> cost + rest) {rest}",
        "None",
        "best (List.filter_map part {table})",
        (_BEST.format(best=function),),
        f"The {word} cost of what is left, with this sum.",
    )


def _length(chance: Chance, sizes: Sequence[int]) -> _Aim:
    word, function, best = chance.pick((("least", "min", min), ("greatest", "max", max)))
    choose: Callable[[Sequence[int]], int] = best
    return _Aim(
        ("how_long", "count_parts", "length_for"),
        f"`Some` of the {word} number of parts that such a sequence with the sum `n` can have, or `None` if there is no "
        "such sequence.",
        "int option",
        option(integer),
        0,
        lambda ways: choose([1 + rest for _, rest in ways]) if ways else None,
        None,
        f"[ {'; '.join(map(str, sizes))} ]",
        "size",
        "Option.map (fun rest -> 1 + rest) {rest}",
        "None",
        "best (List.filter_map part {table})",
        (_BEST.format(best=function),),
        f"The {word} number of parts that are left, with this sum.",
    )


def _first(chance: Chance, sizes: Sequence[int]) -> _Aim:
    word, ordered = chance.pick((("smaller", sizes), ("larger", sizes[::-1])))
    return _Aim(
        ("first_sequence", "arrange", "build"),
        "`Some` of the first of such sequences with the sum `n`, as the list of its sizes, or `None` if there is no such "
        f"sequence. Of two sequences, the first is the one with the {word} size at the first place where they differ.",
        "int list option",
        option(listing(integer)),
        [],
        lambda ways: next(([size, *rest] for size, rest in sorted(ways, reverse=word == "larger")), None),
        None,
        f"[ {'; '.join(map(str, ordered))} ]",
        "size",
        "Option.map (fun rest -> size :: rest) {rest}",
        "None",
        "List.find_map part {table}",
        comment="The first sequence with this sum.",
        ascending=word == "smaller",
        kept=False,
    )


_BEST = """\
let best = function
  | [] -> None
  | first :: rest -> Some (List.fold_left {best} first rest)"""
_AIMS = (_count, _count, _cost, _length, _first)


FAMILY = Family(
    name="dynamic.ways",
    topics=("dynamic-programming", "recursion"),
    description="sequences of parts with a given sum under restrictions: how many, or which is the best",
    tasks=TASKS,
    make=_ways,
    split="eval",
)
