"""Training diagnostics in a run: a callback of a transformers trainer to warn, stop, or raise the temperature.

    health = HealthCallback(profile="default", action="adapt", run_dir=run, set_temperature=set_temperature)
    trainer.add_callback(health)
    health.observe(record)     # called by the writer of metrics.jsonl, with one object a logging step

TRL logs no pass rates, outcomes or kinds of groups, so feed the callback the lines of ``metrics.jsonl``. Without them
it falls back on TRL's own logs, and much stays unknown.

Its state is on disk, in ``metrics.jsonl`` and ``interventions.jsonl`` of the run. A resumed run reads both again. This
is the only module of the diagnostics to need transformers; no other module of them imports it.

Long, because messages, interventions and their files change together from step to step.
"""

from __future__ import annotations

import enum
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from transformers import TrainerCallback

from agents.health.conclude import diagnose
from agents.health.diagnosis import Decision, Diagnosis, Followed, State
from agents.health.files import CannotRead, read_interventions, read_run, read_settings
from agents.health.profile import Profile
from agents.health.profiles import find_profile
from agents.health.records import Intervention, Record, Run, mended, record_of
from agents.health.rule import Action, Level, Reading
from agents.health.wording import headline, told_check, told_follow_up
from ocaml_env.errors import ConfigError
from ocaml_env.evaluation.files import write_whole

__all__ = ["HealthAction", "HealthCallback"]

_FIRST, _LAST = 200, 400
"""Logging steps kept in memory: the first and the last of the run. Windows fit into them; summaries of the whole log
see only these."""


class HealthAction(enum.StrEnum):
    """Reactions of the diagnostics to a finding. All of them warn."""

    WARN = "warn"
    STOP = "stop"
    """Ends the run at a red flag."""

    ADAPT = "adapt"
    """Raises the sampling temperature if a critical finding asks for it, and checks the effect."""


