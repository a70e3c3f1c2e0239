"""Families about simulations: cells in a row, customers at counters, and a robot on a grid."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_test
from ocaml_env.problems.generators.values import Show, integer, letter, listing, pair, text
from ocaml_env.problems.generators.wording import bullets, module, numbered, paragraphs, series

__all__ = ["FAMILIES"]

# --- cells ------------------------------------------------------------------------------------------------------------


class _CellRule(NamedTuple):
    words: str
    ocaml: str  # a condition on l, c, r and i
    run: Callable[[str, str, str, int], bool]


def _cells(chance: Chance, level: int) -> Draft:
    name = chance.pick(("evolve", "generations", "advance", "grow_row", "develop"))
    states = ".#" if level == 1 else ".o#" if level <= 3 else ".o#@"
    rules = [(_cell_rule(chance, states), chance.pick(states)) for _ in range((3, 3, 4, 5, 6)[level - 1])]
    other = chance.pick((*states, "keep"))
    edge = chance.pick(("ring", "mirror", *states))
    outcome = chance.pick(("row", "history") if level <= 2 else ("row", "history", "counts"))

    def step(row: str) -> str:
        made = []
        for i, c in enumerate(row):
            left = row[i - 1] if i or edge == "ring" else c if edge == "mirror" else edge
            right = row[(i + 1) % len(row)] if i + 1 < len(row) or edge == "ring" else c if edge == "mirror" else edge
            image = next(
                (image for rule, image in rules if rule.run(left, c, right, i)), c if other == "keep" else other
            )
            made.append(image)
        return "".join(made)

    def run(n: int, row: str) -> Any:
        rows = [row]
        for _ in range(n):
            rows.append(step(rows[-1]))
        if outcome == "row":
            return rows[-1]
        if outcome == "history":
            return rows
        return [(state, rows[-1].count(state)) for state in states]

    def draw() -> tuple[int, str]:
        return chance.between(1, 4), "".join(chance.pick(states) for _ in range(chance.between(3, 12)))

    fired: set[int] = set()
    changed = 0
    for _ in range(12):
        row = draw()[1]
        after = step(row)
        changed += after != row and len({*after}) > 1
        for i in range(1, len(row) - 1):
            fired.add(
                next(
                    (k for k, (rule, _) in enumerate(rules) if rule.run(row[i - 1], row[i], row[i + 1], i)), len(rules)
                )
            )
    if len(fired) <= len(rules) or changed < 9:
        raise Unfit
    lines = [f"if {rule.words}, the new one is `{image}`;" for rule, image in rules]
    lines.append("otherwise the cell stays as it is." if other == "keep" else f"otherwise the new one is `{other}`.")
    edges = {
        "ring": "The row is a ring: the last cell is to the left of the first one, and the first to the right of the "
        "last.",
        "mirror": "The first cell counts as its own left neighbour, and the last one as its own right neighbour.",
    }.get(edge, f"To the left of the first cell and to the right of the last one there counts as `{edge}`.")
    results = {
        "row": f"`{name} n row` is the row after `n` steps.",
        "history": f"`{name} n row` is the list of all rows from the first one, `row`, to the one after `n` steps, in "
        "order.",
        "counts": f"`{name} n row` is the list of the pairs of a state and of the number of cells with it after `n` "
        "steps, in "
        f"this order: {series([f'`{state}`' for state in states])}.",
    }[outcome]
    conditions = "\n".join(
        f"    {'if' if i == 0 else 'else if'} {rule.ocaml} then {letter(image)}"
        for i, (rule, image) in enumerate(rules)
    )
    outside = {
        "ring": ("row.[size - 1]", "row.[0]"),
        "mirror": ("c", "c"),
    }.get(edge, (letter(edge), letter(edge)))
    last = "c" if other == "keep" else letter(other)
    spoken = " ".join(rule.ocaml for rule, _ in rules)
    sides = "\n".join(
        line
        for name_of, line in (
            ("l", f"    let l = if i > 0 then row.[i - 1] else {outside[0]} in"),
            ("r", f"    let r = if i < size - 1 then row.[i + 1] else {outside[1]} in"),
        )
        if re.search(rf"\b{name_of}\b", spoken)
    )
    step_code = f"""\
