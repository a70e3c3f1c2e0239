"""Draws how a run learned: the share of its answers that pass all tests, and the share that typecheck.

    python -m agents.curve RUN                 # as bars in the terminal
    python -m agents.curve RUN --svg FILE      # as a picture, in colours for light and dark pages

RUN is the folder of a run, or its metrics.jsonl. The answers are those of the training, at its temperature.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from agents.health.files import CannotRead, read_run
from agents.health.records import Record
from ocaml_env.commands import parser_of, reports_errors
from ocaml_env.display.charts import HEIGHT, WIDTH, Line, lines
from ocaml_env.display.markup import plain
from ocaml_env.display.style import STYLE
from ocaml_env.display.terminal import bar

__all__ = ["Window", "main", "picture", "shown", "windows"]

STEPS = 10
"""Steps whose answers are counted together."""

_ILL_TYPED = ("NO_CODE", "SYNTAX_ERROR", "FORBIDDEN", "TYPE_ERROR")


@dataclass(frozen=True, slots=True)
class Window:
    """The answers of some steps in a row.

    Attributes:
        first, last: the steps.
        answers: their number.
        typechecked: the share that typechecks.
        passed: the share that passes all tests.
    """

    first: int
    last: int
    answers: int
    typechecked: float
    passed: float


def windows(records: Sequence[Record], steps: int = STEPS) -> list[Window]:
    """Counts the outcomes of every ``steps`` logging steps; what remains at the end joins the last window."""
    counted = [record for record in records if record.step is not None and record.outcomes]
    count = max(1, len(counted) // steps)
    found = []
    for place in range(count):
        part = counted[place * steps :] if place == count - 1 else counted[place * steps : (place + 1) * steps]
        outcomes: Counter[str] = sum((Counter(record.outcomes) for record in part), Counter())
        total = outcomes.total()
        if total:
            wrong = sum(outcomes[name] for name in _ILL_TYPED)
            first, last = part[0].step or 0, part[-1].step or 0
            found.append(Window(first, last, total, 1 - wrong / total, outcomes["PASSED"] / total))
    return found


def shown(found: Sequence[Window]) -> str:
    """The windows as lines of a terminal: steps, a bar, and both shares."""
    width = max((len(f"{window.first} to {window.last}") for window in found), default=0)
    return "\n".join(
        f"  steps {f'{window.first} to {window.last}':<{width}}  {bar(window.passed)} {window.passed:>4.0%} passed, "
        f"{window.typechecked:>4.0%} typechecked"
        for window in found
    )


def picture(found: Sequence[Window], title: str) -> str:
    """The windows as one SVG drawing with its own style: it needs no other file."""
    ends = [window.last for window in found]
    drawn = [
        Line(name="typechecks", look="a", points=[*zip(ends, (w.typechecked for w in found), strict=True)]),
        Line(name="passes all tests", look="c", points=[*zip(ends, (w.passed for w in found), strict=True)]),
    ]
    figure = lines(title, drawn, form="{:.0%}", top=1.0)
    drawing = re.search(r"<svg[^>]*>(.*)</svg>", figure, re.DOTALL)
    assert drawing is not None  # `lines` draws whatever has points
    names = "".join(
        f'<text x="{x}" y="-6" style="fill: var(--{colour}); font-weight: 600">{name}</text>'
        for x, colour, name in ((42, "bar", "typechecks"), (130, "good", "passes all tests"))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 -38 {WIDTH} {HEIGHT + 40}" role="img" '
        f'aria-label="{plain(title)}"><style>{STYLE}</style>'
        f'<rect y="-38" width="{WIDTH}" height="{HEIGHT + 40}" style="fill: var(--paper)"/>'
        f'<text x="42" y="-24" style="fill: var(--ink)">{plain(title)}</text>{names}{drawing[1]}</svg>\n'
    )


@reports_errors()
def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command. Returns the exit code: 0 done, 2 wrong usage or no readable run."""
    parser = parser_of("python -m agents.curve", __doc__)
    parser.add_argument("run", type=Path, help="folder of a run, or its metrics.jsonl")
    parser.add_argument("--steps", type=int, default=STEPS, help=f"steps counted together (default: {STEPS})")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="write a picture in place of the bars")
    parser.add_argument("--title", default="", help="of the picture (default: the folder's name)")
    options = parser.parse_args(arguments)
    if options.steps < 1:
        parser.error("--steps must be at least 1")
    try:
        found = windows(read_run(options.run).records, options.steps)
    except CannotRead as error:
        parser.error(str(error))
    if not found:
        parser.error(f"{options.run}: no logging step counts the outcomes of answers")
    if options.svg is None:
        print(shown(found))
    else:
        options.svg.write_text(picture(found, options.title or options.run.resolve().name), encoding="utf-8")
        print(options.svg)
    return 0


if __name__ == "__main__":
    sys.exit(main())
