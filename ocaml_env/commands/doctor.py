"""``ocaml-env doctor``: is this machine ready?

Says what is installed and which layers of the sandbox are on, then evaluates a few candidates, one for each way to end,
and compares the outcomes with those that are known. Where a required layer is missing the self-test runs without it, so
that the one does not hide the other.
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
    """What was found.

    Attributes:
        engine: versions, build folder and layers; None where there is no engine.
        self_test: one entry a candidate; empty where nothing could be evaluated.
        fault: why the default, ``sandbox="required"``, cannot be used here; "" where it can.
    """

    engine: EngineReport | None
    self_test: tuple[SelfTest, ...]
    fault: str

    @property
    def ready(self) -> bool:
        """True where the default works and every known verdict came out."""
        return not self.fault and all(test.right for test in self.self_test)


def add_to(add_parser: AddParser) -> None:
    """Declares the subcommand."""
    parser = add_command(
        add_parser,
        "doctor",
        run,
        help="what is installed, which layers of the sandbox are on, a self-test",
        description="Examines this machine: versions, the engine, each layer of the sandbox; then evaluates candidates "
        "whose verdict is known. Builds the engine where it is not built yet.",
        epilog="exit codes: 0 ready, 3 something is missing or wrong",
    )
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def run(arguments: argparse.Namespace) -> ExitCode:
    """Prints what was found."""
    health = examine()
    if arguments.json:
        print_json(_as_json(health))
    else:
        for line in _as_text(health, Paint.choose(sys.stdout), screen_width(sys.stdout)):
            print(line)
    return ExitCode.PASSED if health.ready else ExitCode.INFRASTRUCTURE


def examine() -> Health:
    """Looks at everything. Our own exceptions become ``Health.fault``: telling them is what a doctor is for."""
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
    """Judges the known candidates.

    Raises:
        OCamlEnvError: if the engine cannot evaluate so.
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
