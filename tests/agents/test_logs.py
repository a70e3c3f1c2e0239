"""The log of a run, and its entries for the diagnostics."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

pytest.importorskip("trl", reason="needs the extra `train`")

from transformers import TrainerControl, TrainerState, TrainingArguments
from trl import GRPOConfig

from agents.callbacks import Intervals
from agents.health.files import read_run
from agents.health.records import record_of
from agents.logs import METRICS, RunLog


@pytest.mark.filterwarnings("ignore::FutureWarning")  # TRL causes it, not the caller
def test_a_loss_that_is_no_number_is_logged_and_told(tmp_path: Path) -> None:
    heard = []
    log = RunLog(tmp_path, writes=True)
    log.observe = lambda record: heard.append(record_of(record))
    arguments = GRPOConfig(output_dir=str(tmp_path), use_cpu=True, report_to="none")
    state = TrainerState(global_step=1, max_steps=10)
    log.on_log(arguments, state, TrainerControl(), {"loss": math.nan, "grad_norm": math.inf})
    log.close()
    written = json.loads((tmp_path / METRICS).read_text())
    assert (written["loss"], written["grad_norm"]) == ("nan", "inf")
    for record in (heard[0], *read_run(tmp_path).records):
        assert math.isnan(record.numbers["loss"])
        assert math.isinf(record.numbers["grad_norm"])


def test_a_resumed_run_saves_as_often_as_it_is_told_now(tmp_path: Path) -> None:
    arguments = TrainingArguments(output_dir=str(tmp_path), save_steps=10, logging_steps=2, use_cpu=True)
    state = TrainerState(global_step=20, max_steps=100, save_steps=50, logging_steps=1)
    Intervals().on_train_begin(arguments, state, TrainerControl())
    assert (state.save_steps, state.logging_steps) == (10, 2)
