"""Scripts in a separate Python process, so that signals, forks and a hidden OCaml do not disturb the tests' own."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import ocaml_env

__all__ = ["run", "start"]

ROOT = Path(ocaml_env.__file__).parents[1]

PRELUDE = """
import os, signal, sys, threading, time
from ocaml_env.errors import *
from ocaml_env.problem import Problem, Limits
from ocaml_env.verifiers.local import Verifier
from tests.engine.processes import children, descendants, wait_until

tests = ("add 1 2 = 3", "add 5 5 = 10")
problem = Problem(id="add", statement="s", signature="val add : int -> int -> int", tests=tests)
right = "let add a b = a + b"
endless = "let rec add a b = add b a"

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell starts background jobs without this handler

def say(*words):
    print(*words, flush=True)
"""


def start(script: str, *, command: tuple[str, ...] = (), **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*command, sys.executable, "-c", PRELUDE + textwrap.dedent(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Python 3.12 and newer warn of every fork beside threads, even of threads that have just ended.
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore::DeprecationWarning", **environment},
    )


def run(script: str, *, command: tuple[str, ...] = (), seconds: float = 120, **environment: str) -> list[str]:
    """Runs a script and returns its printed lines. It must end in time, with exit code 0 and no error output."""
    process = start(script, command=command, **environment)
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        pytest.fail(f"it hangs: {script}")
    assert process.returncode == 0, err
    assert not err
    return out.splitlines()
