"""Faster training on a CPU computes the same."""

from __future__ import annotations

import copy
import platform
import subprocess
import sys
from typing import Any

import pytest
import torch
from peft import LoraConfig, get_peft_model
from transformers import GenerationConfig, LlamaConfig, LlamaForCausalLM
from trl.kernels import chunked_logprob

from agents.cpu import (
    can_compile,
    compile_layers,
    compile_log_probabilities,
    leave_when_finished,
    read_prompts_once,
    use_plain_attention,
)
from agents.sft import answer_loss
from ocaml_env.evaluation.models import generating


@pytest.fixture
def model() -> Any:
    torch.manual_seed(0)
    return LlamaForCausalLM(
        LlamaConfig(
            vocab_size=64,
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=3,
            num_attention_heads=4,
            num_key_value_heads=2,
            pad_token_id=0,
        )
    )


def rows(count: int, length: int) -> torch.Tensor:
    return torch.randint(1, 64, (count, length), generator=torch.Generator().manual_seed(count))


@pytest.mark.parametrize("tuning", ["full", "lora"])
@pytest.mark.parametrize("counts", [[3, 3], [4], [1, 3, 2], [1, 1]])
@pytest.mark.filterwarnings("ignore")
def test_prompts_that_are_read_once_are_continued_alike(model: Any, tuning: str, counts: list[int]) -> None:
    if tuning == "lora":
        model = get_peft_model(
            model, LoraConfig(task_type="CAUSAL_LM", target_modules=["q_proj"], init_lora_weights=False)
        )
    prompts = rows(len(counts), 9)
    mask = torch.ones_like(prompts)
    prompts[0, :4] = mask[0, :4] = 0  # padding
    repeat = torch.tensor(counts)
    asked = {
        "input_ids": prompts.repeat_interleave(repeat, dim=0),
        "attention_mask": mask.repeat_interleave(repeat, dim=0),
    }
    usual = model.generate(**asked, max_new_tokens=12, do_sample=False)
    read: list[int] = []
    model.get_input_embeddings().register_forward_hook(lambda _, args, __: read.append(args[0].numel()))
    read_prompts_once(model)
    assert model.generate(**asked, max_new_tokens=12, do_sample=False).tolist() == usual.tolist()
    assert read[0] == (8 if max(counts) > 1 else 9) * len(counts)


