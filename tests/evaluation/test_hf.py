"""Policies from files: a GGUF file answers as its original folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("gguf")

import gguf

from agents.export import export
from ocaml_env.evaluation.models.hf import load_policy, set_threads


@pytest.fixture
def gguf_file(tmp_path: Path, model_folder: Path) -> Path:
    """Writes the model of ``model_folder`` as an unquantized GGUF file."""
    policy = load_policy(str(model_folder), dtype="float32")
    settings: Any = policy.model.config
    path = tmp_path / "model.gguf"
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
    state.save(str(tmp_path))
    writer.add_token_merges((tmp_path / "merges.txt").read_text().splitlines()[1:])
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


def test_a_gguf_file_answers_as_its_original_folder(gguf_file: Path, model_folder: Path) -> None:
    set_threads(0)
    prompts = ["Write f.", "let add a b ="]
    greedy = dict(temperature=0.0, max_tokens=12)
    from_file = load_policy(str(gguf_file), dtype="float32").with_sampling(**greedy)
    from_folder = load_policy(str(model_folder), dtype="float32").with_sampling(**greedy)
    assert from_file.generate(prompts) == from_folder.generate(prompts)


def test_a_gguf_file_is_exported_to_a_folder(gguf_file: Path, tmp_path: Path) -> None:
    export(gguf_file, tmp_path / "folder")
    greedy = dict(temperature=0.0, max_tokens=12)
    made = [
        load_policy(str(place), dtype="float16").with_sampling(**greedy) for place in (gguf_file, tmp_path / "folder")
    ]
    assert made[0].generate(["Write f."]) == made[1].generate(["Write f."])
