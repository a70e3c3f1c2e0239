"""Neighbours combined in rounds until one number is left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import int_join, int_map, some_ints
from ocaml_env.problems.generators.values import integer, listing
from ocaml_env.problems.generators.wording import module, paragraphs

__all__ = ["FAMILY"]

Ints = Sequence[int]


_INTS = listing(integer)


def _tournament(chance: Chance, level: int) -> Draft:
    name = chance.pick(("tournament", "knockout", "collapse", "play_off", "merge_rounds"))
    first = int_join(chance)
    second = int_join(chance) if level >= 2 else None
    entry = int_map(chance) if level != 2 else None
    lone = int_map(chance) if level >= 4 else None
    outcome = chance.pick(("winner", "rounds") if level <= 2 else ("rounds", "heads"))
    lonely = chance.between(-9, 9)

    def rounds(v: Ints) -> list[Ints]:
        current = [entry.run(x) for x in v] if entry else list(v)
        made: list[Ints] = []
        while len(current) > 1:
            op = second if second and len(made) % 2 else first
            pairs = [op.run(a, b) for a, b in zip(current[::2], current[1::2], strict=False)]
            if len(current) % 2:
                pairs.append(lone.run(current[-1]) if lone else current[-1])
            current = pairs
            made.append(current)
        return made if made or not current else [current]

    def run(v: Ints) -> str:
        made = rounds(v)
        if outcome == "winner":
            return integer(made[-1][0] if made else lonely)
        if outcome == "heads":
            return _INTS([each[0] for each in made])
        return listing(_INTS)(made)

    odd = f"becomes {lone.say()} where it is `x`" if lone else "goes on to the next round as it is"
    rule = f"`x` and its right neighbour `y` become {first.say()}"
    if second:
        rule = f"in the first, third, fifth, ... round {rule}, and in the others {second.say()}"
    endings = {
        "winner": f"`{name} l` is the number that is left in the end, or {lonely} for the empty list.",
        "rounds": f"`{name} l` lists for every round the numbers after it. For a list of one element there is no "
        "round, and the result has one list, of that number; for the empty list the result is empty.",
        "heads": f"`{name} l` lists for every round the first of the numbers after it. For a list of one element there "
        "is no round, and the result has that number only; for the empty list the result is empty.",
    }
    statement = paragraphs(
        "The numbers of a list play a tournament."
        + (f" Before it begins every number `x` is replaced by {entry.say()}." if entry else ""),
        f"In a round the first number meets the second, the third meets the fourth, and so on: {rule}. If there is an "
        f"odd number of them, the last one {odd}. There are rounds until one number is left.",
        endings[outcome],
    )
    lines = [
        f"let {name} l =",
        *([f"  let l = List.map (fun x -> {entry.code()}) l in"] if entry else []),
        "  let rec play odd = function" if second else "  let rec play = function",
    ]
    meeting = f"if odd then {first.code()} else {second.code()}" if second else first.code()
    again = "play odd rest" if second else "play rest"
    lines += [
        f"    | x :: y :: rest -> ({meeting}) :: {again}",
        f"    | [ x ] -> [ {lone.code() if lone else 'x'} ]",
        "    | [] -> []",
        "  in",
    ]
    after = "play odd l" if second else "play l"
    rec, start = ("rounds (not odd)", "rounds true l") if second else ("rounds", "rounds l")
    head = "rounds odd" if second else "rounds"
    if outcome == "winner":
        lines += [
            f"  let rec {head} = function [] -> {lonely} | [ x ] -> x | l -> {rec} ({after}) in",
            f"  {start}",
        ]
    else:
        lines += [
            f"  let rec {head} l =",
            f"    let l = {after} in",
            f"    l :: (if List.length l > 1 then {rec} l else [])",
            "  in",
            "  match l with",
            "  | [] -> []",
            f"  | [ x ] -> [ {'x' if outcome == 'heads' else '[ x ]'} ]",
            f"  | l -> {f'List.map List.hd ({start})' if outcome == 'heads' else start}",
        ]
    results = {"winner": "int", "rounds": "int list list", "heads": "int list"}

    def cases() -> Iterator[Case]:
        edges = [
            [],
            [chance.between(1, 9)],
            chance.numbers(2, -9, 9),
            chance.numbers(3, 0, 9),
            chance.numbers(15, -5, 9),
        ]
        for value in inputs(lambda: some_ints(chance, 10), edges):
            yield case(name, [_INTS(value)], run(value))

    ops = [op for op in (entry, first, second, lone) if op]
    return Draft(
        name=name,
        statement=statement,
        signature=f"val {name} : int list -> {results[outcome]}",
        reference=module([helper for op in ops for helper in op.helpers], "\n".join(lines)),
        cases=cases(),
    )


FAMILY = Family(
    name="folds.tournament",
    topics=("folds", "recursion", "lists"),
    description="neighbours combined in rounds until one number is left",
    make=_tournament,
)
