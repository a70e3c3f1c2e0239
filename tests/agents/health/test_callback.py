"""Training diagnostics in a run: they warn once, stop, adapt and check the effect, and resume with the run."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from ocaml_env.errors import ConfigError
from tests.agents.health.simulator import Illness, Simulation

pytest.importorskip("transformers", reason="needs the extra `train`")

from agents.health.callback import HealthCallback
from agents.health.files import read_run


@dataclass
class State:
    global_step: int = 0
    max_steps: int = 100
    epoch: float = 0.0
    is_world_process_zero: bool = True


@dataclass
class Control:
    should_training_stop: bool = False


@dataclass
class Ward:
    """A callback, its messages and its settings."""

    folder: Path
    options: dict[str, Any] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)
    temperatures: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.diagnostics = HealthCallback(
            run_dir=self.folder,
            tell=self.told.append,
            set_temperature=self.temperatures.append,
            **self.options,
        )

    def begin(self, step: int = 0) -> None:
        self.diagnostics.on_train_begin(None, State(global_step=step), Control())

    def watch(self, entries: list[dict[str, Any]]) -> list[str]:
        """Feeds logging steps, like a trainer's own logger, and returns the names of new findings."""
        new = []
        for entry in entries:
            with (self.folder / "metrics.jsonl").open("a") as file:
                file.write(json.dumps(entry) + "\n")
            new += [reading.rule.name for reading in self.diagnostics.observe(entry)]
        return new


def collapsing(length: int = 120) -> list[dict[str, Any]]:
    """Returns a run of 30 healthy steps, and then groups of one text each."""
    entries = Simulation(Illness.NONE, 3).metrics[:30]
    return [
        entries[step % 30]
        | {"step": step + 1, "progress": (step + 1) / 400, "epoch": (step + 1) / 400}
        | ({"groups": {"varied": 2, "identical": 6}} if step >= 30 else {"groups": {"varied": 8}})
        for step in range(length)
    ]


MADE = collapsing(60)


def test_a_finding_is_told_once_and_not_at_each_step(tmp_path: Path) -> None:
    ward = Ward(tmp_path)
    assert ward.watch(collapsing(90)) == ["mode-collapse", "mode-collapse"]
    assert [text.split(" at step")[0] for text in ward.told] == ["health: warning", "health: critical"]
    assert "Mode collapse (mode-collapse): Groups of one text is" in ward.told[1]


def test_giving_up_is_told_while_it_comes_and_what_is_no_alarm_is_told_as_such(tmp_path: Path) -> None:
    ward = Ward(tmp_path)
    gives_up = [entry | {"degenerate": 0.2 if n < 30 else 0.9, "groups": {"varied": 8}} for n, entry in enumerate(MADE)]
    assert ward.watch(gives_up) == ["giving-up", "giving-up"]
    assert [text.split(" at step")[0] for text in ward.told] == ["health: warning", "health: critical"]
    easy = Ward(tmp_path / "easy")
    easy.folder.mkdir()
    assert easy.watch([entry | {"groups": {"all_passed": 8}} for entry in MADE[:20]]) == ["all-passed"]
    assert easy.told[0].startswith("health: information at step")


