"""A small model with random weights, for tests that need any model without a download."""

from __future__ import annotations

from pathlib import Path

from ocaml_env import load_problems

__all__ = ["CHAT", "TRAINING", "make_random_model"]

TRAINING = "generated:arithmetic.cases,recursion.sequence?level=1&n=24"

CHAT = (
    "{% for message in messages %}<|{{ message.role }}|>{{ message.content }}<eos>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def make_random_model(folder: Path, *, chat_template: str | None = None, eos: str = "<eos>") -> Path:
    """Writes a decoder of two layers, and a tokenizer of bytes that keeps every text unchanged.

    Args:
        folder: the folder to write to.
        chat_template: the tokenizer's chat template; None makes a model that continues texts.
        eos: the text of the end token.
    """
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM

    inner = Tokenizer(models.BPE())
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=400, special_tokens=["<pad>", eos], initial_alphabet=pre_tokenizers.ByteLevel.alphabet()
    )
    inner.train_from_iterator([problem.statement + problem.reference for problem in load_problems(TRAINING)], trainer)
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=inner, pad_token="<pad>", eos_token=eos)
    tokenizer.chat_template = chat_template
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
    Qwen2ForCausalLM(settings).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
