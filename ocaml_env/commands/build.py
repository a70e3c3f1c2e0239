"""``ocaml-env build``: builds the engine before its first use, for images and set-up scripts."""

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
        description="Builds the engine for the installed OCaml, unless it is already built, and prints its folder.",
    )


def run(arguments: argparse.Namespace) -> ExitCode:
    """Builds the engine if it is not built yet."""
    engine = build_engine()
    print(f"engine for OCaml {engine.version}: {engine.folder}")
    return ExitCode.PASSED
