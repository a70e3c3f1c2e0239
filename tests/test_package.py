"""The public names of ``import ocaml_env`` and the modules that it loads."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import types
from pathlib import Path

import pytest

import ocaml_env

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("name", ocaml_env.__all__)
def test_every_public_name_is_there_and_is_no_module(name: str) -> None:
    value = getattr(ocaml_env, name)
    assert not isinstance(value, types.ModuleType)
    if isinstance(value, type):
        assert value.__module__.startswith("ocaml_env")


def test_public_names_are_sorted_and_listed() -> None:
    assert list(ocaml_env.__all__) == sorted(ocaml_env.__all__)
    assert set(ocaml_env.__all__) <= set(dir(ocaml_env))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'OCamlGym'"):
        ocaml_env.OCamlGym  # noqa: B018 - the access itself is tested


def test_the_function_extract_is_never_hidden_by_its_module() -> None:
    code = "import ocaml_env.reward, ocaml_env.extract; from ocaml_env import extract; print(extract('let x = 1').code)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=60)
    assert (done.stdout, done.stderr) == ("let x = 1\n", "")


def test_importing_the_package_loads_neither_the_engine_nor_the_environments() -> None:
    code = "import sys, ocaml_env; print(*(name for name in sys.modules if name.startswith('ocaml_env.')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=60)
    rooms = {name.split(".")[1] for name in done.stdout.split()}
    assert rooms <= {"extract", "problem", "errors", "verdict"}


def test_the_version_is_that_of_the_distribution() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == ocaml_env.__version__
