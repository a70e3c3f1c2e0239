"""``ocaml-env import``: converts another problem set to this project's JSONL, and reports the refused rows."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TextIO

from ocaml_env.audit.limits import fit_limits
from ocaml_env.commands import AddParser, ExitCode, add_command
from ocaml_env.display.terminal import Colour, Paint, columns, printable, screen_width
from ocaml_env.errors import ConfigError
from ocaml_env.problem.record import problem_to_record
from ocaml_env.problems.importers import FORMATS, KNOWN_FORMATS, Imported, import_problems
from ocaml_env.problems.rows import Tally
from ocaml_env.verifiers.local import Verifier

__all__ = ["add_columns", "add_to", "read_columns", "run"]


def add_to(add_parser: AddParser) -> None:
    """Declares the subcommand."""
    parser = add_command(
        add_parser,
        "import",
        run,
        help="convert another problem set to this project's JSONL",
        description=(
            "Makes a problem of every usable row, and gives the reason for each other row. If there is a reference, it "
            "is run, and fitting limits on CPU time are written. The audit then checks if tests compile and references "
            "pass."
        ),
        epilog=f"""\
formats, and the columns of each (* needed; of several names the first present one is read):
{_schemas(screen_width(sys.stdout) or 100)}

examples:
  ocaml-env import problems.csv --to problems.jsonl
  ocaml-env import exam.csv --columns prompt=question,tests=checks --to problems.jsonl
  ocaml-env import exercism:ocaml/ --to exercism.jsonl
  ocaml-env import kiranpg/ocaml-training-problems --to problems.jsonl --limit 100
  ocaml-env import nuprl/MultiPL-E:humaneval-ml --to humaneval.jsonl --report bad.jsonl

exit codes: 0 all rows imported, 1 some refused, 2 usage, 3 infrastructure error""",
    )
    parser.add_argument(
        "source",
        metavar="SOURCE",
        help="a .csv, .jsonl, .json or .parquet file, a folder of them or one of save_to_disk, "
        "OWNER/NAME[:CONFIGURATION] of the hub, or exercism:PATH, a clone of Exercism's OCaml track",
    )
    parser.add_argument("--to", metavar="OUT.jsonl", required=True, type=Path, help="the file for the problems")
    parser.add_argument("--format", metavar="F", choices=FORMATS, default="auto", help=f"one of {', '.join(FORMATS)}")
    add_columns(parser)
    parser.add_argument("--no-mend", action="store_true", help="refuse numbers written ~1: do not read them as -1")
    parser.add_argument("--split", metavar="S", help="rows of this split only")
    parser.add_argument("--report", metavar="FILE", type=Path, help="write refused, changed and noted rows, as JSONL")
    parser.add_argument("--limit", metavar="N", type=int, help="read only the first N rows")


def add_columns(parser: argparse.ArgumentParser) -> None:
    """Declares ``--columns``, for all commands that read a user's file."""
    parser.add_argument(
        "--columns",
        metavar="OURS=THEIRS,...",
        default="",
        help="columns of a format with other names in the set, as prompt=question,tests=checks",
    )


def read_columns(arguments: argparse.Namespace) -> dict[str, str]:
    """The columns of ``--columns``.

    Raises:
        ConfigError: if it is no list of pairs.
    """
    pairs = [pair.strip() for pair in arguments.columns.split(",") if pair.strip()]
    for pair in pairs:
        if not all(pair.partition("=")):
            raise ConfigError(f"--columns must be pairs such as prompt=question, not {pair!r}")
    return {ours.strip(): theirs.strip() for ours, _, theirs in (pair.partition("=") for pair in pairs)}


def _schemas(width: int) -> str:
    lines: list[str] = []
    for form in KNOWN_FORMATS:
        lines += ["", f"  {form.name}: {form.about}"]
        for column in form.columns:
            names = ", ".join(column.names) + (" *" if column.needed else "")
            lines += textwrap.wrap(
                f"{names}: {column.meaning}", width, initial_indent="    ", subsequent_indent="        "
            )
    return "\n".join(lines[1:])


def run(arguments: argparse.Namespace) -> ExitCode:
    """Imports the rows, and prints their counts."""
    counts = _Counts()
    if arguments.report and arguments.report.resolve() == arguments.to.resolve():
        raise ConfigError("--to and --report are the same file")
    for file in filter(None, (arguments.to, arguments.report)):
        if not file.name or file.is_dir():
            raise ConfigError(f"{file} cannot be a file: give a file name")
    rows = import_problems(
        arguments.source,
        format=arguments.format,
        columns=read_columns(arguments),
        mend=not arguments.no_mend,
        split=arguments.split,
        limit=arguments.limit,
        progress=True,
    )
    with contextlib.closing(rows), contextlib.ExitStack() as files, Verifier(cache_size=0) as verifier:
        problems = files.enter_context(_replacing(arguments.to))
        report = files.enter_context(_replacing(arguments.report)) if arguments.report else None
        for imported in rows:
            counts.add(imported)
            if imported.problem is not None:
                problem = replace(imported.problem, limits=fit_limits(imported.problem, verifier).limits)
                problems.write(json.dumps(problem_to_record(problem)) + "\n")
            if report is not None and (imported.error or imported.notes or imported.repaired):
                report.write(json.dumps(_as_json(imported)) + "\n")
        if not counts.tally.rows:
            raise ConfigError(f"{arguments.source!r} holds no rows" + (" of that split" if arguments.split else ""))
    for line in _as_text(counts, arguments, Paint.choose(sys.stdout), screen_width(sys.stdout)):
        print(line)
    return ExitCode.NOT_PASSED if counts.tally.fallen else ExitCode.PASSED


@dataclass(slots=True)
class _Counts:
    """Counts of the rows so far."""

    tally: Tally = field(default_factory=Tally)
    noted: int = 0
    repaired_rows: int = 0
    repaired: int = 0

    def add(self, imported: Imported) -> None:
        self.tally.add(imported)
        self.noted += bool(imported.notes)
        self.repaired_rows += bool(imported.repaired)
        self.repaired += imported.repaired


@contextlib.contextmanager
def _replacing(path: Path) -> Iterator[TextIO]:
    """Opens a file that replaces ``path`` once it is complete: ``path`` may be the source itself."""
    partial = path.with_name(f"{path.name}.partial")
    try:
        with partial.open("w", encoding="utf-8", newline="\n") as file:
            yield file
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def _as_json(imported: Imported) -> dict[str, object]:
    return {
        "row": imported.row,
        "id": imported.id,
        "imported": imported.problem is not None,
        "reason": imported.reason,
        "error": imported.error,
        "notes": imported.notes,
        "repaired": imported.repaired,
    }


def _as_text(counts: _Counts, arguments: argparse.Namespace, paint: Paint, width: int | None) -> Iterator[str]:
    tally = counts.tally
    refused = tally.rows - tally.kept
    lines = [
        ("rows", str(tally.rows), ""),
        ("imported", paint(str(tally.kept), Colour.GREEN), f"to {arguments.to}"),
        ("noted", str(counts.noted), "with something left out or changed"),
        ("repaired", str(counts.repaired_rows), f"{counts.repaired} numbers written ~1 read as -1"),
        ("refused", paint(str(refused), Colour.RED) if refused else "0", ""),
        *((f"  {cause}", str(count), printable(example)) for cause, count, example in tally.causes),
    ]
    yield from columns(lines, right=(1,), width=width)
    if refused and not arguments.report:
        yield "--report FILE writes all refused rows with their reasons"
