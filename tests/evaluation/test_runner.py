"""The runner: how many samples are in progress, how they end, and the one place that has an answer verified."""

from __future__ import annotations

import ast
import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ocaml_env.evaluation
from ocaml_env import Completion, ConfigError, EngineError, Problem, RewardSpec, Verifier
from ocaml_env.episode import EpisodeSpec
from ocaml_env.evaluation.models.base import Answer, Model, Request
from ocaml_env.evaluation.protocols.choose import own_protocol
from ocaml_env.evaluation.runner import GaveUp, in_batches, run
from ocaml_env.evaluation.sample import NewSample, Rules
from ocaml_env.problems import to_jsonl
from ocaml_env.verifiers.giving_up import SAMPLES_IN_A_ROW, ErrorLimit

AT_ONCE = 4


class Echo(Model):
    """Answers at once in prose, so that there is nothing to verify."""

    at_once = AT_ONCE

    def __init__(self, batch: int = 1) -> None:
        self.batch = batch
        self.asked: list[tuple[int, int]] = []
        self.connected = True

    async def generate(self, requests: Any) -> list[Answer]:
        self.asked += [(request.sample, request.turn) for request in requests]
        await asyncio.sleep(0)
        return [self.answer(request) for request in requests]

    def answer(self, request: Request) -> Answer:
        return Answer(completion=Completion(f"Sample {request.sample}, without code."), tokens=1, latency=0.0)

    async def disconnect(self) -> None:
        self.connected = False


@pytest.fixture
def rules(tmp_path: Any, verifier: Verifier, add: Problem) -> Rules:
    to_jsonl([add], tmp_path / "one.jsonl")
    protocol = own_protocol(str(tmp_path / "one.jsonl"), 0)
    return Rules(protocol=protocol, verifier=verifier, reward=RewardSpec.preset("staged"))


def samples(problem: Problem, rules: Rules, count: int) -> Iterator[NewSample]:
    return (NewSample(problem, number, rules, spec=EpisodeSpec(max_turns=2), seed=0) for number in range(count))


def play(model: Model, some: Iterator[NewSample], *, threads: int = 2, on_end: Any = lambda sample: None) -> None:
    run(
        in_batches(some, model.batch),
        generate=lambda batch: model.generate([sample.request() for sample in batch]),
        on_end=on_end,
        close=model.disconnect,
        at_once=model.at_once,
        threads=threads,
    )


@pytest.mark.parametrize("count", [0, 1, 7, 300])
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("batch", [1, 5])
def test_every_sample_ends_and_is_handed_on_once(
    rules: Rules, add: Problem, count: int, threads: int, batch: int
) -> None:
    model = Echo(batch)
    ended: list[NewSample] = []
    play(model, samples(add, rules, count), threads=threads, on_end=ended.append)
    assert sorted(sample.number for sample in ended) == list(range(count))
    assert sorted(model.asked) == [(number, turn) for number in range(count) for turn in (1, 2)]
    assert all(len(sample.record().turns) == 2 for sample in ended)
    assert not model.connected


def test_the_samples_in_progress_are_at_most_twice_the_requests_at_a_time(rules: Rules, add: Problem) -> None:
    begun, ended, in_hand = 0, 0, []

    def counted() -> Iterator[NewSample]:
        nonlocal begun
        for sample in samples(add, rules, 100):
            begun += 1
            yield sample

    def on_end(_: NewSample) -> None:
        nonlocal ended
        in_hand.append(begun - ended)
        ended += 1

    play(Echo(), counted(), on_end=on_end)
    assert ended == 100
    assert max(in_hand) <= 2 * AT_ONCE + 1  # the next one is taken before there is room for it


