"""A warm start: supervised fine-tuning on the references of problems, with the prompt masked out of the loss.

    python -m agents.sft --config smollm2-sft
    python -m agents.grpo --config smollm2          # whose model is grpo_runs/smollm2-sft/model

Settings are those of ``agents.grpo``; of the algorithm's only batch, epochs, steps, learning rate and schedule count.
Prompts are those that GRPO will ask; a target is the reference as an answer of that style.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
import transformers
from datasets import Dataset, disable_progress_bars
from transformers import PrinterCallback, Trainer
from trl import SFTConfig, SFTTrainer

from agents.callbacks import Progress
from agents.config import Config, parse
from agents.grpo import GRPOAgent
from agents.lengths import target
from agents.preflight import Plan
from agents.run_dir import MODEL
from ocaml_env import ConfigError, OCamlEnvError, Problem
from ocaml_env.evaluation.files import FolderLock, write_whole
from ocaml_env.evaluation.models.hf import fast_bfloat16, render, set_threads

__all__ = ["main", "train"]


def train(agent: GRPOAgent) -> Path:
    """Fine-tunes the agent's model on the references of its problems; returns the folder of the result.

    Raises:
        ConfigError: where the run cannot be begun, or no problem has a reference.
    """
    plan = agent.check()
    with FolderLock(agent.config.output_dir, option="output_dir"):
        return _train(agent, plan)


# Kernels for a CPU are made, and kept, for each length of a batch: with few lengths there are few of them. An epoch of
# 175 references takes SmolLM2-135M 83 s and 3.8 GB so, and 96 s and 4.4 GB without.
_PAD = 32


class _WholeLogits(SFTTrainer):  # type: ignore[misc]  # TRL is untyped here
    """Computes all logits at once. TRL saves a GPU's memory by parts of them, which take a CPU twice the time."""

    compute_loss = Trainer.compute_loss


def _train(agent: GRPOAgent, plan: Plan) -> Path:
    config = agent.config
    solved = [problem for problem in plan.problems if problem.reference.strip()]
    if not solved:
        raise ConfigError(f"no problem of {config.problems!r} has a reference to learn from")
    set_threads(config.threads)
    print(f"{len(solved)} references, model {config.model}; the run is in {config.output_dir}")
    for note in plan.notes:
        print(f"note: {note}")
    gpu = torch.cuda.is_available()
    trainer = (SFTTrainer if gpu else _WholeLogits)(
        model=agent.model_to_train(),
        args=SFTConfig(
            output_dir=config.output_dir,
            per_device_train_batch_size=config.per_device_train_batch_size,
            gradient_accumulation_steps=config.gradient_accumulation_steps,
            num_train_epochs=config.num_train_epochs,
            max_steps=config.max_steps,
            learning_rate=config.learning_rate,
            lr_scheduler_type=config.lr_scheduler_type,
            warmup_steps=config.warmup_steps,
            weight_decay=config.weight_decay,
            max_grad_norm=config.max_grad_norm,
            max_length=config.max_prompt_length + config.max_completion_length,
            completion_only_loss=True,
            logging_steps=config.logging_steps,
            train_sampling_strategy="group_by_length",  # batches with little padding
            pad_to_multiple_of=_PAD,
            save_strategy="no",
            report_to=list(config.report_to) or "none",
            seed=config.seed,
            bf16=fast_bfloat16(),
            use_cpu=not gpu,
            dataloader_pin_memory=gpu,
            gradient_checkpointing=config.gradient_checkpointing,
            disable_tqdm=True,
        ),
        train_dataset=Dataset.from_list([_row(problem, plan, config) for problem in solved]),
        processing_class=plan.tokenizer,
    )
    trainer.remove_callback(PrinterCallback)
    trainer.add_callback(Progress())
    trainer.train()
    folder = Path(config.output_dir) / MODEL
    agent.save(folder)
    log = [record for record in trainer.state.log_history if "loss" in record]
    write_whole(folder.parent / "sft.json", json.dumps(log, indent=1) + "\n")
    return folder


def _row(problem: Problem, plan: Plan, config: Config) -> dict[str, Any]:
    prompt = render(plan.episodes.prompts.text(problem), plan.tokenizer)
    answer = target(problem, config.prompt_style)
    if isinstance(prompt, str):
        # A tokenizer may end every text in a way of its own: prompt and answer are read apart, as when it is asked.
        asked = list(plan.tokenizer(prompt).input_ids)
        said = [*plan.tokenizer(answer, add_special_tokens=False).input_ids, plan.tokenizer.eos_token_id]
        return {"input_ids": asked + said, "completion_mask": [0] * len(asked) + [1] * len(said)}
    return {"prompt": prompt, "completion": [{"role": "assistant", "content": answer}]}


def main(arguments: Sequence[str] | None = None) -> int:
    """Trains; returns the exit code: 0 done, 2 wrong usage, 3 an infrastructure error."""
    parser = argparse.ArgumentParser(
        prog="python -m agents.sft", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    warnings.filterwarnings("ignore", category=FutureWarning, module="transformers")
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    disable_progress_bars()
    try:
        config, _ = parse(arguments, parser)
        with GRPOAgent(config=config) as agent:
            folder = train(agent)
            reached = agent.evaluate(temperature=0.0, progress="evaluating")
    except ConfigError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except OCamlEnvError as error:
        print(f"error: {error}", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        return 130
    print(f"done: the model is in {folder}; greedy {reached}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
