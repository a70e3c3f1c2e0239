"""Requests to a server while answers are evaluated: how many are in progress, and how they end."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from ocaml_env import Completion, ConfigError, Problem, RewardSpec, Verifier
from ocaml_env.episode import EpisodeSpec
from ocaml_env.evaluation.episodes import Answered, Evaluator, Run, SampleRequest
from ocaml_env.evaluation.models.base import Answer, Request, ServedModel
from ocaml_env.evaluation.protocols.choose import own_protocol
from ocaml_env.evaluation.record_sink import RecordSink
from ocaml_env.evaluation.requests import request_all
from ocaml_env.problems import to_jsonl

AT_ONCE = 4


class Echo(ServedModel):
    """Answers at once in prose, so that there is nothing to verify."""

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
    evaluator = Evaluator(
        protocol=own_protocol(str(tmp_path / "one.jsonl"), 0), verifier=verifier, reward=RewardSpec.preset("staged")
    )
    return Run(evaluator=evaluator, spec=EpisodeSpec(max_turns=2), seed=0)


def samples(problem: Problem, count: int) -> Iterator[SampleRequest]:
    return (SampleRequest(problem, number) for number in range(count))


@pytest.mark.parametrize("count", [0, 1, 7, 300])
@pytest.mark.parametrize("evaluators", [1, 3])
def test_every_episode_ends_and_is_recorded_once(run: Run, add: Problem, count: int, evaluators: int) -> None:
    model = Echo()
    taken: list[dict[str, Any]] = []
    request_all(samples(add, count), run, model=model, evaluators=evaluators, sink=RecordSink(taken.extend))
    assert sorted(record["sample"] for record in taken) == list(range(count))
    assert sorted(model.asked) == [(number, turn) for number in range(count) for turn in (1, 2)]
    assert all(len(record["turns"]) == 2 for record in taken)
    assert model.left


def test_at_most_twice_the_concurrent_requests_are_in_progress(run: Run, add: Problem) -> None:
    begun, taken, in_hand = 0, 0, []

    def counted() -> Iterator[SampleRequest]:
        nonlocal begun
        for asked in samples(add, 100):
            begun += 1
            yield asked

    def on_records(records: Sequence[dict[str, Any]]) -> None:
        nonlocal taken
        in_hand.append(begun - taken)
        taken += len(records)

    request_all(counted(), run, model=Echo(), evaluators=2, sink=RecordSink(on_records))
    assert taken == 100
    assert max(in_hand) <= 2 * AT_ONCE


def test_a_slow_evaluator_does_not_block_the_other(run: Run, add: Problem) -> None:
    held = threading.Event()
    taken: list[int] = []

    def on_records(records: Sequence[dict[str, Any]]) -> None:
        taken.extend(record["sample"] for record in records)
        if len(taken) >= 40:
            held.set()

    class Slow(Echo):
        async def ask(self, request: Request) -> Answer:
            if request.sample == 0:
                return Answer(fault="slow")
            return await super().ask(request)

    original = run.record

    def record(answered: Any) -> dict[str, Any]:
        if answered.fault:
            assert held.wait(20), "the other evaluator took nothing more"
        return original(answered)

    object.__setattr__(run, "record", record)
    request_all(samples(add, 60), run, model=Slow(), evaluators=2, sink=RecordSink(on_records))
    assert sorted(taken) == list(range(60))


@pytest.mark.parametrize("where", ["asking", "evaluating", "taking", "the samples"])
def test_the_first_error_ends_the_run_from_every_source(
    run: Run, add: Problem, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> Any:
        raise ConfigError(f"from {where}")

    def failing() -> Iterator[SampleRequest]:
        yield from samples(add, 10)
        fail()

    class Failing(Echo):
        async def ask(self, request: Request) -> Answer:
            return await super().ask(request) if request.sample < 10 else fail()

    if where == "evaluating":
        monkeypatch.setattr(Answered, "verify", fail)
    model = Failing() if where == "asking" else Echo()
    sink = RecordSink(fail if where == "taking" else lambda records: None)
    with pytest.raises(ConfigError, match=where):
        request_all(
            failing() if where == "the samples" else samples(add, 1000), run, model=model, evaluators=2, sink=sink
        )
    assert model.left
    assert len(model.asked) < 1000
