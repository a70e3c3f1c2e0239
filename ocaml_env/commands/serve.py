"""``ocaml-env serve``: evaluates over HTTP, for trainers on other machines and in other languages."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ocaml_env.commands import AddParser, ExitCode, add_command, add_trust
from ocaml_env.errors import ConfigError
from ocaml_env.problems.sources import read_sets
from ocaml_env.server.settings import Settings, read_token
from ocaml_env.verifiers.local import Verifier
from ocaml_env.verifiers.remote.token import TOKEN_VARIABLE

__all__ = ["add_to", "run"]

_USUAL = Settings()


def add_to(add_parser: AddParser) -> None:
    """Declares the subcommand."""
    parser = add_command(
        add_parser,
        "serve",
        run,
        help="evaluate over HTTP, for trainers on other machines and in other languages",
        description="Serves verdicts and rewards over HTTP until it is stopped (SIGTERM or Ctrl-C); then it finishes "
        "the work in progress. In Python, use it with RemoteVerifier(URL). URL/docs describes the requests.",
        epilog=f"""\
examples:
  ocaml-env serve
  ocaml-env serve --problems 'bundled:train+generated:lists?n=1000' --workers 16
  {TOKEN_VARIABLE}=$(cat token) ocaml-env serve --host 0.0.0.0

  curl -s localhost:{_USUAL.port}/v1/verify --json '{{"problem": "snake_case", "code": "let snake_case s = s"}}'

An address that other machines can reach needs a token. There is no TLS: on a network that is not trusted, put a proxy
with TLS before the service.

exit codes: 0 ended by a signal, 2 usage, 3 infrastructure error""",
    )
    parser.add_argument("--host", default=_USUAL.host, help=f"the address to listen at (default: {_USUAL.host})")
    parser.add_argument("--port", type=int, default=_USUAL.port, help=f"0 takes any free port (default: {_USUAL.port})")
    parser.add_argument(
        "--problems",
        metavar="SETS",
        default="bundled",
        help="a source for load_problems; several, joined by + (default: bundled)",
    )
    parser.add_argument("--workers", type=int, metavar="N", help="worker processes (default: one for each CPU)")
    add_trust(parser)
    parser.add_argument("--cache", type=int, metavar="N", default=4096, help="verdicts to remember (default: 4096)")
    parser.add_argument(
        "--token-file", type=Path, metavar="FILE", help=f"require the token in FILE (default: ${TOKEN_VARIABLE})"
    )
    parser.add_argument(
        "--allow-inline-problems",
        action="store_true",
        help="let requests bring problems. Their tests run outside the candidates' sandbox: only allow it to callers "
        "who may run code here",
    )
    parser.add_argument(
        "--max-waiting",
        type=int,
        metavar="N",
        default=_USUAL.max_waiting,
        help=f"the most candidates in the queue; further requests are refused with 429 (default: {_USUAL.max_waiting})",
    )
    parser.add_argument(
        "--max-body",
        type=int,
        metavar="BYTES",
        default=_USUAL.max_body,
        help=f"the most bytes of one request (default: {_USUAL.max_body})",
    )
    parser.add_argument(
        "--patience",
        type=float,
        metavar="SECONDS",
        default=_USUAL.patience,
        help=f"time for a request to arrive, and between two on a connection (default: {_USUAL.patience:g})",
    )
    parser.add_argument(
        "--grace",
        type=float,
        metavar="SECONDS",
        default=_USUAL.grace,
        help=f"time for the work in progress when it is stopped (default: {_USUAL.grace:g})",
    )
    parser.add_argument(
        "--access-log", action="store_true", help="write a line of JSON for each request, to standard error"
    )


def run(arguments: argparse.Namespace) -> ExitCode:
    """Serves until a signal comes."""
    try:
        from ocaml_env.server.run import serve
    except ImportError as error:
        raise ConfigError(
            f"serving needs packages that are not installed ({error.name}): pip install 'ocaml-env[server]'"
        ) from None
    settings = Settings(
        host=arguments.host,
        port=arguments.port,
        token=read_token(arguments.token_file),
        allow_inline_problems=arguments.allow_inline_problems,
        max_waiting=arguments.max_waiting,
        max_body=arguments.max_body,
        patience=arguments.patience,
        grace=arguments.grace,
        access_log=arguments.access_log,
    )
    problems = read_sets(arguments.problems)
    if problems.note:
        sys.stderr.write(f"{problems.note}\n")
    with Verifier(
        workers=arguments.workers, sandbox=arguments.sandbox, cache_size=arguments.cache, inside=arguments.inside
    ) as verifier:

        def ready(url: str) -> None:
            asked = "with a token" if settings.token else "without a token"
            sys.stderr.write(
                f"{len(problems)} problems, {verifier.workers} workers, OCaml {verifier.ocaml_version}: "
                f"serving at {url}, {asked} (Ctrl-C ends it)\n"
            )
            sys.stderr.flush()

        serve(problems, verifier, settings, ready=ready)
    return ExitCode.PASSED
