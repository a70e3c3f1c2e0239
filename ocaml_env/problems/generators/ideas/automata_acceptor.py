"""A finite automaton that accepts or rejects words."""

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
    state_names,
    ways,
)
from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, bundle, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.values import letter, text, truth
from ocaml_env.problems.generators.wording import bullets, paragraphs, series

__all__ = ["FAMILY"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Automaton:
    """The drawn automaton.

    Attributes:
        finals: states in which a word may end.
        minimum: the least number of characters of a word.
        required: a character that every word must contain; empty if none.
    """

    name: str
    states: tuple[str, ...]
    alphabet: str
    moves: tuple[Move, ...]
    finals: tuple[str, ...]
    minimum: int
    required: str

    @property
    def table(self) -> dict[tuple[str, str], str]:
        return {(move.source, c): move.target for move in self.moves for c in move.characters}

    def run(self, word: str) -> bool:
        return len(word) >= self.minimum and self.accepts(word)

    def accepts(self, word: str) -> bool:
        """True if the automaton accepts the word, whatever its length."""
        table, state = self.table, "Start"
        for c in word:
            if (state, c) not in table:
                return False
            state = table[state, c]
        return state in self.finals and self.required in word


def _acceptor(chance: Chance, level: int) -> Draft:
    states = STATES[: {1: 3, 3: 4, 5: 6}[level]]
    alphabet = "abcd" if level >= 5 else "abc"
    moves = tuple(some_moves(chance, states, alphabet, outputs=False))
    finals = tuple(chance.sample(states, chance.between(1, len(states) // 2)))
    minimum = chance.pick((0, 2, 3)) if level >= 3 else 0
    automaton = _Automaton(
        name=chance.pick(("accepts", "valid", "recognises", "matches", "is_word")),
        states=states,
        alphabet=alphabet,
        moves=moves,
        finals=finals,
        minimum=minimum,
        required=chance.pick(alphabet) if level >= 5 else "",
    )
    if len(ways(moves)) < len(states) or any(not {*finals} & {*ways(moves, state)} for state in states):
        raise Unfit  # some states are unreachable, or cannot reach a final one
    if minimum and not any(automaton.accepts("".join(word)) for word in product(alphabet, repeat=minimum - 1)):
        raise Unfit
    if not 8 <= sum(automaton.run(_drawn(chance, automaton)) for _ in range(30)) <= 22:
        raise Unfit
    return Draft(
        name=automaton.name,
        statement=_statement(automaton),
        signature=f"val {automaton.name} : string -> bool",
        reference=_code(automaton),
        cases=_cases(chance, automaton),
    )


def _drawn(chance: Chance, automaton: _Automaton, longest: int = 7) -> str:
    """A word, mostly along existing moves."""
    table, word, state = automaton.table, "", "Start"
    for _ in range(chance.between(1, longest)):
        fitting = [c for c in automaton.alphabet if (state, c) in table]
        word += chance.pick(fitting) if fitting and chance.happens(0.95) else chance.pick(f"{automaton.alphabet}x")
        state = table.get((state, word[-1]), state)
    return word


def _cases(chance: Chance, automaton: _Automaton) -> Iterator[Case]:
    """Words, half of them accepted. Edges use each move, and continue for a while."""
    word_to = ways(automaton.moves)
    edges = ["", *automaton.alphabet, "x"]
    edges += [word_to[move.source] + c for move in automaton.moves for c in move.characters]
    edges += [word_to[state] + c for state in automaton.states for c in automaton.alphabet]

    def draw() -> str:
        accepted = chance.happens(0.5)
        longest = 16 if chance.happens(0.15) else 7
        words = [_drawn(chance, automaton, longest) for _ in range(6)]
        word = next((word for word in words if automaton.run(word) == accepted), words[0])
        if chance.happens(0.06):  # a letter outside the alphabet
            place = chance.below(len(word))
            other = chance.pick((word[place].upper(), "x", " "))
            word = word[:place] + other + word[place + chance.below(2) :]
        elif chance.happens(0.04):
            word = chance.pick((f"{word} ", f" {word}"))
        return word

    words = inputs(draw, chance.shuffled([*dict.fromkeys(edges)]))
    while True:
        chosen = [next(words) for _ in range(4)]
        yield bundle(automaton.name, [([text(word)], truth(automaton.run(word))) for word in chosen])


def _statement(automaton: _Automaton) -> str:
    moves = [
        f"in `{move.source}`, {characters_words(move.characters)} leads to `{move.target}`" for move in automaton.moves
    ]
    conditions = [f"the word contains the character `{automaton.required}`"] if automaton.required else []
    conditions += [f"it has at least {automaton.minimum} characters"] if automaton.minimum else []
    conditions += ["the automaton has a move for every character", f"it ends in {state_names(automaton.finals, 'or')}"]
    return paragraphs(
        f"An automaton has the states {state_names(automaton.states)} and begins in `Start`. It reads a word character "
        "by character and has these moves:",
        bullets(f"{move}{';' if place < len(moves) else '.'}" for place, move in enumerate(moves, start=1)),
        f"`{automaton.name} word` is true if {series(conditions)}, and false otherwise. The word may be empty and may "
        "hold other characters.",
    )


def _code(automaton: _Automaton) -> str:
    arms = [
        f"    | {move.source}, {characters_pattern(move.characters)} -> Some {move.target}" for move in automaton.moves
    ]
    lines = "\n".join(arms)
    ending = " || ".join(f"state = {state}" for state in automaton.finals)
    extra = f"String.contains word {letter(automaton.required)} && " if automaton.required else ""
    extra += f"String.length word >= {automaton.minimum} && " if automaton.minimum else ""
    return f"""\
type state = {" | ".join(automaton.states)}

let {automaton.name} word =
  let move state c =
    match (state, c) with
{lines}
    | _ -> None
  in
  let step state c = Option.bind state (fun state -> move state c) in
  {extra}match String.fold_left step (Some Start) word with
  | Some state -> {ending}
  | None -> false"""


FAMILY = Family(
    name="automata.acceptor",
    topics=("simulation", "strings", "pattern-matching"),
    description="a finite automaton that accepts words or not",
    make=_acceptor,
    split="eval",
)
