"""Reading the files of a run: every form, and unreadable ones."""

from __future__ import annotations

import contextlib
import json
import math
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.health.files import CannotRead, read_run
from agents.health.records import Record, mended, record_of
from tests.agents.health.simulator import Illness, Simulation, log_line

SEED = Path(__file__).parent / "seed.log"
LINE = (
    "[Epoch 0.28]  loss=-0.0469  grad=0.0838  lr=3.58e-06  reward=0.102±0.077  syntax_rew=0.102±0.078  "
    "entropy=0.155  frac_zero_std=0.00\n"
)
NUMBERS = {
    "loss": -0.0469,
    "grad_norm": 0.0838,
    "learning_rate": 3.58e-06,
    "reward": 0.102,
    "reward_std": 0.077,
    "rewards/syntax_aware_reward/mean": 0.102,
    "rewards/syntax_aware_reward/std": 0.078,
    "entropy": 0.155,
    "frac_reward_zero_std": 0.0,
}


def read(path: Path, content: bytes) -> list[Record]:
    path.write_bytes(content)
    return list(read_run(path).records)


@pytest.mark.parametrize(
    "content",
    [
        LINE.encode(),
        LINE.replace("±", "Â±").encode(),
        LINE.replace("±", "Ã‚Â±").encode(),
        LINE.encode("latin-1"),
        LINE.replace("±", "�").encode(),
        LINE.replace("±", "+/-").encode(),
        LINE.replace("±", "?").encode(),
        LINE.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + LINE.encode(),
        LINE.encode("utf-16"),
        b" 12%|#2        | 3/25 [00:10<01:10]\r" + LINE.encode(),
        LINE.encode().rstrip(b"\n") + b"\r 12%|#2        | 3/25 [00:10<01:10]\n",
        b"```\n" + LINE.encode() + b"```\n| a table | of something |\n",
        LINE.encode().rstrip(b"\n"),
    ],
    ids=[
        "UTF-8",
        "mis-decoded once",
        "mis-decoded twice",
        "Latin-1",
        "replacement character",
        "ASCII",
        "question mark",
        "CRLF",
        "byte order mark",
        "UTF-16",
        "behind a progress bar",
        "before a progress bar",
        "in Markdown",
        "no newline at the end",
    ],
)
def test_a_line_of_the_log_is_read_whatever_was_done_to_its_encoding(tmp_path: Path, content: bytes) -> None:
    (record,) = read(tmp_path / "learning.log", content)
    assert record.numbers == NUMBERS
    assert record.epoch == 0.28
    assert record.step is None


def test_lines_of_different_encodings_in_one_file_are_each_read(tmp_path: Path) -> None:
    variants = [LINE.encode(), LINE.replace("±", "Â±").encode(), LINE.encode("latin-1")]
    records = read(tmp_path / "learning.log", b"".join(variants))
    assert [record.numbers for record in records] == [NUMBERS] * 3


def test_lines_that_end_as_on_old_machines_are_each_read(tmp_path: Path) -> None:
    assert len(read(tmp_path / "learning.log", LINE.encode().replace(b"\n", b"\r") * 3)) == 3


def test_the_six_lines_of_the_seed_are_read(tmp_path: Path) -> None:
    records = read_run(SEED).records
    assert [record.numbers["reward"] for record in records] == [0.102, 0.066, 0.115, 0.084, 0.073, 0.113]
    assert [record.numbers["reward_std"] for record in records] == [0.077, 0.072, 0.065, 0.063, 0.044, 0.066]


def test_fields_that_are_missing_stay_missing_and_others_are_read(tmp_path: Path) -> None:
    (record,) = read(tmp_path / "learning.log", b"[Epoch 0.10]  loss=0.1  entropy=  reward=0.3  kl=N/A\n")
    assert record.numbers == {"loss": 0.1, "reward": 0.3}


def test_numbers_that_are_not_finite_are_kept_because_they_are_findings(tmp_path: Path) -> None:
    (record,) = read(tmp_path / "learning.log", b"[Epoch 0.10]  loss=nan  grad=inf  reward=nan\xc2\xb1nan\n")
    assert math.isnan(record.numbers["loss"])
    assert math.isinf(record.numbers["grad_norm"])
    assert math.isnan(record.numbers["reward_std"])


