"""Ranks the evaluations beneath a directory by pass@1, in the terminal, as Markdown and as a page.

    python -m benchmarks.leaderboard DIR [--markdown] [--html FILE]
    python -m benchmarks.leaderboard benchmarks/results --update README.md [--check]

Runs on other problems, or with another number of turns, stand in tables of their own: they are not ranked against each
other. Of a run only ``summary.json`` is read, so kept results need no samples. ``--update`` puts the tables between
the lines ``<!-- leaderboard -->`` and ``<!-- /leaderboard -->`` of a file; with ``--check`` it only says whether they
are there as they should be.

Exit codes: 0 done; 1 --check, and the file is not current; 2 wrong usage; 3 a file could not be written; 130 Ctrl-C.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

from benchmarks.standings.page import page
from benchmarks.standings.runs import Table, find_runs, tables_of
from benchmarks.standings.text import NOTE, markdown, show
from ocaml_env import ConfigError
from ocaml_env.terminal import Colour, Paint, printable, screen_width

__all__ = ["main"]

_BEGIN, _END = "<!-- leaderboard -->", "<!-- /leaderboard -->"


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.check and options.update is None:
        parser.error("--check needs --update FILE, the file to be checked")
    try:
        runs, left_out = find_runs(options.directory)
        for reason in left_out:
            print(f"leaderboard: left out: {printable(reason)}", file=sys.stderr)
        tables = tables_of(runs)
        if options.html:
            options.html.write_text(page(tables, options.html.parent), encoding="utf-8")
        if options.update is not None:
            return _update(options.update, tables, check=options.check)
        with contextlib.suppress(BrokenPipeError):  # a reader such as `head` had enough
            _print(tables, options)
    except ConfigError as error:
        print(f"leaderboard: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"leaderboard: {error}", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        return 130
    return 0


def _print(tables: Sequence[Table], options: argparse.Namespace) -> None:
    paint = Paint.choose(sys.stdout)
    if options.markdown:
        print(markdown(tables, Path()), end="", flush=True)
    elif tables:
        width = screen_width(sys.stdout)
        note = [paint(line, Colour.DIM) for line in textwrap.wrap(NOTE, width or 120)]
        print(show(tables, paint, width=width), *note, sep="\n", flush=True)
    else:
        print(f"There is no finished evaluation beneath {options.directory}.", flush=True)


def _update(file: Path, tables: Sequence[Table], *, check: bool) -> int:
    """Puts the tables into the file, or checks that they are there.

    Raises:
        ConfigError: where the file has no place for them.
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
        return 0 if now == before else 1
    if now != before:
        fresh = file.with_name(file.name + ".new")
        with fresh.open("w", encoding="utf-8", newline="") as stream:
            stream.write(now)
        os.replace(fresh, file)
    print(f"{file}: {sum(len(table.runs) for table in tables)} runs")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.leaderboard",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("directory", metavar="DIR", type=Path, help="results directories are searched beneath it, however deep")
    add("--markdown", action="store_true", help="print Markdown, with links to reports from the current directory")
    add("--html", metavar="FILE", type=Path, help="write a page with intervals side by side, and links to the reports")
    add("--update", metavar="FILE", type=Path, help="put the Markdown into FILE")
    add("--check", action="store_true", help="with --update: write nothing, and say whether FILE is current")
    return parser


if __name__ == "__main__":
    sys.exit(main())
