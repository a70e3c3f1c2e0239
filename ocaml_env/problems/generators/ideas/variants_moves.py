"""A state machine whose states are constructors that carry a number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import MODULO, Op, int_test
from ocaml_env.problems.generators.values import atom, integer, listing, variant
from ocaml_env.problems.generators.wording import a, bullets, module, paragraphs

__all__ = ["FAMILY"]

_MACHINES = (
    ("door", ("Open", "Shut", "Locked", "Broken", "Ajar"), ("Push", "Pull", "Turn", "Kick", "Knock")),
    ("robot", ("Idle", "Busy", "Stuck", "Charging", "Asleep"), ("Poke", "Feed", "Shout", "Tick", "Help")),
    ("lamp", ("Dark", "Dim", "Bright", "Blinking", "Burnt"), ("Press", "Hold", "Twist", "Tap", "Pull")),
    ("boat", ("Moored", "Adrift", "Sailing", "Sunk", "Towed"), ("Wind", "Wave", "Row", "Steer", "Call")),
)


class _Move(NamedTuple):
    """What an event does in a state: where it goes, and what becomes of the number that the state carries."""

    source: str
    event: str
    test: Op | None
    target: str
    op: Op


def _moves(chance: Chance, level: int) -> Draft:
    kind, all_states, all_events = chance.pick(_MACHINES)
    states = chance.sample(all_states, (2, 3, 3, 4, 4)[level - 1])
    events = chance.sample(all_events, (2, 2, 3, 3, 4)[level - 1])
    moves = []
    for source in states:
        for event in events:
            if chance.happens(0.7):
                guarded = chance.happens(0.4)
                if guarded:
                    moves.append(_Move(source, event, int_test(chance), chance.pick(states), _small_map(chance)))
                if not guarded or chance.happens(0.6):
                    moves.append(_Move(source, event, None, chance.pick(states), _small_map(chance)))
    if len(moves) < len(states) + 1 or len({move.target for move in moves}) < 2:
        raise Unfit
    lost = level >= 3  # the function also tells how many events had no effect

    def next_of(state: tuple[str, int], event: str) -> tuple[str, int] | None:
        for move in moves:
            if move.source == state[0] and move.event == event and (not move.test or move.test.run(state[1])):
                return move.target, move.op.run(state[1])
        return None

    def run(state: tuple[str, int], sequence: Sequence[str]) -> tuple[tuple[str, int], int]:
        ignored = 0
        for event in sequence:
            after = next_of(state, event)
            ignored += after is None
            state = after or state
        return state, ignored

    def draw() -> tuple[tuple[str, int], list[str]]:
        start = (chance.pick(states), chance.between(0, 12))
        return start, [chance.pick(events) for _ in range(chance.between(1, 7))]

    spoken = [
        f"`{move.source} n` and `{move.event}`"
        + (f", if {move.test.say('n')}" if move.test else "")
        + f": `{move.target}` of {move.op.say('n')};"
        for move in moves
    ]
    declared = f"type {kind} = {' | '.join(f'{state} of int' for state in states)}\n\ntype event = {' | '.join(events)}"
    arms = [
        f"  | {move.source} n, {move.event}"
        + (f" when {move.test.code('n')}" if move.test else "")
        + f" -> Some ({move.target} {atom(move.op.code('n'))})"
        for move in moves
    ]
    lines = "\n".join(arms)
    body = f"""\
let move {kind} event =
  match ({kind}, event) with
{lines}
  | _ -> None"""
    if lost:
        loop = f"""\
let run {kind} events =
  let step ({kind}, ignored) event =
    match move {kind} event with Some after -> (after, ignored) | None -> ({kind}, ignored + 1)
  in
  List.fold_left step ({kind}, 0) events"""
    else:
        loop = f"""\
let run {kind} events =
  List.fold_left (fun {kind} event -> Option.value (move {kind} event) ~default:{kind}) {kind} events"""
    show = variant({state: [integer] for state in states})
    showing = listing(str)

    def cases() -> Iterator[Case]:
        edge: tuple[tuple[str, int], list[str]] = ((states[0], 0), [])
        for state, sequence in inputs(draw, [edge]):
            after, ignored = run(state, sequence)
            answer = f"({show(after)}, {ignored})" if lost else show(after)
            yield case("run", [show(state), showing(sequence)], answer)
            if chance.happens(0.4):
                event = chance.pick(events)
                moved = next_of(state, event)
                yield case("move", [show(state), event], f"Some ({show(moved)})" if moved else "None")

    result = f"{kind} * int" if lost else kind
    ending = (
        f"`run {kind} events` goes through all events of the list in order, where an event without a move is ignored, "
        "and "
        + (
            "is the pair of the state at the end and of how many events were ignored."
            if lost
            else "is the state at the end."
        )
    )
    return Draft(
        name="run",
        statement=paragraphs(
            f"{a(kind).capitalize()} is in one of several states, each of which carries a number. These are its "
            "moves; of several that fit, the first one counts:",
            bullets(spoken).removesuffix(";") + ".",
            f"`move {kind} event` is `Some` of the state after the event, or `None` if no move fits. {ending}",
        ),
        signature=f"{declared}\n\n"
        f"val move : {kind} -> event -> {kind} option\nval run : {kind} -> event list -> {result}",
        reference=module(
            declared,
            [h for move in moves for op in (move.op, move.test) if op for h in op.helpers],
            body,
            loop,
        ),
        cases=cases(),
        hidden=16,
        groups=("run", "move"),
    )


def _small_map(chance: Chance) -> Op:
    """A change of the number, such as does not make it explode over several events."""
    k, m = chance.between(1, 9), chance.between(5, 13)
    return chance.pick(
        (
            Op("{x}", "{x}", lambda x: x),
            Op(f"{{x}} plus {k}", f"{{x}} + {k}", lambda x: x + k),
            Op(f"{{x}} minus {k}", f"{{x}} - {k}", lambda x: x - k),
            Op(f"{k} minus {{x}}", f"{k} - {{x}}", lambda x: k - x),
            Op("2 times {x}", "2 * {x}", lambda x: 2 * x),
            Op(f"{k}", f"{k}", lambda x: k),
            Op(
                f"the remainder of {{x}} divided by {m} (from 0 to {m - 1} even if {{x}} is negative)",
                f"modulo {{x}} {m}",
                lambda x: x % m,
                (MODULO,),
            ),
        )
    )


FAMILY = Family(
    name="variants.moves",
    topics=("variants-records", "pattern-matching", "simulation"),
    description="a state machine whose states are constructors that carry a number",
    make=_moves,
)
