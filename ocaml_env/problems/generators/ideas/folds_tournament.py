"""Neighbours combined in rounds until one number is left."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_map, some_ints
from ocaml_env.problems.generators.small.folds_tournament import TASKS
from ocaml_env.problems.generators.values import Show, integer, listing
from ocaml_env.problems.generators.wording import module, paragraphs

__all__ = ["FAMILY"]

Ints = Sequence[int]

_INTS = listing(integer)


class _Outcome(NamedTuple):
    """The report on each round, and on the numbers before the first one; ``ocaml`` uses the numbers ``l``.

    If ``words`` is empty, only the last number is reported.
    """

    words: str
    ocaml: str
    kind: str
    show: Show
    run: Callable[[Ints], Any]


@dataclass(frozen=True, slots=True)
class _Tournament:
    """``ops`` has ``entry`` and ``first``, perhaps ``second`` for every other round, and ``lone`` for an odd last
    number.
    """

    ops: Mapping[str, Op]
    outcome: _Outcome
    nobody: int

    def named(self) -> tuple[Op, Op, Op | None, Op | None]:
        return self.ops["entry"], self.ops["first"], self.ops.get("second"), self.ops.get("lone")


def _problem(chance: Chance, level: int) -> Draft:
    name = chance.pick(("tournament", "knockout", "collapse", "play_off", "merge_rounds"))
    played = _tournament(chance, level)
    return Draft(
        name=name,
        statement=_statement(name, played),
        signature=f"val {name} : int list -> {played.outcome.kind}",
        reference=module([helper for op in played.ops.values() for helper in op.helpers], _code(name, played)),
        cases=_cases(chance, name, played),
    )


# --- drawing ----------------------------------------------------------------------------------------------------------

_WINNER = _Outcome("", "", "int", integer, lambda v: v)
_EACH = (
    _Outcome("all of them, as a list", "l", "int list list", listing(_INTS), lambda v: v),
    _Outcome("the first of them", "List.hd l", "int list", _INTS, lambda v: v[0]),
    _Outcome("the last of them", "List.hd (List.rev l)", "int list", _INTS, lambda v: v[-1]),
    _Outcome("their sum", "List.fold_left ( + ) 0 l", "int list", _INTS, sum),
)


def _tournament(chance: Chance, level: int) -> _Tournament:
    ops = {"entry": int_map(chance), "first": int_join(chance)}
    if level >= 3:
        ops["second"] = int_join(chance)
    if level >= 5:
        ops["lone"] = int_map(chance)
    made = _Tournament(
        ops,
        chance.pick((_WINNER, *_EACH) if level == 1 else _EACH),
        chance.between(-9, 9),
    )
    tried = [_numbers(chance) for _ in range(12)]
    whole = [_answer(made, v) for v in tried]
    if any([_answer(faulty, v) for v in tried] == whole for faulty in _faulty(made)):
        raise Unfit
    return made


def _faulty(played: _Tournament) -> Iterator[_Tournament]:
    """The tournament with a part of one operation left out."""
    for field, op in played.ops.items():
        for fault in op.faults:
            yield replace(played, ops={**played.ops, field: op._replace(run=fault)})
        if field in ("second", "lone"):
            yield replace(played, ops={key: other for key, other in played.ops.items() if key != field})


def _numbers(chance: Chance) -> list[int]:
    if chance.happens(0.5):
        return chance.numbers(chance.between(2, 7), -9, 20)
    return some_ints(chance, 8)


def _asked(chance: Chance) -> list[int]:
    """Also long lists, with more rounds, and some with equal numbers."""
    kind = chance.below(10)
    if kind < 2:
        return chance.numbers(chance.between(9, 17), -9, 20)
    if kind == 2:
        return [chance.number(-9, 20)] * chance.between(2, 6)
    return _numbers(chance)


# --- meaning ----------------------------------------------------------------------------------------------------------


def _rounds(played: _Tournament, v: Ints) -> list[Ints]:
    """The numbers before the first round and after each."""
    entry, first, second, lone = played.named()
    made: list[Ints] = [[entry.run(x) for x in v]]
    while len(made[-1]) > 1:
        now = made[-1]
        op = second if second and len(made) % 2 == 0 else first
        after = [op.run(x, y) for x, y in zip(now[::2], now[1::2], strict=False)]
        if len(now) % 2:
            after.append(lone.run(now[-1]) if lone else now[-1])
        made.append(after)
    return made


def _answer(played: _Tournament, v: Ints) -> Any:
    if played.outcome is _WINNER:
        return _rounds(played, v)[-1][0] if v else played.nobody
    return [played.outcome.run(numbers) for numbers in _rounds(played, v)] if v else []


def _cases(chance: Chance, name: str, played: _Tournament) -> Iterator[Case]:
    edges = [[], *(chance.numbers(size, -9, 20) for size in (1, 1, 2, 2, 3, 3, 11, 16, 17))]
    for v in inputs(lambda: _asked(chance), edges):
        yield case(name, [_INTS(v)], played.outcome.show(_answer(played, v)))


# --- its words and its OCaml ------------------------------------------------------------------------------------------


def _statement(name: str, played: _Tournament) -> str:
    entry, first, second, lone = played.named()
    rule = f"`x` and its right neighbour `y` become {first.say()}."
    if second:
        rule = f"in the first, third, fifth, ... round, {rule} In the other rounds they become {second.say()}."
    odd = f"the last one, `x`, becomes {lone.say()}" if lone else "the last one goes on to the next round as it is"
    ending = f"`{name} l` is the number that is left in the end, or {played.nobody} for the empty list."
    if played.outcome.words:
        ending = (
            f"`{name} l` is a list with one item for the numbers before the first round, and one for those after each "
            f"round, in this order: {played.outcome.words}. With one number there is no round. For the empty list the "
            "result is empty."
        )
    return paragraphs(
        f"The numbers of a list play a tournament. Before it begins every number `x` is replaced by {entry.say()}.",
        f"In a round the first number meets the second, the third meets the fourth, and so on: {rule} If there is an "
        f"odd number of them, {odd}. There are rounds until one number is left.",
        ending,
    )


def _code(name: str, played: _Tournament) -> str:
    entry, first, second, lone = played.named()
    odd, even, begin = (" odd", " (not odd)", " true") if second else ("", "", "")
    meeting = f"if odd then {first.code()} else {second.code()}" if second else first.ocaml.format(x="x", y="y")
    lines = [
        f"let {name} l =",
        f"  let rec play{odd} = function",
        f"    | x :: y :: rest -> ({meeting}) :: play{odd} rest",
        f"    | [ x ] -> [ {lone.code()} ]\n    | [] -> []" if lone else "    | l -> l",
        "  in",
    ]
    if played.outcome is _WINNER:
        rounds = f"function [] -> {played.nobody} | [ x ] -> x | l -> rounds{even} (play{odd} l)"
        lines.append(f"  let rec rounds{odd} = {rounds} in")
    else:
        lines += [
            f"  let rec rounds{odd} l =",
            f"    {played.outcome.ocaml} :: (if List.length l > 1 then rounds{even} (play{odd} l) else [])",
            "  in",
        ]
    start = f"rounds{begin} (List.map (fun x -> {entry.code()}) l)"
    lines.append(f"  {start}" if played.outcome is _WINNER else f"  if l = [] then [] else {start}")
    return "\n".join(lines)


FAMILY = Family(
    name="folds.tournament",
    topics=("folds", "recursion", "lists"),
    description="neighbours combined in rounds until one number is left",
    tasks=TASKS,
    make=_problem,
)