let step row =
  let size = String.length row in
  let cell i c =
{sides}
{conditions}
    else {last}
  in
  String.mapi cell row"""
    pairs = "; ".join(f"({letter(state)}, count {letter(state)})" for state in states)
    body = {
        "row": f"let rec {name} n row = if n = 0 then row else {name} (n - 1) (step row)",
        "history": f"let rec {name} n row = row :: (if n = 0 then [] else {name} (n - 1) (step row))",
        "counts": f"""\
let {name} n row =
  let rec last n row = if n = 0 then row else last (n - 1) (step row) in
  let row = last n row in
  let count state = String.fold_left (fun sum c -> if c = state then sum + 1 else sum) 0 row in
  [ {pairs} ]""",
    }[outcome]
    shows: dict[str, tuple[Show, str]] = {
        "row": (text, "string"),
        "history": (listing(text), "string list"),
        "counts": (listing(pair(letter, integer)), "(char * int) list"),
    }
    show, kind = shows[outcome]

    def cases() -> Iterator[Case]:
        given = [(0, states), (2, ""), (3, states[1]), (1, states * 2), (5, states[0] * 4 + states[1] + states[0] * 4)]
        for n, row in inputs(draw, given):
            yield case(name, [integer(n), text(row)], show(run(n, row)))

    return Draft(
        name=name,
        statement=paragraphs(
            "A row of cells is a string; every cell is in one of the states "
            f"{series([f'`{state}`' for state in states])}. In a "
            "step all cells get a new state at the same time, which follows from their states before the step. The "
            "first of "
            "these rules that fits a cell counts:",
            numbered(lines),
            f"Positions are counted from 0. {edges}",
            f"{results} `n` is at least 0, and the row may be empty.",
        ),
        signature=f"val {name} : int -> string -> {kind}",
        reference=module(step_code, body),
        cases=cases(),
    )


def _cell_rule(chance: Chance, states: str) -> _CellRule:
    a, b = chance.pick(states), chance.pick(states)
    k = chance.between(2, 3)
    r = chance.below(k)
    c = chance.pick(states)
    shown = {state: letter(state) for state in states}
    own = f"the cell is `{c}` and "
    own_code = f"c = {shown[c]} && "
    rule = chance.pick(
        (
            _CellRule(
                f"its left neighbour is `{a}` and its right one `{b}`",
                f"l = {shown[a]} && r = {shown[b]}",
                lambda left, c, right, i: left == a and right == b,
            ),
            _CellRule(
                f"at least one of its two neighbours is `{a}`",
                f"(l = {shown[a]} || r = {shown[a]})",
                lambda left, c, right, i: a in (left, right),
            ),
            _CellRule("its two neighbours are in the same state", "l = r", lambda left, c, right, i: left == right),
            _CellRule("its two neighbours are in different states", "l <> r", lambda left, c, right, i: left != right),
            _CellRule(f"its left neighbour is `{a}`", f"l = {shown[a]}", lambda left, c, right, i: left == a),
            _CellRule(
                f"its right neighbour is `{a}` and its position {'is' if r == 0 else f'is {r} more than'} a multiple "
                f"of {k}",
                f"r = {shown[a]} && i mod {k} = {r}",
                lambda left, c, right, i: right == a and i % k == r,
            ),
        )
    )
    if chance.happens(0.55):
        return _CellRule(
            own + rule.words,
            own_code + (f"({rule.ocaml})"),
            lambda left, x, right, i: x == c and rule.run(left, x, right, i),
        )
    return rule


# --- counters ---------------------------------------------------------------------------------------------------------


def _counters(chance: Chance, level: int) -> Draft:
    name = chance.pick(("serve", "queue_times", "desk_day", "attend", "handle"))
    counters = (1, 2, 2, 3, 3)[level - 1]
    pause = chance.between(0, 3)
    longest = chance.between(4, 12)  # nobody waits longer
    need = int_join(chance)
    choice = chance.pick(("first", "last", "least")) if counters > 1 else "first"
    early = int_test(chance)  # who needs double time
    result = chance.pick(("times", "waits", "loads") if level >= 3 else ("times", "waits"))

    def run(customers: Sequence[tuple[int, int]]) -> Any:
        free = [0] * counters
        load = [0] * counters
        times: list[tuple[int, int]] = []
        waits: list[int] = []
        left = 0
        for place, (arrival, items) in enumerate(customers):
            soonest = min(free)
            waiting = [i for i in range(counters) if free[i] <= max(arrival, soonest)]
            at = waiting[0] if choice == "first" else waiting[-1]
            if choice == "least":
                at = min(waiting, key=lambda i: (load[i], i))
            start = max(arrival, free[at])
            if start - arrival > longest:
                left += 1
                continue
            time = abs(need.run(items, place)) + 1
            if early.run(arrival):
                time *= 2
            times.append((start, start + time))
            waits.append(start - arrival)
            free[at] = start + time + pause
            load[at] += time
        return {"times": times, "waits": (waits, left), "loads": (load, left)}[result]

    def draw() -> list[tuple[int, int]]:
        arrivals = sorted(chance.numbers(chance.between(3, 8), 0, 25))
        return [(arrival, chance.number(0, 9)) for arrival in arrivals]

    tried = [draw() for _ in range(8)]
    times = [abs(need.run(items, place)) for customers in tried for place, (_, items) in enumerate(customers)]
    if sum(times) > 14 * len(times) or len({*times}) < 4:
        raise Unfit
    many = counters > 1
    desks = f"There are {counters} counters, with the numbers 0 to {counters - 1}" if many else "There is one counter"
    chosen = {
        "first": "the one with the lowest number",
        "last": "the one with the highest number",
        "least": "the one that has worked least by then (the sum of the times that its customers needed; of several "
        "such the "
        "one with the lowest number)",
    }[choice]
    going = (
        "A customer goes to a counter that is free on arrival; if several are free, to "
        f"{chosen}. If none is free, the customer waits for the one that becomes free first; if several become free "
        "first, the "
        "same rule decides between these."
        if many
        else "A customer waits until the counter is free."
    )
    parts = [
        going,
        "Serving the customer at position `p` of the list (counted from 0), with `m` items, takes 1 more than the "
        "absolute "
        f"value of the following: {need.say('m', 'p')}.",
    ]
    parts.append(f"It takes twice as long if the arrival time `t` is such that {early.say('t')}.")
    if pause:
        parts.append(f"After a customer the counter needs {pause} more before it is free again.")
    parts.append(f"A customer who would have to wait longer than {longest} leaves on arrival and changes nothing.")
    ends = {
        "times": f"`{name} customers` is the list of the pairs of the times at which service begins and ends, for "
        f"those who are served, in the order of the list.",
        "waits": f"`{name} customers` is the pair of the list of the waiting times of those who are served, "
        f"in the order of the list, and of the number of those who leave.",
        "loads": f"`{name} customers` is the pair of the list of the times for which the counters serve customers, in "
        "the order of "
        "their numbers, and of the number of customers who leave.",
    }[result]
    kind = {"times": "(int * int) list", "waits": "int list * int", "loads": "int list * int"}[result]
    show: Show = listing(pair(integer, integer)) if result == "times" else pair(listing(integer), integer)
    code = _counter_code(name, counters, pause, longest, need, choice, early, result)

    def cases() -> Iterator[Case]:
        edges: list[list[tuple[int, int]]] = [
            [],
            [(5, 3)],
            [(0, 2), (0, 2), (0, 2), (0, 2), (0, 2)],
            [(0, 0), (30, 0), (60, 4)],
        ]
        for customers in inputs(draw, edges):
            yield case(name, [listing(pair(integer, integer))(customers)], show(run(customers)))

    return Draft(
        name=name,
        statement=paragraphs(
            f"{desks}. Customers come one after another; each is a pair of the arrival time and the number of items. "
            "The list "
            "has them in ascending order of the arrival times, and those with the same time come in its order. All "
            "counters are "
            "free at time 0.",
            bullets(parts),
            f"{ends} The list may be empty.",
        ),
        signature=f"val {name} : (int * int) list -> {kind}",
        reference=module(need.helpers, early.helpers, code),
        cases=cases(),
    )


def _counter_code(
    name: str, counters: int, pause: int, longest: int, need: Op, choice: str, early: Op, result: str
) -> str:
    at = {
        "first": "first",
        "last": "List.hd (List.rev waiting)",
        "least": "List.fold_left (fun best i -> if load.(i) < load.(best) then i else best) first waiting",
    }[choice]
    kept = {"times": "times", "waits": "waits", "loads": "load"}[result]
    needs_load = choice == "least" or result == "loads"
    ending = {
        "times": "List.rev !times",
        "waits": "(List.rev !waits, !left)",
        "loads": "(Array.to_list load, !left)",
    }[result]
    lines = [
        f"let {name} customers =",
        f"  let free = Array.make {counters} 0 in",
        f"  let load = Array.make {counters} 0 in" if needs_load else "",
        f"  let {kept} = ref [] in" if kept != "load" else "",
        "  let left = ref 0 in" if result != "times" else "",
        "  let attend p (t, m) =",
        "    let moment = max t (Array.fold_left min free.(0) free) in",
        f"    let waiting = List.filter (fun i -> free.(i) <= moment) (List.init {counters} Fun.id) in",
        "    let first = List.hd waiting in" if choice != "last" else "",
        f"    let at = {at} in",
        "    let start = max t free.(at) in",
        f"    if start - t > {longest} then {'incr left' if result != 'times' else '()'}",
        "    else begin",
        f"      let time = abs ({need.code('m', 'p')}) + 1 in",
        f"      let time = if {early.code('t')} then 2 * time else time in",
        "      times := (start, start + time) :: !times;" if result == "times" else "",
        "      waits := (start - t) :: !waits;" if result == "waits" else "",
        "      load.(at) <- load.(at) + time;" if needs_load else "",
        f"      free.(at) <- start + time{f' + {pause}' if pause else ''}",
        "    end",
        "  in",
        "  List.iteri attend customers;",
        f"  {ending}",
    ]
    return "\n".join(line for line in lines if line)


# --- a robot ----------------------------------------------------------------------------------------------------------

_HEADINGS = ("north", "east", "south", "west")
_STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))


class _Action(NamedTuple):
    """A command of a robot: it changes position, heading and marks; ``ocaml`` works on the state ``s``."""

    words: str
    ocaml: str
    run: Callable[[_Robot], None]


class _Robot:
    """Where it is, where it looks, and what it has marked."""

    def __init__(self, width: int, height: int, border: str) -> None:
        self.x, self.y, self.heading = 0, 0, 1
        self.marks: list[tuple[int, int]] = []
        self.bumps = 0
        self._size = (width, height)
        self._border = border

    def go(self, turn: int, count: int) -> None:
        for _ in range(count):
            dx, dy = _STEPS[(self.heading + turn) % 4]
            x, y = self.x + dx, self.y + dy
            width, height = self._size
            if self._border == "wrap":
                x, y = x % width, y % height
            elif not (0 <= x < width and 0 <= y < height):
                self.bumps += 1
                if self._border == "turn":
                    self.heading = (self.heading + 1) % 4
                return
            self.x, self.y = x, y


def _robot(chance: Chance, level: int) -> Draft:
    name = chance.pick(("drive", "wander", "patrol", "steer", "roam"))
    width, height = chance.between(3, 7), chance.between(3, 7)
    border = chance.pick(("stop", "wrap", "turn"))
    letters = chance.sample("ABCDEFGHJKLMN", (3, 4, 5, 6, 7)[level - 1])
    actions: dict[str, _Action] = {letters[0]: _moving(chance, 1), letters[1]: _turning(chance)}
    for one in letters[2:]:
        actions[one] = chance.pick((_moving, _moving, _turning_by, _marking, _conditional, _jumping))(chance, level)
    if len({action.words for action in actions.values()}) < len(actions):
        raise Unfit
    if not any("marks" in action.words for action in actions.values()):
        actions[letters[-1]] = _marking(chance, level)
    score = int_join(chance)
    outcome = chance.pick(("marks", "score"))

    def run(commands: str) -> Any:
        robot = _Robot(width, height, border)
        for one in commands:
            if one in actions:
                actions[one].run(robot)
        if outcome == "marks":
            return ((robot.x, robot.y), [*dict.fromkeys(robot.marks)])
        return (score.run(robot.x, robot.y), robot.bumps, len({*robot.marks}))

    def draw() -> str:
        return "".join(chance.pick(letters if chance.happens(0.95) else "xyz") for _ in range(chance.between(4, 14)))

    lines = [f"`{one}`: the robot {action.words}." for one, action in actions.items()]
    borders = {
        "stop": "A step that would leave the field is not made, and the rest of that command is given up; this counts "
        "as a bump.",
        "wrap": "The field has no border: to the east of its last column is its first one, and to the south of its "
        "last row is its "
        "first one, and the other way round. So there are no bumps.",
        "turn": "A step that would leave the field is not made, and the rest of that command is given up; this counts "
        "as a bump, "
        "and the robot turns right by a quarter where it is.",
    }[border]
    results = {
        "marks": f"`{name} commands` is the pair of the place `(x, y)` of the robot at the end, and of the list of "
        "the places that "
        "are marked, each once, in the order in which they were first marked.",
        "score": f"`{name} commands` is a triple: a number that is made of the place at the end, "
        f"{score.say('x', 'y')}; the number "
        "of bumps; the number of different places that are marked.",
    }[outcome]
    arms = "\n".join(f"    | {letter(one)} -> {action.ocaml}" for one, action in actions.items())
    counted = outcome == "score"
    bump = "incr bumps" if counted else "()"
    turned = "(incr bumps; heading := (!heading + 1) mod 4)" if counted else "heading := (!heading + 1) mod 4"
    inside = {
        "wrap": f"place := ((nx + {width}) mod {width}, (ny + {height}) mod {height}); go turn (count - 1)",
        "stop": f"if nx < 0 || ny < 0 || nx >= {width} || ny >= {height} then {bump}\n"
        "      else (place := (nx, ny); go turn (count - 1))",
        "turn": f"if nx < 0 || ny < 0 || nx >= {width} || ny >= {height} then {turned}\n"
        "      else (place := (nx, ny); go turn (count - 1))",
    }[border]
    ending = {
        "marks": "(!place, List.rev !marks)",
        "score": f"let x, y = !place in\n  ({score.code('x', 'y')}, !bumps, List.length !marks)",
    }[outcome]
    code = f"""\
