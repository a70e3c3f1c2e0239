"""Fixtures of the tests of ``agents``: a small model with random weights, and a run on it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents.config import Config
from agents.config_sources import read_config
from ocaml_env import Problem, load_problems
from tests.random_model import TRAINING

os.environ.setdefault("HF_HUB_OFFLINE", "1")

HELD_OUT = "generated:arithmetic.cases?level=1&n=4&seed=99"


@pytest.fixture(scope="session")
def problems() -> list[Problem]:
    return list(load_problems(TRAINING))


@pytest.fixture
def config(model_folder: Path, tmp_path: Path) -> Callable[..., Config]:
    """Returns a function that configures a run of a few seconds.

    The reward is the seed's, because it pays for random text, so that there is something to learn.
    """

    def make(**changes: Any) -> Config:
        return read_config(
            overrides={
                "model": str(model_folder),
                "problems": TRAINING,
                "eval_problems": HELD_OUT,
                "output_dir": str(tmp_path / "run"),
                "prompt_style": "brief",
                "max_completion_length": 24,
                "num_generations": 4,
                "per_device_train_batch_size": 8,
                "gradient_accumulation_steps": 1,
                "max_steps": 3,
                "save_steps": 2,
                "tuning": "full",
                "learning_rate": 1e-3,
                "workers": 1,
                "reward": "seed-2025-12-10",
                "min_non_empty_lines": 0,
                "health": "off",
            }
            | changes
        )

    return make
