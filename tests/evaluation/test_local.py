"""Models in this process: their settings, and their progress."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

import torch

from ocaml_env import ConfigError, Problem
from ocaml_env.evaluation.models import local
from ocaml_env.evaluation.models.base import Answer, Request, Sampling
from ocaml_env.evaluation.models.hf import LanguagePolicy
from ocaml_env.evaluation.models.local import Transformers
from ocaml_env.prompt import PromptSpec


@pytest.fixture(autouse=True)
def _same_threads() -> Iterator[None]:
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


def answer(folder: Path, problem: Problem, *, dtype: str = "float32", **settings: Any) -> Answer:
    sampling = Sampling(temperature=0.0, max_tokens=24, **settings)
    model = Transformers(str(folder), sampling, batch=2, dtype=dtype, threads=1)
    request = Request(problem=problem, sample=0, turn=1, prompt=PromptSpec().text(problem), seed=1)
    [given] = asyncio.run(model.generate([request]))
    model.close()
    return given


@pytest.mark.parametrize("kind", ["model_folder", "chat_folder"])
def test_an_answer_ends_before_a_stop_text_with_and_without_a_chat(
    kind: str, add: Problem, request: pytest.FixtureRequest
) -> None:
    folder = request.getfixturevalue(kind)
    whole = answer(folder, add).completion
    assert len(whole) > 4
    middle = whole[len(whole) // 2 : len(whole) // 2 + 2]
    stopped = answer(folder, add, always_stop=(middle,)).completion
    assert whole.startswith(stopped)
    assert len(stopped) < len(whole)
    assert middle not in stopped
    assert not stopped.truncated


def test_raw_text_takes_the_place_of_the_chat_template(chat_folder: Path) -> None:
    def chats(continues: bool) -> bool:
        sampling = Sampling(continues=continues)
        return Transformers(str(chat_folder), sampling, batch=1, dtype="float32", threads=1).chats

    assert (chats(False), chats(True)) == (True, False)


@pytest.mark.parametrize(
    ("dtype", "fast", "expected"),
    [("auto", True, torch.bfloat16), ("auto", False, torch.float32), ("float32", True, torch.float32)],
)
@pytest.mark.skipif(torch.cuda.is_available(), reason="a GPU has its own default")
def test_weights_are_bfloat16_by_default_if_the_cpu_is_faster_with_it(
    model_folder: Path, monkeypatch: pytest.MonkeyPatch, dtype: str, fast: bool, expected: torch.dtype
) -> None:
    monkeypatch.setattr(local, "fast_bfloat16", lambda: fast)
    model = Transformers(str(model_folder), Sampling(), batch=1, dtype=dtype, threads=0)
    assert model._policy.model.dtype is expected


def test_threads_are_set(model_folder: Path) -> None:
    Transformers(str(model_folder), Sampling(), batch=1, dtype="float32", threads=3)
    assert torch.get_num_threads() == 3


def test_each_token_of_a_batch_is_told(model_folder: Path, add: Problem) -> None:
    model = Transformers(str(model_folder), Sampling(max_tokens=5), batch=2, dtype="float32", threads=1)
    told: list[str] = []
    model.on_progress = told.append
    prompt = PromptSpec().text(add)
    requests = [Request(problem=add, sample=number, turn=1, prompt=prompt, seed=1) for number in range(2)]
    answers = asyncio.run(model.generate(requests))
    assert told == [f"token {count + 1}" for count in range(max(given.tokens or 0 for given in answers))]


def test_a_batch_that_does_not_fit_into_memory_is_the_fault_of_its_samples(
    model_folder: Path, add: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    def generate(*_: object, **__: object) -> Any:
        raise torch.OutOfMemoryError("out of memory: tried 8 GiB")

    monkeypatch.setattr(LanguagePolicy, "generate", generate)
    assert answer(model_folder, add).fault.endswith("a smaller --batch may: out of memory: tried 8 GiB")


def test_an_empty_stop_text_is_refused() -> None:
    with pytest.raises(ConfigError, match="--stop"):
        Sampling(always_stop=("",))
