"""Trains a model by GRPO of TRL, with two turns: ``python examples/with_trl.py [MODEL] [STEPS]``."""

from __future__ import annotations

import sys

import torch
from trl import GRPOConfig, GRPOTrainer

from ocaml_env.integrations.trl import dataset, reward_function, rollout_function

PROBLEMS = "generated:arithmetic?split=train&level=1&n=64&seed=1"


def main(model: str = "Qwen/Qwen2.5-Coder-0.5B-Instruct", steps: str = "100") -> None:
    gpu = torch.cuda.is_available()
    settings = GRPOConfig(
        "runs/with_trl",
        max_steps=int(steps),
        num_generations=8,
        max_completion_length=128,
        use_cpu=not gpu,
        bf16=gpu,
    )
    GRPOTrainer(
        model,
        reward_function(PROBLEMS),
        settings,
        dataset(PROBLEMS),
        rollout_func=rollout_function(PROBLEMS, max_turns=2),
    ).train()


if __name__ == "__main__":
    main(*sys.argv[1:])
