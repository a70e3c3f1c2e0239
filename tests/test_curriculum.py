"""The curriculum: its weights at each point of a run, and the final weights that evaluation uses."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocaml_env.curriculum import EPOCHS, THIRDS, Curriculum, Phase
from ocaml_env.errors import ConfigError
from ocaml_env.reward import RewardSpec

FIRST, SECOND, LAST = (0.10, 0.40, 0.30, 0.20), (0.05, 0.25, 0.20, 0.50), (0.05, 0.20, 0.10, 0.65)


def weights(spec: RewardSpec) -> tuple[float, float, float, float]:
    return spec.structure, spec.typecheck, spec.compile, spec.tests


@pytest.mark.parametrize(
    ("epoch", "expected"),
    [(0, FIRST), (0.28, FIRST), (0.4999, FIRST), (0.5, SECOND), (0.99, SECOND), (1, LAST), (1.0001, LAST), (40, LAST)],
)
def test_the_seeds_phases_by_epoch(epoch: float, expected: tuple[float, ...]) -> None:
    assert weights(Curriculum().at(epoch)) == expected


@pytest.mark.parametrize(
    ("share", "expected"), [(0, FIRST), (0.33, FIRST), (1 / 3, SECOND), (0.6, SECOND), (2 / 3, LAST), (1, LAST)]
)
def test_the_seeds_phases_by_thirds_of_the_run(share: float, expected: tuple[float, ...]) -> None:
    assert weights(Curriculum(phases=THIRDS).at(share)) == expected


@pytest.mark.parametrize("preset", ["staged", "seed-2025-12-10"])
@pytest.mark.parametrize("phases", [EPOCHS, THIRDS], ids=["epochs", "thirds"])
def test_the_final_spec_is_the_preset_itself(preset: str, phases: tuple[Phase, ...]) -> None:
    spec = RewardSpec.preset(preset)
    curriculum = Curriculum(spec=spec, phases=phases)
    assert curriculum.final == spec == curriculum.at(1.0)


@given(st.floats(0, 3))
def test_a_phase_changes_weights_and_nothing_else(progress: float) -> None:
    spec = RewardSpec.preset("seed-2025-12-10", min_non_empty_lines=5, runaway_penalty_multiplier=0.1)
    now = Curriculum(spec=spec).at(progress)
    assert (now.preset_name, now.min_non_empty_lines, now.runaway_penalty_multiplier) == (spec.preset_name, 5, 0.1)


@given(st.floats(0, 3))
def test_a_curriculum_can_be_called(progress: float) -> None:
    assert Curriculum()(progress) == Curriculum().at(progress)


@pytest.mark.parametrize("progress", [-0.1, float("nan"), float("-inf")])
def test_invalid_progress_is_refused(progress: float) -> None:
    with pytest.raises(ConfigError, match="progress"):
        Curriculum().at(progress)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"phases": ()}, "must begin at 0"),
        ({"phases": EPOCHS[1:]}, "must begin at 0"),
        ({"phases": (EPOCHS[0], EPOCHS[2], EPOCHS[1])}, "after the one before"),
        ({"phases": (EPOCHS[0], EPOCHS[0])}, "after the one before"),
        ({"phases": (Phase(begins=0, structure=0.5, typecheck=0.5, compile=0.5, tests=0.5),)}, "add up to 1"),
        ({"spec": RewardSpec.preset("binary")}, "'binary'"),
        ({"spec": RewardSpec.preset("pass-dominant")}, "'pass-dominant'"),
    ],
)
def test_an_invalid_curriculum_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Curriculum(**arguments)


def test_a_curriculum_is_a_value() -> None:
    assert pickle.loads(pickle.dumps(Curriculum())) == Curriculum()
    assert len({Curriculum(), Curriculum(), Curriculum(phases=THIRDS)}) == 2
