"""Divides the answers of an update into micro-batches of like length: padding costs as much as text.

TRL pads all answers of a generation to the longest prompt and the longest completion, and divides them at random. One
repair among short problems so makes every sequence long.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

__all__ = ["by_length"]

_PROMPT = ("prompt_ids", "prompt_mask")  # padded on the left
_COMPLETION = (  # padded on the right
    "completion_ids",
    "completion_mask",
    "old_per_token_logps",
    "ref_per_token_logps",
    "sampling_per_token_logps",
    "importance_sampling_ratio",
    "tool_mask",
)
_ROW = ("advantages",)
_WHOLE = ("num_items_in_batch",)

Batch = dict[str, Any]
"""Tensors of answers by TRL's names; the first dimension is the answer. A value may be None."""


def by_length(batches: Sequence[Batch]) -> list[Batch]:
    """Divides answers anew, the longest first, and cuts off the columns that hold only padding.

    The sum of the batches' gradients stays the same if a loss counts each answer apart, or divides by a constant.

    Args:
        batches: micro-batches of equal sizes and lengths.

    Returns:
        as many, of the same sizes; ``batches`` if they have other values than those of text.
    """
    first = batches[0]
    if not set(first) <= {*_PROMPT, *_COMPLETION, *_ROW, *_WHOLE}:
        return list(batches)
    rows = {
        name: value if name in _WHOLE or value is None else torch.cat([batch[name] for batch in batches])
        for name, value in first.items()
    }
    lengths = rows["prompt_mask"].sum(1) + rows["completion_mask"].sum(1)
    order = lengths.argsort(descending=True, stable=True)
    return [_cut(rows, places) for places in order.chunk(len(batches))]


def _cut(rows: Batch, places: torch.Tensor) -> Batch:
    """Takes some rows, without the columns that all of them leave empty."""
    begin = int(rows["prompt_mask"][places].any(0).int().argmax())
    used = rows["completion_mask"][places].any(0).nonzero()
    end = int(used.max()) + 1 if len(used) else 1
    width = rows["completion_ids"].shape[1]

    def cut(name: str, value: Any) -> Any:
        if value is None or name in _WHOLE:
            return value
        value = value[places]
        if name in _PROMPT:
            return value[:, begin:]
        # A ratio of whole answers has one column.
        return value[:, :end] if name in _COMPLETION and value.shape[1] == width else value

    return {name: cut(name, value) for name, value in rows.items()}
