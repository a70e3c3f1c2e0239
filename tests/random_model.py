"""A small model with random weights, for tests that need any model without a download."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ocaml_env import load_problems

__all__ = ["CHAT", "TRAINING", "make_random_model", "write_gguf"]

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


def write_gguf(folder: Path, path: Path) -> Path:
    """Writes the model of ``make_random_model`` in a folder as an unquantized GGUF file, and returns that."""
    import gguf

    from ocaml_env.evaluation.models.hf import load_policy

    policy = load_policy(str(folder), dtype="float32")
    settings: Any = policy.model.config
    writer = gguf.GGUFWriter(path, "qwen2")
    writer.add_block_count(settings.num_hidden_layers)
    writer.add_context_length(settings.max_position_embeddings)
    writer.add_embedding_length(settings.hidden_size)
    writer.add_feed_forward_length(settings.intermediate_size)
    writer.add_head_count(settings.num_attention_heads)
    writer.add_head_count_kv(settings.num_key_value_heads)
    writer.add_layer_norm_rms_eps(settings.rms_norm_eps)
    writer.add_rope_freq_base(settings.rope_parameters["rope_theta"])
    writer.add_vocab_size(settings.vocab_size)
    state = policy.tokenizer.backend_tokenizer.model
    vocabulary = sorted(policy.tokenizer.get_vocab().items(), key=lambda item: item[1])
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    writer.add_token_list([token for token, _ in vocabulary])
    writer.add_token_types([3 if token in ("<pad>", "<eos>") else 1 for token, _ in vocabulary])
    state.save(str(path.parent))
    writer.add_token_merges((path.parent / "merges.txt").read_text().splitlines()[1:])
    writer.add_eos_token_id(1)
    writer.add_bos_token_id(1)
    writer.add_pad_token_id(0)
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.QWEN2, settings.num_hidden_layers)
    for name, weights in policy.model.state_dict().items():
        if name != "lm_head.weight":  # tied to the embeddings
            there = names.get_name(name, try_suffixes=(".weight", ".bias"))
            assert there is not None
            writer.add_tensor(there, weights.numpy())
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
