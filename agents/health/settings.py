"""Settings of a run as the lines that change them: ``export GRPO_TEMPERATURE=1.1  # from 0.9``."""

from __future__ import annotations

import math
import shlex
from collections.abc import Mapping
from dataclasses import dataclass

from agents.health.records import Run
from agents.health.rule import Action

__all__ = ["VARIABLES", "Export", "exports_of", "variable_of"]

VARIABLES: Mapping[str, str] = {
    "problems": "TRAINING_DATASET",
    "per_device_train_batch_size": "GRPO_BATCH_SIZE",
    "gradient_accumulation_steps": "GRPO_GRAD_ACCUM_STEPS",
    "max_prompt_length": "GRPO_MAX_PROMPT",
    "max_completion_length": "GRPO_MAX_COMPLETION",
    "num_train_epochs": "GRPO_NUM_EPOCHS",
}
"""Setting -> the seed's name of its variable; every other setting is ``GRPO_`` and its name in capitals."""


def variable_of(setting: str) -> str:
    """The environment variable of a setting."""
    return VARIABLES.get(setting, f"GRPO_{setting.upper()}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """One change of a setting.

    Attributes:
        setting: its name in ``config.yaml``.
        value: what to set it to.
        before: what it is; "" where nobody knows.
        assumed: the value before is the profile's assumption, because the run has no ``config.yaml``.
    """

    setting: str
    value: str
    before: str = ""
    assumed: bool = False

    @property
    def line(self) -> str:
        """The line for a shell."""
        was = f"from {self.before}" if self.before else "its present value is not known"
        note = f"{was} (assumed: no config.yaml)" if self.assumed else was
        return f"export {variable_of(self.setting)}={shlex.quote(self.value)}  # {' '.join(note.split())}"


def exports_of(action: Action, run: Run, assumed: Mapping[str, str]) -> tuple[Export, ...]:
    """The lines for an action; none where it changes no setting, or that is already as it should be.

    A value that is to be computed from the present one needs it: from ``config.yaml``, or as the profile assumes. A
    temperature that was changed while the run went on counts as it was last set.

    TRL wants the completions of a generation to divide into whole groups; where another number of completions a problem
    breaks that, a line that mends it comes with it.
    """
    if not action.setting:
        return ()
    changed = {change.setting: f"{change.after:g}" for change in run.interventions}
    known = {**run.settings, **changed}
    before = known.get(action.setting, "")
    is_assumed = not before and action.setting in assumed
    before = before or assumed.get(action.setting, "")
    if action.to is not None:
        if action.to == before:
            return ()
        return (Export(setting=action.setting, value=action.to, before=before, assumed=is_assumed),)
    try:
        now = float(before)
    except ValueError:
        return ()
    value = action.changed(now)
    if value == now or not math.isfinite(value):
        return ()
    export = Export(setting=action.setting, value=f"{value:g}", before=f"{now:g}", assumed=is_assumed)
    return (export, *_divisible(int(value), run)) if action.setting == "num_generations" else (export,)


def _divisible(generations: int, run: Run) -> tuple[Export, ...]:
    """The accumulation that makes a generation divide into groups of this size, where it does not already."""
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