let {name} commands =
  let place = ref (0, 0) and heading = ref 1 and marks = ref [] in
{"  let bumps = ref 0 in" if counted else ""}
  let rec go turn count =
    if count > 0 then
      let dx, dy = [| (0, -1); (1, 0); (0, 1); (-1, 0) |].((!heading + turn) mod 4) in
      let x, y = !place in
      let nx = x + dx and ny = y + dy in
      {inside}
  in
  let mark () = if not (List.mem !place !marks) then marks := !place :: !marks in
  let obey = function
{arms}
    | _ -> ()
  in
  String.iter obey commands;
  {ending}""".replace("\n\n", "\n")
    place = pair(integer, integer)
    shows: dict[str, tuple[Show, str]] = {
        "marks": (pair(place, listing(place)), "(int * int) * (int * int) list"),
        "score": (pair(integer, integer, integer), "int * int * int"),
    }
    show, kind = shows[outcome]

    def cases() -> Iterator[Case]:
        given = ["", letters[0], letters[0] * 9, "xyz", letters[1] + letters[0] * 8, "".join(letters) * 2]
        for commands in inputs(draw, given):
            yield case(name, [text(commands)], show(run(commands)))

    return Draft(
        name=name,
        statement=paragraphs(
            f"A robot is on a field of {width} columns (`x` from 0 to {width - 1}, to the east) and {height} rows "
            "(`y` from 0 to "
            f"{height - 1}, to the south). It begins at `x = 0`, `y = 0` and looks east. It obeys the characters of a "
            "string, from "
            "left to right; those that are no commands are skipped:",
            bullets(lines),
            borders,
            f"{results} The string may be empty.",
        ),
        signature=f"val {name} : string -> {kind}",
        reference=module(score.helpers if outcome == "score" else (), code),
        cases=cases(),
    )


def _moving(chance: Chance, level: int) -> _Action:
    turn = chance.pick((0, 0, 1, 2, 3)) if level > 1 else 0
    k = chance.between(1, 3)
    where = ("forward", "to its right", "backward", "to its left")[turn]
    steps = "one step" if k == 1 else f"{k} steps"
    look = "" if turn == 0 else ", without turning"
    return _Action(f"goes {steps} {where}{look}", f"go {turn} {k}", lambda robot: robot.go(turn, k))


def _turning(chance: Chance) -> _Action:
    turn = chance.pick((1, 3))
    return _turn_action(turn)


def _turn_action(turn: int) -> _Action:
    def run(robot: _Robot) -> None:
        robot.heading = (robot.heading + turn) % 4

    words = {1: "turns right by a quarter", 2: "turns around", 3: "turns left by a quarter"}[turn]
    return _Action(words, f"heading := (!heading + {turn}) mod 4", run)


def _turning_by(chance: Chance, level: int) -> _Action:
    if chance.happens(0.5):
        return _turn_action(chance.between(1, 3))
    to = chance.below(4)

    def run(robot: _Robot) -> None:
        robot.heading = to

    return _Action(f"turns to the {_HEADINGS[to]}", f"heading := {to}", run)


def _marking(chance: Chance, level: int) -> _Action:
    k = chance.between(0, 2)

    def run(robot: _Robot) -> None:
        robot.marks.append((robot.x, robot.y))
        robot.go(0, k)

    after = "" if k == 0 else f", and then goes {'one step' if k == 1 else f'{k} steps'} forward"
    return _Action(f"marks the place where it is{after}", f"mark (); go 0 {k}" if k else "mark ()", run)


def _conditional(chance: Chance, level: int) -> _Action:
    test, k = int_test(chance), chance.between(1, 2)
    axis = chance.pick("xy")
    turn = chance.pick((1, 3))
    side = "right" if turn == 1 else "left"
    # Only tests without helpers, which would stand outside of the function.
    if test.helpers:
        raise Unfit

    def run(robot: _Robot) -> None:
        if test.run(robot.x if axis == "x" else robot.y):
            robot.go(0, k)
        else:
            robot.heading = (robot.heading + turn) % 4

    bind = "let x, _ = !place in" if axis == "x" else "let _, y = !place in"
    return _Action(
        f"goes {'one step' if k == 1 else f'{k} steps'} forward if {test.say(axis)}, and turns {side} by a quarter "
        "otherwise",
        f"{bind} if {test.code(axis)} then go 0 {k} else heading := (!heading + {turn}) mod 4",
        run,
    )


def _jumping(chance: Chance, level: int) -> _Action:
    if chance.happens(0.5):

        def home(robot: _Robot) -> None:
            robot.x = 0

        return _Action("jumps to the column `x = 0` of its row", "let _, y = !place in place := (0, y)", home)

    def top(robot: _Robot) -> None:
        robot.y = 0

    return _Action("jumps to the row `y = 0` of its column", "let x, _ = !place in place := (x, 0)", top)


FAMILIES = (
    Family(
        name="simulation.cells",
        topics=("simulation", "strings"),
        description="a row of cells that changes by rules about neighbours",
        make=_cells,
    ),
    Family(
        name="simulation.counters",
        topics=("simulation", "mutable-arrays"),
        description="customers who are served at counters, with rules for waiting and leaving",
        make=_counters,
    ),
    Family(
        name="simulation.robot",
        topics=("simulation", "mutable-arrays", "strings"),
        description="a robot on a field that obeys a string of commands",
        make=_robot,
    ),
)
