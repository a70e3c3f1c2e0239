"""A robot on a field that obeys a string of commands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import int_join, int_test
from ocaml_env.problems.generators.values import Show, integer, letter, listing, pair, text
from ocaml_env.problems.generators.wording import bullets, module, paragraphs

__all__ = ["FAMILY"]

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
        "last row is its first one, and the other way round. So there are no bumps.",
        "turn": "A step that would leave the field is not made, and the rest of that command is given up; this counts "
        "as a bump, and the robot turns right by a quarter where it is.",
    }[border]
    results = {
        "marks": f"`{name} commands` is the pair of the place `(x, y)` of the robot at the end, and of the list of "
        "the places that are marked, each once, in the order in which they were first marked.",
        "score": f"`{name} commands` is a triple: a number that is made of the place at the end, "
        f"{score.say('x', 'y')}; the number of bumps; the number of different places that are marked.",
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
            f"(`y` from 0 to {height - 1}, to the south). It begins at `x = 0`, `y = 0` and looks east. It obeys the "
            "characters of a string, from left to right; those that are no commands are skipped:",
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


FAMILY = Family(
    name="simulation.robot",
    topics=("simulation", "mutable-arrays", "strings"),
    description="a robot on a field that obeys a string of commands",
    make=_robot,
)
