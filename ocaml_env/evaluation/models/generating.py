"""The state of torch and of a model while it generates, and the number of tokens so far."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import torch
from transformers.generation.streamers import BaseStreamer

__all__ = ["TokenCounter", "evaluating", "seeded"]


class TokenCounter(BaseStreamer):  # type: ignore[misc]  # transformers is untyped here
    """Counts the tokens of each sequence of a batch as they are generated.

    Args:
        on_token: called with the number of tokens so far.
    """

    def __init__(self, on_token: Callable[[int], None]) -> None:
        self._on_token = on_token
        self._count = -1  # the first call brings the prompts

    def put(self, value: torch.Tensor) -> None:
        self._count += 1
        if self._count:
            self._on_token(self._count)

    def end(self) -> None:
        """Does nothing at the end of a batch."""


@contextlib.contextmanager
def evaluating(model: Any) -> Iterator[None]:
    """Turns dropout off, and the cache on, which training may have turned off."""
    training, cached = model.training, model.config.use_cache
    model.eval()
    model.config.use_cache = True
    try:
        yield
    finally:
        model.train(training)
        model.config.use_cache = cached


@contextlib.contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Seeds the generators inside the context, and restores their state afterwards."""
    devices = [torch.cuda.current_device()] if torch.cuda.is_available() else []
    with torch.random.fork_rng(devices=devices):
        torch.manual_seed(seed)
        yield
