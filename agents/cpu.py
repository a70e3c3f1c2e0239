"""Makes the training of a language model on a CPU faster, in six ways.

Passes with a gradient get compiled layers, and short sequences plain attention: its matrix products use AMX, and
torch's fused attention does not. Generation keeps fused attention: a token of 32 answers takes 131 ms with it, 179 ms
with plain attention. SmolLM2-135M, two cores with AMX, sequences of 128 tokens in bfloat16:

    fused attention, as by default      593 tokens a second
    plain products                      702
    plain products, compiled layers     930, after 25 seconds of compiling

A prompt is read once for all completions of its group. Reading it eight times took a third of the generation. And
finished answers leave their batch; else all are computed to the length of the longest.

TRL's log-probabilities are compiled too: the backward pass of a tile of 1,792 tokens and 16,384 words takes 21 ms in
place of 500. And the process keeps the memory that it frees. A third of a run's CPU time went to the kernel, which
cleared every large tensor's pages anew. Kept memory falls into pieces, so now and then it has to be
given back: a run of 60 steps held 18 GB, one of three steps 10 GB, of which it used 1.4.
"""

from __future__ import annotations

import ctypes
import functools
import os
import shutil
from typing import Any

import torch
from torch.nn.utils.rnn import pad_sequence
from transformers import DynamicCache
from trl.kernels import chunked_logprob

from ocaml_env.evaluation.models.generating import generate_shrinking
from ocaml_env.evaluation.models.prefix_cache import keeps_all

__all__ = [
    "can_compile",
    "compile_layers",
    "compile_log_probabilities",
    "give_memory_back",
    "keep_memory",
    "leave_when_finished",
    "read_prompts_once",
    "use_plain_attention",
]

_SHORT = 512
"""Both kinds of attention are equally fast at this length. At twice the length plain attention takes twice the time."""


def use_plain_attention(model: Any, longest: int) -> None:
    """Gives a model plain attention in passes with a gradient, if its sequences have at most 512 tokens.

    Args:
        model: a model of transformers, or an adapter of peft on one.
        longest: the most tokens of a prompt and its answer.
    """
    if longest > _SHORT:
        return
    inner = _base(model).base_model  # TRL calls it without the head
    config, before = inner.config, inner.config._attn_implementation
    forward = inner.forward

    @functools.wraps(forward)
    def with_plain(*args: Any, **kwargs: Any) -> Any:
        config._attn_implementation = "eager"
        try:
            return forward(*args, **kwargs)
        finally:
            config._attn_implementation = before

    inner.forward = _with_gradient(with_plain, forward)


def read_prompts_once(model: Any) -> None:
    """Lets ``generate`` read equal neighbouring prompts once: it computes keys and values of all but their last tokens,
    and copies them.

    A model without keys and values of all tokens (sliding windows, states) stays as it is.
    """
    if not keeps_all(model):
        return
    generate = model.generate

    @functools.wraps(generate)
    def with_shared_prompts(*args: Any, **kwargs: Any) -> Any:
        ids, mask = kwargs.get("input_ids"), kwargs.get("attention_mask")
        configs = (kwargs.get("generation_config"), model.generation_config)
        has_cache = kwargs.get("past_key_values") is not None or any(
            getattr(config, "cache_implementation", None) for config in configs
        )
        if not args and not has_cache and ids is not None and mask is not None and ids.shape[1] > 1:
            rows, place = torch.unique_consecutive(torch.cat([ids, mask], dim=1), dim=0, return_inverse=True)
            if len(rows) < len(ids):
                cache = _keys_and_values(model, rows[:, : ids.shape[1] - 1], rows[:, ids.shape[1] : -1])
                cache.batch_select_indices(place)
                kwargs["past_key_values"] = cache
        return generate(*args, **kwargs)

    model.generate = with_shared_prompts


