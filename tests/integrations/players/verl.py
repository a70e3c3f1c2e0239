"""Plays through verl's reward worker, configured and loaded as in a training run, with tokens instead of text."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import torch
from hydra import compose, initialize_config_module
from tensordict import TensorDict
from verl import DataProto
from verl.experimental.reward_loop.reward_loop import RewardLoopWorker

from ocaml_env.integrations.verl import rows
from tests.integrations.recorded import PROBLEMS, Pair
from tests.random_model import make_random_model


def play(pairs: Sequence[Pair]) -> list[tuple[float, str]]:
    by_id = {row["reward_model"]["ground_truth"]: row for row in rows(PROBLEMS)}
    with tempfile.TemporaryDirectory() as name:
        worker = reward_worker(make_random_model(Path(name)))
    batch = [_sample(worker.input_tokenizer, by_id[pair.problem_id], pair) for pair in pairs]
    scored = worker.loop.run_until_complete(worker.compute_score_batch(DataProto.concat(batch)))
    return [(score["reward_score"], score["reward_extra_info"]["outcome"]) for score in scored]


def reward_worker(model: Path) -> Any:
    """Makes a worker of verl's default configuration with the documented settings."""
    function = "reward.custom_reward_function"
    with initialize_config_module("verl.trainer.config", version_base=None):
        config = compose(
            "ppo_trainer",
            [
                f"actor_rollout_ref.model.path={model}",
                f"{function}.path=pkg://ocaml_env.integrations.verl",
                f"{function}.name=compute_score",
                f"+{function}.reward_kwargs.problems={PROBLEMS}",
            ],
        )
    return RewardLoopWorker(config)


def _sample(tokenizer: Any, row: dict[str, Any], pair: Pair) -> Any:
    """Makes one answer as verl's agent loop does, padded to the length of the batch."""
    end = [] if pair.truncated else [tokenizer.eos_token_id]
    drawn = torch.tensor([*tokenizer(pair.text)["input_ids"], *end], dtype=torch.int64)
    prompt = torch.tensor(tokenizer(row["prompt"][-1]["content"])["input_ids"])
    length = 4096
    responses = torch.nn.functional.pad(drawn, (0, length - len(drawn)), value=tokenizer.pad_token_id)
    prompts = torch.nn.functional.pad(prompt, (length - len(prompt), 0), value=tokenizer.pad_token_id)
    mask = torch.zeros(2 * length, dtype=torch.int64)
    mask[length - len(prompt) : length + len(drawn)] = 1
    # Each sample is a copy, as when Ray sends it to the worker, because the worker writes into extra_info.
    others = {key: np.array([value], dtype=object) for key, value in deepcopy(row).items()}
    others["tool_extra_fields"] = np.array([{"truncated": pair.truncated}], dtype=object)
    tensors = {"prompts": prompts[None], "responses": responses[None], "attention_mask": mask[None]}
    return DataProto(batch=TensorDict(tensors, batch_size=1), non_tensor_batch=others)
