"""The subcommands of ``ocaml-env``, one a module: ``add_to`` declares its arguments, ``run`` does it."""

from __future__ import annotations

import argparse
import json
import shutil
import textwrap
from collections.abc import Callable
from enum import IntEnum

__all__ = ["AddParser", "ExitCode", "add_command", "print_json"]

AddParser = Callable[..., argparse.ArgumentParser]
"""What argparse's subparsers offer to make one more."""


class ExitCode(IntEnum):
    """What the command answers to the shell."""

    PASSED = 0
    NOT_PASSED = 1
    USAGE = 2
    OUR_FAULT = 3
    INTERRUPTED = 130
    PIPE = 141  # as of a program that the signal of a closed pipe ends: nobody knows what was still to be said


def add_command(
    add_parser: AddParser,
    name: str,
    run: Callable[[argparse.Namespace], ExitCode],
    *,
    help: str,
    description: str,
    epilog: str = "",
    usage: str | None = None,
) -> argparse.ArgumentParser:
    """Declares a subcommand that ``run`` carries out; its help keeps the lines of its epilog."""
    parser = add_parser(
        name,
        help=help,
        description=textwrap.fill(description, shutil.get_terminal_size().columns - 2),
        epilog=epilog,
        usage=usage,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    return parser


def print_json(value: object) -> None:
    """Prints a value for programs. ASCII only, so that no terminal or pipe can spoil it."""
    print(json.dumps(value, indent=2))