def leave_when_finished(model: Any) -> None:
    """Lets finished answers leave their batch in ``generate``.

    Calls unlike TRL's stay as they are. TRL gives prompts with their mask, asks for one sequence each, and names the
    token at its end. A model without keys and values of all tokens stays as it is too.
    """
    if not keeps_all(model):
        return
    generate = model.generate

    @functools.wraps(generate)
    def shrinking(*args: Any, **kwargs: Any) -> Any:
        settings: Any = kwargs.get("generation_config")
        if (
            args
            or kwargs.keys() - {"past_key_values"} != {"input_ids", "attention_mask", "generation_config"}
            or settings is None
            or None in (settings.max_new_tokens, settings.eos_token_id, settings.pad_token_id)
            or settings.stop_strings
            or settings.return_dict_in_generate  # more than tokens is asked for
            or (settings.num_beams or 1) > 1
        ):
            return generate(*args, **kwargs)
        prompts, ends = kwargs.pop("input_ids"), settings.eos_token_id
        ends = {ends} if isinstance(ends, int) else set(ends)
        answers = generate_shrinking(
            model,
            prompts,
            kwargs.pop("attention_mask"),
            ended=lambda ids: not ends.isdisjoint(ids),
            past_key_values=kwargs.pop("past_key_values", None),
            generate=generate,
            **kwargs,
        )
        rows = [prompts.new_tensor(answer) for answer in answers]
        padded = pad_sequence(rows, batch_first=True, padding_value=settings.pad_token_id)
        return torch.cat([prompts, padded], dim=1)

    model.generate = shrinking


def _keys_and_values(model: Any, ids: torch.Tensor, mask: torch.Tensor) -> DynamicCache:
    cache = DynamicCache(config=model.config)
    positions = (mask.long().cumsum(-1) - 1).clamp(min=0)  # prompts are padded on the left
    with torch.no_grad():
        model(
            input_ids=ids,
            attention_mask=mask,
            position_ids=positions,
            past_key_values=cache,
            use_cache=True,
            logits_to_keep=1,
        )
    return cache


def can_compile() -> bool:
    """True if there is a C++ compiler; torch compiles for a CPU with it."""
    return shutil.which(os.environ.get("CXX") or "g++") is not None


def compile_layers(model: Any) -> None:
    """Compiles the repeated layers of a model for passes with a gradient.

    All layers share the compiled code, for any batch size and length. Generation stays as it is: its lengths grow by
    one, which costs more compiling than it saves.
    """
    base = _base(model)
    kinds = base._no_split_modules or ()
    for module in base.modules():
        if type(module).__name__ in kinds:
            module.forward = _with_gradient(torch.compile(module.forward, dynamic=True), module.forward)


def compile_log_probabilities() -> None:
    """Compiles TRL's passes over the logits, which are many without a GPU."""
    for name in ("_forward_tile", "_backward_tile"):
        tile = getattr(chunked_logprob, name)
        if not hasattr(tile, "_torchdynamo_orig_callable"):  # it would be compiled twice
            setattr(chunked_logprob, name, torch.compile(tile, dynamic=True))


_M_TRIM_THRESHOLD, _M_TOP_PAD, _M_MMAP_MAX = -1, -2, -4  # malloc.h


def keep_memory() -> None:
    """Lets glibc keep freed memory in this process: it maps and returns none. Does nothing with another C library."""
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        for option, number in [(_M_MMAP_MAX, 0), (_M_TRIM_THRESHOLD, -1), (_M_TOP_PAD, 1 << 28)]:
            mallopt(option, number)


def give_memory_back() -> None:
    """Gives the system what ``keep_memory`` has kept and nothing uses."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def _with_gradient(faster: Any, usual: Any) -> Any:
    """Returns a function that calls ``faster`` in passes with a gradient, and ``usual`` in others."""

    @functools.wraps(usual)
    def forward(*args: Any, **kwargs: Any) -> Any:
        return (faster if torch.is_grad_enabled() else usual)(*args, **kwargs)

    return forward


def _base(model: Any) -> Any:
    return model.get_base_model() if hasattr(model, "get_base_model") else model
