"""Plays through a real ``GRPOTrainer``, with its reward function and with a ``rollout_func``."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
from trl import GRPOConfig, GRPOTrainer

from ocaml_env.integrations.trl import Rollouts, dataset, reward_function, rollout_function
from tests.integrations.recorded import PROBLEMS, Pair
from tests.random_model import make_random_model


class Reciting(GRPOTrainer):  # type: ignore[misc]  # TRL is untyped here
    """A trainer that draws recorded answers instead of new ones: pairs of a text and its truncation."""

    recorded: Iterator[tuple[str, bool]]

    def _generate_single_turn(self, prompt_ids: list[list[int]], *_: Any, **__: Any) -> tuple[list[list[int]], None]:
        answers = itertools.islice(self.recorded, len(prompt_ids))
        return [self._tokens(text, cut) for text, cut in answers], None

    def _tokens(self, text: str, cut: bool) -> list[int]:
        tokenizer = self.processing_class
        ids = list(tokenizer(text)["input_ids"])
        return (ids or [tokenizer.pad_token_id]) if cut else [*ids, tokenizer.eos_token_id]


def trainer(
    model: Path, folder: Path, reward: Callable[..., Any] | None = None, data: Any = None, **arguments: Any
) -> Reciting:
    """Makes a trainer on the CPU that writes into a folder."""
    settings = GRPOConfig(
        str(folder),
        use_cpu=True,
        bf16=False,
        report_to="none",
        num_generations=2,
        per_device_train_batch_size=2,
        max_completion_length=64,
        max_steps=1,
    )
    return Reciting(str(model), reward, settings, data, **arguments)


def play(pairs: Sequence[Pair]) -> list[tuple[float, str]]:
    rows = {row["problem_id"]: row for row in dataset(PROBLEMS, chat=False)}
    asked = [rows[pair.problem_id] for pair in pairs]
    with tempfile.TemporaryDirectory() as name:
        model = make_random_model(Path(name) / "model")
        paid = _play(model, Path(name), pairs, asked, None)
        assert _play(model, Path(name), pairs, asked, rollout_function(PROBLEMS, max_turns=1)) == paid
    return paid


def _play(
    model: Path, folder: Path, pairs: Sequence[Pair], rows: list[dict[str, str]], rollouts: Rollouts | None
) -> list[tuple[float, str]]:
    returned: list[float | None] = []

    def reward(**keywords: Any) -> list[float | None]:
        returned.extend(pay(**keywords))
        return returned

    reciting = trainer(model, folder, reward, dataset(PROBLEMS, chat=False), rollout_func=rollouts)
    pay = reward_function(PROBLEMS, end_tokens=reciting.eos_token_ids)
    reciting.recorded = iter([(pair.text, pair.truncated) for pair in pairs])
    # TRL's steps on a batch, from generation to rewards, without the model's own passes.
    prompts = [row["prompt"] for row in rows]
    _, ids, _, completions, _, extra, *_ = reciting._generate(prompts)
    inputs = [row | {key: values[index] for key, values in extra.items()} for index, row in enumerate(rows)]
    rewards = reciting._calculate_rewards(inputs, prompts, completions, ids)
    assert torch.equal(rewards[:, 0], torch.tensor(returned, dtype=torch.float32))
    outcomes = reciting._pending_extra_logs["outcome"]
    return [
        (float(total), str(outcome)) for total, outcome in zip(returned, outcomes, strict=True) if total is not None
    ]
