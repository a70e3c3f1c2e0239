"""The subcommands of ``ocaml-env``, one in each module: ``add_to`` declares its arguments, ``run`` executes it."""

from __future__ import annotations

import argparse
import json
import shutil
import textwrap
from collections.abc import Callable
from enum import IntEnum
from typing import Any

__all__ = ["AddParser", "ExitCode", "add_command", "describe", "print_json"]

AddParser = Callable[..., argparse.ArgumentParser]
"""The type of ``add_parser``, with which argparse's subparsers make another parser."""


class ExitCode(IntEnum):
    """The exit codes of the command."""

    PASSED = 0
    NOT_PASSED = 1
    USAGE = 2
    INFRASTRUCTURE = 3
    INTERRUPTED = 130
    PIPE = 141  # as if the signal of a closed pipe had ended the program: the rest of its output is unknown


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
    """Declares a subcommand, with ``run`` as its function. Its help keeps the lines of its epilog."""
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


def describe(make_parser: Callable[..., argparse.ArgumentParser], text: str | None, name: str, prog: str) -> Any:
    """Makes a parser whose description is the docstring of its module, line by line.

    Args:
        make_parser: ``argparse.ArgumentParser``, or the ``add_parser`` of subparsers.
        text: the docstring, with commands called ``ocaml-env ...``.
        name: the command's name in the package.
        prog: the command's name in this call; the description uses it for all commands.
    """
    description = (text or "").replace("ocaml-env ", prog.removesuffix(name.removeprefix("ocaml-env ")))
    return make_parser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)


def print_json(value: object) -> None:
    """Prints a value as JSON, for programs. ASCII only, so that no terminal or pipe can spoil it."""
    print(json.dumps(value, indent=2))
