"""Callbacks of the trainer: they show progress, report to TensorBoard, evaluate, and give memory back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import psutil
import transformers
from tqdm import tqdm
from transformers import TrainerCallback
from transformers.integrations import TensorBoardCallback

from agents.cpu import give_memory_back
from agents.evaluation import Evaluation
from ocaml_env.display.progress import Bar
from ocaml_env.errors import EngineError

__all__ = ["OF_SFT", "Evaluations", "Intervals", "KeptMemory", "OneTensorBoard", "Progress", "report_in_one_folder"]


class Intervals(TrainerCallback):  # type: ignore[misc]  # transformers is untyped here
    """Saves and logs at the intervals of this configuration. The state of a checkpoint holds those of its own run."""

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        state.compute_steps(args, state.max_steps)


class KeptMemory(TrainerCallback):  # type: ignore[misc]  # transformers is untyped here
    """Gives memory kept by a training on a CPU back: every 8 steps (1% of the time), or if it gets short."""

    def on_substep_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        memory = psutil.virtual_memory()
        if memory.available < memory.total / 4:
            give_memory_back()

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        if state.global_step % 8 == 0:
            give_memory_back()
        else:
            self.on_substep_end(args, state, control)

    def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        give_memory_back()


OF_GRPO = {"reward": "reward {:.3f}", "pass_rate": "passed {:.0%}"}
OF_SFT = {"loss": "loss {:.3f}"}
"""Figures shown beside the steps: name in the log -> format."""


class Progress(TrainerCallback):  # type: ignore[misc]  # transformers is untyped here
    """Shows a bar of the run's steps with the latest figures; lines instead if there is no terminal.

    Args:
        log: the file of all figures.
        shown: name of a shown figure -> its format.
    """

    def __init__(self, log: Path, shown: Mapping[str, str] = OF_GRPO) -> None:
        self._log, self._shown = log, shown
        self._bar: Bar | None = None
        self._figures = ""

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        print(f"training: {state.max_steps} steps; all figures go to {self._log}", flush=True)
        self._bar = Bar("training", state.max_steps, "steps", initial=state.global_step)

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        assert self._bar is not None
        self._bar.at(state.global_step, self._figures)

    def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, Any] | None = None, **kwargs: Any) -> None:
        known = {name: value for name, value in (logs or {}).items() if value is not None}
        told = [form.format(known[name]) for name, form in self._shown.items() if name in known]
        self._figures = ", ".join(told) or self._figures

    def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        if self._bar is not None:
            self._bar.close()


class OneTensorBoard(TensorBoardCallback):  # type: ignore[misc]  # transformers is untyped here
    """Writes all parts of a run into one folder, ``runs``. transformers would make another one at each resume.

    Hides figures after the checkpoint of a killed run, because the resumed run writes them again.
    """

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        if state.is_world_process_zero:
            folder: str = getattr(self, "logging_dir", None) or str(Path(args.output_dir) / "runs")
            self.logging_dir = folder
            purge = state.global_step + 1 if state.global_step else None
            self.tb_writer = self._SummaryWriter(log_dir=folder, purge_step=purge)
        super().on_train_begin(args, state, control, **kwargs)


def report_in_one_folder(trainer: transformers.Trainer) -> None:
    """Replaces the TensorBoard callback of transformers by ``OneTensorBoard``, if the trainer has it."""
    if trainer.pop_callback(TensorBoardCallback) is not None:
        trainer.add_callback(OneTensorBoard())


class Evaluations(TrainerCallback):  # type: ignore[misc]  # transformers is untyped here
    """Evaluates at a fixed interval of steps, in the main process alone. The others wait.

    Args:
        evaluate: the evaluation.
        every: steps between evaluations.
        trainer: the trainer; it logs the figures.
        process: the state of this process.
    """

    def __init__(self, evaluate: Callable[[], Evaluation], *, every: int, trainer: Any, process: Any) -> None:
        self._evaluate, self._every, self._trainer, self._process = evaluate, every, trainer, process

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        if state.global_step % self._every:
            return
        if self._process.is_main_process:
            self._look(state, control)
        self._process.wait_for_everyone()

    def _look(self, state: Any, control: Any) -> None:
        try:
            reached = self._evaluate()
        except EngineError as fault:  # the run may survive it; if not, its rewards raise TooManyFaults
            tqdm.write(
                f"step {state.global_step}: the evaluation failed by an infrastructure error and is left out: {fault}"
            )
            return
        figures = {"pass@1": reached.pass_rate, "low": reached.low, "high": reached.high, "reward": reached.reward}
        # The trainer's own `log` would also flush the figures of the training steps. Logging clears `should_log`, but
        # the step itself is not logged yet.
        wanted = control.should_log
        transformers.Trainer.log(self._trainer, {f"eval_{name}": figure for name, figure in figures.items()})
        control.should_log = wanted
        tqdm.write(f"step {state.global_step}: {reached}")
