"""Evaluates a candidate with OCaml's ordinary tools, for comparison with the engine.

Each way gets one OCaml file with the candidate, the tests and a count of passes. It has no sandbox and no limits, and a
candidate could print the count itself. The measured costs are therefore lower bounds.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from ocaml_env.errors import OCamlEnvError, ToolchainError
from ocaml_env.problem import Problem

__all__ = ["WAYS", "Cost", "Way", "evaluate", "require", "whole_file"]


@dataclass(frozen=True, kw_only=True)
class Way:
    """A way to evaluate: commands run in a folder with ``all.ml``. The last command prints the count.

    Attributes:
        key: a letter, used by the targets.
        title: for people.
        commands: in order.
    """

    key: str
    title: str
    commands: tuple[tuple[str, ...], ...]


WAYS = (
    Way(
        key="a",
        title="ocamlfind ocamlopt, run",
        commands=(("ocamlfind", "ocamlopt", "-w", "-a", "all.ml", "-o", "all"), ("./all",)),
    ),
    Way(
        key="b",
        title="ocamlc -c, ocamlc -o, run",
        commands=(("ocamlc", "-w", "-a", "-c", "all.ml"), ("ocamlc", "-o", "all", "all.cmo"), ("./all",)),
    ),
    Way(key="c", title="ocaml all.ml", commands=(("ocaml", "-w", "-a", "all.ml"),)),
)


@dataclass(frozen=True, kw_only=True)
class Cost:
    """A cost in seconds. ``cpu`` covers all processes together; ``python`` is this process's part of it."""

    wall: float
    cpu: float
    python: float


def whole_file(problem: Problem, code: str) -> str:
    """Returns a program that runs the tests on ``code`` and prints ``PASSED/TOTAL``."""
    tests = ";\n".join(f"  (fun () -> ({test.code}\n))" for test in problem.tests)
    return f"""\
module Solution : sig
{problem.signature}
end = struct
{code}
end

open Solution

{problem.prelude}

let tests = [|
{tests}
|]

let () =
  let passed = ref 0 in
  Stdlib.Array.iter (fun test -> if (try test () with _ -> false) then Stdlib.incr passed) tests;
  Stdlib.Printf.printf "%d/%d\\n" !passed (Stdlib.Array.length tests)
"""


def evaluate(way: Way, problem: Problem, code: str, folder: Path) -> Cost:
    """Evaluates a right candidate in an empty ``folder``.

    Raises:
        OCamlEnvError: if a command fails, or a test is not reported as passed.
    """
    wall, python, children, said = time.perf_counter(), time.process_time(), 0.0, ""
    (folder / "all.ml").write_text(whole_file(problem, code), encoding="utf-8")
    for command in way.commands:
        said, cpu = _run(command, folder, f"({way.key}) {way.title}, {problem.id}")
        children += cpu
    python = time.process_time() - python
    wall = time.perf_counter() - wall
    count = len(problem.tests)
    if said != f"{count}/{count}\n":
        raise OCamlEnvError(f"({way.key}) {way.title} on {problem.id}: {count} tests should pass, it says {said!r}")
    return Cost(wall=wall, cpu=children + python, python=python)


def require() -> None:
    """Checks that the tools of all ways are on the PATH.

    Raises:
        ToolchainError: if one is missing.
    """
    tools = {command[0] for way in WAYS for command in way.commands} - {"./all"} | {"ocamlopt"}
    missing = sorted(tool for tool in tools if shutil.which(tool) is None)
    if missing:
        raise ToolchainError(f"missing from the PATH: {', '.join(missing)}; `make setup` installs OCaml")


def _run(command: tuple[str, ...], folder: Path, what: str) -> tuple[str, float]:
    """Returns standard output, and the CPU seconds of the command and of the children it waited for."""
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None
    with process.stdout:
        said = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise OCamlEnvError(f"{what}: {' '.join(command)} ended with {process.returncode}: {said.strip()[:500]}")
    return said, usage.ru_utime + usage.ru_stime
