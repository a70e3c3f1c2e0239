"""A cache of the common prefix of a batch's prompts: its tokens go through the model once, not once for each prompt.

Solved examples and instructions precede every question, and n samples of a problem share their whole prompt. Keys and
values of the common tokens are computed for one sequence and copied over the batch; the rest of each prompt follows.

They are computed in blocks of ``BLOCK`` tokens, and whole blocks are kept for the next batch. A block has the same
values after kept and after new blocks, so a batch has the same completions, to the last bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from transformers import DynamicCache
from transformers.cache_utils import DynamicLayer

__all__ = ["BLOCK", "PrefixCache", "common_prefix", "keeps_all"]

BLOCK = 128
"""Tokens of a block; shorter prefixes are not worth a pass of their own."""


class PrefixCache:
    """Keys and values of the latest common prefix. The model's weights must stay unchanged.

    Args:
        model: any ``transformers`` causal model, with or without an adapter. A model without keys and values of all
            tokens (sliding windows, states) gets no prefix.
    """

    def __init__(self, model: Any) -> None:
        self._model = model
        self._usable = keeps_all(model)
        self._ids: list[int] = []  # whole blocks
        self._layers: list[tuple[torch.Tensor, torch.Tensor]] = []  # each of shape (1, heads, len(_ids), width)

    def of(self, prompts: Sequence[list[int]]) -> tuple[int, DynamicCache | None]:
        """Returns the length of the common prefix, and its cache for the whole batch; 0 and None if it is too short.

        Every prompt has at least one token after the prefix.
        """
        length = min(common_prefix(prompts), min(map(len, prompts)) - 1)
        if not self._usable or length < BLOCK:
            return 0, None
        ids = list(prompts[0][:length])
        cache = self._whole_blocks(ids)
        self._extend(cache, ids[length - length % BLOCK :])
        cache.batch_repeat_interleave(len(prompts))
        return length, cache

    def _whole_blocks(self, ids: list[int]) -> DynamicCache:
        """Returns a cache of the whole blocks of ``ids``, and keeps them."""
        end = len(ids) - len(ids) % BLOCK
        known = common_prefix([self._ids, ids[:end]]) // BLOCK * BLOCK
        cache = DynamicCache([(keys[:, :, :known], values[:, :, :known]) for keys, values in self._layers if known])
        for start in range(known, end, BLOCK):
            self._extend(cache, ids[start : start + BLOCK])
        self._ids, self._layers = ids[:end], [(layer.keys, layer.values) for layer in cache.layers]
        return cache

    def _extend(self, cache: DynamicCache, ids: list[int]) -> None:
        if ids:
            inputs = torch.tensor([ids], device=self._model.device)
            self._model(input_ids=inputs, past_key_values=cache, use_cache=True, logits_to_keep=1)


def common_prefix(sequences: Sequence[list[int]]) -> int:
    """Returns the length of the common prefix."""
    first, last = min(sequences), max(sequences)  # all sequences between these two share their prefix
    pairs = enumerate(zip(first, last, strict=False))
    return next((place for place, (one, other) in pairs if one != other), min(len(first), len(last)))


def keeps_all(model: Any) -> bool:
    """True if a ``DynamicCache`` of the model has keys and values of all tokens, and it can skip the logits."""
    if model.config.is_encoder_decoder or not model._supports_default_dynamic_cache():
        return False
    layers = DynamicCache(config=model.config.get_text_config(decoder=True)).layers
    return model._supports_logits_to_keep() and all(type(layer) is DynamicLayer for layer in layers)
