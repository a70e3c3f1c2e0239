"""A state machine: its states are constructors that carry a number."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import MODULO, Op, int_test, plus, quotient, remainder, telling
from ocaml_env.problems.generators.values import Show, atom, integer, listing, pair, variant
from ocaml_env.problems.generators.wording import a, bullets, module, paragraphs

__all__ = ["FAMILY"]

State = tuple[str, int]

_MACHINES = (
    ("door", ("Open", "Shut", "Locked", "Broken", "Ajar"), ("Push", "Pull", "Turn", "Kick", "Knock")),
    ("robot", ("Idle", "Busy", "Stuck", "Charging", "Asleep"), ("Poke", "Feed", "Shout", "Tick", "Help")),
    ("lamp", ("Dark", "Dim", "Bright", "Blinking", "Burnt"), ("Press", "Hold", "Twist", "Tap", "Pull")),
    ("boat", ("Moored", "Adrift", "Sailing", "Sunk", "Towed"), ("Wind", "Wave", "Row", "Steer", "Call")),
)
_SIZES = {1: (2, 2), 3: (3, 2), 5: (3, 3)}  # states and events
_LOW, _HIGH = -15, 30
_NUMBERS = range(_LOW, _HIGH + 1)
_SHOWN = 0.6  # of the numbers are critical for the move
_NO_MOVE = 0.15  # of the events, at least, are drawn without regard to the moves


class _Move(NamedTuple):
    """The effect of an event in a state.

    Attributes:
        test: a question about the number; without it, the move is for every number.
        target: the new state.
        op: the change of the number.
        tells: numbers that show a part of the move, by part.
    """

    source: str
    event: str
    test: Op | None
    target: str
    op: Op
    tells: tuple[tuple[int, ...], ...]

    @property
    def words(self) -> str:
        condition = f", if {self.test.say('n')}" if self.test else ""
        return f"`{self.source} n` and `{self.event}`{condition}: `{self.target}` of {self.op.say('n')}"

    @property
    def ocaml(self) -> str:
        test, made = self.test.code("n") if self.test else "", atom(self.op.code("n"))
        used = test or "{x}" in self.op.ocaml
        guard = f" when {test}" if test else ""
        return f"  | {self.source} {'n' if used else '_'}, {self.event}{guard} -> Some ({self.target} {made})"

    def run(self, n: int) -> State | None:
        return None if self.test and not self.test.run(n) else (self.target, self.op.run(n))

    def number(self, chance: Chance) -> int:
        if self.tells and chance.happens(_SHOWN):
            return chance.pick(chance.pick(self.tells))
        return chance.between(-300, 300) if chance.happens(0.1) else chance.number(_LOW, _HIGH)


Path = Sequence[tuple[State, bool]]  # the state after each event, and True if there was a move


@dataclass(frozen=True, slots=True)
class _Machine:
    """The drawn machine; ``asked`` are the functions to write beside ``move``."""

    kind: str
    states: tuple[str, ...]
    events: tuple[str, ...]
    moves: tuple[_Move, ...]
    asked: tuple[str, ...]

    def after(self, state: State, event: str) -> State | None:
        for move in self.moves:
            if (move.source, move.event) == (state[0], event):
                made = move.run(state[1])
                if made:
                    return made
        return None

    def path(self, state: State, events: Sequence[str]) -> Path:
        made = []
        for event in events:
            after = self.after(state, event)
            state = after or state
            made.append((state, after is not None))
        return made

    @property
    def show(self) -> Show:
        return variant({state: [integer] for state in self.states})

    @property
    def declared(self) -> str:
        states = " | ".join(f"{state} of int" for state in self.states)
        return f"type {self.kind} = {states}\n\ntype event = {' | '.join(self.events)}"


def _moves(chance: Chance, level: int) -> Draft:
    machine = _machine(chance, level)
    kind = machine.kind
    moves = "\n".join(move.ocaml for move in machine.moves)
    code = f"let move {kind} event =\n  match ({kind}, event) with\n{moves}\n  | _ -> None"
    asked = [_QUESTIONS[name] for name in machine.asked]
    values = [f"val {question.name} : {kind} -> event list -> {question.result}" for question in asked]
    return Draft(
        name=asked[0].name,
        statement=paragraphs(
            f"The state of {a(kind)} carries a number `n`, and events change it. These are its moves; of several that "
            "fit, the first one counts:",
            bullets(f"{move.words}." for move in machine.moves),
            f"`move {kind} event` is `Some` of the state after the event, or `None` if no move fits.",
            "The events of a list come one after another, and an event without a move changes nothing. "
            + " ".join(question.words.replace("KIND", kind) for question in asked),
        ),
        signature="\n".join([f"{machine.declared}\n", f"val move : {kind} -> event -> {kind} option", *values]).replace(
            "KIND", kind
        ),
        reference=module(
            machine.declared,
            [h for move in machine.moves for op in (move.op, move.test) if op for h in op.helpers],
            code,
            _NUMBER.replace("ALL", " | ".join(f"{state} n" for state in machine.states))
            if "peak" in machine.asked
            else "",
            [question.ocaml.replace("KIND", kind) for question in asked],
        ),
        cases=_cases(chance, machine),
        hidden=16,
        groups=("move", *machine.asked),
    )


# --- drawing ----------------------------------------------------------------------------------------------------------


def _machine(chance: Chance, level: int) -> _Machine:
    """A machine. Three in ten pairs of a state and an event have no move."""
    kind, all_states, all_events = chance.pick(_MACHINES)
    states, events = (chance.sample(*choice) for choice in zip((all_states, all_events), _SIZES[level], strict=True))
    pairs = [(state, event) for state in states for event in events]
    without = chance.sample(pairs, len(pairs) * 3 // 10)
    moves = [move for pair in pairs if pair not in without for move in _moves_of(chance, pair, states)]
    if {move.target for move in moves} < {*states}:
        raise Unfit
    known = ("run", "trace") if level == 1 else ("count", "obey", "peak", "useful", "trace")
    return _Machine(
        kind, tuple(states), tuple(events), tuple(moves), tuple(chance.sample(known, 2 if level >= 5 else 1))
    )


def _moves_of(chance: Chance, at: tuple[str, str], states: Sequence[str]) -> list[_Move]:
    """The moves for a state and an event: one for every number, one for some numbers, or two."""
    if chance.happens(0.6):
        return [_move(chance, at, None, states, _NUMBERS)]
    test = telling(chance, int_test, [(n,) for n in _NUMBERS])
    yes = [n for n in _NUMBERS if test.run(n)]
    first = _move(chance, at, test, states, yes)
    if chance.happens(0.4):
        return [first]
    while True:
        second = _move(chance, at, None, states, [n for n in _NUMBERS if n not in yes])
        if sum(first.run(n) != second.run(n) for n in yes) > 1:
            return [first, second]


def _move(chance: Chance, at: tuple[str, str], test: Op | None, states: Sequence[str], numbers: Sequence[int]) -> _Move:
    """A move. Some of these numbers show each of its parts."""
    while True:
        target, op = chance.pick(states), chance.pick(_CHANGES)(chance)
        if op.is_shown_by(numbers) and any((target, op.run(n)) != (at[0], n) for n in numbers):
            break
    tells = [tuple(n for n in numbers if fault(n) != op.run(n)) for fault in op.faults]
    if test:
        tells.append(tuple(n for n in _NUMBERS if len({*map(test.run, (n - 1, n, n + 1))}) > 1))
        tells += [tuple(n for n in _NUMBERS if fault(n) != test.run(n)) for fault in test.faults]
    return _Move(*at, test, target, op, tuple(tells))


def _history(chance: Chance, machine: _Machine, first: _Move) -> tuple[State, list[str]]:
    """A state, and events that begin with the one of the move."""
    start = state = (first.source, first.number(chance))
    events = [first.event]
    for _ in range(chance.pick((0, 1, 2, 3, 4, 5, 5, 12))):
        state = machine.after(state, events[-1]) or state
        known = [move.event for move in machine.moves if move.source == state[0]]
        events.append(chance.pick(machine.events if not known or chance.happens(2 * _NO_MOVE) else known))
    return start, events


def _cases(chance: Chance, machine: _Machine) -> Iterator[Case]:
    """Each move in turn: a history that begins with it, and the move alone."""
    firsts, moves = (cycle(chance.shuffled(machine.moves)) for _ in range(2))
    show, showing = machine.show, listing(str)
    empty: tuple[State, list[str]] = ((machine.states[0], chance.between(1, 9)), [])
    for start, events in inputs(lambda: _history(chance, machine, next(firsts)), [empty]):
        path = machine.path(start, events)
        for name in machine.asked:
            answer = _QUESTIONS[name].answer(show, start, events, path)
            yield case(name, [show(start), showing(events)], answer)
        move = next(moves)
        state = (move.source, move.number(chance))
        event = chance.pick(machine.events) if chance.happens(_NO_MOVE) else move.event
        after = machine.after(state, event)
        yield case("move", [show(state), event], f"Some ({show(after)})" if after else "None")


# --- changes of the number: none that makes it explode over several events --------------------------------------------


def _shift(chance: Chance) -> Op:
    return plus(chance, 9)


def _mirror(chance: Chance) -> Op:
    k = chance.between(1, 9)
    return Op(f"{k} minus {{x}}", f"{k} - {{x}}", lambda x: k - x)


def _scale(chance: Chance) -> Op:
    return chance.pick(
        (
            Op("{x}", "{x}", lambda x: x),
            Op("2 times {x}", "2 * {x}", lambda x: 2 * x),
            Op("half of {x}, rounded towards zero", "{x} / 2", lambda x: quotient(x, 2)),
        )
    )


def _fixed(chance: Chance) -> Op:
    k = chance.between(1, 9)
    return Op(f"{k}", f"{k}", lambda x: k)


def _bounded(chance: Chance) -> Op:
    k = chance.between(2, 9)
    if chance.happens(0.5):
        fault = (lambda x: x, lambda x: k)
        return Op(f"the greater of {{x}} and {k}", f"max {{x}} {k}", lambda x: max(x, k), (), fault)
    words = f"the distance between {{x}} and {k} (never negative)"
    return Op(words, f"abs ({{x}} - {k})", lambda x: abs(x - k), (), (lambda x: x - k, lambda x: k - x))


def _rest(chance: Chance) -> Op:
    m = chance.between(5, 13)
    return Op(
        f"the remainder of {{x}} divided by {m} (from 0 to {m - 1} even if {{x}} is negative)",
        f"modulo {{x}} {m}",
        lambda x: x % m,
        (MODULO,),
        (lambda x: remainder(x, m),),
    )


_CHANGES = (_shift, _shift, _mirror, _scale, _fixed, _bounded, _rest)


# --- questions about several events -----------------------------------------------------------------------------------


class _Question(NamedTuple):
    """A function of a state and of events.

    Attributes:
        result: its type.
        answer: as OCaml, from a function that shows a state, the first state, the events and the path.
    """

    name: str
    result: str
    words: str
    ocaml: str
    answer: Callable[[Show, State, Sequence[str], Path], str]


def _end(start: State, path: Path) -> State:
    return path[-1][0] if path else start


def _obeyed(show: Show, start: State, events: Sequence[str], path: Path) -> str:
    refused = [place for place, (_, moved) in enumerate(path) if not moved]
    return f"Error {refused[0]}" if refused else f"Ok ({show(_end(start, path))})"


def _counted(show: Show, start: State, events: Sequence[str], path: Path) -> str:
    return pair(show, integer)((_end(start, path), sum(not moved for _, moved in path)))


def _used(show: Show, start: State, events: Sequence[str], path: Path) -> str:
    return listing(str)([event for event, (_, moved) in zip(events, path, strict=True) if moved])


_NUMBER = "let number = function ALL -> n"

_QUESTIONS = {
    question.name: question
    for question in (
        _Question(
            "run",
            "KIND",
            "`run KIND events` is the state at the end.",
            """\
