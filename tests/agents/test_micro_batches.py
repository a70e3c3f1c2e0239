"""Micro-batches of like length: the same answers, without padding."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from agents.micro_batches import by_length

Answer = tuple[list[int], list[int]]
"""The tokens of a prompt and of a completion."""


def batches_of(answers: list[Answer], size: int) -> list[dict[str, Any]]:
    """Makes micro-batches as TRL does: padded to the longest of all."""
    prompts, completions = (max(len(answer[part]) for answer in answers) for part in (0, 1))
    batches = []
    for start in range(0, len(answers), size):
        some = answers[start : start + size]
        left = [[0] * (prompts - len(prompt)) + prompt for prompt, _ in some]
        right = [completion + [0] * (completions - len(completion)) for _, completion in some]
        ids = torch.tensor(right)
        batches.append(
            {
                "prompt_ids": torch.tensor(left),
                "prompt_mask": (torch.tensor(left) > 0).int(),
                "completion_ids": ids,
                "completion_mask": (ids > 0).int(),
                "advantages": torch.tensor([float(sum(prompt)) for prompt, _ in some]),
                "old_per_token_logps": -ids.float(),
                "importance_sampling_ratio": ids.sum(1, keepdim=True).float(),
                "ref_per_token_logps": None,
                "num_items_in_batch": torch.tensor(7),
            }
        )
    return batches


def answers_in(batch: dict[str, Any]) -> list[Answer]:
    return [
        ([token for token in prompt if token], [token for token in completion if token])
        for prompt, completion in zip(batch["prompt_ids"].tolist(), batch["completion_ids"].tolist(), strict=True)
    ]


tokens = st.lists(st.integers(1, 9), min_size=1, max_size=6)


@given(st.lists(st.tuples(tokens, tokens), min_size=12, max_size=12), st.sampled_from([1, 2, 3, 4, 6]))
def test_all_answers_are_kept_with_their_figures_and_no_column_is_only_padding(
    answers: list[Answer], size: int
) -> None:
    divided = by_length(batches_of(answers, size))
    assert [len(batch["prompt_ids"]) for batch in divided] == [size] * (12 // size)
    found = [answer for batch in divided for answer in answers_in(batch)]
    assert sorted(found) == sorted(answers)
    lengths = [len(prompt) + len(completion) for prompt, completion in found]
    assert lengths == sorted(lengths, reverse=True)
    for batch in divided:
        kept = answers_in(batch)
        assert batch["prompt_ids"].shape[1] == batch["prompt_mask"].shape[1] == max(len(prompt) for prompt, _ in kept)
        assert batch["completion_ids"].shape[1] == max(len(completion) for _, completion in kept)
        assert batch["advantages"].tolist() == [sum(prompt) for prompt, _ in kept]
        assert torch.equal(batch["old_per_token_logps"], -batch["completion_ids"].float())
        assert batch["importance_sampling_ratio"].tolist() == [[sum(completion)] for _, completion in kept]
        assert batch["ref_per_token_logps"] is None
        assert batch["num_items_in_batch"] == 7


def test_answers_that_are_all_masked_keep_a_column() -> None:
    batches = batches_of([([1, 2], [3, 4]), ([5], [6])], 2)
    batches[0]["completion_mask"][:] = 0
    assert by_length(batches)[0]["completion_ids"].shape == (2, 1)


@pytest.mark.parametrize("name", ["pixel_values", "token_type_ids"])
def test_a_batch_with_more_than_text_stays_as_it_is(name: str) -> None:
    batches = [{**batch, name: torch.zeros(1)} for batch in batches_of([([1], [2]), ([3], [4])], 1)]
    assert by_length(batches) == batches
