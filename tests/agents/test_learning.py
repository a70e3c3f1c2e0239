"""The tiny policy learns: `make train-check`, about six minutes a seed."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median

import pytest

from agents.demo import main


@pytest.mark.train
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_tiny_policy_learns_from_the_real_reward(seed: int, tmp_path: Path) -> None:
    assert main(["--seed", str(seed), "--out", str(tmp_path)]) == 0
    figures = json.loads((tmp_path / "demo.json").read_text())
    before, after = figures["before"], figures["after"]
    assert before["sampled"]["samples"] >= 400
    assert before["sampled"]["pass@1"]["estimate"] >= 0.12
    assert figures["rise"]["estimate"] >= 0.15
    assert figures["rise"]["low"] > 0
    assert after["greedy"]["pass@1"]["estimate"] >= before["greedy"]["pass@1"]["estimate"]
    assert {"unseen"} <= set(after)
    seconds = [json.loads(line)["seconds"] for line in (tmp_path / "metrics.jsonl").read_text().splitlines()]
    # Of the median step: an answer that never ends takes a second, as long as a whole step of so small a model.
    assert median(step["verify"] / step["step"] for step in seconds) <= 0.05
    assert sum(step["glue"] for step in seconds) <= 0.02 * sum(step["step"] for step in seconds)
