"""How a batch is generated: the state of torch and of the model, the tokens so far, and when answers leave."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from copy import copy
from typing import Any

import torch
from transformers import DynamicCache, GenerationConfig
from transformers.generation.streamers import BaseStreamer

from ocaml_env.evaluation.models.prefix_cache import keeps_all

__all__ = ["PIECE", "TokenCounter", "evaluating", "generate_shrinking", "seeded"]

PIECE = 16
"""Tokens after which finished answers leave their batch. For 96 answers of 36 tokens on average SmolLM2-135M took
29 s with 16, and 53 s with 128, on two cores."""


def generate_shrinking(
    model: Any,
    input_ids: torch.Tensor,
    attention_mask: torch.Tensor,
    *,
    ended: Callable[[list[int]], bool],
    past_key_values: DynamicCache | None,
    generation_config: GenerationConfig,
    generate: Callable[..., Any] | None = None,
    **options: Any,
) -> list[list[int]]:
    """Generates as ``model.generate`` does, but finished answers leave the batch after each ``PIECE`` tokens.

    Else one endless answer keeps the whole batch computing to the limit. A model that does not cache keys and values
    of all tokens generates in one piece.

    Args:
        model: any ``transformers`` causal model, with or without an adapter.
        input_ids: prompts, of shape (batch, length), padded on the left.
        attention_mask: of the same shape.
        ended: True if an answer, or its beginning, is complete.
        past_key_values: keys and values of the prompts' beginning, or None.
        generation_config: settings; ``max_new_tokens`` is set.
        generate: used in place of ``model.generate``.
        options: more arguments of ``model.generate``.

    Returns:
        the tokens of each answer; those after its end are padding.
    """
    generate = generate or model.generate
    answers: list[list[int]] = [[] for _ in input_ids]
    rows = list(range(len(answers)))  # unfinished
    left = generation_config.max_new_tokens
    piece = PIECE if keeps_all(model) else left
    while True:
        settings = copy(generation_config)
        settings.max_new_tokens = min(piece, left)
        settings.return_dict_in_generate = True
        output = generate(
            input_ids=input_ids,
            attention_mask=attention_mask,
            past_key_values=past_key_values,
            generation_config=settings,
            **options,
        )
        made = output.sequences[:, input_ids.shape[1] :]
        for row, ids in zip(rows, made.tolist(), strict=True):
            answers[row] += ids
        left -= settings.max_new_tokens
        going = [place for place, row in enumerate(rows) if not ended(answers[row])]
        if made.shape[1] < settings.max_new_tokens or not going or not left:
            break
        rows = [rows[place] for place in going]
        input_ids, past_key_values = output.sequences[going], output.past_key_values
        if len(going) < len(made):
            past_key_values.batch_select_indices(torch.tensor(going, device=input_ids.device))
        attention_mask = torch.cat([attention_mask[going], attention_mask.new_ones(made[going].shape)], dim=1)
    return answers


class TokenCounter(BaseStreamer):  # type: ignore[misc]  # transformers is untyped here
    """Counts the tokens of each sequence of a batch as they are generated.

    Args:
        on_token: called with the number of tokens so far.
    """

    def __init__(self, on_token: Callable[[int], None]) -> None:
        self._on_token = on_token
        self._count = 0
        self._prompts_next = True  # the first call brings what the model continues

    def put(self, value: torch.Tensor) -> None:
        if not self._prompts_next:
            self._count += 1
            self._on_token(self._count)
        self._prompts_next = False

    def end(self) -> None:
        """Expects a call with prompts: the batch goes on with another ``model.generate``, or is done."""
        self._prompts_next = True


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
