"""The subcommands of ``ocaml-env``, one in each module: ``add_to`` declares its arguments, ``run`` executes it.

This module has the parts of every command, also of those of ``agents`` and ``benchmarks``: parsers, exit codes, and the
form of errors.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import shutil
import sys
import textwrap
from collections.abc import Callable
from enum import IntEnum
from typing import Any, ParamSpec

from ocaml_env.display.terminal import printable
from ocaml_env.errors import ConfigError, OCamlEnvError, ProblemError

__all__ = [
    "AddParser",
    "ExitCode",
    "add_command",
    "add_trust",
    "count",
    "describe",
    "natural",
    "parser_of",
    "print_json",
    "reports_errors",
]

P = ParamSpec("P")

AddParser = Callable[..., argparse.ArgumentParser]
"""The type of ``add_parser``, with which argparse's subparsers make another parser."""


class ExitCode(IntEnum):
    """The exit codes of a command."""

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


def parser_of(prog: str, docstring: str | None) -> argparse.ArgumentParser:
    """Makes the parser of a module that is run by itself. Its help shows the docstring of the module."""
    return argparse.ArgumentParser(
        prog=prog,
        description=(docstring or "").replace("``", "`"),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


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


def count(text: str) -> int:
    """Reads an option: a whole number from 0."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"a whole number from 0, not {text!r}")
    return int(text)


def natural(text: str) -> int:
    """Reads an option: a whole number from 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a whole number from 1, not {text!r}")
    return int(text)


def add_trust(parser: argparse.ArgumentParser) -> None:
    """Declares the options of commands that run candidates here."""
    parser.add_argument(
        "--sandbox",
        choices=("required", "best-effort"),
        default="required",
        help="best-effort runs even if a layer is missing: only for code that you trust (default: required)",
    )
    parser.add_argument(
        "--inside",
        choices=("accept", "refuse"),
        default="accept",
        help="refuse rejects problems with tests that run inside; see docs/trust.md (default: accept)",
    )


def print_json(value: object) -> None:
    """Prints a value as JSON, for programs. ASCII only, so that no terminal or pipe can spoil it."""
    print(json.dumps(value, indent=2))


def reports_errors(name: str = "error", *, interrupted: str = "") -> Callable[[Callable[P, int]], Callable[P, int]]:
    """Decorates a command: its errors become a message on standard error and an exit code.

    Wrong usage gives 2: a ``ConfigError``, a ``ProblemError``, or a file that cannot be read or written, because the
    caller gave every path. Any other error of this package or of the operating system, such as a full disk, gives 3.
    Ctrl-C gives 130, and a reader that has stopped (``| head``) 141. Errors of libraries keep their traceback; with
    ``debug`` in the options given to the command all errors do.

    Args:
        name: the first word of the message.
        interrupted: the message for Ctrl-C; "" for none.
    """

    def decorate(command: Callable[P, int]) -> Callable[P, int]:
        @functools.wraps(command)
        def run(*args: P.args, **kwargs: P.kwargs) -> int:
            try:
                code = command(*args, **kwargs)
                sys.stdout.flush()
            except BrokenPipeError:
                # Python would complain once more when it flushes at exit.
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
                return ExitCode.PIPE
            except KeyboardInterrupt:
                if interrupted:
                    after = "\n" if sys.stderr.isatty() else ""  # a terminal shows ^C
                    print(f"{after}{interrupted}", file=sys.stderr)
                return ExitCode.INTERRUPTED
            except (OCamlEnvError, OSError) as error:
                debug = any(getattr(options, "debug", False) for options in args)
                if debug or (isinstance(error, OSError) and error.errno is None):
                    raise
                print(f"{name}: {printable(_message(error))}", file=sys.stderr)
                return _exit_code(error)
            return code

        return run

    return decorate


def _message(error: OCamlEnvError | OSError) -> str:
    """The text of an error; for one of the operating system the file and the reason, without its number."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def _exit_code(error: OCamlEnvError | OSError) -> ExitCode:
    wrong_file = isinstance(error, OSError) and error.filename is not None
    return ExitCode.USAGE if wrong_file or isinstance(error, ConfigError | ProblemError) else ExitCode.INFRASTRUCTURE
