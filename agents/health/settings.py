"""Changes of a run's settings as shell lines: ``export GRPO_TEMPERATURE=1.1  # from 0.9``."""

from __future__ import annotations

import math
import shlex
from collections.abc import Mapping
from dataclasses import dataclass

from agents.health.records import Run
from agents.health.rule import Action

__all__ = ["VARIABLES", "Export", "exports_of", "present", "variable_of"]

VARIABLES: Mapping[str, str] = {
    "problems": "TRAINING_DATASET",
    "per_device_train_batch_size": "GRPO_BATCH_SIZE",
    "gradient_accumulation_steps": "GRPO_GRAD_ACCUM_STEPS",
    "max_prompt_length": "GRPO_MAX_PROMPT",
    "max_completion_length": "GRPO_MAX_COMPLETION",
    "num_train_epochs": "GRPO_NUM_EPOCHS",
    "lora_r": "LORA_R",
    "lora_alpha": "LORA_ALPHA",
    "lora_dropout": "LORA_DROPOUT",
    "lora_bias": "LORA_BIAS",
    "lora_target_modules": "LORA_TARGET_MODULES",
    "runaway_penalty_multiplier": "RUNAWAY_PENALTY_MULTIPLIER",
    "min_non_empty_lines": "MIN_NON_EMPTY_LINES",
}
"""Setting -> the seed's environment variable; any other setting has ``GRPO_`` and its name in capitals."""


def variable_of(setting: str) -> str:
    """Returns the environment variable of a setting."""
    return VARIABLES.get(setting, f"GRPO_{setting.upper()}")


@dataclass(frozen=True, slots=True)
class Export:
    """One change of a setting.

    Attributes:
        setting: its name in ``config.yaml``.
        value: its new value.
        before: its present value; "" if unknown.
        note: source of the present value, if it is not ``config.yaml``.
    """

    setting: str
    value: str
    before: str = ""
    note: str = ""

    @property
    def line(self) -> str:
        """The line for a shell."""
        was = f"from {self.before}" if self.before else "its present value is not known"
        told = f"{was} ({self.note})" if self.note else was
        return f"export {variable_of(self.setting)}={shlex.quote(self.value)}  # {' '.join(told.split())}"


def exports_of(action: Action, run: Run, assumed: Mapping[str, str]) -> tuple[Export, ...]:
    """Returns the changes for an action; none if it changes no setting, or the setting already has its new value.

    A value computed from the present one needs ``present`` to know it. TRL requires the completions of a generation to
    divide into whole groups. If a new group size breaks that, a second change restores it.
    """
    if not action.setting:
        return ()
    before, note = present(action.setting, run, assumed)
    if action.to is not None:
        return () if action.to == before else (Export(action.setting, value=action.to, before=before, note=note),)
    try:
        now = float(before)
    except ValueError:
        return ()
    value = action.changed(now)
    if value == now or not math.isfinite(value):
        return ()
    export = Export(action.setting, value=f"{value:g}", before=f"{now:g}", note=note)
    return (export, *_divisible(int(value), run)) if action.setting == "num_generations" else (export,)


def present(setting: str, run: Run, assumed: Mapping[str, str]) -> tuple[str, str]:
    """Returns the present value of a setting and a note on its source; either is "" if there is none.

    The value is from the last intervention, else from ``config.yaml``, else from the profile's assumption. Only a
    learning rate without an assumption is read from the log, if the log contradicts ``config.yaml``.
    """
    changed = {change.setting: f"{change.after:g}" for change in run.interventions}
    configured = {**run.settings, **changed}.get(setting, "")
    if setting in assumed:
        return (configured, "") if configured else (assumed[setting], "assumed: no config.yaml")
    if setting == "learning_rate" and (logged := _logged_rate(run, run.number(setting))) is not None:
        return f"{logged:.3g}", "the log's highest" + (f"; config.yaml has {configured}" if configured else "")
    return configured, ""


def _logged_rate(run: Run, configured: float | None) -> float | None:
    """The highest learning rate of the log, taken as the run's setting; None if ``config.yaml`` may be right.

    ``config.yaml`` may be right during an unfinished warm-up, or about a peak between two logging steps.
    """
    rates = [rate for record in run.records if math.isfinite(rate := record.numbers.get("learning_rate", math.nan))]
    highest = max(rates, default=0.0)
    if highest <= 0:
        return None
    rising = len(rates) > 1 and rates[-1] == highest > rates[-2]
    if configured is not None and highest <= configured * 1.01 and (rising or highest >= configured / 2):
        return None
    return highest


def _divisible(generations: int, run: Run) -> tuple[Export, ...]:
    """The gradient accumulation for a generation to divide into groups of this size; none if it already does."""
    batch, accumulation = run.number("per_device_train_batch_size"), run.number("gradient_accumulation_steps")
    if batch is None or accumulation is None or "steps_per_generation" in _numbers(run) or batch < 1:
        return ()
    if int(batch * accumulation) % generations == 0:
        return ()
    least = generations // math.gcd(int(batch), generations)
    wanted = math.ceil(accumulation / least) * least
    return (Export(setting="gradient_accumulation_steps", value=f"{wanted:g}", before=f"{accumulation:g}"),)


def _numbers(run: Run) -> set[str]:
    return {name for name in run.settings if run.number(name) is not None}
