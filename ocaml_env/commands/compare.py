"""Compares two evaluations, problem by problem: what B solves more or less than A, and if that is chance.

    ocaml-env compare A B [--html FILE] [--json FILE]

A and B are results directories of ``ocaml-env evaluate``. They need not have the same problems or samples: the
common ones are compared, and differences between the runs are named. Each figure is B - A, a mean over problems, with
its 95% interval by bootstrap over problems and the p-value of a sign-flip test. pass@k is compared if both report it.
Missing samples do not count.

Exit codes: 0 done, whatever the difference; 2 wrong usage: no results directory, an unfinished run, no problem in
common; 3 a file could not be written; 130 Ctrl-C.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from ocaml_env.commands import AddParser, ExitCode, describe, reports_errors
from ocaml_env.display.terminal import Paint, screen_width
from ocaml_env.evaluation.compare.formatting import of_movement, verdict
from ocaml_env.evaluation.compare.page import page
from ocaml_env.evaluation.compare.side import read_side
from ocaml_env.evaluation.compare.study import compare, record
from ocaml_env.evaluation.compare.table import show

__all__ = ["add_to", "main", "run"]

_NAME = "ocaml-env compare"


def add_to(add_parser: AddParser) -> None:
    """Declares the subcommand."""
    make = partial(add_parser, "compare", help="compare two evaluations, problem by problem: is the difference chance?")
    _options(describe(make, __doc__, _NAME, _NAME)).set_defaults(run=run)


def main(arguments: Sequence[str] | None = None, *, prog: str = _NAME) -> int:
    """Runs the command by itself, under the name ``prog``. Returns the exit code."""
    parser = describe(partial(argparse.ArgumentParser, prog=prog), __doc__, _NAME, prog)
    return run(_options(parser).parse_args(arguments))


@reports_errors("compare")
def run(options: argparse.Namespace) -> ExitCode:
    """Compares, prints, and writes the wanted files."""
    found = compare(read_side(options.a), read_side(options.b))
    if options.json:
        told = {"verdict": verdict(found), "movement_told": of_movement(found)}
        options.json.write_text(json.dumps(record(found) | told, indent=2, allow_nan=False) + "\n", encoding="ascii")
    if options.html:
        options.html.write_text(page(found), encoding="utf-8")
    print(show(found, Paint.choose(sys.stdout), width=screen_width(sys.stdout)))
    return ExitCode.PASSED


def _options(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    parser.add_argument("a", metavar="A", type=Path, help="a results directory")
    parser.add_argument("b", metavar="B", type=Path, help="another")
    parser.add_argument(
        "--html", metavar="FILE", type=Path, help="write a page with plots and every problem that flipped"
    )
    parser.add_argument("--json", metavar="FILE", type=Path, help="write every figure")
    return parser