@pytest.mark.parametrize("tuning", ["full", "lora"])
@pytest.mark.filterwarnings("ignore")
def test_answers_that_leave_when_finished_are_the_same(
    model: Any, tuning: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if tuning == "lora":
        model = get_peft_model(
            model, LoraConfig(task_type="CAUSAL_LM", target_modules=["q_proj"], init_lora_weights=False)
        )
    prompts = rows(6, 9).repeat_interleave(2, dim=0)
    asked = {"input_ids": prompts, "attention_mask": torch.ones_like(prompts)}
    settings = GenerationConfig(max_new_tokens=24, do_sample=False, pad_token_id=0)
    said = model.generate(**asked, generation_config=settings)[:, 9:]
    settings.eos_token_id = [int(said[0, 2])]  # the first two answers end at the third token, or before
    usual = model.generate(**asked, generation_config=settings)
    monkeypatch.setattr(generating, "PIECE", 4)
    leave_when_finished(model)
    read_prompts_once(model)
    batches: list[int] = []
    model.get_input_embeddings().register_forward_hook(lambda _, args, __: batches.append(len(args[0])))
    assert model.generate(**asked, generation_config=settings).tolist() == usual.tolist()
    assert min(batches) < len(prompts)


@pytest.mark.parametrize("kind", ["sliding_attention", "linear_attention"])
def test_a_model_without_keys_of_all_tokens_reads_as_usual(
    model: Any, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model.config, "layer_types", [kind] * 3, raising=False)
    monkeypatch.setattr(model.config, "sliding_window", 4, raising=False)
    leave_when_finished(model)
    read_prompts_once(model)
    assert "generate" not in vars(model)


@pytest.mark.skipif(not can_compile(), reason="needs a C++ compiler")
@pytest.mark.parametrize("tuning", ["full", "lora"])
@pytest.mark.filterwarnings("ignore")
def test_compiled_layers_have_the_same_gradients_and_generation_compiles_nothing(model: Any, tuning: str) -> None:
    if tuning == "lora":
        model = get_peft_model(
            model, LoraConfig(task_type="CAUSAL_LM", target_modules=["q_proj"], init_lora_weights=False)
        )
    compiled = copy.deepcopy(model)
    compile_layers(compiled)
    for count, length in [(3, 8), (2, 13)]:
        ids = rows(count, length)
        for each in (model, compiled):
            each.zero_grad()
            each(input_ids=ids, labels=ids).loss.backward()
        for plain, fast in zip(model.parameters(), compiled.parameters(), strict=True):
            if plain.grad is not None:
                torch.testing.assert_close(fast.grad, plain.grad, atol=1e-5, rtol=1e-4)
    with torch.compiler.set_stance("fail_on_recompile"):
        said = [each.generate(input_ids=rows(2, 5), max_new_tokens=6, do_sample=False) for each in (model, compiled)]
    assert said[0].tolist() == said[1].tolist()


@pytest.mark.parametrize(("longest", "attention"), [(512, "eager"), (513, "sdpa")])
def test_attention_of_short_sequences_is_plain_in_passes_with_a_gradient(
    model: Any, longest: int, attention: str
) -> None:
    used = []
    model.model.layers[0].self_attn.register_forward_pre_hook(
        lambda part, _: used.append(part.config._attn_implementation)
    )
    wanted = model(rows(2, 9)).logits
    use_plain_attention(model, longest)
    torch.testing.assert_close(model(rows(2, 9)).logits, wanted)
    with torch.no_grad():
        model(rows(2, 9))
    assert used == ["sdpa", attention, "sdpa"]


def test_the_loss_without_logits_of_prompts_is_that_of_transformers(model: Any) -> None:
    ids = rows(4, 12)
    labels = ids.clone()
    for row, (start, end) in enumerate([(3, 12), (5, 9), (4, 11), (7, 12)]):
        labels[row, :start] = labels[row, end:] = -100
    inputs = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
    whole = model(**inputs, labels=labels).loss
    ours, _ = answer_loss(model, inputs | {"labels": labels})
    torch.testing.assert_close(ours, whole)


@pytest.mark.skipif(not can_compile(), reason="needs a C++ compiler")
@pytest.mark.filterwarnings("ignore")
def test_compiled_log_probabilities_and_their_gradients_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    torch.manual_seed(0)
    hidden, weight, targets = torch.randn(30, 16), torch.randn(300, 16), torch.randint(0, 300, (30,))

    def computed() -> list[torch.Tensor]:
        states = hidden.clone().requires_grad_()
        found = chunked_logprob.ChunkedLogProbFunction.apply(
            states, weight, None, targets, 0.7, 128, None, 1.0, ("entropy",)
        )
        found[0].sum().backward()
        assert states.grad is not None
        return [found[0].detach(), found[1].detach(), states.grad]

    plain = computed()
    tiles = {name: getattr(chunked_logprob, name) for name in ("_forward_tile", "_backward_tile")}
    for name, tile in tiles.items():
        monkeypatch.setattr(chunked_logprob, name, tile)  # puts it back at the end
    compile_log_probabilities()
    assert all(getattr(chunked_logprob, name) is not tile for name, tile in tiles.items())
    for ours, theirs in zip(computed(), plain, strict=True):
        torch.testing.assert_close(ours, theirs, atol=1e-4, rtol=1e-4)


# Prints the page faults of allocating and freeing 32 MiB eight times, after a first time.
_FAULTS = """
import resource
import torch
from agents.cpu import keep_memory
{before}
faults = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_minflt
torch.ones(1 << 23)
start = faults()
for _ in range(8):
    torch.ones(1 << 23)
print(faults() - start)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc can be told to keep memory")
def test_kept_memory_is_not_mapped_again() -> None:
    def faults(before: str) -> int:
        code = _FAULTS.format(before=before)
        return int(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)

    assert faults("keep_memory()") < faults("") / 4


# Prints the resident memory, in MiB, after each step of a run that fills 512 MiB with pieces and frees every other one.
_KEPT = """
from types import SimpleNamespace
import psutil
import torch
from agents.callbacks import KeptMemory
from agents.cpu import keep_memory
psutil.virtual_memory = lambda: SimpleNamespace(total=100, available={available})
resident = lambda: psutil.Process().memory_info().rss >> 20
keep_memory()
pieces = [torch.ones(1 << 18) for _ in range(512)]
print(resident())
del pieces[::2]
for step in (7, 8):
    KeptMemory().on_step_end(None, SimpleNamespace(global_step=step), None)
    print(resident())
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc can be told to keep memory")
def test_kept_memory_is_given_back_now_and_then_and_at_once_if_it_gets_short() -> None:
    def resident(available: int) -> list[int]:
        code = _KEPT.format(available=available)
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        return [int(line) for line in done.stdout.split()]

    full, kept, returned = resident(available=30)
    assert kept > full - 100
    assert returned < full - 200
    full, returned, _ = resident(available=20)
    assert returned < full - 200
