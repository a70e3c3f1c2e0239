"""Shows a model's pass@1 by level with intervals, the level at which it solves half, and advice for training.

    python -m benchmarks.levels --model SPEC --out DIR [options of benchmarks.evaluate]
    python -m benchmarks.levels DIR [DIR ...] [--html FILE]

The first command evaluates the model on ``bundled:eval``, like ``benchmarks.evaluate``, and prints the figures. The
plot is ``levels.html`` in the results directory. The second command reads finished evaluations and plots them together.

Exit codes: 0 done; 2 wrong usage; 3 an infrastructure error.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import agents  # noqa: F401 - registers the model and the problems called tiny
from ocaml_env.commands import parser_of, reports_errors
from ocaml_env.commands.cli import leave
from ocaml_env.commands.evaluate import main as evaluate
from ocaml_env.display.charts import Line, lines
from ocaml_env.display.markup import plain
from ocaml_env.display.page import document
from ocaml_env.errors import ConfigError
from ocaml_env.evaluation.directory import read_summary
from ocaml_env.evaluation.levels import Rung, advice, rungs, show_crossing, table

__all__ = ["main", "page"]

_NAME = "python -m benchmarks.levels"


@reports_errors()
def main(arguments: Sequence[str] | None = None) -> int:
    """Evaluates a model if one is given, shows the levels of all evaluations, and returns the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    parser = parser_of(_NAME, __doc__)
    parser.add_argument("--html", type=Path, metavar="FILE", help="write the plot to FILE (levels.html in DIR)")
    parser.add_argument(
        "--model", metavar="SPEC", help="evaluate this model; options of benchmarks.evaluate may follow"
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="with --model: the results directory")
    options, others = parser.parse_known_args(given)
    if options.model is None:
        parser.add_argument("directories", nargs="+", type=Path, metavar="DIR", help="finished evaluations")
        directories = parser.parse_args(given).directories
    elif options.out is None:
        parser.error("--model needs --out DIR")
    else:
        directories = [options.out]
        code = evaluate(["--model", options.model, "--out", str(options.out), *others], prog=_NAME)
        if code:
            return code
        print()
    ladders = {str(directory): _ladder(directory) for directory in directories}
    for name, ladder in ladders.items():
        print(name)
        for line in table(ladder):
            print(f"  {line}")
        print(f"  {show_crossing(ladder)}; {advice(ladder)}")
    html = options.html or directories[0] / "levels.html"
    html.write_text("\n".join(page(ladders)), encoding="utf-8")
    print(f"drawn in {html}")
    return 0


def page(ladders: dict[str, list[Rung]]) -> Iterator[str]:
    """Yields the page's lines: a plot of all evaluations, and a table for each."""
    body = ["<h1>pass@1 by level</h1>", '<div class="plots">']
    drawn = [
        Line(name=name, look="abcd"[number % 4], points=[(rung.level, rung.rate) for rung in ladder])
        for number, (name, ladder) in enumerate(ladders.items())
    ]
    body.append(lines("pass@1 by level", drawn, form="{:.0%}", top=1.0, x_name="level"))
    body.append("</div>")
    for name, ladder in ladders.items():
        body.append(f"<h2>{plain(name)}</h2><table><tr><th>level</th><th>problems</th><th>pass@1</th><th>95%</th></tr>")
        for rung in ladder:
            interval = f"{rung.low:.1%} to {rung.high:.1%}"
            body.append(
                f"<tr><td>{rung.level}</td><td>{rung.problems}</td><td>{rung.rate:.1%}</td><td>{interval}</td></tr>"
            )
        body.append(f"</table><p>It {plain(show_crossing(ladder))}; {plain(advice(ladder))}.</p>")
    return document("pass@1 by level", body)


def _ladder(directory: Path) -> list[Rung]:
    ladder = rungs(read_summary(directory).by_level)
    if not ladder:
        raise ConfigError(f"none of the problems of {directory} has a level: evaluate bundled or generated ones")
    return ladder


if __name__ == "__main__":
    leave(main())
