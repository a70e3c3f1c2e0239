"""The examples run as a reader would run them, and print the expected lines."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
SHOWS = {
    "one_episode": ("TYPE_ERROR, reward +0.22", "PASSED, reward +0.78"),
    "own_agent": ("pass@1", "0.0%", "5 TYPE_ERROR"),
    "own_functions": (
        "### Task",
        "2 of 3 tests pass. reward 0.00",
        "3 of 3 tests pass. reward 0.85",
        "staged-2 structure=0",
    ),
    "own_problem": ("right      PASSED        3 of 3 tests  reward 1.00", "wrong      TEST_FAILURE"),
}


def test_every_example_is_tried() -> None:
    assert sorted(path.stem for path in EXAMPLES.glob("*.py")) == sorted(SHOWS)


@pytest.mark.usefixtures("verifier")  # skips without OCaml
@pytest.mark.parametrize("name", SHOWS)
def test_an_example_runs(name: str) -> None:
    done = subprocess.run([sys.executable, str(EXAMPLES / f"{name}.py")], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    for text in SHOWS[name]:
        assert text in done.stdout
