"""Ranks the evaluations beneath a directory by pass@1, in the terminal, as Markdown and as a page.

    ocaml-env leaderboard DIR [--markdown] [--html FILE]
    ocaml-env leaderboard benchmarks/results --update docs/evaluation.md [--check]

Runs on other problems, or with another number of turns, have tables of their own and are not ranked against each other.
Only ``summary.json`` of a run is read, so kept results need no samples. ``--update`` puts the tables between the lines
``<!-- leaderboard -->`` and ``<!-- /leaderboard -->`` of a file; with ``--check`` it only says if they are current.

Exit codes: 0 done; 1 --check, and the file is not current; 2 wrong usage; 3 a file could not be written; 130 Ctrl-C.
"""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from ocaml_env.commands import AddParser, ExitCode, describe, reports_errors
from ocaml_env.display.terminal import Colour, Paint, printable, screen_width
from ocaml_env.errors import ConfigError
from ocaml_env.evaluation.files import write_whole
from ocaml_env.evaluation.leaderboard.page import page
from ocaml_env.evaluation.leaderboard.runs import Table, find_runs, tables_of
from ocaml_env.evaluation.leaderboard.text import NOTE, markdown, show

__all__ = ["add_to", "main", "run"]

_NAME = "ocaml-env leaderboard"

_BEGIN, _END = "<!-- leaderboard -->", "<!-- /leaderboard -->"


def add_to(add_parser: AddParser) -> None:
    """Declares the subcommand."""
    make = partial(add_parser, "leaderboard", help="rank the evaluations beneath a directory by pass@1")
    _options(describe(make, __doc__, _NAME, _NAME)).set_defaults(run=run)


def main(arguments: Sequence[str] | None = None, *, prog: str = _NAME) -> int:
    """Runs the command by itself, under the name ``prog``. Returns the exit code."""
    parser = describe(partial(argparse.ArgumentParser, prog=prog), __doc__, _NAME, prog)
    return run(_options(parser).parse_args(arguments))


@reports_errors("leaderboard")
def run(options: argparse.Namespace) -> ExitCode:
    """Ranks, prints, and writes the wanted files."""
    if options.check and options.update is None:
        options.parser.error("--check needs --update FILE, the file to check")
    runs, left_out = find_runs(options.directory)
    for reason in left_out:
        print(f"leaderboard: left out: {printable(reason)}", file=sys.stderr)
    tables = tables_of(runs)
    if options.html:
        options.html.write_text(page(tables, options.html.parent), encoding="utf-8")
    if options.update is not None:
        return _update(options.update, tables, check=options.check)
    _print(tables, options)
    return ExitCode.PASSED


def _print(tables: Sequence[Table], options: argparse.Namespace) -> None:
    paint = Paint.choose(sys.stdout)
    if options.markdown:
        print(markdown(tables, Path()), end="")
    elif tables:
        width = screen_width(sys.stdout)
        note = [paint(line, Colour.DIM) for line in textwrap.wrap(NOTE, width or 120)]
        print(show(tables, paint, width=width), *note, sep="\n")
    else:
        print(f"There is no finished evaluation beneath {options.directory}.")


def _update(file: Path, tables: Sequence[Table], *, check: bool) -> ExitCode:
    """Puts the tables into the file, or checks that they are there.

    Raises:
        ConfigError: if the file has no place for them.
    """
    try:
        with file.open(encoding="utf-8", newline="") as stream:
            before = stream.read()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: cannot be read: {error}") from None
    start, end = before.find(_BEGIN), before.find(_END)
    if (before.count(_BEGIN), before.count(_END)) != (1, 1) or end < start:
        raise ConfigError(f"{file}: needs the lines {_BEGIN} and {_END}, once each: the tables go between them")
    now = f"{before[: start + len(_BEGIN)]}\n{markdown(tables, file.parent).rstrip()}\n{before[end:]}"
    if check:
        print(f"{file}: the leaderboard is {'current' if now == before else 'not current: run without --check'}")
        return ExitCode.PASSED if now == before else ExitCode.NOT_PASSED
    if now != before:
        write_whole(file, now)
    print(f"{file}: {sum(len(table.runs) for table in tables)} runs")
    return ExitCode.PASSED


def _options(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    add = parser.add_argument
    add("directory", metavar="DIR", type=Path, help="search this directory for results directories, at any depth")
    add("--markdown", action="store_true", help="print Markdown, with links to reports from the current directory")
    add("--html", metavar="FILE", type=Path, help="write a page with intervals side by side, and links to the reports")
    add("--update", metavar="FILE", type=Path, help="put the Markdown into FILE")
    add("--check", action="store_true", help="with --update: write nothing, and say if FILE is current")
    parser.set_defaults(parser=parser)
    return parser
