"""A finite automaton that writes on each move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from ocaml_env.problems.generators.automaton import (
    STATES,
    Move,
    characters_pattern,
    characters_words,
    some_moves,
    some_output,
    state_names,
    ways,
)
from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.values import text
from ocaml_env.problems.generators.wording import bullets, paragraphs, series

__all__ = ["FAMILY"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Automaton:
    """The drawn automaton.

    Attributes:
        other: its action if there is no move: ``copy`` the character, ``drop`` it, or ``restart``.
        at_end: the text written after the last character, by state; empty if there is none.
        counted: a state whose visits are counted; empty if none.
    """

    name: str
    states: tuple[str, ...]
    alphabet: str
    moves: tuple[Move, ...]
    other: str
    at_end: dict[str, str]
    counted: str

    def run(self, word: str, start: str = "Start") -> tuple[str, int]:
        """The written text, and the number of visits to the counted state."""
        table = {(move.source, c): move for move in self.moves for c in move.characters}
        state, made, visits = start, "", 0
        for c in word:
            move = table.get((state, c))
            if move:
                made += move.output
                state = move.target
                visits += state == self.counted
            elif self.other == "copy":
                made += c
            elif self.other == "restart":
                visits += self.counted == "Start"
                state = "Start"
        return made + self.at_end.get(state, ""), visits

    @property
    def distinct(self) -> bool:
        """True if short words distinguish any two states, and each move from a missing one."""
        words = ["".join(word) for size in (0, 1, 2) for word in product(self.alphabet, repeat=size)]
        seen = {tuple(self.run(word, state) for word in words) for state in self.states}
        return len(seen) == len(self.states) and not any(
            move.output == (c if self.other == "copy" else "")
            and move.target == ("Start" if self.other == "restart" else move.source)
            for move in self.moves
            for c in move.characters
        )


def _transducer(chance: Chance, level: int) -> Draft:
    states = STATES[: {1: 2, 3: 3, 5: 5}[level]]
    alphabet = "abcd" if level >= 5 else "abc"
    moves = tuple(some_moves(chance, states, alphabet, outputs=True))
    automaton = _Automaton(
        name=chance.pick(("translate", "transcribe", "encode", "rewrite", "convert")),
        states=states,
        alphabet=alphabet,
        moves=moves,
        other=chance.pick(("copy", "drop", "restart")),
        at_end={state: some_output(chance, alphabet) for state in states} if level >= 3 else {},
        counted=chance.pick(states) if level >= 3 else "",
    )
    if len(ways(moves)) < len(states) or {move.target for move in moves} < {*states} or not automaton.distinct:
        raise Unfit
    return Draft(
        name=automaton.name,
        statement=_statement(automaton),
        signature=f"val {automaton.name} : string -> {'string * int' if automaton.counted else 'string'}",
        reference=_code(automaton),
        cases=_cases(chance, automaton),
    )


def _cases(chance: Chance, automaton: _Automaton) -> Iterator[Case]:
    """Words. Edges use each move or a missing one, and continue for a while."""
    word_to = ways(automaton.moves)

    def draw() -> str:
        characters = [
            chance.pick(automaton.alphabet if chance.happens(0.9) else "xyAB- ")
            for _ in range(chance.between(2, 7) if chance.happens(0.8) else chance.pick((1, 1, 10, 14, 18)))
        ]
        return "".join(characters)

    edges = ["", automaton.alphabet * 2, f" {automaton.alphabet} "]
    edges += [
        word_to[state] + c + chance.pick(automaton.alphabet)
        for state in automaton.states
        for c in f"{automaton.alphabet}x"
    ]
    for word in inputs(draw, edges):
        made, visits = automaton.run(word)
        yield case(automaton.name, [text(word)], f"({text(made)}, {visits})" if automaton.counted else text(made))


def _statement(automaton: _Automaton) -> str:
    moves = [
        f"in `{move.source}`, {characters_words(move.characters)} writes {_written(move.output)} and leads to "
        f"`{move.target}`"
        for move in automaton.moves
    ]
    without = {
        "copy": "writes the character as it is and stays in its state",
        "drop": "writes nothing and stays in its state",
        "restart": "writes nothing and goes to `Start`",
    }[automaton.other]
    closing = ""
    if automaton.at_end:
        described = series([f"in `{state}` {_written(output)}" for state, output in automaton.at_end.items()])
        closing = f" After the last character it writes something according to its state: {described}."
    result = f"`{automaton.name} s` is all that is written, in order"
    if automaton.counted:
        by = "by a move or because there is none" if automaton.other == "restart" else "by a move"
        result = (
            f"`{automaton.name} s` is the pair of all that is written, in order, and of how many times the automaton "
            f"comes to `{automaton.counted}`, {by}. It counts if it was there already, too, but the beginning does not "
            "count"
        )
    return paragraphs(
        f"An automaton with the states {state_names(automaton.states)} begins in `Start`, reads a string character by "
        "character, and writes another one:",
        bullets(f"{move}{';' if place < len(moves) else '.'}" for place, move in enumerate(moves, start=1)),
        f"If there is no move for a character, it {without}.{closing}",
        f"{result}. The string may be empty.",
    )


def _written(output: str) -> str:
    return f"`{output}`" if output else "nothing"


def _code(automaton: _Automaton) -> str:
    """The OCaml. Moves count as visits of the state, and so do restarts that lead to it."""
    name, counted = automaton.name, automaton.counted
    default = {"copy": "(String.make 1 c, state)", "drop": '("", state)', "restart": '("", Start)'}[automaton.other]
    arms = [
        (f"{move.source}, {characters_pattern(move.characters)}", text(move.output), move.target)
        for move in automaton.moves
    ]
    ends = " | ".join(f"{state} -> {text(output)}" for state, output in automaton.at_end.items())
    tail = f" ^ (match state with {ends})" if ends else ""
    head = f"type state = {' | '.join(automaton.states)}\n\nlet {name} s =\n  let move state c =\n"
    head += "    match (state, c) with\n"
    if not counted:
        lines = "\n".join(f"    | {pattern} -> ({output}, {target})" for pattern, output, target in arms)
        return f"""\
{head}{lines}
    | _ -> {default}
  in
  let step (made, state) c =
    let written, state = move state c in
    (made ^ written, state)
  in
  let made, {"state" if ends else "_"} = String.fold_left step ("", Start) s in
  made{tail}"""
    lines = "\n".join(
        f"    | {pattern} -> ({output}, {target}, {int(target == counted)})" for pattern, output, target in arms
    )
    visit = int(automaton.other == "restart" and counted == "Start")
    return f"""\
{head}{lines}
    | _ -> {default[:-1]}, {visit})
  in
  let step (made, state, visits) c =
    let written, state, visit = move state c in
    (made ^ written, state, visits + visit)
  in
  let made, state, visits = String.fold_left step ("", Start, 0) s in
  (made{tail}, visits)"""


FAMILY = Family(
    name="automata.transducer",
    topics=("simulation", "strings", "folds"),
    description="a finite automaton that writes on each move",
    make=_transducer,
    split="eval",
)
