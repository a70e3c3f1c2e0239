"""The same completion earns the same reward in every library: 200 recorded completions, with the real packages."""

from __future__ import annotations

import importlib
from collections import Counter
from functools import cache

import pytest

from ocaml_env import OCamlCodeEnv, Outcome
from ocaml_env.integrations.common import shared_verifier
from tests.integrations.installed import LIBRARIES, need
from tests.integrations.recorded import PROBLEMS, Pair, make_pairs, read_pairs

PAIRS = read_pairs()


@cache
def of_the_environment() -> list[tuple[float, str]]:
    """Returns the reward of ``env.step`` and the outcome for each pair."""
    env = OCamlCodeEnv(PROBLEMS, verifier=shared_verifier())
    return [step(env, pair) for pair in PAIRS]


def step(env: OCamlCodeEnv, pair: Pair) -> tuple[float, str]:
    env.reset(options={"problem_id": pair.problem_id})
    _, reward, terminated, _, info = env.step(pair.completion)
    assert terminated
    return reward, info["outcome"]


@pytest.mark.usefixtures("verifier")
def test_every_outcome_is_recorded() -> None:
    assert len(PAIRS) == len(set(PAIRS)) == 200
    outcomes = Counter(outcome for _, outcome in of_the_environment())
    assert set(outcomes) == {outcome.value for outcome in Outcome}
    assert sum(pair.truncated for pair in PAIRS) >= 20
    assert len({reward for reward, _ in of_the_environment()}) > 20


@pytest.mark.filterwarnings("default")  # the libraries warn
@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.usefixtures("verifier")
def test_a_library_pays_as_the_environment_does(library: str) -> None:
    need(library)
    player = importlib.import_module(f"tests.integrations.players.{library}")
    played = player.play(PAIRS)
    assert len(played) == len(PAIRS)
    different = [
        (pair, wanted, got)
        for pair, wanted, got in zip(PAIRS, of_the_environment(), played, strict=True)
        if got != wanted
    ]
    assert different == []


@pytest.mark.usefixtures("verifier")
def test_the_recorded_completions_are_the_scripts_output() -> None:
    assert make_pairs() == PAIRS
