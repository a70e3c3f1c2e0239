"""A server is asked while answers are judged: how much is in hand, and how it ends."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from ocaml_env import Completion, ConfigError, Problem, RewardSpec, Verifier
from ocaml_env.episode import EpisodeSpec
from ocaml_env.evaluation.episodes import Answered, Asked, Judge, Run
from ocaml_env.evaluation.models.base import Answer, Request, ServedModel
from ocaml_env.evaluation.protocols.choose import own_protocol
from ocaml_env.evaluation.record_sink import Intake
from ocaml_env.evaluation.requests import ask_for_all
from ocaml_env.problems import to_jsonl

AT_ONCE = 4


class Echo(ServedModel):
    """Answers at once, with prose, so that there is nothing to verify."""

    at_once = AT_ONCE

    def __init__(self) -> None:
        self.asked: list[tuple[int, int]] = []
        self.left = False

    async def ask(self, request: Request) -> Answer:
        self.asked.append((request.sample, request.turn))
        await asyncio.sleep(0)
        return Answer(completion=Completion(f"Sample {request.sample}, without code."), tokens=1, latency=0.0)

    async def leave(self) -> None:
        self.left = True


@pytest.fixture
def run(tmp_path: Any, verifier: Verifier, add: Problem) -> Run:
    to_jsonl([add], tmp_path / "one.jsonl")
    judge = Judge(
        protocol=own_protocol(str(tmp_path / "one.jsonl"), 0), verifier=verifier, reward=RewardSpec.preset("staged")
    )
    return Run(judge=judge, spec=EpisodeSpec(max_turns=2), seed=0)


def samples(problem: Problem, count: int) -> Iterator[Asked]:
    return (Asked(problem, number) for number in range(count))


@pytest.mark.parametrize("count", [0, 1, 7, 300])
@pytest.mark.parametrize("judges", [1, 3])
def test_every_sample_is_played_to_its_end_and_taken_once(run: Run, add: Problem, count: int, judges: int) -> None:
    model = Echo()
    taken: list[dict[str, Any]] = []
    ask_for_all(samples(add, count), run, model=model, judges=judges, intake=Intake(taken.extend))
    assert sorted(record["sample"] for record in taken) == list(range(count))
    assert sorted(model.asked) == [(number, turn) for number in range(count) for turn in (1, 2)]
    assert all(len(record["turns"]) == 2 for record in taken)
    assert model.left


def test_no_more_is_in_hand_than_twice_what_is_asked_at_once(run: Run, add: Problem) -> None:
    begun, taken, in_hand = 0, 0, []

    def counted() -> Iterator[Asked]:
        nonlocal begun
        for asked in samples(add, 100):
            begun += 1
            yield asked

    def took(records: Sequence[dict[str, Any]]) -> None:
        nonlocal taken
        in_hand.append(begun - taken)
        taken += len(records)

    ask_for_all(counted(), run, model=Echo(), judges=2, intake=Intake(took))
    assert taken == 100
    assert max(in_hand) <= 2 * AT_ONCE


def test_a_slow_judge_does_not_hold_up_the_other(run: Run, add: Problem) -> None:
    held = threading.Event()
    taken: list[int] = []

    def took(records: Sequence[dict[str, Any]]) -> None:
        taken.extend(record["sample"] for record in records)
        if len(taken) >= 40:
            held.set()

    class Slow(Echo):
        async def ask(self, request: Request) -> Answer:
            if request.sample == 0:
                return Answer(fault="slow")
            return await super().ask(request)

    original = run.record

    def record(one: Any) -> dict[str, Any]:
        if one.fault:
            assert held.wait(20), "the other judge took nothing more"
        return original(one)

    object.__setattr__(run, "record", record)
    ask_for_all(samples(add, 60), run, model=Slow(), judges=2, intake=Intake(took))
    assert sorted(taken) == list(range(60))


@pytest.mark.parametrize("where", ["asking", "judging", "taking", "the samples"])
def test_the_first_error_ends_it_wherever_it_comes_from(
    run: Run, add: Problem, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> Any:
        raise ConfigError(f"from {where}")

    def failing() -> Iterator[Asked]:
        yield from samples(add, 10)
        fail()

    class Failing(Echo):
        async def ask(self, request: Request) -> Answer:
            return await super().ask(request) if request.sample < 10 else fail()

    if where == "judging":
        monkeypatch.setattr(Answered, "verify", fail)
    model = Failing() if where == "asking" else Echo()
    intake = Intake(fail if where == "taking" else lambda records: None)
    with pytest.raises(ConfigError, match=where):
        ask_for_all(
            failing() if where == "the samples" else samples(add, 1000), run, model=model, judges=2, intake=intake
        )
    assert model.left
    assert len(model.asked) < 1000
