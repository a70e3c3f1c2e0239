"""Prompts with a common beginning: the same answers for less computation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("torch")

import peft
import torch
from transformers import Qwen2Config, Qwen2ForCausalLM

from ocaml_env.evaluation.models.hf import LanguagePolicy, encode, load_policy, set_threads
from ocaml_env.evaluation.models.prefix_cache import BLOCK, PrefixCache, common_prefix

SHARED = "let rec fact n = if n = 0 then 1 else n * fact (n - 1)\n" * 12
QUESTIONS = ["Write f.", "Write `total`, the sum of a list of whole numbers.", "", "Write g, which doubles."]


# peft 0.21 calls transformers in a deprecated way.
pytestmark = pytest.mark.filterwarnings("ignore:`is_gradient_checkpointing` is deprecated:FutureWarning")


@pytest.fixture
def plain(model_folder: Path) -> LanguagePolicy:
    set_threads(0)
    return load_policy(str(model_folder), dtype="float32").with_sampling(temperature=0.0, max_tokens=16, batch_size=4)


@pytest.fixture
def counted() -> Callable[[Any], list[int]]:
    """Returns a function that records the tokens of each later pass through a model."""

    def count(model: Any) -> list[int]:
        passes: list[int] = []
        model.register_forward_pre_hook(
            lambda _, arguments, named: passes.append(named["input_ids"].numel()), with_kwargs=True
        )
        return passes

    return count


@pytest.mark.parametrize("questions", [QUESTIONS, QUESTIONS[:1], [QUESTIONS[1]] * 3], ids=["many", "one", "samples"])
@pytest.mark.parametrize("adapted", [False, True], ids=["plain", "adapter"])
def test_greedy_answers_are_the_same_with_a_shared_prefix_and_without(
    plain: LanguagePolicy, questions: list[str], adapted: bool
) -> None:
    if adapted:
        settings = peft.LoraConfig(r=4, target_modules=["q_proj", "v_proj"], init_lora_weights=False)
        torch.manual_seed(1)
        plain = LanguagePolicy(peft.get_peft_model(plain.model, settings), plain.tokenizer, plain.sampling)
    prompts = [SHARED + question for question in questions]
    assert len(encode(SHARED, plain.tokenizer)) > 2 * BLOCK
    assert plain.sharing_prefixes().generate(prompts) == plain.generate(prompts)


def test_the_shared_prefix_goes_through_the_model_once(
    plain: LanguagePolicy, counted: Callable[[Any], list[int]]
) -> None:
    prompts = [SHARED + question for question in QUESTIONS]
    passes = counted(plain.model)
    plain.generate(prompts)
    without = sum(passes)
    passes.clear()
    sharing = plain.sharing_prefixes()
    sharing.generate(prompts)
    assert sum(passes) < without / 2
    first = sum(passes)
    passes.clear()
    sharing.generate(prompts)
    assert sum(passes) <= first - 2 * BLOCK  # the second batch finds whole blocks of the prefix


def test_answers_do_not_depend_on_the_batches_before(plain: LanguagePolicy) -> None:
    drawing = plain.with_sampling(temperature=1.0)
    batches = [[SHARED + question for question in QUESTIONS], ["", "Write f."], [SHARED[:600] + "Write h."] * 4]
    sharing = drawing.sharing_prefixes()
    for batch in [*batches, *reversed(batches)]:
        again = sharing.with_sampling(seed=5)
        assert again.generate(batch) == drawing.sharing_prefixes().with_sampling(seed=5).generate(batch)


def test_a_short_prefix_is_left_alone(plain: LanguagePolicy, counted: Callable[[Any], list[int]]) -> None:
    assert PrefixCache(plain.model).of([[7] * BLOCK, [7] * BLOCK]) == (0, None)
    length, cache = PrefixCache(plain.model).of([[7] * (BLOCK + 1), [7] * (BLOCK + 1)])
    assert length == BLOCK
    assert cache is not None
    assert cache.get_seq_length() == BLOCK


def test_a_model_with_a_sliding_window_gets_no_prefix() -> None:
    settings = Qwen2Config(
        vocab_size=8,
        hidden_size=8,
        intermediate_size=8,
        num_hidden_layers=2,
        num_attention_heads=1,
        num_key_value_heads=1,
        use_sliding_window=True,
        sliding_window=64,
        max_window_layers=0,
    )
    assert PrefixCache(Qwen2ForCausalLM(settings)).of([[7] * 300, [7] * 300]) == (0, None)


@given(st.lists(st.lists(st.integers(0, 1), max_size=4), min_size=1, max_size=4))
def test_a_common_prefix_is_the_longest_one(sequences: list[list[int]]) -> None:
    length = common_prefix(sequences)
    beginnings = [sequence[: length + 1] for sequence in sequences]
    assert all(sequence[:length] == sequences[0][:length] and len(sequence) >= length for sequence in sequences)
    assert any(start != beginnings[0] for start in beginnings) or min(map(len, sequences)) == length
