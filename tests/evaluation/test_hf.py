"""Loading policies: a GGUF file answers as its original folder, and a missing model is named."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("gguf")

import torch

from agents.export import export
from ocaml_env import ConfigError
from ocaml_env.evaluation.models.base import NAMED
from ocaml_env.evaluation.models.hf import fast_bfloat16, load_policy, locate, set_threads
from tests.random_model import write_gguf


@pytest.fixture
def gguf_file(tmp_path: Path, model_folder: Path) -> Path:
    return write_gguf(model_folder, tmp_path / "model.gguf")


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


def test_without_the_agents_the_tiny_policy_is_said_to_need_a_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(NAMED, "tiny", raising=False)
    with pytest.raises(ConfigError, match=r"comes with a checkout: `python -m benchmarks\.evaluate` takes it"):
        locate("tiny")


@pytest.mark.parametrize(
    ("instructions", "fast"),
    [
        (dict(amx_bf16=True, avx512_bf16=True), True),  # Intel since Sapphire Rapids
        (dict(amx_bf16=False, avx512_bf16=True), True),  # AMD since Zen 4
        (dict(amx_bf16=False, avx512_bf16=False), False),
        (dict(), False),  # not x86
    ],
)
@pytest.mark.skipif(torch.cuda.is_available(), reason="a GPU is always fast with it")
def test_bfloat16_is_fast_on_a_cpu_with_instructions_for_it(
    monkeypatch: pytest.MonkeyPatch, instructions: dict[str, bool], fast: bool
) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: instructions)
    assert fast_bfloat16() is fast
