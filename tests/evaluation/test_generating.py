"""Batches of which finished answers leave: the same answers for less computation."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")

from ocaml_env.evaluation.models import generating
from ocaml_env.evaluation.models.hf import LanguagePolicy, load_policy, set_threads

PROMPTS = ["Write f.", "Write `total`, the sum of a list of whole numbers.", "let add a b =", "Write g.", "", "f"]


@pytest.fixture
def policy(model_folder: Path) -> LanguagePolicy:
    set_threads(0)
    return load_policy(str(model_folder), dtype="float32").with_sampling(temperature=0.0, max_tokens=30, batch_size=6)


@pytest.mark.parametrize("shared", ["", "let rec fact n = if n = 0 then 1 else n * fact (n - 1)\n" * 12])
def test_greedy_answers_are_the_same_in_pieces_and_in_one(
    policy: LanguagePolicy, shared: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    prompts = [shared + prompt for prompt in PROMPTS]
    [longest, *_] = sorted((str(text) for text in policy.act(prompts)), key=len, reverse=True)
    stopping = policy.with_sampling(stop=(longest[8:10],)).sharing_prefixes()
    whole = stopping.generate(prompts)
    assert len({tokens for _, tokens in whole}) > 1, "some answers end early"
    for piece in (1, 3, 4):
        monkeypatch.setattr(generating, "PIECE", piece)
        assert stopping.generate(prompts) == whole


def test_finished_answers_are_not_computed_on(policy: LanguagePolicy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generating, "PIECE", 4)
    answers = [str(text) for text in policy.act(PROMPTS)]
    stopping = policy.with_sampling(stop=(answers[0][4:6],))
    lengths = [tokens for _, tokens in stopping.generate(PROMPTS)]
    rows: list[int] = []
    policy.model.register_forward_pre_hook(
        lambda _, arguments, named: rows.append(len(named["input_ids"])), with_kwargs=True
    )
    told: list[int] = []
    stopping.generate(PROMPTS, on_token=told.append)
    assert told == list(range(1, max(lengths) + 1))
    needed = [sum(length > step - step % 4 for length in lengths) for step in range(len(rows))]
    assert rows == needed
    assert rows[-1] < rows[0] == len(PROMPTS)
