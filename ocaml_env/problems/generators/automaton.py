"""Finite automata: their states and moves, their descriptions, and shortest words that use each of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.values import letter
from ocaml_env.problems.generators.wording import series

__all__ = [
    "STATES",
    "Move",
    "characters_pattern",
    "characters_words",
    "some_moves",
    "some_output",
    "state_names",
    "ways",
]

STATES = ("Start", "Left", "Right", "Inner", "Outer", "Last")


class Move(NamedTuple):
    """A move from a state to another one on some characters; ``output`` is the text that it writes."""

    source: str
    characters: str
    target: str
    output: str


def some_moves(chance: Chance, states: Sequence[str], alphabet: str, *, outputs: bool) -> list[Move]:
    moves = []
    for state in states:
        letters = chance.shuffled(alphabet)
        while letters:
            count = 1 if chance.happens(0.7) else 2
            taken, letters = "".join(sorted(letters[:count])), letters[count:]
            if chance.happens(0.85):
                moves.append(Move(state, taken, chance.pick(states), some_output(chance, alphabet) if outputs else ""))
    return moves


def some_output(chance: Chance, alphabet: str) -> str:
    return "".join(chance.pick(alphabet + "-+") for _ in range(chance.pick((0, 1, 1, 2, 2, 3))))


def ways(moves: Sequence[Move], start: str = "Start") -> dict[str, str]:
    """For each reachable state, a shortest word that leads there."""
    found = {start: ""}
    waiting = [start]
    for state in waiting:
        for move in moves:
            if move.source == state and move.target not in found:
                found[move.target] = found[state] + move.characters[0]
                waiting.append(move.target)
    return found


def state_names(states: Sequence[str], word: str = "and") -> str:
    return series([f"`{state}`" for state in states], word)


def characters_words(characters: str) -> str:
    return series([f"`{c}`" for c in characters], "or")


def characters_pattern(characters: str) -> str:
    shown = " | ".join(letter(c) for c in characters)
    return f"({shown})" if len(characters) > 1 else shown
