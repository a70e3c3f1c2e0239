"""``ocaml-env doctor``: is this machine ready?

It shows the installed versions and the active layers of the sandbox. Then it evaluates a few candidates, one for each
kind of outcome, and compares the outcomes with the known ones. If a required layer is missing, the self-test runs
without it, so that one fault does not hide another.
"""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ocaml_env import __version__
from ocaml_env.commands import AddParser, ExitCode, add_command, print_json
from ocaml_env.display.terminal import Colour, Paint, columns, printable, screen_width
from ocaml_env.engine import EngineReport
from ocaml_env.engine import doctor as examine_engine
from ocaml_env.errors import OCamlEnvError, SandboxUnavailable
from ocaml_env.problem import Problem
from ocaml_env.verdict import Outcome
from ocaml_env.verifiers.local import Verifier

__all__ = ["Health", "SelfTest", "add_to", "examine", "run", "self_test"]

_PROBLEM = Problem(
    id="self-test",
    statement="`double n` is twice `n`.",
    signature="val double : int -> int",
    tests=("double 0 = 0", "double 21 = 42"),
)

_CANDIDATES = (
    ("let double n = 2 * n", Outcome.PASSED),
    ("let double n = n", Outcome.TEST_FAILURE),
    ("let double n = (2 *", Outcome.SYNTAX_ERROR),
    ('let double n = n ^ "2"', Outcome.TYPE_ERROR),
    ("let double n = Obj.magic n", Outcome.FORBIDDEN),
    ("let double n = List.hd [] + n", Outcome.RUNTIME_ERROR),
    ("let rec double n = double n", Outcome.TIMEOUT),
    ("let double n = Array.length (Array.make 100_000_000 n)", Outcome.MEMORY_LIMIT),
)


@dataclass(frozen=True, kw_only=True)
class SelfTest:
    """One candidate of the self-test: ``outcome`` should be ``expected``."""

    code: str
    expected: Outcome
    outcome: Outcome

    @property
    def right(self) -> bool:
        return self.outcome is self.expected


@dataclass(frozen=True, kw_only=True)
class Health:
    """The state of this machine.

    Attributes:
        engine: versions, build folder and layers; None if there is no engine.
        self_test: one entry for each candidate; empty if nothing could be evaluated.
        fault: the reason that the default, ``sandbox="required"``, cannot be used here; "" if it can.
    """

    engine: EngineReport | None
    self_test: tuple[SelfTest, ...]
    fault: str

    @property
    def ready(self) -> bool:
        """True if the default works and every outcome is as expected."""
        return not self.fault and all(test.right for test in self.self_test)


def add_to(add_parser: AddParser) -> None:
    """Declares the subcommand."""
    parser = add_command(
        add_parser,
        "doctor",
        run,
        help="show the installed versions and the layers of the sandbox, and run a self-test",
        description="Examines this machine: versions, the engine, each layer of the sandbox. Then evaluates candidates "
        "with known verdicts. Builds the engine if it is not built yet.",
        epilog="exit codes: 0 ready, 3 something is missing or wrong",
    )
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def run(arguments: argparse.Namespace) -> ExitCode:
    """Prints the state of this machine."""
    health = examine()
    if arguments.json:
        print_json(_as_json(health))
    else:
        for line in _as_text(health, Paint.choose(sys.stdout), screen_width(sys.stdout)):
            print(line)
    return ExitCode.PASSED if health.ready else ExitCode.INFRASTRUCTURE


def examine() -> Health:
    """Examines everything. Exceptions of this package become ``Health.fault``, for the doctor to report."""
    engine: EngineReport | None = None
    tests: tuple[SelfTest, ...] = ()
    fault = ""
    try:
        engine = examine_engine()
        try:
            tests = self_test(sandbox="required")
        except SandboxUnavailable as error:
            fault = str(error)
            tests = self_test(sandbox="best-effort")
    except OCamlEnvError as error:
        fault = str(error)
    return Health(engine=engine, self_test=tests, fault=fault)


def self_test(*, sandbox: Literal["required", "best-effort"]) -> tuple[SelfTest, ...]:
    """Evaluates the known candidates.

    Raises:
        OCamlEnvError: if the engine cannot evaluate with this sandbox.
    """
    with Verifier(workers=1, sandbox=sandbox) as verifier:
        verdicts = verifier.verify_many([(_PROBLEM, code) for code, _ in _CANDIDATES])
    return tuple(
        SelfTest(code=code, expected=expected, outcome=verdict.outcome)
        for (code, expected), verdict in zip(_CANDIDATES, verdicts, strict=True)
    )


def _versions(health: Health) -> dict[str, str]:
    versions = {
        "ocaml-env": __version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()}, {platform.machine()}",
    }
    if health.engine:
        versions["ocaml"] = health.engine.ocaml_version
        versions["ocamlfind"] = health.engine.ocamlfind
        versions["engine"] = str(health.engine.build_dir)
    return versions


def _as_json(health: Health) -> dict[str, object]:
    return {
        "ready": health.ready,
        "versions": _versions(health),
        "sandbox": dict(health.engine.layers) if health.engine else {},
        "self_test": [
            {"code": test.code, "expected": test.expected, "outcome": test.outcome} for test in health.self_test
        ],
        "fault": health.fault,
    }


def _as_text(health: Health, paint: Paint, width: int | None) -> Iterator[str]:
    yield from columns([(paint(name, Colour.DIM), value) for name, value in _versions(health).items()])
    if health.engine:
        yield ""
        yield paint("sandbox", Colour.BOLD)
        yield from columns([(name, _state(state, paint)) for name, state in health.engine.layers.items()], indent="  ")
    if health.self_test:
        yield ""
        yield paint("self-test", Colour.BOLD)
        rows = [(_mark(test, paint), test.outcome, printable(test.code)) for test in health.self_test]
        yield from columns(rows, indent="  ", width=width)
    yield ""
    yield _conclusion(health, paint)


def _state(state: str, paint: Paint) -> str:
    return paint(state, Colour.GREEN if state == "on" else Colour.YELLOW)


def _mark(test: SelfTest, paint: Paint) -> str:
    return paint("ok", Colour.GREEN) if test.right else paint(f"should be {test.expected}", Colour.RED)


def _conclusion(health: Health, paint: Paint) -> str:
    if health.ready:
        return paint("ready", Colour.GREEN, Colour.BOLD)
    reason = printable(health.fault) or "the self-test gave wrong outcomes; please report this"
    return f"{paint('not ready', Colour.RED, Colour.BOLD)}: {reason}"