def test_a_finding_that_was_gone_for_a_window_is_told_again(tmp_path: Path) -> None:
    ward = Ward(tmp_path)
    ill, well = {"groups": {"varied": 2, "identical": 6}}, {"groups": {"varied": 8}}
    entries = [entry | (ill if n // 50 % 2 else well) for n, entry in enumerate(collapsing(260))]
    assert ward.watch(entries) == ["mode-collapse"] * 6


def test_a_healthy_run_is_met_with_silence_but_for_its_checkpoints(tmp_path: Path) -> None:
    ward = Ward(tmp_path)
    assert ward.watch(Simulation(Illness.NONE, 6).metrics) == []
    assert [text.split(":")[1].strip() for text in ward.told] == ["at 50% of the run", "at 100% of the run"]


def test_warning_never_stops_a_run_and_stopping_does(tmp_path: Path) -> None:
    for action, expected in (("warn", False), ("stop", True)):
        folder = tmp_path / action
        folder.mkdir()
        ward = Ward(folder, {"action": action})
        ward.watch(Simulation(Illness.EXPLODING, 2).metrics)
        control = Control()
        ward.diagnostics.on_step_end(None, State(), control)
        assert control.should_training_stop is expected
        assert sum(text.startswith("health: stopping the run") for text in ward.told) == expected


def test_the_export_lines_name_the_value_of_the_runs_own_configuration(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text("temperature: 0.8\nnum_generations: 4\n")
    ward = Ward(tmp_path)
    ward.watch(collapsing(60))
    assert "export GRPO_TEMPERATURE=0.9  # from 0.8" in ward.told[1]
    assert "export GRPO_NUM_GENERATIONS=8  # from 4" in ward.told[1]


def test_adapting_raises_the_temperature_once_and_waits_for_what_comes_of_it(tmp_path: Path) -> None:
    ward = Ward(tmp_path, {"action": "adapt", "temperature": 1.0})
    ward.watch(collapsing(100))
    assert ward.temperatures == [1.1]
    (line,) = (tmp_path / "interventions.jsonl").read_text().splitlines()
    change = json.loads(line)
    assert 31 < change.pop("step") < 45
    assert change.pop("epoch") < 0.2
    assert change == {"setting": "temperature", "from": 1.0, "to": 1.1, "rule": "mode-collapse"}


def test_an_intervention_that_did_not_help_is_told_and_followed_by_another_up_to_the_bound(tmp_path: Path) -> None:
    ward = Ward(tmp_path, {"action": "adapt", "temperature": 1.0, "temperature_bounds": (0.5, 1.15)})
    ward.watch(collapsing(260))
    assert ward.temperatures == [1.1, 1.15]
    assert sum(text.startswith("health: follow-up missed") for text in ward.told) == 2
    assert sum("stays at 1.15, its upper bound" in text for text in ward.told) == 1


def test_an_intervention_that_helped_is_told_and_nothing_more_is_done(tmp_path: Path) -> None:
    ward = Ward(tmp_path, {"action": "adapt", "temperature": 1.0})
    entries = [entry | ({"groups": {"varied": 8}} if n > 50 else {}) for n, entry in enumerate(collapsing(120))]
    ward.watch(entries)
    assert ward.temperatures == [1.1]
    assert sum(text.startswith("health: follow-up met") for text in ward.told) == 1


def test_a_temperature_above_the_bound_is_never_lowered_to_it(tmp_path: Path) -> None:
    ward = Ward(tmp_path, {"action": "adapt", "temperature": 1.5})
    ward.watch(collapsing(60))
    assert ward.temperatures == []


def test_groups_that_all_fail_do_not_change_the_temperature(tmp_path: Path) -> None:
    ward = Ward(tmp_path, {"action": "adapt", "temperature": 1.0})
    ward.watch(Simulation(Illness.ALL_FAILED, 1).metrics)
    assert ward.temperatures == []


def test_a_resumed_run_keeps_its_temperature_and_is_not_told_the_same_again(tmp_path: Path) -> None:
    entries = collapsing(130)
    first = Ward(tmp_path, {"action": "adapt", "temperature": 1.0})
    first.begin()
    first.watch(entries[:100])
    second = Ward(tmp_path, {"action": "adapt", "temperature": 1.0})
    second.begin(step=100)
    assert second.temperatures == [1.1]
    assert second.watch(entries[100:]) == []
    assert second.temperatures == [1.1]
    assert second.told == []


def test_a_temperature_that_was_configured_anew_is_not_set_back(tmp_path: Path) -> None:
    entries = collapsing(130)
    first = Ward(tmp_path, {"action": "adapt", "temperature": 1.0})
    first.begin()
    first.watch(entries[:100])
    second = Ward(tmp_path, {"action": "adapt", "temperature": lambda: 0.8})
    second.begin(step=100)
    assert second.temperatures == []


def test_a_run_resumed_from_before_an_intervention_forgets_it(tmp_path: Path) -> None:
    entries = collapsing(100)
    first = Ward(tmp_path, {"action": "adapt", "temperature": 1.0})
    first.begin()
    first.watch(entries)
    second = Ward(tmp_path, {"action": "adapt", "temperature": 1.0})
    second.begin(step=20)
    assert second.temperatures == []
    assert (tmp_path / "interventions.jsonl").read_text() == ""
    assert second.watch(entries[20:60]) == ["mode-collapse", "mode-collapse"]
    assert second.temperatures == [1.1]
    assert len(read_run(tmp_path).interventions) == 1


def test_a_fresh_run_in_an_old_folder_starts_from_nothing(tmp_path: Path) -> None:
    first = Ward(tmp_path)
    first.watch(collapsing(60))
    second = Ward(tmp_path)
    second.begin(step=0)
    assert second.watch(collapsing(10)) == []


def test_without_anybody_to_feed_it_the_trainers_own_logs_are_judged(tmp_path: Path) -> None:
    ward = Ward(tmp_path, {"action": "stop"})
    control = Control()
    for step in range(1, 30):
        logs = {"loss": float("nan") if step > 20 else 0.1, "grad_norm": 0.1, "reward": 0.2}
        ward.diagnostics.on_log(None, State(global_step=step, epoch=step / 100), control, logs)
    assert control.should_training_stop
    assert any("Diverged" in text for text in ward.told)


def test_evaluations_and_summaries_of_the_trainer_are_no_logging_steps(tmp_path: Path) -> None:
    ward = Ward(tmp_path)
    ward.diagnostics.on_log(None, State(global_step=3), Control(), {"eval_loss": float("nan")})
    ward.diagnostics.on_log(None, State(global_step=3), Control(), {"train_runtime": 3.0, "train_loss": float("nan")})
    assert ward.diagnostics.diagnosis is None


def test_rules_are_applied_at_every_so_many_steps(tmp_path: Path) -> None:
    ward = Ward(tmp_path, {"every": 10})
    assert ward.watch(collapsing(39)) == ["mode-collapse"] * 0
    assert ward.watch(collapsing(40)[39:]) == ["mode-collapse"]


def test_a_process_that_is_not_the_main_one_writes_nothing(tmp_path: Path) -> None:
    ward = Ward(tmp_path, {"action": "adapt", "temperature": 1.0})
    ward.diagnostics.on_train_begin(None, State(is_world_process_zero=False), Control())
    ward.watch(collapsing(60))
    assert ward.temperatures == [1.1]
    assert not (tmp_path / "interventions.jsonl").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"profile": "other"}, "there is no profile 'other'"),
        ({"action": "panic"}, "panic"),
        ({"action": "adapt"}, "set_temperature"),
        ({"every": 0}, "every must be 1 or more"),
        ({"temperature_bounds": (1.2, 0.8)}, "temperature_bounds"),
    ],
)
def test_what_cannot_be_configured_is_an_error_that_says_so(
    tmp_path: Path, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        HealthCallback(run_dir=tmp_path, **options)
