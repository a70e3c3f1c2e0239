"""Compares two evaluations, problem by problem: what B solves more or less than A, and whether that is chance.

    python -m benchmarks.compare A B [--html FILE] [--json FILE]

A and B are results directories of ``python -m benchmarks.evaluate``, which need not have the same problems or samples:
what both have is compared, and what is not alike is named. Differences are B - A, means over problems, each with its
95% interval by bootstrap over problems and the p-value of a sign-flip test. Of pass@k those are compared that both
report. Samples that could not be had count nowhere.

Exit codes: 0 done, whatever the difference; 2 wrong usage: no results directory, an unfinished run, no problem in
common; 3 a file could not be written; 130 Ctrl-C.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.comparison.page import page
from benchmarks.comparison.side import read_side
from benchmarks.comparison.study import compare, record
from benchmarks.comparison.table import show
from benchmarks.comparison.words import of_movement, verdict
from ocaml_env import ConfigError
from ocaml_env.terminal import Paint, screen_width

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit code."""
    options = _parser().parse_args(arguments)
    try:
        found = compare(read_side(options.a), read_side(options.b))
        if options.json:
            told = {"verdict": verdict(found), "movement_told": of_movement(found)}
            options.json.write_text(
                json.dumps(record(found) | told, indent=2, allow_nan=False) + "\n", encoding="ascii"
            )
        if options.html:
            options.html.write_text(page(found), encoding="utf-8")
        with contextlib.suppress(BrokenPipeError):  # a reader such as `head` had enough
            print(show(found, Paint.choose(sys.stdout), width=screen_width(sys.stdout)), flush=True)
    except ConfigError as error:
        print(f"compare: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"compare: {error}", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.compare", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("a", metavar="A", type=Path, help="a results directory")
    parser.add_argument("b", metavar="B", type=Path, help="another")
    parser.add_argument(
        "--html", metavar="FILE", type=Path, help="write a page with plots and every problem that flipped"
    )
    parser.add_argument("--json", metavar="FILE", type=Path, help="write every figure")
    return parser


if __name__ == "__main__":
    sys.exit(main())
