"""Checks a run of the benchmark, and makes its row of the leaderboard.

    ocaml-env submit DIR                     # a row: self-reported
    ocaml-env submit DIR --again OTHER       # OTHER, a run of the same weights by somebody else: reproduced
    ocaml-env submit DIR --secret FILE       # of the track -fresh: reveals the secret of its release

The settings must be those of ``--benchmark``. Each problem has one sample, with the digests of the problem and of its
prompt. The samples are evaluated again by the engine of this machine, and must give the figures of ``summary.json``.
The row is printed as Markdown; ``submission.json`` in DIR keeps its status for ``ocaml-env leaderboard``.

Exit codes: 0 done; 2 the run breaks a rule, or wrong usage; 3 an infrastructure error.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from ocaml_env.commands import AddParser, ExitCode, describe, natural, reports_errors
from ocaml_env.evaluation.leaderboard.runs import find_runs, tables_of
from ocaml_env.evaluation.leaderboard.text import markdown
from ocaml_env.verifiers.choose import HELP as WHICH_VERIFIER

__all__ = ["add_to", "main", "run"]

_NAME = "ocaml-env submit"


def add_to(add_parser: AddParser) -> None:
    """Declares the subcommand."""
    make = partial(add_parser, "submit", help="check a run of the benchmark, and make its row of the leaderboard")
    _options(describe(make, __doc__, _NAME, _NAME)).set_defaults(run=run)


def main(arguments: Sequence[str] | None = None, *, prog: str = _NAME) -> int:
    """Runs the command by itself, under the name ``prog``. Returns the exit code."""
    parser = describe(partial(argparse.ArgumentParser, prog=prog), __doc__, _NAME, prog)
    return run(_options(parser).parse_args(arguments))


@reports_errors("submit")
def run(options: argparse.Namespace) -> ExitCode:
    """Checks the run, and prints its row."""
    from ocaml_env.evaluation.benchmark.check import submission_of  # late, so that --help is fast
    from ocaml_env.evaluation.benchmark.entry import read_secret

    secret = read_secret(options.secret) if options.secret else ""
    submission_of(options.directory, options, again=options.again, secret=secret).write(options.directory)
    runs, _ = find_runs(options.directory)
    print(markdown(tables_of([run for run in runs if run.path == options.directory]), Path()), end="")
    return ExitCode.PASSED


def _options(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    add = parser.add_argument
    add("directory", metavar="DIR", type=Path, help="the results directory of `ocaml-env evaluate --benchmark`")
    add("--again", metavar="DIR", type=Path, help="another run of the same weights: figures that agree are reproduced")
    add("--secret", metavar="FILE", type=Path, help="of the track -fresh: the file with the secret of its seed")
    add("--verifier", metavar="SPEC", default="local", help=f"{WHICH_VERIFIER} (local)")
    add("--workers", type=natural, help="worker processes (one for each CPU)")
    parser.set_defaults(inside="accept", sandbox="required")
    return parser
