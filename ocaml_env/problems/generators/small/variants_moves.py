"""Small tasks on states: the next constructor, and the result of many steps."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.inputs import Input, integers, lists, one_of, tuples
from ocaml_env.problems.generators.task import Gap, Task, number
from ocaml_env.problems.generators.values import atom

__all__ = ["TASKS"]


class _Type(NamedTuple):
    """A type with its values."""

    declared: str
    values: Input


def _carrying(constructor: str, *of: Input) -> Input:
    """A constructor with arguments."""

    def draw(chance: Chance) -> str:
        parts = [argument.draw(chance) for argument in of]
        return f"{constructor} ({', '.join(parts)})" if len(parts) > 1 else f"{constructor} {atom(parts[0])}"

    return Input(draw)


def _either(*choices: Input, alone: tuple[str, ...] = ()) -> Input:
    """A value of one of these kinds. Literals that stand ``alone`` are edges: as examples they would be no tests."""
    return Input(lambda chance: chance.pick(choices).draw(chance), alone)


_CYCLES = (  # singular, plural, and its values in their order
    ("light", "lights", ("Red", "Green", "Yellow")),
    ("season", "seasons", ("Spring", "Summer", "Autumn", "Winter")),
    ("shift", "shifts", ("Early", "Late", "Night")),
    ("phase", "phases", ("New", "Waxing", "Full", "Waning")),
    ("meal", "meals", ("Breakfast", "Lunch", "Dinner")),
)
_COUNT = integers(0, 20, far=100)
_TIMED = _Type(
    "type light = Red of int | Green of int | Yellow of int",
    _either(
        _carrying("Red", integers(0, 30)),
        _carrying("Green", integers(0, 30, far=200)),
        _carrying("Yellow", integers(0, 9)),
        alone=("Red 0", "Green 0", "Yellow 0"),
    ),
)
_LIFT = _Type(
    "type lift = Waiting of int | Up of int | Down of int",
    _either(_carrying("Waiting", _COUNT), _carrying("Up", _COUNT), _carrying("Down", _COUNT)),
)
_LAMP = _Type("type lamp = Off | On of int", _either(_carrying("On", integers(1, 40, far=300)), alone=("Off", "On 1")))
_HEN = _Type(
    "type animal = Egg of int | Chick of int | Hen of int",
    _either(
        _carrying("Egg", integers(0, 30, far=200)),
        _carrying("Chick", integers(0, 30, far=200)),
        _carrying("Hen", integers(0, 30, far=900)),
    ),
)
_DIRECTION = _Type("type direction = North | East | South | West", one_of("North", "East", "South", "West"))
_TURN = _Type(f"{_DIRECTION.declared}\n\ntype turn = Left | Right | Back", one_of("Left", "Right", "Back"))
_STEP = _Type(
    "type step = Forward of int | Backward of int | Jump",
    _either(
        _carrying("Forward", integers(0, 9, far=100)), _carrying("Backward", integers(0, 9, far=100)), one_of("Jump")
    ),
)

_CHANGE: Gap = (
    (
        "red turns green, green turns yellow and yellow turns red, with the same number of seconds",
        "Red n -> Green n | Green n -> Yellow n | Yellow n -> Red n",
        "next",
    ),
    (
        "red turns yellow, yellow turns green and green turns red, with the same number of seconds",
        "Red n -> Yellow n | Yellow n -> Green n | Green n -> Red n",
        "previous",
    ),
    (
        "the colour stays, and the seconds grow by $k",
        "Red n -> Red (n + $k) | Green n -> Green (n + $k) | Yellow n -> Yellow (n + $k)",
        "longer",
    ),
    (
        "red and green change places, and yellow stays, with the same number of seconds",
        "Red n -> Green n | Green n -> Red n | Yellow n -> Yellow n",
        "swap",
    ),
    ("all colours turn red, with $k seconds more", "Red n | Green n | Yellow n -> Red (n + $k)", "stop"),
    (
        "a green light gets $k seconds more, and the others stay",
        "Green n -> Green (n + $k) | other -> other",
        "longer_green",
    ),
)
_MOVE: Gap = (
    (
        "`Up` goes one floor up, `Down` one floor down, and `Waiting` stays",
        "Up n -> Up (n + 1) | Down n -> Down (n - 1) | Waiting n -> Waiting n",
        "step",
    ),
    (
        "`Up` goes $k floors up, `Down` $k floors down, and `Waiting` stays",
        "Up n -> Up (n + $k) | Down n -> Down (n - $k) | Waiting n -> Waiting n",
        "run",
    ),
    (
        "`Up` becomes `Down`, `Down` becomes `Up`, and `Waiting` stays, all on the same floor",
        "Up n -> Down n | Down n -> Up n | Waiting n -> Waiting n",
        "turn",
    ),
    ("on whatever floor it is, it stops there and waits", "Up n | Down n | Waiting n -> Waiting n", "halt"),
    (
        "a waiting lift starts to go up on its floor, and all others stop and wait there",
        "Waiting n -> Up n | Up n | Down n -> Waiting n",
        "start_or_stop",
    ),
    (
        "`Up` waits one floor higher, `Down` one floor lower, and `Waiting` stays",
        "Up n -> Waiting (n + 1) | Down n -> Waiting (n - 1) | Waiting n -> Waiting n",
        "arrive",
    ),
)
_DIM: Gap = (
    ("one step brighter, where `Off` becomes `On 1`", "Off -> On 1 | On n -> On (n + 1)", "brighter"),
    ("twice as bright, where `Off` becomes `On $k`", "Off -> On $k | On n -> On (2 * n)", "double"),
    (
        "one step darker, where `On 1` becomes `Off` and `Off` stays",
        "On n when n > 1 -> On (n - 1) | _ -> Off",
        "darker",
    ),
    (
        "$k steps darker, and `Off` if it has no more than that",
        "On n when n > $k -> On (n - $k) | _ -> Off",
        "much_darker",
    ),
    (
        "half as bright, rounded down, where `On 1` and `Off` become `Off`",
        "On n when n > 1 -> On (n / 2) | _ -> Off",
        "half",
    ),
    ("at least at $long, where `Off` stays", "On n -> On (max n $long) | Off -> Off", "at_least"),
    ("at most at $long, where `Off` stays", "On n -> On (min n $long) | Off -> Off", "at_most"),
    (
        "$k steps brighter, but at most at $long, where `Off` becomes `On $k`",
        "Off -> On $k | On n -> On (min $long (n + $k))",
        "limited_brighter",
    ),
)
_AGE: Gap = (
    ("a day older", "Egg n -> Egg (n + 1) | Chick n -> Chick (n + 1) | Hen n -> Hen (n + 1)", "one_day"),
    (
        "in the next form, with 0 days, where a hen stays what it is",
        "Egg _ -> Chick 0 | Chick _ -> Hen 0 | Hen n -> Hen n",
        "grow",
    ),
    (
        "one form further, with the same days; a hen becomes an egg",
        "Egg n -> Chick n | Chick n -> Hen n | Hen n -> Egg n",
        "cycle",
    ),
    (
        "$k days older, but an egg stays as it is",
        "Egg n -> Egg n | Chick n -> Chick (n + $k) | Hen n -> Hen (n + $k)",
        "feed",
    ),
    ("as a hen, whatever it is, with $k days more", "Egg n | Chick n | Hen n -> Hen (n + $k)", "grow_up"),
)
_JUMP: Gap = (
    ("to the opposite side of 0", "-x"),
    ("to 0", "0"),
    ("to twice that number", "2 * x"),
    ("$k back from there", "x - $k"),
    ("to $m", "$m"),
    ("to the double of it, and 1 more", "(2 * x) + 1"),
    ("$m further on", "x + $m"),
)

_CLOCKED: Gap = (
    (
        "red becomes green for $long seconds, green yellow for $k, and yellow red for $m",
        "Red n -> if n > 0 then Red (n - 1) else Green $long\n"
        "  | Green n -> if n > 0 then Green (n - 1) else Yellow $k\n"
        "  | Yellow n -> if n > 0 then Yellow (n - 1) else Red $m",
    ),
    (
        "red becomes yellow for $k seconds, yellow green for $long, and green red for $m",
        "Red n -> if n > 0 then Red (n - 1) else Yellow $k\n"
        "  | Yellow n -> if n > 0 then Yellow (n - 1) else Green $long\n"
        "  | Green n -> if n > 0 then Green (n - 1) else Red $m",
    ),
    (
        "red becomes green for $long seconds, yellow green for $m, and green yellow for $k",
        "Red n -> if n > 0 then Red (n - 1) else Green $long\n"
        "  | Yellow n -> if n > 0 then Yellow (n - 1) else Green $m\n"
        "  | Green n -> if n > 0 then Green (n - 1) else Yellow $k",
    ),
)
_RIDE: Gap = (
    (
        "it goes on in its direction, but turns round without moving on floor $top or 0, where it cannot go on; a "
        "waiting lift stays",
        "Up n -> if n < $top then Up (n + 1) else Down n\n  | Down n -> if n > 0 then Down (n - 1) else Up n\n"
        "  | Waiting n -> Waiting n",
        "turn_at_end",
    ),
    (
        "it goes on in its direction, but waits if it is on floor $top or 0, where it cannot go on; a waiting lift "
        "stays",
        "Up n -> if n < $top then Up (n + 1) else Waiting n\n  | Down n -> if n > 0 then Down (n - 1) else Waiting n\n"
        "  | Waiting n -> Waiting n",
        "wait_at_end",
    ),
    (
        "it goes on in its direction, from floor $top to 0 and from 0 to $top; a waiting lift stays",
        "Up n -> if n < $top then Up (n + 1) else Up 0\n  | Down n -> if n > 0 then Down (n - 1) else Down $top\n"
        "  | Waiting n -> Waiting n",
        "go_round",
    ),
    (
        "a lift that moves waits on the next floor, but on the same one where it cannot go on (up from $top, down "
        "from 0); a waiting lift stays",
        "Up n -> Waiting (min $top (n + 1))\n  | Down n -> Waiting (max 0 (n - 1))\n  | Waiting n -> Waiting n",
        "next_stop",
    ),
)
_CALLED: Gap = (
    (
        "starts to go `Up` or `Down` from its floor, and waits if it is there already",
        "if n < target then Up n else if n > target then Down n else Waiting n",
        "call",
    ),
    (
        "moves one floor towards it (`Up` or `Down`, on the new floor), and waits if it is there already",
        "if n < target then Up (n + 1) else if n > target then Down (n - 1) else Waiting n",
        "approach",
    ),
    (
        "goes there at once: `Up` or `Down` on the new floor, and waits if it is there already",
        "if n < target then Up target else if n > target then Down target else Waiting n",
        "go",
    ),
)
_GROWN: Gap = (
    (
        "an egg of $long days or more becomes a chick of 0 days, and a chick of $m days or more a hen of 0 days",
        "Egg n -> if n < $long then Egg (n + 1) else Chick 0\n  | Chick n -> if n < $m then Chick (n + 1) else Hen 0\n"
        "  | Hen n -> Hen (n + 1)",
    ),
    (
        "an egg of $long days or more becomes a chick of 0 days, and a chick of $m days or more a hen that is a day "
        "older",
        "Egg n -> if n < $long then Egg (n + 1) else Chick 0\n"
        "  | Chick n -> if n < $m then Chick (n + 1) else Hen (n + 1)\n  | Hen n -> Hen (n + 1)",
    ),
    (
        "an egg of $long days or more becomes a chick of 0 days, and a hen of $m days or more an egg of 0 days",
        "Egg n -> if n < $long then Egg (n + 1) else Chick 0\n  | Chick n -> Chick (n + 1)\n"
        "  | Hen n -> if n < $m then Hen (n + 1) else Egg 0",
    ),
)
_GAPS: dict[str, Gap] = {
    "k": number(2, 5),
    "m": number(6, 12),
    "long": number(14, 25),
    "change": _CHANGE,
    "move": _MOVE,
    "dim": _DIM,
    "age": _AGE,
    "jump": _JUMP,
    "clocked": _CLOCKED,
    "ride": _RIDE,
    "called": _CALLED,
    "grown": _GROWN,
    "amount": number(1, 9),
}


def _task(
    level: int, of: _Type, says: tuple[str, ...], names: tuple[str, ...], signature: str, code: str, *inputs: Input
) -> Task:
    signature, code = f"{of.declared}\n\nval $f : {signature}", f"{of.declared}\n\n{code}"
    return Task(level=level, says=says, names=names, signature=signature, code=code, gaps=_GAPS, inputs=inputs)


def _circle(one: str, many: str, values: tuple[str, ...]) -> dict[str, Gap]:
    """Gaps for values that follow each other in a circle."""
    forth = " | ".join(f"{a} -> {b}" for a, b in zip(values, (*values[1:], values[0]), strict=True))
    back = " | ".join(f"{b} -> {a}" for a, b in zip(values, (*values[1:], values[0]), strict=True))
    order = f"{', '.join(f'`{value}`' for value in values)}, and `{values[0]}` again"
    reverse = f"{', '.join(f'`{value}`' for value in values[::-1])}, and `{values[-1]}` again"
    places = " | ".join(f"{'_' if i == len(values) - 1 else i} -> {value}" for i, value in enumerate(values))
    return {
        "one": ((one, one, one),),
        "many": ((many, many, many),),
        "order": ((order, forth, "next"), (reverse, back, "previous")),
        "first": ((values[0],),),
        "circle": ((order,),),
        "places": ((places, places),),
        "size": ((str(len(values)),),),
        "times": (("n", "n"), ("n + 1", "(n + 1)"), ("n + 2", "(n + 2)")),
    }


def _round(one: str, many: str, values: tuple[str, ...]) -> tuple[Task, ...]:
    """Tasks on values that follow each other in a circle."""
    of = _Type(f"type {one} = {' | '.join(values)}", one_of(*values))
    gaps = _circle(one, many, values)

    def task(level: int, says: tuple[str, ...], names: tuple[str, ...], types: str, code: str, *inputs: Input) -> Task:
        made = _task(level, of, says, names, types, code, *inputs)
        return replace(made, gaps=gaps)

    return (
        task(
            1,
            (
                "The $many are $order. `$f l` is the list `l` with each $one replaced by the one that follows it.",
                "One after the other come $order. `$f l` has the next $one for each $one in the list `l`.",
            ),
            ("$order", "all_$order", "${order}_$many"),
            "$one list -> $one list",
            "let $f l = List.map (fun $one -> match $one with $order) l",
            lists(of.values, 0, 5, far=12),
        ),
        task(
            1,
            (
                "The $many are $circle. Which $one comes `$times` steps after `$first`? `$f n` answers that; `n` is "
                "not negative.",
                "Beginning with `$first`, the $many are $circle. `$f n` is the $one after `$times` steps, for `n` "
                "from 0 on.",
            ),
            ("${one}_after", "nth_$one", "${one}_at"),
            "int -> $one",
            "let $f n = match $times mod $size with $places",
            integers(0, 60, far=1_000),
        ),
        task(
            2,
            (
                "The $many are $order. `$f n $one` is the $one that comes `n` steps after `$one`; `n` is not negative.",
                "Go `n` steps from one $one to the next: $order. `$f n $one` is the last one, and `$one` itself if "
                "`n` is 0.",
            ),
            ("after", "steps", "${one}_after"),
            "int -> $one -> $one",
            "let rec $f n $one =\n  if n = 0 then $one\n  else\n    let next = match $one with $order in\n"
            "    $f (n - 1) next",
            integers(0, 24, far=36),
            of.values,
        ),
        task(
            2,
            (
                "The $many are $order. `$f n $one` is the list of `n` of them, each followed by the next, from `$one` "
                "on; `n` is not negative.",
                "List `n` $many one after the other: $order. The first one is `$one`. Write `$f n $one`, which is "
                "`[]` if `n` is 0.",
            ),
            ("list_from", "row_of_$many", "next_$many"),
            "int -> $one -> $one list",
            "let rec $f n $one =\n  if n = 0 then []\n  else\n    let next = match $one with $order in\n"
            "    $one :: $f (n - 1) next",
            integers(0, 7, far=14),
            of.values,
        ),
        task(
            2,
            (
                "The $many should be $order. `$f l` counts how often, in the list `l`, the right $one follows "
                "directly on another one.",
                "How often does a $one in `l` come directly before the one that is next? The right order is $order. "
                "`$f l` answers that.",
            ),
            ("count_right", "right_steps", "count_in_order"),
            "$one list -> int",
            "let rec $f l =\n  let next $one = match $one with $order in\n  match l with\n"
            "  | a :: (b :: _ as rest) -> (if b = next a then 1 else 0) + $f rest\n  | _ -> 0",
            lists(of.values, 0, 8, far=16),
        ),
    )


def _ride(top: int) -> Task:
    """A task on a lift that goes up to this floor."""
    floors = integers(0, top)
    made = _task(
        2,
        _LIFT,
        (
            "The floors go from 0 to $top. `$f lift` is the next state of a lift: $ride.",
            "A lift moves between the floors 0 and $top. What does it do next? `$f lift` says: $ride.",
        ),
        ("$ride", "${ride}_lift"),
        "lift -> lift",
        "let $f lift =\n  match lift with\n  | $ride",
        _either(_carrying("Waiting", floors), _carrying("Up", floors), _carrying("Down", floors)),
    )
    return replace(made, gaps={**_GAPS, "top": ((str(top),),)})


TASKS = (
    _task(
        1,
        _TIMED,
        (
            "A traffic light changes: $change. `$f light` is the new state.",
            "The state of a traffic light is a colour with some seconds. For the next one, $change. Write `$f light`.",
        ),
        ("$change", "${change}_light"),
        "light -> light",
        "let $f light = match light with $change",
        _TIMED.values,
    ),
    _task(
        1,
        _LIFT,
        (
            "A lift has a floor and goes up, down, or waits. In `$f lift`, $move.",
            "The state of a lift has the number of its floor. `$f lift` is the next state: $move.",
        ),
        ("$move", "${move}_lift"),
        "lift -> lift",
        "let $f lift = match lift with $move",
        _LIFT.values,
    ),
    _task(
        1,
        _LAMP,
        (
            "A lamp is off, or on with a brightness. `$f lamp` is the lamp $dim.",
            "`$f lamp` is the lamp `lamp`, but $dim.",
        ),
        ("$dim", "make_$dim"),
        "lamp -> lamp",
        "let $f lamp = match lamp with $dim",
        _LAMP.values,
    ),
    _task(
        1,
        _DIRECTION,
        (
            "`$f (x, y) d` is the point `(x, y)`, moved by $amount in the direction `d`. North and east are where y "
            "and x grow.",
            "`$f (x, y) d` moves a point by $amount: `North` makes y larger, `East` makes x larger, and the other two "
            "make them smaller.",
        ),
        ("move", "walk", "ride"),
        "int * int -> direction -> int * int",
        "let $f (x, y) d = match d with North -> (x, y + $amount) | East -> (x + $amount, y) | South -> (x, y - "
        "$amount) | West -> (x - $amount, y)",
        tuples(integers(-9, 20), integers(-9, 20)),
        _DIRECTION.values,
    ),
    _task(
        1,
        _HEN,
        (
            "An egg, a chick or a hen has an age in days. `$f animal` is the animal $age.",
            "Write `$f animal`: it returns the same animal, but $age. The numbers are days.",
        ),
        ("$age", "${age}_animal"),
        "animal -> animal",
        "let $f animal = match animal with $age",
        _HEN.values,
    ),
    _task(
        1,
        _STEP,
        (
            "On a number line, `Forward n` goes from `x` to `x + n`, `Backward n` to `x - n`, and `Jump` $jump. `$f x "
            "step` is the new place.",
            "Where does a step lead from `x`? `Forward` and `Backward` add and subtract their number, and `Jump` "
            "leads $jump. Write `$f x step`.",
        ),
        ("move", "step_from", "next_place"),
        "int -> step -> int",
        "let $f x step = match step with Forward n -> x + n | Backward n -> x - n | Jump -> $jump",
        integers(-20, 40, far=500),
        _STEP.values,
    ),
    _task(
        2,
        _TIMED,
        (
            "A light has some seconds left. A second later it has one less, and if none were left, $clocked. `$f "
            "light` is the light after a second.",
            "`$f light` is the state of a traffic light a second later: one second less in the same colour; but where "
            "there were 0 seconds, $clocked.",
        ),
        ("tick", "one_second", "next_second"),
        "light -> light",
        "let $f light =\n  match light with\n  | $clocked",
        _TIMED.values,
    ),
    *map(_ride, (5, 8)),
    _task(
        2,
        _LIFT,
        (
            "Somebody calls a lift to the floor `target`. If it waits, it $called; if it moves, it stays as it is. "
            "`$f target lift` is the new state.",
            "`$f target lift` is the lift after a call to that floor. One that is waiting $called. One that is moving "
            "does not change.",
        ),
        ("$called", "${called}_lift"),
        "int -> lift -> lift",
        "let $f target lift =\n  match lift with\n  | Waiting n -> $called\n  | moving -> moving",
        _COUNT,
        _either(
            _carrying("Waiting", _COUNT),
            _carrying("Waiting", _COUNT),
            _carrying("Up", _COUNT),
            _carrying("Down", _COUNT),
        ),
    ),
    _task(
        2,
        _HEN,
        (
            "An animal has a form and an age in days. A day later, $grown; all others are a day older. `$f animal` is "
            "the animal a day later.",
            "`$f animal` lets a day pass. Most animals are a day older then, but $grown.",
        ),
        ("next_day", "grow", "one_day"),
        "animal -> animal",
        "let $f animal =\n  match animal with\n  | $grown",
        _HEN.values,
    ),
    _task(
        2,
        _TURN,
        (
            "`$f d l` is the direction that you look in if you first look in the direction `d` and then turn as the "
            "list `l` says: left, right, or right round.",
            "Start looking towards `d`, and make the turns in `l` one after the other; after `Back` you look the "
            "opposite way. `$f d l` is where you look in the end.",
        ),
        ("turn_all", "look", "final_direction"),
        "direction -> turn list -> direction",
        "let rec $f d l =\n"
        "  let right d = match d with North -> East | East -> South | South -> West | West -> North in\n"
        "  match l with\n  | [] -> d\n  | Right :: rest -> $f (right d) rest\n"
        "  | Back :: rest -> $f (right (right d)) rest\n  | Left :: rest -> $f (right (right (right d))) rest",
        _DIRECTION.values,
        lists(_TURN.values, 0, 4, far=12),
    ),
    _task(
        2,
        _DIRECTION,
        (
            "Walk along the list `l` of directions, $amount metres each: `North` makes y larger, `East` makes x "
            "larger. `$f (x, y) l` is the place where you arrive from `(x, y)`.",
            "From the point `(x, y)`, go $amount in each of the directions in `l`; north is where y grows, and east "
            "where x grows. `$f (x, y) l` is the last point.",
        ),
        ("walk", "arrive", "follow"),
        "int * int -> direction list -> int * int",
        "let rec $f (x, y) l =\n  match l with\n  | [] -> (x, y)\n  | North :: rest -> $f (x, y + $amount) rest\n"
        "  | East :: rest -> $f (x + $amount, y) rest\n  | South :: rest -> $f (x, y - $amount) rest\n"
        "  | West :: rest -> $f (x - $amount, y) rest",
        tuples(integers(-9, 9), integers(-9, 9)),
        lists(_DIRECTION.values, 0, 5, far=12),
    ),
    _task(
        2,
        _STEP,
        (
            "On a number line, `Forward n` goes from `x` to `x + n`, `Backward n` to `x - n`, and `Jump` $jump. `$f x "
            "l` is where all steps in `l` lead.",
            "Make the steps in `l` one by one, beginning at `x`. `Forward` and `Backward` add and subtract a number, "
            "and `Jump` leads $jump. `$f x l` is the end.",
        ),
        ("run", "walk", "follow"),
        "int -> step list -> int",
        "let rec $f x l =\n  match l with\n  | [] -> x\n  | Forward n :: rest -> $f (x + n) rest\n"
        "  | Backward n :: rest -> $f (x - n) rest\n  | Jump :: rest -> $f ($jump) rest",
        integers(-9, 20, far=300),
        lists(_STEP.values, 0, 4, far=10),
    ),
    *(task for noun, plural, values in _CYCLES for task in _round(noun, plural, values)),
)
