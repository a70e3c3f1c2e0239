"""``ocaml-env build``: the engine is built on first use; an image or a set-up script wants it before."""

from __future__ import annotations

import argparse

from ocaml_env.commands import AddParser, ExitCode, add_command
from ocaml_env.engine import build_engine

__all__ = ["add_to", "run"]


def add_to(add_parser: AddParser) -> None:
    """Declares the subcommand."""
    add_command(
        add_parser,
        "build",
        run,
        help="build the engine now, not on first use",
        description="Builds the engine for the OCaml that is found, unless it is built already, and says where it is.",
    )


def run(arguments: argparse.Namespace) -> ExitCode:
    """Builds the engine where it is not built yet."""
    engine = build_engine()
    print(f"engine for OCaml {engine.version}: {engine.folder}")
    return ExitCode.PASSED
