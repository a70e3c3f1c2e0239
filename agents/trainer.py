"""TRL's GRPO trainer with the environment inside: what it pays, what it asks, what it writes down.

Three things are added to TRL. Verification begins when the completions are there, before the trainer asks for rewards.
Problems may be drawn by their solve rates. Checkpoints hold what is needed to go on exactly.

It overrides methods of TRL that are not documented for it, which is why TRL is pinned to one minor version.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from accelerate.utils import gather_object
from torch.utils.data import Sampler
from transformers.trainer_utils import rotate_checkpoints
from trl import GRPOConfig, GRPOTrainer

from agents.config import Config
from agents.logs import REWARD_NAME, RunLog
from agents.policy import end_tokens
from agents.run_dir import STATE
from agents.sampler import SolveRateSampler
from agents.scoring import Batch, Faults, Sample, Scored, Scoring, scored, summary
from ocaml_env import Completion, OCamlCodeEnv, OCamlEnvError, Problem, RewardSpec
from ocaml_env.curriculum import THIRDS
from ocaml_env.episode import EpisodeSpec, Judgement
from ocaml_env.integrations.trl import Conversation, Rollouts

__all__ = ["OCamlGRPOTrainer", "Rewards", "training_arguments"]

_REPORTED = ("pass_rate", "final_reward", "no_code_or_syntax", "compression_ratio", "top_reward_share")
"""Figures that go to TensorBoard, wandb or trackio through TRL, beside metrics.jsonl."""


Turns = list[tuple[Sample, Judgement | OCamlEnvError]]


class Rewards:
    """Rewards of the batches of one process, and their records.

    Attributes:
        faults: ours, over all processes.
    """

    def __init__(
        self, config: Config, problems: Mapping[str, Problem], scoring: Scoring, *, env: OCamlCodeEnv | None = None
    ) -> None:
        """Pays what the environment pays, where there is one, else what the configuration says."""
        self.problems = problems
        self.scoring = scoring
        self.faults = Faults(most=config.max_fault_share)
        self._env = env
        self._curriculum = env.curriculum if env is not None else config.curriculum_spec()
        self._constant = env.reward_spec if env is not None else config.reward_spec()
        self._final = self._curriculum.final if self._curriculum is not None else self._constant
        self._batch: Batch | None = None
        self._judged: list[Turns] | None = None
        self._trainer: OCamlGRPOTrainer | None = None
        self._log: RunLog | None = None
        self._generated = (-1, 0)  # the optimiser step that generated last, and how often it has

    def attach(self, trainer: OCamlGRPOTrainer, log: RunLog) -> None:
        """Tells who trains and who writes."""
        self._trainer, self._log = trainer, log

    def spec(self, state: Any) -> RewardSpec:
        """What is paid at the state of the trainer."""
        if self._curriculum is None:
            return self._constant
        share = state.global_step / max(state.max_steps, 1)
        progress = share if self._curriculum.phases == THIRDS else float(state.epoch or 0.0)
        if self._env is not None:
            self._env.set_progress(progress)
        return self._curriculum.at(progress)

    def begin(
        self, rows: Sequence[Mapping[str, Any]], answers: Sequence[tuple[str, list[int]]], ends: Sequence[int]
    ) -> None:
        """Starts to verify what was generated for these rows of the data set: texts and their tokens."""
        assert self._trainer is not None
        samples = [
            Sample(
                problem=self.problems[row["problem_id"]],
                prompt=row["observation"],
                completion=Completion(text, truncated=ids[-1] not in ends),
                tokens=len(ids),
            )
            for row, (text, ids) in zip(rows, answers, strict=True)
        ]
        self._batch = self.scoring.begin(samples, self.spec(self._trainer.state))

    def took(self, conversations: Sequence[Conversation]) -> None:
        """Takes episodes of several turns, which are verified already: the last turn is what is paid for."""
        self._judged = [_turns(one) for one in conversations]

    def __call__(
        self, *, completions: Sequence[Any], log_metric: Callable[[str, float], None], **_: Any
    ) -> list[float | None]:
        """The reward function that TRL calls: one total a completion; None where we failed.

        Raises:
            TooManyFaults: where our faults pile up.
        """
        began, waited = time.perf_counter(), self.scoring.verify_seconds
        trainer, log = self._trainer, self._log
        assert trainer is not None
        assert log is not None
        episodes = self._episodes()
        step, times = self._generated
        self._generated = (trainer.state.global_step, times + 1 if step == trainer.state.global_step else 1)
        last = self._records([turns[-1] for turns in episodes], trainer)
        earlier = self._records([turn for turns in episodes for turn in turns[:-1]], trainer, per_episode=episodes)
        self.faults.add([one.fault for one in last if one.fault], len(last))
        if trainer.model.training:
            log.record(last, earlier)
            if trainer.rates is not None:
                trainer.rates.observe([(one.problem_id, one.rollout.passed) for one in last if one.rollout is not None])
        figures = summary(last)
        for name in _REPORTED:
            if name in figures:
                log_metric(name, figures[name])
        log.glue += time.perf_counter() - began - (self.scoring.verify_seconds - waited)
        ends = [judgement for *_, (_, judgement) in episodes]
        return [float(one.reward.total) if isinstance(one, Judgement) else None for one in ends]

    def _episodes(self) -> list[Turns]:
        """The turns of each episode of this process."""
        if self._judged is not None:
            judged, self._judged = self._judged, None
            return judged
        assert self._batch is not None
        batch, self._batch = self._batch, None
        return [[pair] for pair in zip(batch.samples, self.scoring.finish(batch), strict=True)]

    def _records(
        self, turns: Turns, trainer: OCamlGRPOTrainer, per_episode: Sequence[Turns] | None = None
    ) -> list[Scored]:
        """The records of all processes, in the order in which TRL sees the groups. ``per_episode`` says to which
        episode each of the turns belongs, where that is not one each.
        """
        if per_episode is None:
            places = list(range(len(turns)))
        else:
            places = [place for place, episode in enumerate(per_episode) for _ in episode[:-1]]
        episodes = len(per_episode) if per_episode is not None else len(turns)
        group, arguments = trainer.num_generations, trainer.args
        before = trainer.accelerator.process_index * episodes
        passes = arguments.steps_per_generation * arguments.num_iterations
        step, times = self._generated
        generation = step * max(1, arguments.gradient_accumulation_steps // passes) + times - 1
        first = generation * (arguments.generation_batch_size // group)
        records = scored(
            [sample for sample, _ in turns],
            [judgement for _, judgement in turns],
            final=self._final,
            step=trainer.state.global_step,
            epoch=float(trainer.state.epoch or 0.0),
            group_of=lambda index: first + (before + places[index]) // group,
        )
        return list(gather_object(records))


def _turns(conversation: Conversation) -> Turns:
    return [
        (
            Sample(
                problem=conversation.problem,
                prompt=conversation.prompt,
                completion=answer.completion,
                tokens=answer.tokens,
                turn=turn,
            ),
            answer.judged,
        )
        for turn, answer in enumerate(conversation.answers, start=1)
    ]


class _ByEpoch(Sampler[int]):  # type: ignore[misc]  # torch is untyped here
    """TRL's order of problems, but drawn by the number of the epoch. TRL draws one order after the other, so that a run
    that is resumed in its second epoch would be given the first one's order again.
    """

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def set_epoch(self, epoch: int) -> None:
        """The data loader tells which epoch begins."""
        if self._inner.shuffle:
            self._inner.generator.manual_seed(self._inner.seed + epoch)

    def __len__(self) -> int:
        return len(self._inner)

    def __iter__(self) -> Iterator[int]:
        return iter(self._inner)


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
            by_prompt = {episodes.prompts.text(problem): problem for problem in rewards.problems.values()}
            rollouts = Rollouts(
                by_prompt,
                spec=episodes,
                judge=lambda pairs, trainer: rewards.scoring.judge(pairs, rewards.spec(trainer.state)),
                took=rewards.took,
            )
        super().__init__(reward_funcs=syntax_aware_reward, rollout_func=rollouts, **arguments)
        self._single_turn = rollouts is None
        self._configured_temperature = self._next_temperature = float(self.args.temperature)

    @property
    def sampling_temperature(self) -> float:
        """What the completions that are trained on were drawn at."""
        return float(self.args.temperature)

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
        return self.sampler or _ByEpoch(super()._get_train_sampler(dataset))

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
            file = Path(self.args.output_dir) / f"checkpoint-{self.state.global_step}" / STATE
            new = file.with_name(STATE + ".new")
            new.write_text(json.dumps(state), encoding="utf-8")
            new.replace(file)
            rotate_checkpoints(output_dir=self.args.output_dir, save_total_limit=limit, use_mtime=True)

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
        "save_strategy": "steps",
        "dataloader_num_workers": 0,
        "dataloader_pin_memory": not cpu,
        "ddp_find_unused_parameters": False,
    }
    return GRPOConfig(**(values | config.trl))
