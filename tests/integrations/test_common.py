"""The count of infrastructure errors that ends a run."""

from __future__ import annotations

import pytest

from ocaml_env import EngineError, OCamlEnvError, Problem, RewardSpec, Verifier
from ocaml_env.episode import Evaluation, evaluate
from ocaml_env.integrations.common import Faults, TooManyFaults

LOST = EngineError("x")


@pytest.fixture
def scored(verifier: Verifier, add: Problem) -> Evaluation:
    return evaluate(add, "no code", verifier=verifier, reward=RewardSpec.preset("staged"))


def batch(scored: Evaluation, lost: int) -> list[Evaluation | OCamlEnvError]:
    return [*[LOST] * lost, *[scored] * (10 - lost)]


def test_a_run_survives_faults_until_they_pile_up(scored: Evaluation) -> None:
    faults = Faults(most=0.2)
    faults.add([LOST] * 10)  # a first bad generation is survived
    faults = Faults(most=0.2)
    for _ in range(20):
        faults.add(batch(scored, 1))
    assert faults.total == 20
    faults.add(batch(scored, 4))
    with pytest.raises(TooManyFaults, match=r"9 of the last 40 completions could not be scored.*the disk is gone"):
        faults.add([*batch(scored, 2)[:9], EngineError("the disk is gone")])


def test_a_fault_that_is_long_past_is_forgiven(scored: Evaluation) -> None:
    faults = Faults(most=0.2)
    faults.add([LOST] * 10)
    with pytest.raises(TooManyFaults):
        faults.add(batch(scored, 1))
    for _ in range(4):
        faults.add(batch(scored, 0))
    faults.add(batch(scored, 1))
