"""The subcommands of ``ocaml-env``, one a module: ``add_to`` declares its arguments, ``run`` does it."""

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
"""What argparse's subparsers offer to make one more."""


class ExitCode(IntEnum):
    """What the command answers to the shell."""

    PASSED = 0
    NOT_PASSED = 1
    USAGE = 2
    INFRASTRUCTURE = 3
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


def describe(make_parser: Callable[..., argparse.ArgumentParser], text: str | None, name: str, prog: str) -> Any:
    """A parser whose description is the docstring of its module, line by line.

    Args:
        make_parser: ``argparse.ArgumentParser``, or what ``add_subparsers`` offers.
        text: the docstring, in which commands are called ``ocaml-env ...``.
        name: the command as users of the package type it.
        prog: how it was called here; the description calls commands alike.
    """
    description = (text or "").replace("ocaml-env ", prog.removesuffix(name.removeprefix("ocaml-env ")))
    return make_parser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)


def print_json(value: object) -> None:
    """Prints a value for programs. ASCII only, so that no terminal or pipe can spoil it."""
    print(json.dumps(value, indent=2))
