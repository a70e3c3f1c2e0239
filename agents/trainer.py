"""TRL's GRPO trainer with the environment inside: what it pays, what it asks, what it writes down.

Three things are added to TRL. Verification begins when the completions are there, before the trainer asks for rewards.
Problems may be drawn by their solve rates. Checkpoints hold what is needed to go on exactly.

It overrides methods of TRL that are not documented for it, which is why TRL is pinned to one minor version.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from accelerate.utils import set_seed
from transformers.trainer_utils import rotate_checkpoints
from trl import GRPOConfig, GRPOTrainer

from agents.config import Config
from agents.logs import REWARD_NAME
from agents.rewards import Rewards
from agents.run_dir import STATE
from agents.sampler import ByEpoch, SolveRateSampler
from agents.vllm_weights import keep_weights
from ocaml_env.episode import EpisodeSpec
from ocaml_env.evaluation.files import write_whole
from ocaml_env.evaluation.models.hf import end_tokens
from ocaml_env.integrations.trl import Rollouts

__all__ = ["OCamlGRPOTrainer", "training_arguments"]


class OCamlGRPOTrainer(GRPOTrainer):  # type: ignore[misc]  # TRL is untyped here
    """GRPO on problems.

    Attributes:
        rates: solve rates, where problems are drawn by them.
    """

    def __init__(
        self, *, rewards: Rewards, episodes: EpisodeSpec, sampler: SolveRateSampler | None = None, **arguments: Any
    ) -> None:
        self.rewards = rewards
        self.sampler = sampler
        self.rates = sampler.rates if sampler else None
        self._rows: Sequence[Mapping[str, Any]] = ()

        def syntax_aware_reward(**keywords: Any) -> list[float | None]:
            return rewards(**keywords)

        assert syntax_aware_reward.__name__ == REWARD_NAME
        rollouts = None
        if episodes.max_turns > 1:
            rollouts = Rollouts(
                rewards.problems.values(),
                spec=episodes,
                evaluate=lambda pairs, trainer: rewards.scoring.evaluate(pairs, rewards.spec(trainer.state)),
                on_records=rewards.on_records,
            )
        if arguments["args"].use_vllm and arguments["args"].use_cpu:
            keep_weights()
        super().__init__(reward_funcs=syntax_aware_reward, rollout_func=rollouts, **arguments)
        if self.use_vllm:  # it draws with this process's generators, and has just seeded them by our rank alone
            set_seed(self.args.seed, device_specific=True)
        self._single_turn = rollouts is None
        self._configured_temperature = self._next_temperature = float(self.args.temperature)

    @property
    def sampling_temperature(self) -> float:
        """What the completions that are trained on were drawn at."""
        return float(self.args.temperature)

    @property
    def next_temperature(self) -> float:
        """What the next generation will draw at."""
        return self._next_temperature

    def set_temperature(self, temperature: float) -> None:
        """Draws at another temperature from the next generation on. The loss of the completions that are there already
        is of the temperature that they were drawn at.
        """
        self._next_temperature = float(temperature)

    def _generate_and_score_completions(self, inputs: Any) -> Any:
        self.temperature = self.args.temperature = self._next_temperature
        if self.use_vllm:
            self.vllm_generation.temperature = self._next_temperature
        else:
            self.generation_config.temperature = self._next_temperature
        self._rows = inputs
        return super()._generate_and_score_completions(inputs)

    def _generate(self, prompts: list[Any]) -> Any:
        made = super()._generate(prompts)
        if self._single_turn:
            _, ids, _, completions, *_ = made
            texts = [one if isinstance(one, str) else str(one[-1]["content"]) for one in completions]
            ends = end_tokens(self.accelerator.unwrap_model(self.model), self.processing_class)
            self.rewards.begin(self._rows, list(zip(texts, ids, strict=True)), ends)
        return made

    def _get_train_sampler(self, dataset: Any = None) -> Any:
        return self.sampler or ByEpoch(super()._get_train_sampler(dataset))

    def _save_checkpoint(self, model: Any, trial: Any) -> None:
        """Older checkpoints go when the new one is whole: at every moment there is one to go on from."""
        limit, self.args.save_total_limit = self.args.save_total_limit, None
        try:
            super()._save_checkpoint(model, trial)
        finally:
            self.args.save_total_limit = limit
        self.accelerator.wait_for_everyone()  # each process writes the state of its own generators
        if self.args.should_save:
            state = {
                "temperature": self._next_temperature,
                "configured_temperature": self._configured_temperature,
                "sampler": self.sampler.state() if self.sampler else None,
            }
            checkpoint = Path(self.args.output_dir) / f"checkpoint-{self.state.global_step}"
            write_whole(checkpoint / STATE, json.dumps(state))
            rotate_checkpoints(output_dir=self.args.output_dir, save_total_limit=limit, use_mtime=True)

    def create_model_card(self, *_: Any, **__: Any) -> None:
        """Writes none: TRL's asks the model's folder for a name of the hub. Our own README is in the folder already."""

    def restore(self, checkpoint: Path) -> None:
        """Takes from a checkpoint what of it is ours. A temperature that was configured anew since is kept."""
        state = json.loads((checkpoint / STATE).read_text(encoding="utf-8"))
        if state["configured_temperature"] == self._configured_temperature:
            self.set_temperature(state["temperature"])
        if self.sampler and state["sampler"]:
            self.sampler.restore(state["sampler"])

    def _load_optimizer_and_scheduler(self, checkpoint: str | None) -> None:
        """The state of a checkpoint, under the settings of this run: a checkpoint also holds those of its own run, and
        with them a learning rate that was changed since would be changed back.
        """
        wanted = [
            {name: group[name] for name in ("initial_lr", "weight_decay", "betas") if name in group}
            for group in self.optimizer.param_groups
        ]
        super()._load_optimizer_and_scheduler(checkpoint)
        if checkpoint is None or self.is_deepspeed_enabled:
            return
        groups = self.optimizer.param_groups
        for group, settings in zip(groups, wanted, strict=True):
            before, now = group.get("initial_lr"), settings.get("initial_lr")
            if before and now != before:
                group["lr"] *= now / before
            group.update(settings)
        schedule: Any = getattr(self.lr_scheduler, "scheduler", self.lr_scheduler)
        schedule.base_lrs = [group["initial_lr"] for group in groups]
        schedule._last_lr = [group["lr"] for group in groups]


# Settings that TRL has under the same name.
_SAME_NAME = (
    "num_generations",
    "per_device_train_batch_size",
    "gradient_accumulation_steps",
    "steps_per_generation",
    "num_iterations",
    "num_train_epochs",
    "max_steps",
    "learning_rate",
    "lr_scheduler_type",
    "warmup_steps",
    "weight_decay",
    "adam_beta2",
    "max_grad_norm",
    "temperature",
    "top_p",
    "beta",
    "epsilon",
    "epsilon_high",
    "loss_type",
    "scale_rewards",
    "mask_truncated_completions",
    "max_completion_length",
    "gradient_checkpointing",
    "use_vllm",
    "vllm_mode",
    "seed",
    "logging_steps",
    "save_steps",
    "save_total_limit",
    "output_dir",
)


def training_arguments(config: Config, *, bf16: bool, cpu: bool) -> GRPOConfig:
    """TRL's arguments for a configuration that ``preflight`` has checked."""
    values = {name: getattr(config, name) for name in _SAME_NAME}
    values |= {
        "bf16": bf16,
        "use_cpu": cpu,
        "report_to": list(config.report_to) or "none",
        "run_name": config.run_name or None,
        "remove_unused_columns": False,
        "disable_tqdm": True,  # ours says more
        "logging_nan_inf_filter": False,  # a loss of nan is logged as what it is
        "ddp_timeout": 4 * 3600,  # seconds; the other processes wait while the main one evaluates
        "save_strategy": "steps",
        "dataloader_num_workers": 0,
        "dataloader_pin_memory": not cpu,
        "ddp_find_unused_parameters": False,
    }
    return GRPOConfig(**(values | config.trl))