class HealthCallback(TrainerCallback):  # type: ignore[misc]  # a class of Any: transformers is optional
    """Watches a run, and warns, stops it or adapts its temperature.

    Args:
        profile: the rules, or the name of a profile.
        action: ``warn``, ``stop`` or ``adapt``.
        run_dir: the run's folder. Reads its ``config.yaml`` and ``metrics.jsonl``; writes its ``interventions.jsonl``.
        every: logging steps from one application of the rules to the next.
        set_temperature: changes the sampling temperature from the next generation on; needed for ``adapt``.
        temperature: the temperature at first, or a function that returns the present one if the trainer restores it
            from a checkpoint. None takes it from the trainer's arguments, the log or ``config.yaml``.
        temperature_bounds: the least and the greatest temperature for ``adapt`` to set.
        tell: receives each message; by default messages go to standard error.

    Raises:
        ConfigError: for an unknown profile or action, ``adapt`` without ``set_temperature``, or bounds out of order.
    """

    def __init__(
        self,
        *,
        profile: str | Profile = "default",
        action: str | HealthAction = HealthAction.WARN,
        run_dir: Path | str = "grpo_runs",
        every: int = 1,
        set_temperature: Callable[[float], None] | None = None,
        temperature: float | Callable[[], float] | None = None,
        temperature_bounds: tuple[float, float] = (0.7, 1.3),
        tell: Callable[[str], None] | None = None,
    ) -> None:
        try:
            self.profile = find_profile(profile) if isinstance(profile, str) else profile
            self.action = HealthAction(action)
        except ValueError as error:
            raise ConfigError(str(error)) from None
        if self.action is HealthAction.ADAPT and set_temperature is None:
            raise ConfigError(
                "the diagnostics can adapt the temperature only through set_temperature, which was not given"
            )
        if every < 1:
            raise ConfigError(f"every must be 1 or more, not {every}")
        if not 0 < temperature_bounds[0] <= temperature_bounds[1]:
            raise ConfigError(f"temperature_bounds must be two temperatures in order, not {temperature_bounds}")
        self.run_dir = Path(run_dir)
        self.every = every
        self.temperature = temperature
        self.temperature_bounds = temperature_bounds
        self.diagnosis: Diagnosis | None = None
        self._set_temperature = set_temperature
        self._tell = tell or _to_stderr
        self._fed = False
        self._writes = True
        self._stopping = False
        self._seen = 0
        self._told: dict[str, tuple[Level, int]] = {}
        self._told_once: set[str] = set()
        self._records: list[Record] = []
        self._interventions: list[Intervention] = []
        self._settings: Mapping[str, str] = {}
        self._load(until=None)

    # --- called by the trainer ----------------------------------------------------------------------------------------

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Takes up a resumed run at its step; drops later records and interventions, because they were undone."""
        self._writes = bool(state.is_world_process_zero)
        if self.temperature is None:
            self.temperature = getattr(args, "temperature", None)
        self._load(until=state.global_step)

    def on_log(self, args: Any, state: Any, control: Any, logs: Mapping[str, Any] | None = None, **_: Any) -> None:
        """Judges the trainer's own log if nobody calls ``observe``; stops the run if a red flag was raised."""
        if logs and not self._fed and "train_runtime" not in logs and not any(n.startswith("eval_") for n in logs):
            share = state.global_step / state.max_steps if state.max_steps > 0 else None
            entry = {**logs, "step": state.global_step, "epoch": state.epoch, "progress": share}
            self._add(record_of(entry))
        self._enforce(control)

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Stops the run if a red flag was raised since the last step."""
        self._enforce(control)

    def _enforce(self, control: Any) -> None:
        if self._stopping:
            control.should_training_stop = True

    # --- observation --------------------------------------------------------------------------------------------------

    def observe(self, record: Mapping[str, Any]) -> tuple[Reading, ...]:
        """Takes in one logging step, judges the run, and acts on the verdict.

        Args:
            record: one object of ``metrics.jsonl``.

        Returns:
            New findings: not told before, grown critical since, or back after an absence of one window.
        """
        self._fed = True
        return self._add(record_of(record))

    def _add(self, record: Record) -> tuple[Reading, ...]:
        self._records = mended([*self._records, record])
        if len(self._records) > _FIRST + _LAST:
            del self._records[_FIRST]
        self._seen += 1
        if self._seen % self.every:
            return ()
        self.diagnosis = self._diagnose()
        new = self._news(self.diagnosis)
        for reading in new:
            self._tell_finding(reading, self.diagnosis)
        self._tell_rest(self.diagnosis)
        if self.action is HealthAction.STOP and self.diagnosis.decision is Decision.STOP and not self._stopping:
            self._stopping = True
            why = "; ".join(flag.rule.text for flag in self.diagnosis.stops)
            self._tell(f"health: stopping the run: {why}")
        if self.action is HealthAction.ADAPT:
            self._adapt(self.diagnosis)
        return new

    def _diagnose(self) -> Diagnosis:
        self._settings = self._settings or read_settings(self.run_dir / "config.yaml")
        run = Run(
            source=self.run_dir,
            records=tuple(self._records),
            settings=self._settings,
            interventions=tuple(self._interventions),
        )
        return diagnose(run, self.profile)

    def _news(self, diagnosis: Diagnosis) -> tuple[Reading, ...]:
        new = []
        for reading in (*diagnosis.issues, *diagnosis.notices):
            level, last = self._told.get(reading.rule.name, (Level.HEALTHY, -1))
            gone = self._seen - last > max(reading.rule.measure.window, self.every)
            worse = level is not Level.CRITICAL and reading.level is Level.CRITICAL
            if last < 0 or gone or worse:
                new.append(reading)
            kept = level if level is Level.CRITICAL and not gone else reading.level
            self._told[reading.rule.name] = (kept, self._seen)
        return tuple(new)

    # --- messages -----------------------------------------------------------------------------------------------------

    def _tell_finding(self, reading: Reading, diagnosis: Diagnosis) -> None:
        rule = reading.rule
        where = self._records[-1].step
        lines = [
            f"health: {reading.level.value} at step {where}: {rule.title} ({rule.name}): {rule.metric.title} is "
            f"{reading.shown}, healthy is {rule.healthy.show(rule.form)}. {reading.diagnosis}"
        ]
        for recommendation in diagnosis.recommendations:
            if rule.name in recommendation.rules:
                lines.append(f"  {recommendation.action.text}.")
                lines += [f"    {export.line}" for export in recommendation.exports]
        self._tell("\n".join(lines))

    def _tell_rest(self, diagnosis: Diagnosis) -> None:
        """Tells each passed checkpoint and each decided follow-up once."""
        for look in diagnosis.look_backs:
            if look.passed and self._once(f"checkpoint {look.checkpoint.at}"):
                states = "; ".join(f"{check.state.value}: {told_check(check)}" for check in look.checks)
                moment = self.profile.clock.tell(look.checkpoint.at)
                self._tell(f"health: at {moment}: {headline(diagnosis, symbols=False)}. {states}")
        for followed in diagnosis.followed:
            if followed.state in (State.MET, State.MISSED) and self._once(_name_of(followed)):
                self._tell(f"health: follow-up {followed.state.value}: {told_follow_up(followed)}")

    def _once(self, name: str) -> bool:
        if name in self._told_once:
            return False
        self._told_once.add(name)
        return True

    # --- the temperature ----------------------------------------------------------------------------------------------

    def _adapt(self, diagnosis: Diagnosis) -> None:
        """Raises the temperature by one notch, unless an earlier change still has time to take effect."""
        found = next(((r, a) for r in diagnosis.issues if (a := _warming(r)) and r.level is Level.CRITICAL), None)
        step = self._records[-1].step
        if found is None or step is None or self._set_temperature is None or self._waiting(step):
            return
        reading, action = found
        now = self._temperature()
        if now is None:
            if self._once("no temperature"):
                self._tell("health: the temperature cannot be adapted: nobody says what it is")
            return
        least, most = self.temperature_bounds
        wanted = min(most, max(least, action.changed(now)))
        if wanted <= now:
            if self._once(f"bound {now}"):
                self._tell(f"health: the temperature stays at {now:g}, its upper bound; a higher one did not help")
            return
        change = Intervention(
            step=step,
            epoch=self._records[-1].epoch,
            setting="temperature",
            before=now,
            after=wanted,
            rule=reading.rule.name,
        )
        self._set_temperature(wanted)
        self._interventions.append(change)
        self._write_interventions()
        follow_up = reading.rule.follow_up
        hope = f"; expected: {follow_up}" if follow_up else ""
        self._tell(f"health: temperature {now:g} -> {wanted:g} at step {step}, for {reading.rule.name}{hope}")

    def _waiting(self, step: int) -> bool:
        if not self._interventions:
            return False
        last = self._interventions[-1]
        follow_up = {rule.name: rule.follow_up for rule in self.profile.rules}.get(last.rule)
        return step < last.step + (follow_up.within if follow_up else 100)

    def _temperature(self) -> float | None:
        """The temperature set last; else that of the trainer, the log or the configuration."""
        if callable(self.temperature):
            return self.temperature()
        if self._interventions:
            return self._interventions[-1].after
        if self.temperature is not None:
            return self.temperature
        logged = next((r.numbers["temperature"] for r in reversed(self._records) if "temperature" in r.numbers), None)
        if logged is not None:
            return logged
        try:
            return float(self._settings["temperature"])
        except (KeyError, ValueError):
            return None

    # --- files --------------------------------------------------------------------------------------------------------

    def _load(self, *, until: int | None) -> None:
        """Reads the run's files up to a step, and marks the findings of that moment as told."""
        path = self.run_dir / "metrics.jsonl"
        try:
            records = list(read_run(path).records) if path.exists() else []
        except CannotRead:
            records = []
        on_disk = read_interventions(self.run_dir / "interventions.jsonl", [])
        if until is not None:
            records = [record for record in records if record.step is not None and record.step <= until]
        self._interventions = [change for change in on_disk if until is None or (until and change.step <= until)]
        self._records = records[:_FIRST] + records[_FIRST:][-_LAST:]
        self._seen, self._told, self._stopping = len(records), {}, False
        self._told_once = set()
        if self._records:
            self.diagnosis = self._diagnose()
            self._news(self.diagnosis)
            self._told_once |= {f"checkpoint {look.checkpoint.at}" for look in self.diagnosis.look_backs if look.passed}
            self._told_once |= {
                _name_of(followed) for followed in self.diagnosis.followed if followed.state is not State.PENDING
            }
        if until is not None and len(self._interventions) < len(on_disk):
            self._write_interventions()
        if until is None or not self._interventions or callable(self.temperature):  # a trainer restores its own
            return
        if self.action is HealthAction.ADAPT and self._set_temperature:
            self._set_temperature(self._interventions[-1].after)

    def _write_interventions(self) -> None:
        if not self._writes:
            return
        path = self.run_dir / "interventions.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, "".join(change.to_json() + "\n" for change in self._interventions))


def _warming(reading: Reading) -> Action | None:
    """The action of a finding on the temperature; None if it has none."""
    return next(
        (
            action
            for action in reading.rule.actions
            if action.setting == "temperature" and action.side in (None, reading.side)
        ),
        None,
    )


def _name_of(followed: Followed) -> str:
    return f"follow-up {followed.intervention.step} {followed.intervention.rule}"


def _to_stderr(message: str) -> None:
    print(message, file=sys.stderr, flush=True)