def test_what_cannot_be_read_is_noted_with_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "learning.log"
    path.write_bytes(LINE.encode() + b"[Epoch oops]  loss=1\n[Epoch 0.3]  loss=#!  grad=0.1\n")
    run = read_run(path)
    assert len(run.records) == 2
    assert run.notes == (f"{path}:2: the epoch 'oops' is no number", f"{path}:3: loss is no number: '#!'")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("learning.log", b"nothing of the kind\n", "no logging step can be read"),
        ("learning.log", b"", "no logging step can be read"),
        ("metrics.jsonl", b"{broken\n", ":1: not JSON"),
        ("metrics.jsonl", b"[1, 2]\n", ":1: a logging step is a JSON object"),
        ("trainer_state.json", b"{", "not JSON"),
        ("trainer_state.json", b'{"a": 1}', "no log_history"),
        ("trainer_state.json", b'{"log_history": []}', "no logging step can be read"),
    ],
)
def test_a_file_with_nothing_to_read_is_an_error_that_names_it(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(CannotRead, match=message) as caught:
        read_run(path)
    assert str(path) in str(caught.value)


def test_a_folder_without_a_run_and_a_path_that_is_not_there_are_errors(tmp_path: Path) -> None:
    with pytest.raises(CannotRead, match="it holds no metrics.jsonl"):
        read_run(tmp_path)
    with pytest.raises(CannotRead, match="there is no such file"):
        read_run(tmp_path / "absent")


def test_a_run_directory_gives_its_metrics_settings_and_completions(tmp_path: Path) -> None:
    simulation = Simulation(Illness.NONE, 1)
    run = read_run(simulation.write(tmp_path / "run"))
    assert [record.step for record in run.records] == [entry["step"] for entry in simulation.metrics]
    assert run.records[0].groups == simulation.metrics[0]["groups"]
    assert run.records[0].outcomes == simulation.metrics[0]["outcomes"]
    assert run.records[0].numbers["seconds/verify"] == 0.03
    assert run.number("temperature") == 1.0
    assert run.number("learning_rate") == 1e-5
    assert run.settings["reward"] == "staged"
    assert "lora_target_modules" not in run.settings
    assert run.completions == tmp_path / "run" / "reward_logs" / "completions.jsonl"


def test_without_metrics_the_log_is_read_and_without_that_the_newest_checkpoint(tmp_path: Path) -> None:
    folder = Simulation(Illness.NONE, 1).write(tmp_path / "run")
    for step in (9, 10):
        state = {"max_steps": 20, "log_history": [{"step": step, "epoch": 0.5, "loss": 0.1, "reward": step}]}
        (folder / f"checkpoint-{step}").mkdir()
        (folder / f"checkpoint-{step}" / "trainer_state.json").write_text(json.dumps(state))
    (folder / "metrics.jsonl").unlink()
    assert read_run(folder).records[0].where.startswith(str(folder / "learning.log"))
    (folder / "learning.log").unlink()
    assert read_run(folder).records[0].numbers["reward"] == 10
    assert read_run(folder / "checkpoint-9").records[0].numbers["reward"] == 9
    assert read_run(folder / "checkpoint-9").settings["reward"] == "staged"


def test_a_trainer_state_gives_training_steps_and_progress_and_no_evaluations(tmp_path: Path) -> None:
    history = [
        {"step": 5, "epoch": 0.1, "loss": 0.2, "reward": 0.3, "frac_reward_zero_std": 0.5, "grad_norm": float("nan")},
        {"step": 5, "epoch": 0.1, "eval_reward": 0.9},
        {"step": 10, "epoch": 0.2, "loss": "0.1", "reward": 0.4},
        {"step": 10, "epoch": 0.2, "train_runtime": 12.0, "train_loss": 0.15},
        "nonsense",
    ]
    path = tmp_path / "trainer_state.json"
    path.write_text(json.dumps({"max_steps": 50, "log_history": history}))
    run = read_run(path)
    assert [(record.step, record.progress) for record in run.records] == [(5, 0.1), (10, 0.2)]
    assert math.isnan(run.records[0].numbers["grad_norm"])
    assert run.records[1].numbers["loss"] == 0.1
    assert run.notes == (f"{path}: log_history[4]: not an object",)


def test_steps_that_a_resumed_run_repeats_take_the_place_of_the_first_ones() -> None:
    steps = [(1, 0.1), (2, 0.2), (3, 0.3), (2, 0.9), (3, 0.8), (4, 0.7)]
    records = mended(Record(step=step, numbers={"reward": reward}) for step, reward in steps)
    assert [(record.step, record.numbers["reward"]) for record in records] == [(1, 0.1), (2, 0.9), (3, 0.8), (4, 0.7)]


def test_a_last_line_that_was_cut_off_is_noted_and_the_rest_is_read(tmp_path: Path) -> None:
    path = tmp_path / "metrics.jsonl"
    path.write_text('{"step": 1, "reward": 0.5}\n{"step": 2, "rewa')
    run = read_run(path)
    assert len(run.records) == 1
    assert "the last line, cut off" in run.notes[0]


def test_null_is_absent_and_a_text_is_noted() -> None:
    notes: list[str] = []
    record = record_of({"step": 3, "loss": None, "reward": "high", "kl": "0.5"}, where="here", notes=notes)
    assert record.numbers == {"kl": 0.5}
    assert notes == ["here: reward is no number: 'high'"]


@given(
    st.fixed_dictionaries({name: st.floats(min_value=-9, max_value=9, allow_nan=False) for name in NUMBERS}),
)
def test_what_the_format_writes_is_read_back_to_its_digits(numbers: dict[str, float]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (record,) = read(Path(folder) / "learning.log", log_line({"epoch": 0.5, **numbers}).encode())
    assert set(record.numbers) == set(NUMBERS)
    for name, value in numbers.items():
        assert record.numbers[name] == pytest.approx(value, abs=0.006, rel=0.01)


@given(st.binary(max_size=400), st.sampled_from(["learning.log", "metrics.jsonl", "trainer_state.json"]))
def test_no_bytes_make_the_reader_raise_anything_but_its_own_error(content: bytes, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        with contextlib.suppress(CannotRead):
            read_run(path)
