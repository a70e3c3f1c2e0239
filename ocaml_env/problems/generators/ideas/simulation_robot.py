"""A robot on a field that obeys a string of commands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Case, Draft, case, inputs
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.ints import Op, int_join, int_test, telling
from ocaml_env.problems.generators.values import Show, integer, letter, listing, pair, text
from ocaml_env.problems.generators.wording import bullets, module, paragraphs

__all__ = ["FAMILY"]

_NAMES = ("drive", "wander", "patrol", "steer", "roam")
_COMMANDS = {1: 3, 3: 5, 5: 7}
_HEADINGS = ("north", "east", "south", "west")
_STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
_SIDES = {1: "right", 3: "left"}


class _Field(NamedTuple):
    """The drawn field, without the commands.

    Attributes:
        border: the effect of a step over it: ``stop``, ``wrap`` or ``turn``.
        outcome: ``marks`` or ``score``.
        score: of the final place.
    """

    name: str
    width: int
    height: int
    border: str
    outcome: str
    score: Op

    @property
    def bumps(self) -> bool:
        """True if bumps are a part of the result."""
        return self.outcome == "score" and self.border != "wrap"


class _Robot:
    """Its place, its direction, and the places that it has marked."""

    def __init__(self, field: _Field) -> None:
        self.x, self.y, self.heading = 0, 0, 1
        self.marks: dict[tuple[int, int], None] = {}
        self.bumps = 0
        self._field = field

    def go(self, turn: int, count: int) -> None:
        width, height, border = self._field[1:4]
        for _ in range(count):
            dx, dy = _STEPS[(self.heading + turn) % 4]
            x, y = self.x + dx, self.y + dy
            if border == "wrap":
                x, y = x % width, y % height
            elif not (0 <= x < width and 0 <= y < height):
                self.bumps += 1
                if border == "turn":
                    self.turn(1)
                return
            self.x, self.y = x, y

    def turn(self, by: int) -> None:
        self.heading = (self.heading + by) % 4

    def mark(self) -> None:
        self.marks[self.x, self.y] = None


class _Action(NamedTuple):
    """The effect of a command. In ``ocaml``, a sideways step is ``go turn count``, another one ``forward count``."""

    words: str
    ocaml: str
    run: Callable[[_Robot], None]
    helpers: tuple[str, ...] = ()


def _robot(chance: Chance, level: int) -> Draft:
    field = _field(chance)
    actions = _actions(chance, field, level)
    show, kind = _shown(field)

    def cases() -> Iterator[Case]:
        letters = [*actions]
        given = ["", letters[0], letters[0] * 9, "xyz", letters[1] + letters[0] * 8, "".join(letters) * 2]
        for commands in inputs(lambda: _commands(chance, letters), given):
            yield case(field.name, [text(commands)], show(_answer(field, actions, commands)))

    helpers = field.score.helpers if field.outcome == "score" else ()
    return Draft(
        name=field.name,
        statement=_statement(field, actions),
        signature=f"val {field.name} : string -> {kind}",
        reference=module(helpers, [h for action in actions.values() for h in action.helpers], _code(field, actions)),
        cases=cases(),
    )


def _answer(field: _Field, actions: Mapping[str, _Action], commands: str) -> Any:
    robot = _Robot(field)
    for command in commands:
        if command in actions:
            actions[command].run(robot)
    if field.outcome == "marks":
        return (robot.x, robot.y), [*robot.marks]
    bumps = [robot.bumps] if field.bumps else []
    return (field.score.run(robot.x, robot.y), *bumps, len(robot.marks))


def _shown(field: _Field) -> tuple[Show, str]:
    """A function to show a result, and its type."""
    place = pair(integer, integer)
    if field.outcome == "marks":
        return pair(place, listing(place)), "(int * int) * (int * int) list"
    return (pair(integer, integer, integer), "int * int * int") if field.bumps else (place, "int * int")


# --- drawing ----------------------------------------------------------------------------------------------------------


def _field(chance: Chance) -> _Field:
    width, height = chance.between(3, 6), chance.between(3, 5)
    return _Field(
        name=chance.pick(_NAMES),
        width=width,
        height=height,
        border=chance.pick(("stop", "wrap", "turn")),
        outcome=chance.pick(("marks", "score")),
        score=telling(chance, int_join, [(x, y) for x in range(width) for y in range(height)]),
    )


def _commands(chance: Chance, letters: list[str]) -> str:
    count = chance.between(4, 16) if chance.happens(0.8) else chance.pick((1, 2, 3, 25, 30))
    return "".join(chance.pick(letters if chance.happens(0.92) else "xyzZ 1") for _ in range(count))


def _actions(chance: Chance, field: _Field, level: int) -> dict[str, _Action]:
    """Different actions: one turns, and one marks."""
    letters = chance.sample("ABCDEFGHJKLMN", _COMMANDS[level])
    found = [_moving(chance, field, level), _turn_by(chance.pick((1, 3))), _marking(chance, field, level)]
    for _ in range(40):
        if len(found) == len(letters):
            return dict(zip(letters, found, strict=True))
        make = chance.pick((_moving, _moving, _turning, _marking, _conditional, _jumping))
        action = make(chance, field, level)
        if action.words not in [other.words for other in found]:
            found.append(action)
    raise Unfit


def _moving(chance: Chance, field: _Field, level: int) -> _Action:
    turn = chance.pick((0, 0, 1, 2, 3)) if level > 1 else 0
    k = chance.between(1, 3)
    where = ("forward", "to its right", "backward", "to its left")[turn]
    code = f"go {turn} {k}" if turn else f"forward {k}"
    look = ", without turning" if turn else ""
    return _Action(f"goes {_steps(k)} {where}{look}", code, lambda robot: robot.go(turn, k))


def _steps(k: int) -> str:
    return "one step" if k == 1 else f"{k} steps"


def _turning(chance: Chance, field: _Field, level: int) -> _Action:
    if chance.happens(0.5):
        return _turn_by(chance.between(1, 3))
    to = chance.below(4)

    def run(robot: _Robot) -> None:
        robot.heading = to

    return _Action(f"turns to the {_HEADINGS[to]}", f"heading := {to}", run)


def _turn_by(turn: int) -> _Action:
    words = "turns around" if turn == 2 else f"turns {_SIDES[turn]} by a quarter"
    return _Action(words, f"heading := (!heading + {turn}) mod 4", lambda robot: robot.turn(turn))


def _marking(chance: Chance, field: _Field, level: int) -> _Action:
    k = chance.between(0, 2)

    def run(robot: _Robot) -> None:
        robot.mark()
        robot.go(0, k)

    after = f", and then goes {_steps(k)} forward" if k else ""
    return _Action(f"marks the place where it is{after}", f"mark (); forward {k}" if k else "mark ()", run)


def _conditional(chance: Chance, field: _Field, level: int) -> _Action:
    axis, size = chance.pick((("x", field.width), ("y", field.height)))
    test = telling(chance, _small_test, [(place,) for place in range(size)] * 2)
    turn, k = chance.pick((1, 3)), chance.between(1, 2)

    def run(robot: _Robot) -> None:
        if test.run(robot.x if axis == "x" else robot.y):
            robot.go(0, k)
        else:
            robot.turn(turn)

    bind = "let x, _ = !place in" if axis == "x" else "let _, y = !place in"
    return _Action(
        f"goes {_steps(k)} forward if {test.say(axis)}, and turns {_SIDES[turn]} by a quarter otherwise",
        f"{bind} if {test.code(axis)} then forward {k} else heading := (!heading + {turn}) mod 4",
        run,
        test.helpers,
    )


def _small_test(chance: Chance) -> Op:
    """A question about small numbers."""
    test = int_test(chance)
    while "is_square" in test.ocaml:
        test = int_test(chance)
    return test


def _jumping(chance: Chance, field: _Field, level: int) -> _Action:
    def home(robot: _Robot) -> None:
        robot.x = 0

    def top(robot: _Robot) -> None:
        robot.y = 0

    if chance.happens(0.5):
        return _Action("jumps to the column `x = 0` of its row", "let _, y = !place in place := (0, y)", home)
    return _Action("jumps to the row `y = 0` of its column", "let x, _ = !place in place := (x, 0)", top)


# --- words and OCaml --------------------------------------------------------------------------------------------------


def _statement(field: _Field, actions: Mapping[str, _Action]) -> str:
    no_step = "A step that would leave the field is not made, and the rest of that command's steps is given up"
    bump = "; this counts as a bump" if field.bumps else ""
    borders = {
        "stop": f"{no_step}{bump}.",
        "wrap": "The field has no border: to the east of its last column is its first one, and to the south of its "
        "last row is its first one, and the other way round.",
        "turn": f"{no_step}{bump}. The robot then turns right by a quarter where it is.",
    }
    call = f"`{field.name} commands` is"
    different = "the number of different places that are marked"
    score = f"a number that is made of the place at the end, {field.score.say('x', 'y')}"
    results = {
        "marks": f"{call} the pair of the place `(x, y)` of the robot at the end, and of the list of the places that "
        "are marked, each once, in the order in which they were first marked.",
        "score": f"{call} a triple: {score}; the number of bumps; {different}."
        if field.bumps
        else f"{call} a pair: {score}; {different}.",
    }
    return paragraphs(
        f"A robot is on a field of {field.width} columns (`x` from 0 to {field.width - 1}, to the east) and "
        f"{field.height} rows (`y` from 0 to {field.height - 1}, to the south). It begins at `x = 0`, `y = 0` and "
        "looks east. It obeys the characters of a string, from left to right; those that are no commands are skipped:",
        bullets(f"`{command}`: the robot {action.words}." for command, action in actions.items()),
        borders[field.border],
        f"{results[field.outcome]} The string may be empty.",
    )


def _code(field: _Field, actions: Mapping[str, _Action]) -> str:
    aside = any("go " in action.ocaml for action in actions.values())
    go, at = ("go turn", "(!heading + turn) mod 4") if aside else ("forward", "!heading")
    arms = "\n".join(f"    | {letter(command)} -> {action.ocaml}" for command, action in actions.items())
    forward = "  let forward count = go 0 count in" if aside and "forward" in arms else ""
    parts = [field.score.code("x", "y"), *["!bumps"] * field.bumps, "List.length !marks"]
    endings = {
        "marks": "  (!place, List.rev !marks)",
        "score": f"  let x, y = !place in\n  ({', '.join(parts)})",
    }
    lines = [
        f"let {field.name} commands =",
        "  let place = ref (0, 0) and heading = ref 1 and marks = ref [] in",
        "  let bumps = ref 0 in" if field.bumps else "",
        f"  let rec {go} count =",
        "    if count > 0 then",
        f"      let dx, dy = [| (0, -1); (1, 0); (0, 1); (-1, 0) |].({at}) in",
        "      let x, y = !place in",
        "      let nx = x + dx and ny = y + dy in",
        _step_code(field, go),
        "  in",
        forward,
        "  let mark () = if not (List.mem !place !marks) then marks := !place :: !marks in",
        "  let obey = function",
        arms,
        "    | _ -> ()",
        "  in",
        "  String.iter obey commands;",
        endings[field.outcome],
    ]
    return "\n".join(line for line in lines if line)


def _step_code(field: _Field, go: str) -> str:
    width, height = field.width, field.height
    if field.border == "wrap":
        return f"      place := ((nx + {width}) mod {width}, (ny + {height}) mod {height}); {go} (count - 1)"
    bump = ["incr bumps"] if field.bumps else []
    bump += ["heading := (!heading + 1) mod 4"] if field.border == "turn" else []
    stopped = bump[0] if len(bump) == 1 else f"({'; '.join(bump)})"
    return f"""\
      if nx < 0 || ny < 0 || nx >= {width} || ny >= {height} then {stopped}
      else (place := (nx, ny); {go} (count - 1))"""


FAMILY = Family(
    name="simulation.robot",
    topics=("simulation", "mutable-arrays", "strings"),
    description="a robot on a field that obeys a string of commands",
    make=_robot,
)