let run KIND events =
  let step KIND event = match move KIND event with Some after -> after | None -> KIND in
  List.fold_left step KIND events""",
            lambda show, start, events, path: show(_end(start, path)),
        ),
        _Question(
            "count",
            "KIND * int",
            "`count KIND events` is the pair of the state at the end and of how many events have no move.",
            """\
let count KIND events =
  let step (KIND, idle) event =
    match move KIND event with Some after -> (after, idle) | None -> (KIND, idle + 1)
  in
  List.fold_left step (KIND, 0) events""",
            _counted,
        ),
        _Question(
            "trace",
            "KIND list",
            "`trace KIND events` is the list of the states after each event, also after those that have no move.",
            """\
let rec trace KIND = function
  | [] -> []
  | event :: rest ->
    let after = match move KIND event with Some after -> after | None -> KIND in
    after :: trace after rest""",
            lambda show, start, events, path: listing(show)([state for state, _ in path]),
        ),
        _Question(
            "obey",
            "(KIND, int) result",
            "`obey KIND events` is `Ok` of the state at the end if each event has a move, and otherwise `Error i`, "
            "where `i` is the position in the list, counted from 0, of the first event that has none.",
            """\
let obey KIND events =
  let rec go KIND i = function
    | [] -> Ok KIND
    | event :: rest -> ( match move KIND event with Some after -> go after (i + 1) rest | None -> Error i)
  in
  go KIND 0 events""",
            _obeyed,
        ),
        _Question(
            "peak",
            "int",
            "`peak KIND events` is the greatest number of all states on the way, the first and the last one included.",
            """\
let rec peak KIND = function
  | [] -> number KIND
  | event :: rest ->
    let after = match move KIND event with Some after -> after | None -> KIND in
    max (number KIND) (peak after rest)""",
            lambda show, start, events, path: integer(max(n for _, n in (start, *(state for state, _ in path)))),
        ),
        _Question(
            "useful",
            "event list",
            "`useful KIND events` is the list of the events that have a move when they come, in order.",
            """\
let rec useful KIND = function
  | [] -> []
  | event :: rest -> (
    match move KIND event with Some after -> event :: useful after rest | None -> useful KIND rest)""",
            _used,
        ),
    )
}


FAMILY = Family(
    name="variants.moves",
    topics=("variants-records", "pattern-matching", "simulation"),
    description="a state machine whose states are constructors that carry a number",
    make=_moves,
)
