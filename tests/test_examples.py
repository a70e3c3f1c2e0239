"""The examples run as a reader would run them, and print the expected lines."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integrations.installed import need
from tests.random_model import CHAT, make_random_model

EXAMPLES = Path(__file__).parents[1] / "examples"
SHOWS = {
    "one_episode": ("TYPE_ERROR, reward +0.22", "PASSED, reward +0.78"),
    "own_agent": ("pass@1", "0.0%", "5 TYPE_ERROR"),
    "own_curriculum": ("step 3: trees.paths at level 1, 6 of 8 pass", "step 4: trees.paths at level 2, 4 of 8 pass"),
    "own_functions": (
        "### Task",
        "2 of 3 tests pass. reward 0.00",
        "3 of 3 tests pass. reward 0.85",
        "staged-2 structure=0",
    ),
    "own_problem": ("right      PASSED        3 of 3 tests  reward 1.00", "wrong      TEST_FAILURE"),
}


# The examples of other libraries, with what each imports.
WITH_LIBRARY = {
    "with_skyrl": ("skyrl_gym", ("done True", "PASSED, reward")),
    "with_trl": ("trl", ("train_loss",)),
    "with_verifiers": ("verifiers", ("175 problems", "vf-eval ocaml-env")),
    "with_verl": ("datasets", ("PASSED       score 1.00", "adv_estimator=grpo")),  # our side does not import verl
}
ADAPTERS = {"with_skyrl": "skyrl_gym", "with_trl": "trl", "with_verifiers": "verifiers", "with_verl": "verl"}


def test_every_example_is_tried() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.py")} == {*SHOWS, *WITH_LIBRARY}


@pytest.mark.parametrize("name", WITH_LIBRARY)
def test_an_example_of_a_library_is_short_and_uses_public_names_of_its_adapter(name: str) -> None:
    text = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 40
    adapter = (EXAMPLES.parent / "ocaml_env" / "integrations" / f"{ADAPTERS[name]}.py").read_text(encoding="utf-8")
    public = next(
        ast.literal_eval(node.value)
        for node in ast.parse(adapter).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    )
    (imported,) = [
        {alias.name for alias in node.names}
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom) and node.module == f"ocaml_env.integrations.{ADAPTERS[name]}"
    ]
    assert imported <= set(public)


@pytest.mark.usefixtures("verifier")
@pytest.mark.parametrize("name", WITH_LIBRARY)
def test_an_example_of_a_library_runs(name: str, tmp_path: Path) -> None:
    library, shown = WITH_LIBRARY[name]
    need(library)
    arguments = [str(make_random_model(tmp_path / "model", chat_template=CHAT)), "1"] if name == "with_trl" else []
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / f"{name}.py"), *arguments],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(EXAMPLES.parent), "CUDA_VISIBLE_DEVICES": ""},
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    for text in shown:
        assert text in done.stdout


@pytest.mark.usefixtures("verifier")  # skips without OCaml
@pytest.mark.parametrize("name", SHOWS)
def test_an_example_runs(name: str) -> None:
    done = subprocess.run([sys.executable, str(EXAMPLES / f"{name}.py")], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    for text in SHOWS[name]:
        assert text in done.stdout
