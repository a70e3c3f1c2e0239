"""A finite automaton that writes on each move."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ocaml_env.problems.generators.automaton import (
    STATES,
    Move,
    characters_pattern,
    characters_words,
    some_moves,
    some_output,
    state_names,
)
from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.values import integer, pair, text
from ocaml_env.problems.generators.wording import bullets, module, paragraphs, series

__all__ = ["FAMILY"]


def _transducer(chance: Chance, level: int) -> Draft:
    name = chance.pick(("translate", "transcribe", "encode", "rewrite", "convert"))
    states = STATES[: (2, 3, 3, 4, 5)[level - 1]]
    alphabet = "abc" if level <= 3 else "abcd"
    moves = some_moves(chance, states, alphabet, outputs=True)
    other = chance.pick(("copy", "drop", "restart"))
    at_end = {state: some_output(chance, alphabet) for state in states} if level >= 2 else {}
    counted = chance.pick(states) if level >= 3 else ""
    table = {(move.source, c): move for move in moves for c in move.characters}
    if len({move.output for move in moves}) < 3 or len({move.target for move in moves}) < len(states):
        raise Unfit

    def run(word: str) -> tuple[str, int]:
        state, made, visits = "Start", "", 0
        for c in word:
            move = table.get((state, c))
            if move:
                made += move.output
                state = move.target
                visits += state == counted
            elif other == "copy":
                made += c
            elif other == "restart":
                visits += counted == "Start"
                state = "Start"
        return made + at_end.get(state, ""), visits

    def draw() -> str:
        return "".join(chance.pick(alphabet if chance.happens(0.9) else "xyz") for _ in range(chance.between(2, 9)))

    reached = set()
    for _ in range(12):
        state = "Start"
        for c in draw():
            state = table[state, c].target if (state, c) in table else "Start" if other == "restart" else state
            reached.add(state)
    if len(reached) < len(states):
        raise Unfit
    words = [
        f"in `{move.source}`, {characters_words(move.characters)} writes {_written(move.output)} and leads to "
        f"`{move.target}`;"
        for move in moves
    ]
    without = {
        "copy": "writes the character as it is and stays in its state",
        "drop": "writes nothing and stays in its state",
        "restart": "writes nothing and goes to `Start`",
    }[other]
    closing = ""
    if at_end:
        described = series([f"in `{state}` {_written(output)}" for state, output in at_end.items()])
        closing = f"After the last character it writes something according to its state: {described}."
    result = (
        f"`{name} s` is the pair of all that is written, in order, and of how many times the automaton comes to "
        f"`{counted}`, by a move or otherwise; it counts too if it was there already, but the beginning does not count"
        if counted
        else f"`{name} s` is all that is written, in order"
    )
    if counted and other != "restart":
        result = result.replace(", by a move or otherwise; it counts too", " by a move; it counts too")
    code = _transducer_code(name, states, moves, other, at_end, counted)
    show: Callable[[tuple[str, int]], str] = pair(text, integer) if counted else lambda answer: text(answer[0])

    def cases() -> Iterator[Case]:
        edges = ["", "a", "bb", "xx", alphabet * 2]
        for word in inputs(draw, edges):
            yield case(name, [text(word)], show(run(word)))

    return Draft(
        name=name,
        statement=paragraphs(
            f"An automaton with the states {state_names(states)} begins in `Start`, reads a string character by "
            "character, and writes another one:",
            bullets(words).removesuffix(";") + ".",
            f"Where there is no move for a character, it {without}. {closing}".strip(),
            f"{result}. The string may be empty.",
        ),
        signature=f"val {name} : string -> {'string * int' if counted else 'string'}",
        reference=module(code),
        cases=cases(),
    )


def _transducer_code(
    name: str, states: Sequence[str], moves: Sequence[Move], other: str, at_end: dict[str, str], counted: str
) -> str:
    arms = [
        f"    | {move.source}, {characters_pattern(move.characters)} -> ({text(move.output)}, {move.target})"
        for move in moves
    ]
    default = {"copy": "(String.make 1 c, state)", "drop": '("", state)', "restart": '("", Start)'}[other]
    lines = "\n".join([*arms, f"    | _ -> {default}"])
    ends = " | ".join(f"{one} -> {text(output)}" for one, output in at_end.items())
    tail = f" ^ (match state with {ends})" if at_end else ""
    head = f"""\
type state = {" | ".join(states)}

let {name} s =
  let move state c =
    match (state, c) with
{lines}
  in
"""
    if not counted:
        return (
            head
            + f"""\
  let step (made, state) c =
    let written, state = move state c in
    (made ^ written, state)
  in
  let made, {"state" if at_end else "_"} = String.fold_left step ("", Start) s in
  made{tail}"""
        )
    # Where a character has no move the state is not come to, unless it goes back to the beginning.
    moved = "" if other == "restart" else " && moves state c"
    known = "" if other == "restart" else _moves_code(moves)
    return (
        head
        + f"""\
{known}  let step (made, state, visits) c =
    let written, after = move state c in
    (made ^ written, after, if after = {counted}{moved} then visits + 1 else visits)
  in
  let made, state, visits = String.fold_left step ("", Start, 0) s in
  (made{tail}, visits)"""
    )


def _moves_code(moves: Sequence[Move]) -> str:
    """Whether there is a move."""
    pairs = " | ".join(f"{move.source}, {characters_pattern(move.characters)}" for move in moves)
    return f"  let moves state c = match (state, c) with {pairs} -> true | _ -> false in\n"


def _written(output: str) -> str:
    return f"`{output}`" if output else "nothing"


FAMILY = Family(
    name="automata.transducer",
    topics=("simulation", "strings", "folds"),
    description="a finite automaton that writes on each move",
    make=_transducer,
)
