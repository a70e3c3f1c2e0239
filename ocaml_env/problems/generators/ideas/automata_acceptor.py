"""A finite automaton that accepts words or not."""

from __future__ import annotations

from collections.abc import Iterator

from ocaml_env.problems.generators.automaton import (
    STATES,
    characters_pattern,
    characters_words,
    some_moves,
    state_names,
)
from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, bundle, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.values import letter, text, truth
from ocaml_env.problems.generators.wording import bullets, paragraphs, series

__all__ = ["FAMILY"]


def _acceptor(chance: Chance, level: int) -> Draft:
    name = chance.pick(("accepts", "valid", "recognises", "matches", "is_word"))
    states = STATES[: (3, 3, 4, 5, 6)[level - 1]]
    alphabet = "ab" if level == 1 else "abc" if level <= 3 else "abcd"
    moves = some_moves(chance, states, alphabet, outputs=False)
    finals = chance.sample(states, chance.between(1, len(states) // 2))
    minimum = chance.pick((0, 2, 3)) if level >= 3 else 0
    required = chance.pick(alphabet) if level >= 4 else ""
    table = {(move.source, c): move.target for move in moves for c in move.characters}

    def final(word: str) -> str | None:
        state = "Start"
        for c in word:
            if (state, c) not in table:
                return None
            state = table[state, c]
        return state

    def run(word: str) -> bool:
        return len(word) >= minimum and word.count(required) >= bool(required) and final(word) in finals

    def draw() -> str:
        word, state = "", "Start"
        for _ in range(chance.between(1, 8)):
            fitting = [c for c in alphabet if (state, c) in table]
            c = chance.pick(fitting) if fitting and chance.happens(0.93) else chance.pick(alphabet + "x")
            word += c
            state = table.get((state, c), state)
        return word

    drawn = [draw() for _ in range(30)]
    ended = [final(word) for word in drawn]
    if not 8 <= sum(map(run, drawn)) <= 22 or not {*states} <= {*ended}:
        raise Unfit
    conditions = ["the automaton has a move for every character", f"it ends in {state_names(finals, 'or')}"]
    if minimum > 1:
        conditions.insert(0, f"the word has at least {minimum} characters")
    if required:
        conditions.insert(0, f"the word contains the character `{required}`")
    arms = [f"    | {move.source}, {characters_pattern(move.characters)} -> Some {move.target}" for move in moves]
    lines = "\n".join(arms)
    ending = " || ".join(f"state = {one}" for one in finals)
    extra = (f"String.length word >= {minimum} && " if minimum > 1 else "") + (
        f"String.contains word {letter(required)} && " if required else ""
    )
    code = f"""\
type state = {" | ".join(states)}

let {name} word =
  let move state c =
    match (state, c) with
{lines}
    | _ -> None
  in
  let step state c = Option.bind state (fun state -> move state c) in
  {extra}match String.fold_left step (Some Start) word with
  | Some state -> {ending}
  | None -> false"""

    def cases() -> Iterator[Case]:
        edges = ["", alphabet[0], alphabet[1], "x"]
        words = inputs(draw, edges)
        while True:
            chosen = [next(words) for _ in range(4)]
            yield bundle(name, [([text(word)], truth(run(word))) for word in chosen])

    return Draft(
        name=name,
        statement=paragraphs(
            f"An automaton has the states {state_names(states)} and begins in `Start`. It reads a word character by "
            "character and has these moves:",
            bullets(
                f"in `{move.source}`, {characters_words(move.characters)} leads to `{move.target}`;" for move in moves
            ).removesuffix(";")
            + ".",
            f"`{name} word` is true if {series(conditions)}, and false otherwise. The word may be empty and may hold "
            "other characters.",
        ),
        signature=f"val {name} : string -> bool",
        reference=code,
        cases=cases(),
    )


FAMILY = Family(
    name="automata.acceptor",
    topics=("simulation", "strings", "pattern-matching"),
    description="a finite automaton that accepts words or not",
    make=_acceptor,
)
