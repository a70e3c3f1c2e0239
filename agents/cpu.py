"""Makes the training of a language model on a CPU faster, in two ways.

Passes with a gradient get compiled layers, and short sequences plain attention: its matrix products use AMX, and
torch's fused attention does not. Generation keeps fused attention: a token of 32 answers takes 131 ms with it, 179 ms
with plain attention. SmolLM2-135M, two cores with AMX, sequences of 128 tokens in bfloat16:

    fused attention, as by default      593 tokens a second
    plain products                      702
    plain products, compiled layers     930, after 25 seconds of compiling
"""

from __future__ import annotations

import functools
import os
import shutil
from typing import Any

import torch

__all__ = ["can_compile", "compile_layers", "use_plain_attention"]

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


def _with_gradient(faster: Any, usual: Any) -> Any:
    """Returns a function that calls ``faster`` in passes with a gradient, and ``usual`` in others."""

    @functools.wraps(usual)
    def forward(*args: Any, **kwargs: Any) -> Any:
        return (faster if torch.is_grad_enabled() else usual)(*args, **kwargs)

    return forward


def _base(model: Any) -> Any:
    return model.get_base_model() if hasattr(model, "get_base_model") else model
