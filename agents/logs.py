"""The files of a run: learning.log, metrics.jsonl and the reward logs. Appended to during the run; cut back on resume.

``RunLog`` takes the samples of each generation (``record``) and, as a callback of the trainer, the logs of TRL. It
joins the two. The README of ``agents`` describes the formats; the training diagnostics read them.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from agents.records import Scored, breakdown, summary
from ocaml_env.evaluation.files import write_whole
from ocaml_env.rollout import RolloutWriter

__all__ = ["RunLog", "cut_back", "keep_lines", "learning_line"]

LEARNING_LOG = "learning.log"
METRICS = "metrics.jsonl"
COMPLETIONS = "reward_logs/completions.jsonl"
BREAKDOWN = "reward_logs/syntax_aware_breakdown.jsonl"
REWARD_NAME = "syntax_aware_reward"
"""The name of the reward function, from the seed's run. TRL logs ``rewards/<name>/mean``."""


def learning_line(logs: Mapping[str, Any]) -> str:
    """Formats TRL's logs as a line of ``learning.log``. A missing value is ``nan``."""

    def number(name: str) -> float:
        value = logs.get(name)
        return math.nan if value is None else float(value)

    return (
        f"[Epoch {number('epoch'):.2f}]  loss={number('loss'):<7.4f}  grad={number('grad_norm'):.4f}  "
        f"lr={number('learning_rate'):.2e}  reward={number('reward'):.3f}±{number('reward_std'):.3f}  "
        f"syntax_rew={number(f'rewards/{REWARD_NAME}/mean'):.3f}±{number(f'rewards/{REWARD_NAME}/std'):.3f}  "
        f"entropy={number('entropy'):.3f}  frac_zero_std={number('frac_reward_zero_std'):.2f}"
    )


class RunLog(TrainerCallback):  # type: ignore[misc]  # transformers is untyped here
    """Writes the files of a run. Only the main process writes.

    Attributes:
        folder: the folder of the run.
        observe: called with each line of metrics, for the training diagnostics.
    """

    def __init__(self, folder: Path, *, writes: bool) -> None:
        self.folder = folder
        self.writes = writes
        self.observe: Callable[[dict[str, Any]], object] = lambda record: None
        self._seconds = {"verify": 0.0, "glue": 0.0}
        self._records: list[Scored | None] = []
        self._stepped = time.perf_counter()
        self._completions: RolloutWriter | None = None
        if writes:
            self._completions = RolloutWriter(folder / COMPLETIONS)

    @contextmanager
    def counted(self, name: str) -> Iterator[None]:
        """Counts the seconds of the context as ``verify``, waiting for verdicts, or as ``glue``, other code of ours."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self._seconds[name] += time.perf_counter() - began

    def record(self, last: Sequence[Scored | None], earlier: Sequence[Scored | None] = ()) -> None:
        """Takes the samples of one generation of all processes: the last turn of each episode, and earlier turns.
        An infrastructure error stands as None.
        """
        self._records += last
        if self._completions is None:
            return
        with (self.folder / BREAKDOWN).open("a", encoding="ascii") as file:
            for score in (*earlier, *last):
                if score is not None:
                    self._completions.write(score.rollout)
                    file.write(json.dumps(breakdown(score)) + "\n")

    def on_train_begin(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **kwargs: Any
    ) -> None:
        self._stepped = time.perf_counter()

    def on_log(
        self,
        args: TrainingArguments,
        state: TrainerState,
        control: TrainerControl,
        logs: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """Writes a line of metrics for each logging step, and a line of learning.log if the step generated."""
        began = time.perf_counter()
        if not logs or ("loss" not in logs and "reward" not in logs):
            return
        record: dict[str, Any] = {"step": state.global_step, "progress": state.global_step / max(state.max_steps, 1)}
        record |= {name: _plain(value) for name, value in logs.items()}
        record["temperature"] = float(args.temperature)
        if self._records:
            record |= summary(self._records)
            self._records = []
        record["seconds"] = {**self._seconds, "step": began - self._stepped}
        if self.writes:
            _append(self.folder / METRICS, json.dumps(record))
            if "reward" in logs:
                _append(self.folder / LEARNING_LOG, learning_line(logs))
        self.observe(record)
        self._stepped = time.perf_counter()
        self._seconds = {"verify": 0.0, "glue": self._stepped - began}

    def close(self) -> None:
        if self._completions is not None:
            self._completions.close()


def cut_back(folder: Path, step: int) -> None:
    """Removes all records after the checkpoint at ``step``, because a resumed run writes them again."""
    kept = keep_lines(folder / METRICS, lambda record: record["step"] <= step)
    lines = sum("reward" in json.loads(line) for line in kept)
    log = folder / LEARNING_LOG
    if log.exists():
        _rewrite(log, log.read_text(encoding="utf-8").splitlines()[:lines])
    for name in (COMPLETIONS, BREAKDOWN):
        keep_lines(folder / name, lambda record: record["step"] < step)


def keep_lines(path: Path, keep: Callable[[dict[str, Any]], bool]) -> list[str]:
    """Rewrites a file of JSON lines without the others. Returns the kept lines; a half-written line is dropped."""
    if not path.exists():
        return []
    kept = []
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if keep(record):
            kept.append(line)
    _rewrite(path, kept)
    return kept


def _rewrite(path: Path, lines: Sequence[str]) -> None:
    write_whole(path, "".join(f"{line}\n" for line in lines))


def _append(path: Path, line: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(line + "\n")


def _plain(value: Any) -> Any:
    """Turns nan and infinity into texts, because JSON lacks them. Null would hide them, and they are findings."""
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
