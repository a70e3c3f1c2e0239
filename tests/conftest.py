"""Shared fixtures: the real verifier, small problems, and the settings of hypothesis here and in CI."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from ocaml_env.problem import Problem, Test
from ocaml_env.verifiers.local import Verifier
from tests.browser import Browser, find_chromium
from tests.random_model import CHAT, make_random_model

IN_CI = bool(os.environ.get("CI"))

# No deadlines, because a loaded machine is no failure. In CI each run draws the same cases, to repeat any failure.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, database=None, print_blob=True)
settings.load_profile("ci" if IN_CI else "local")


@pytest.fixture(scope="session")
def verifier() -> Iterator[Verifier]:
    """One verifier with one worker for the whole session.

    Without OCaml the test is skipped, but fails in CI. An installed OCaml that cannot build the engine is a failure
    everywhere.
    """
    if shutil.which("ocamlfind") is None:
        if IN_CI:
            pytest.fail("CI must have OCaml and ocamlfind")
        pytest.skip("needs OCaml and ocamlfind: `make setup` installs them")
    with Verifier(workers=1, sandbox="best-effort" if sys.platform == "darwin" else "required") as verifier:
        yield verifier


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser for the whole session. Without one the test is skipped, but fails in CI."""
    program = find_chromium()
    if program is None:
        if IN_CI:
            pytest.fail("CI must have chromium")
        pytest.skip("needs chromium")
    with Browser(program, tmp_path_factory.mktemp("browser")) as browser:
        yield browser


@pytest.fixture(scope="session")
def add() -> Problem:
    """Two functions, two examples, four hidden tests. ``add a b = a`` passes half of them."""
    return Problem(
        id="add",
        statement="Write `add`, which adds, and `negate`, which changes the sign.",
        signature="val add : int -> int -> int\nval negate : int -> int",
        tests=(
            Test("add 1 2 = 3", public=True),
            Test("negate 4 = -4", public=True),
            "add 20 0 = 20",
            "negate 0 = 0",
            "add 3 4 = 7",
            "add 40 (negate 2) = 38",
        ),
        reference="let add a b = a + b\nlet negate a = -a",
    )


@pytest.fixture(scope="session")
def last() -> Problem:
    return Problem(
        id="last",
        statement="Write `last`, the last element of a list, or `None`.",
        signature="val last : 'a list -> 'a option",
        tests=(
            Test("last [1; 2; 3] = Some 3", public=True),
            'last ["a"] = Some "a"',
            "last ([] : int list) = None",
        ),
        reference="let rec last = function [] -> None | [ x ] -> Some x | _ :: rest -> last rest",
    )


@pytest.fixture(scope="session")
def total() -> Problem:
    """A program problem."""
    return Problem(
        id="total",
        kind="program",
        statement="Read whole numbers, one a line, until the input ends, and print their sum.",
        tests=(
            Test(stdin="1\n2\n", stdout="3\n", public=True),
            Test(stdin="", stdout="0\n"),
            Test(stdin="-5\n5\n7\n", stdout="7\n"),
        ),
        reference=(
            "let rec go sum = match int_of_string (read_line ()) with\n"
            "  | n -> go (sum + n)\n"
            "  | exception End_of_file -> sum\n"
            "let () = print_endline (string_of_int (go 0))"
        ),
    )


@pytest.fixture(scope="session")
def problems(add: Problem, last: Problem, total: Problem) -> tuple[Problem, ...]:
    """Three problems, not in the order of their ids."""
    return (total, add, last)


@pytest.fixture(scope="session")
def model_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A decoder of two layers with random weights, and a tokenizer without a chat template."""
    return make_random_model(tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="session")
def chat_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same model, with a chat template."""
    return make_random_model(tmp_path_factory.mktemp("chat"), chat_template=CHAT)
