"""What a run does beside training: a bar of its steps, and evaluations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import transformers
from tqdm import tqdm
from transformers import TrainerCallback

from agents.evaluation import Evaluation
from ocaml_env.errors import EngineError

__all__ = ["Evaluations", "Intervals", "Progress"]


class Intervals(TrainerCallback):  # type: ignore[misc]  # transformers is untyped here
    """Saves and logs as often as is configured now: the state of a checkpoint holds what its own run was told."""

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        state.compute_steps(args, state.max_steps)


class Progress(TrainerCallback):  # type: ignore[misc]  # transformers is untyped here
    """A bar of the run's steps, with the latest figures."""

    def __init__(self) -> None:
        self._bar: tqdm[Any] | None = None

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self._bar = tqdm(
            total=state.max_steps,
            initial=state.global_step,
            desc="training",
            unit=" steps",
            dynamic_ncols=True,
            disable=None,
        )

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        assert self._bar is not None
        self._bar.update(state.global_step - self._bar.n)

    def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, Any] | None = None, **kwargs: Any) -> None:
        if self._bar is not None and logs and logs.get("reward") is not None:
            passed = logs.get("pass_rate")
            shown = "" if passed is None else f", passed {passed:.0%}"
            self._bar.set_postfix_str(f"reward {logs['reward']:.3f}{shown}")

    def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        if self._bar is not None:
            self._bar.close()


class Evaluations(TrainerCallback):  # type: ignore[misc]  # transformers is untyped here
    """Evaluates every so many steps; the main process alone, while the others wait.

    Args:
        evaluate: evaluates.
        every: steps between evaluations.
        trainer: logs the figures.
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
        except EngineError as fault:  # the run may well survive it; if not, its rewards will say so
            tqdm.write(
                f"step {state.global_step}: the evaluation failed by an infrastructure error and is left out: {fault}"
            )
            return
        figures = {"pass@1": reached.pass_rate, "low": reached.low, "high": reached.high, "reward": reached.reward}
        # Not the trainer's own `log`, which would also flush the figures of the training steps. Logging says that
        # the step is logged, which it is not.
        wanted = control.should_log
        transformers.Trainer.log(self._trainer, {f"eval_{name}": figure for name, figure in figures.items()})
        control.should_log = wanted
        tqdm.write(f"step {state.global_step}: {reached}")
