"""Writes the page of an evaluation again, from its results directory.

    ocaml-env report DIR                  # DIR/report.html
    ocaml-env report DIR --samples 200    # a smaller page

An evaluation itself writes the page at its end. This command also works for a running or stopped evaluation. The page
has every figure of ``summary.json``, a map of the problems, and a browser of samples with their statements, code,
diagnostics and tests. It is one file of at most 10 MB: samples without room, passing ones first, are left out and
counted.

Exit codes: 0 done; 2 wrong usage.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from ocaml_env.commands import AddParser, ExitCode, count, describe, reports_errors
from ocaml_env.errors import ConfigError, OCamlEnvError
from ocaml_env.evaluation.config import RunConfig
from ocaml_env.evaluation.directory import read_config, read_samples, read_summary
from ocaml_env.evaluation.protocols.base import Protocol
from ocaml_env.evaluation.protocols.choose import open_protocol, own_protocol
from ocaml_env.evaluation.report.aggregates import aggregate
from ocaml_env.evaluation.report.page import MOST, write_report
from ocaml_env.evaluation.tally import summarise
from ocaml_env.verifiers.choose import open_verifier

__all__ = ["add_to", "main", "run"]

_NAME = "ocaml-env report"


def add_to(add_parser: AddParser) -> None:
    """Declares the subcommand."""
    make = partial(add_parser, "report", help="write the page of an evaluation, report.html, from its directory")
    _options(describe(make, __doc__, _NAME, _NAME)).set_defaults(run=run)


def main(arguments: Sequence[str] | None = None, *, prog: str = _NAME) -> int:
    """Runs the command by itself, under the name ``prog``. Returns the exit code."""
    parser = describe(partial(argparse.ArgumentParser, prog=prog), __doc__, _NAME, prog)
    return run(_options(parser).parse_args(arguments))


@reports_errors("report")
def run(options: argparse.Namespace) -> ExitCode:
    """Writes the page."""
    print(f"written to {_write(options.directory, options.samples)}")
    return ExitCode.PASSED


def _options(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    parser.add_argument("directory", metavar="DIR", type=Path, help="the results directory of an evaluation")
    parser.add_argument(
        "--samples", metavar="N", type=count, default=MOST, help=f"the most samples in the page ({MOST:,})"
    )
    return parser


def _write(path: Path, most: int) -> Path:
    config = read_config(path)
    notes = []
    protocol, problems = None, []
    try:
        protocol = _protocol(config)
        problems = [problem for problem in protocol.problems if problem.id not in config.left_out]
    except OCamlEnvError as error:
        notes.append(f"Statements and tests are left out, for the problems could not be read: {error}")
    ids = [problem.id for problem in problems]
    aggregates = aggregate(read_samples(path))
    ids += sorted(aggregates.about.keys() - set(ids))
    k = _k(path, config)
    summary = summarise(read_samples(path), config=config, k=k, problems=ids)
    if protocol is not None and protocol.name is not None:
        summary = replace(summary, protocol=protocol.summarise(read_samples(path), k=k, problems=ids))
    return write_report(path, summary=summary, problems=problems, aggregates=aggregates, most=most, notes=notes)


def _protocol(config: RunConfig) -> Protocol:
    source, limit = config.problems, config.limit
    if config.protocol is None:
        return own_protocol(source, limit)
    with open_verifier("local", workers=1) as verifier:  # some protocols need it to read their rows
        return open_protocol(config.protocol, source, limit, verifier)


def _k(path: Path, config: RunConfig) -> list[int]:
    """The k of pass@k: those of the summary, if there is one."""
    try:
        return list(read_summary(path).rates)
    except ConfigError:
        return [k for k in (1, 5, 10) if k <= config.n]
