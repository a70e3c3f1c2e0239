"""The command ``ocaml-env``: checks this machine, lists problems, evaluates answers.

Each subcommand is a module of ``commands``. An error is a message on standard error; ``--debug`` shows the traceback.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
import threading
from collections.abc import Sequence
from typing import Any, NoReturn

from ocaml_env import __version__
from ocaml_env.commands import (
    audit,
    build,
    compare,
    doctor,
    evaluate,
    gallery,
    import_set,
    leaderboard,
    new,
    problems,
    report,
    reports_errors,
    serve,
    submit,
    verify,
)

__all__ = ["leave", "main", "program"]

_EPILOG = """\
examples:
  ocaml-env doctor                      is this machine ready?
  ocaml-env problems --topic graphs     list the problems about graphs
  ocaml-env problems settle             show this problem
  ocaml-env verify settle answer.ml     does this file solve it?
  ocaml-env evaluate --model agent:reference --n 1 --out DIR
                                        how many problems does a model solve?
  ocaml-env audit my_problems/          can these problems be trusted?
  ocaml-env new double.md               write a problem of your own
  ocaml-env serve                       evaluate over HTTP, for other machines

exit codes:
  0  passed, or done        2  usage: a bad argument, file or problem
  1  did not pass           3  infrastructure error: OCaml, the engine or the sandbox
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command.

    Args:
        argv: the arguments after the program's name; by default those of the process.

    Returns:
        The exit code. If argparse itself answers (``--help``, a usage error), it raises ``SystemExit`` as usual.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # the stream was closed before the start
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - for the life of the process
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal without UTF-8 must not end the command
    arguments = _parser().parse_args(argv)
    return reports_errors("ocaml-env")(arguments.run)(arguments)


def program() -> NoReturn:
    """Runs the command as a process, for ``ocaml-env`` and ``python -m ocaml_env``."""
    leave(main())


def leave(code: int) -> NoReturn:
    """Ends the process at once: threads that wait for a server or generate could delay the end, or crash in it."""
    if threading.active_count() > 1:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


class _Subparser(argparse.ArgumentParser):
    """Accepts a subcommand's arguments and options in any order. An unknown one is reported with its own usage.

    By itself argparse reads ``verify PROBLEM --json FILE`` as ``verify PROBLEM`` with a surplus argument.
    """

    _mixing = False

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        if self._mixing:
            return super().parse_known_args(args, namespace)
        self._mixing = True  # parse_known_intermixed_args calls this method again
        try:
            known, unknown = self.parse_known_intermixed_args(args, namespace)
        finally:
            self._mixing = False
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return known, unknown


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ocaml-env",
        description="OCaml programming problems as a reinforcement-learning environment.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"ocaml-env {__version__}")
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=_Subparser)
    for command in (
        doctor,
        problems,
        gallery,
        verify,
        evaluate,
        compare,
        submit,
        leaderboard,
        report,
        audit,
        import_set,
        new,
        serve,
        build,
    ):
        command.add_to(commands.add_parser)
    return parser