def test_a_slow_verification_does_not_hold_up_the_others(
    rules: Rules, add: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    others_ended = threading.Event()
    ended: list[int] = []
    take = NewSample.take

    def slow(sample: NewSample, answer: Answer) -> None:
        if sample.number == 0:
            assert others_ended.wait(20), "the other thread verified nothing more"
        take(sample, answer)

    def on_end(sample: NewSample) -> None:
        ended.append(sample.number)
        if len(ended) >= 40:
            others_ended.set()

    monkeypatch.setattr(NewSample, "take", slow)
    play(Echo(), samples(add, rules, 60), on_end=on_end)
    assert sorted(ended) == list(range(60))


def test_a_sample_is_handed_on_while_the_rest_of_its_batch_goes_on(rules: Rules, add: Problem) -> None:
    ended: list[int] = []

    class Half(Echo):
        def answer(self, request: Request) -> Answer:
            if request.sample == 0:
                return Answer(fault="no answer")
            assert request.turn == 1 or ended == [0]
            return super().answer(request)

    play(Half(batch=3), samples(add, rules, 3), on_end=lambda sample: ended.append(sample.number))
    assert ended[0] == 0


@pytest.mark.parametrize("where", ["the model", "verification", "handing on", "the samples"])
def test_the_first_error_ends_the_run_from_every_source(
    rules: Rules, add: Problem, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> Any:
        raise ConfigError(f"from {where}")

    def failing() -> Iterator[NewSample]:
        yield from samples(add, rules, 10)
        fail()

    class Failing(Echo):
        def answer(self, request: Request) -> Answer:
            return super().answer(request) if request.sample < 10 else fail()

    if where == "verification":
        monkeypatch.setattr(NewSample, "take", fail)
    model = Failing() if where == "the model" else Echo()
    some = failing() if where == "the samples" else samples(add, rules, 1000)
    with pytest.raises(ConfigError, match=where):
        play(model, some, on_end=fail if where == "handing on" else lambda sample: None)
    assert not model.connected
    assert len(model.asked) < 1000


def test_an_infrastructure_error_is_the_fault_of_its_sample_alone(
    rules: Rules, add: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    def verify(verifier: Verifier, problem: Problem, code: str) -> Any:
        raise EngineError("a bad day")

    class Odd(Echo):
        def answer(self, request: Request) -> Answer:
            return Answer(completion=Completion(add.reference if request.sample == 3 else ""))

    monkeypatch.setattr(Verifier, "verify", verify)
    faults: dict[int, str] = {}
    play(Odd(), samples(add, rules, 6), on_end=lambda sample: faults.update({sample.number: sample.fault}))
    assert faults == dict.fromkeys(range(6), "") | {3: "verification: a bad day"}


def test_many_faults_in_a_row_end_the_run(rules: Rules, add: Problem) -> None:
    class Lost(Echo):
        def answer(self, request: Request) -> Answer:
            return Answer(fault="gone")

    ended: list[NewSample] = []
    with pytest.raises(GaveUp, match=f"{SAMPLES_IN_A_ROW} samples in a row could not be had; the last one: gone"):
        play(Lost(), samples(add, rules, 1000), on_end=ended.append)
    assert SAMPLES_IN_A_ROW <= len(ended) < 1000


def test_a_success_ends_a_row_of_errors() -> None:
    limit = ErrorLimit(3)
    for failed in [True, True, False] * 3 + [True, True]:
        limit.count(failed=failed)
    assert not limit.reached.is_set()
    limit.count(failed=True)
    assert limit.reached.is_set()


def test_one_place_has_an_answer_verified() -> None:
    """Only ``Sample.take`` calls the protocol's ``evaluate``; only ``episode.evaluate`` and peers call a verifier."""
    folder = Path(ocaml_env.evaluation.__file__).parent
    calls = [
        (path.relative_to(folder).as_posix(), node.func.attr)
        for path in sorted(folder.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    ]
    verifying = {"verify", "verify_many", "averify", "averify_many", "evaluate_many", "evaluate_each", "evaluate"}
    found = [(file, name) for file, name in calls if name in verifying and not file.startswith("protocols/")]
    assert found == [("sample.py", "evaluate")]
