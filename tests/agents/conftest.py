"""What the tests of ``agents`` share: a small model with random weights, and a run on it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents.config import Config, read_config
from ocaml_env import Problem, load_problems

os.environ.setdefault("HF_HUB_OFFLINE", "1")

TRAINING = "generated:arithmetic.cases,recursion.sequence?level=1&n=24"
HELD_OUT = "generated:arithmetic.cases?level=1&n=4&seed=99"

CHAT = (
    "{% for message in messages %}<|{{ message.role }}|>{{ message.content }}<eos>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


@pytest.fixture(scope="session")
def problems() -> list[Problem]:
    return list(load_problems(TRAINING))


@pytest.fixture(scope="session")
def model_folder(tmp_path_factory: pytest.TempPathFactory, problems: list[Problem]) -> Path:
    """A decoder of two layers with random weights, and a tokenizer without a chat template."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM

    inner = Tokenizer(models.BPE())
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=400, special_tokens=["<pad>", "<eos>"], initial_alphabet=pre_tokenizers.ByteLevel.alphabet()
    )
    inner.train_from_iterator([problem.statement + problem.reference for problem in problems], trainer)
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=inner, pad_token="<pad>", eos_token="<eos>")
    torch.manual_seed(0)
    settings = Qwen2Config(
        vocab_size=400,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=2048,
        tie_word_embeddings=True,
        pad_token_id=0,
        eos_token_id=1,
    )
    folder = tmp_path_factory.mktemp("model")
    Qwen2ForCausalLM(settings).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def chat_folder(tmp_path_factory: pytest.TempPathFactory, model_folder: Path) -> Path:
    """The same model, with a chat template."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder = tmp_path_factory.mktemp("chat")
    tokenizer = AutoTokenizer.from_pretrained(model_folder)
    tokenizer.chat_template = CHAT
    tokenizer.save_pretrained(folder)
    AutoModelForCausalLM.from_pretrained(model_folder).save_pretrained(folder)
    return folder


@pytest.fixture
def config(model_folder: Path, tmp_path: Path) -> Callable[..., Config]:
    """A run of a few seconds; the seed's reward, because it pays random text, so that there is something to learn."""

    def make(**changes: Any) -> Config:
        return read_config(
            overrides={
                "model": str(model_folder),
                "problems": TRAINING,
                "eval_problems": HELD_OUT,
                "output_dir": str(tmp_path / "run"),
                "prompt_style": "brief",
                "max_completion_length": 24,
                "num_generations": 4,
                "per_device_train_batch_size": 8,
                "gradient_accumulation_steps": 1,
                "max_steps": 3,
                "save_steps": 2,
                "tuning": "full",
                "learning_rate": 1e-3,
                "workers": 1,
                "reward": "seed-2025-12-10",
                "min_non_empty_lines": 0,
                "health": "off",
            }
            | changes
        )

    return make
