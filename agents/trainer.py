"""TRL's GRPO trainer on the environment.

Adds four things to TRL. A sampler chooses problems when a generation begins, by all attempts so far; TRL's data set
only counts the problems of an epoch. Groups without a difference of rewards may be drawn again: so completions are
evaluated when they are generated, and go to the reward function beside them. Micro-batches hold answers of like length.
Checkpoints hold the state for an exact resume.

It overrides undocumented methods of TRL. That is the reason for the pin of TRL to one minor version.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from accelerate.utils import broadcast_object_list, gather_object, set_seed
from datasets import Dataset
from transformers.trainer_utils import rotate_checkpoints
from trl import GRPOTrainer

from agents.micro_batches import by_length
from agents.rewards import Rewards
from agents.run_dir import STATE
from agents.sampler import ProblemSampler
from agents.vllm_weights import keep_weights
from ocaml_env import Problem
from ocaml_env.episode import EpisodeSpec
from ocaml_env.evaluation.files import write_whole
from ocaml_env.integrations.trl import Rollouts, evaluate_answers

__all__ = ["OCamlGRPOTrainer"]


class OCamlGRPOTrainer(GRPOTrainer):  # type: ignore[misc]  # TRL is untyped here
    """Trains by GRPO on problems of the environment.

    Attributes:
        sampler: chooses problems. The main process chooses for all; every process observes the attempts of all.
    """

    _buffered_inputs: Any  # TRL's: the micro-batches of the current generation

    def __init__(
        self,
        *,
        rewards: Rewards,
        episodes: EpisodeSpec,
        sampler: ProblemSampler,
        problems_of_an_epoch: int,
        render: Callable[[Problem], Any],
        resample_tied: int = 0,
        **arguments: Any,
    ) -> None:
        """Makes a trainer.

        Args:
            rewards: the reward function, with its records.
            episodes: prompts and turns of an episode.
            sampler: chooses problems.
            problems_of_an_epoch: the number of problems in one epoch of TRL.
            render: returns the prompt of a problem, for TRL.
            resample_tied: the most times that groups without a difference of rewards are drawn again.
            arguments: those of TRL's ``GRPOTrainer``.
        """
        self.rewards = rewards
        self.sampler = sampler
        self._render = render
        self._resample_tied = resample_tied
        self._rows: list[dict[str, Any]] = []
        self._asked: list[Problem] = []
        rewards.trainer = self
        episode = Rollouts((), spec=episodes, evaluate=rewards.evaluate)

        def rollouts(prompts: list[Any], trainer: Any) -> dict[str, Any]:
            return episode.play(self._asked, prompts, trainer)

        if arguments["args"].use_vllm and arguments["args"].use_cpu:
            keep_weights()
        super().__init__(
            reward_funcs=rewards.function,
            rollout_func=rollouts if episodes.max_turns > 1 else None,
            train_dataset=Dataset.from_dict({"prompt": [""] * problems_of_an_epoch}),
            **arguments,
        )
        if self.use_vllm:  # vLLM draws with the generators of this process, and has just seeded them by rank alone
            set_seed(self.args.seed, device_specific=True)
        self._configured_temperature = self._next_temperature = float(self.args.temperature)

    @property
    def next_temperature(self) -> float:
        """The sampling temperature of the next generation."""
        return self._next_temperature

    def set_temperature(self, temperature: float) -> None:
        """Sets the sampling temperature from the next generation on. The loss of current completions keeps the
        temperature of their sampling.
        """
        self._next_temperature = float(temperature)

    def _prepare_inputs(self, generation_batch: Any) -> Any:
        before = self._buffered_inputs
        inputs = super()._prepare_inputs(generation_batch)
        settings = self.args
        # The division changes no gradient if an update takes all answers, and its loss is one of these.
        if (
            self._buffered_inputs is before
            or settings.steps_per_generation != settings.gradient_accumulation_steps
            or settings.loss_type not in ("dr_grpo", "dapo", "grpo")
            or settings.top_entropy_quantile < 1
        ):
            return inputs
        self._buffered_inputs = by_length(self._buffered_inputs)
        return self._buffered_inputs[self._step % settings.steps_per_generation]

    def _generate_and_score_completions(self, inputs: Any) -> Any:
        self.temperature = self.args.temperature = self._next_temperature
        if self.use_vllm:
            self.vllm_generation.temperature = self._next_temperature
        else:
            self.generation_config.temperature = self._next_temperature
        rows = self._draw(self.args.generation_batch_size // self.num_generations)
        first = self.accelerator.process_index * len(inputs)
        self._rows = rows[first : first + len(inputs)]
        made = super()._generate_and_score_completions(self._rows)
        for name, figure in self.sampler.figures().items():
            self._metrics["train"][name].append(figure)
        return made

    def _generate(self, prompts: list[Any]) -> Any:
        """Generates for the rows of this process, in TRL's form. Changes ``prompts`` with the rows it draws again."""
        made = self._complete(self._rows)
        drawn_again = 0
        for _ in range(self._resample_tied):
            tied = self.rewards.tied_groups(made[_EXTRA]["evaluated"])
            if not tied:
                break
            drawn_again += len(tied)
            self._replace(tied, made)
        prompts[:] = [row["prompt"] for row in self._rows]
        if self._resample_tied:
            self._metrics["train"]["resampled"].append(drawn_again)
        return tuple(made)

    def _draw(self, groups: int) -> list[dict[str, Any]]:
        """Draws rows of ``groups`` groups, for all processes together."""
        with self.rewards.log.counted("glue"):
            problems = [self.sampler.next(groups) if self.accelerator.is_main_process else []]
            broadcast_object_list(problems)
            rows = [{"prompt": self._render(problem), "problem": problem} for problem in problems[0]]
            return [dict(row) for row in rows for _ in range(self.num_generations)]

    def _complete(self, rows: list[dict[str, Any]]) -> list[Any]:
        """Generates for rows, and evaluates the completions. The evaluated answers are an extra field: TRL gives it to
        the reward function.
        """
        self._asked = [row["problem"] for row in rows]
        made = list(super()._generate([row["prompt"] for row in rows]))
        if self.rollout_func is None:
            _, ids, _, completions, *_ = made
            made[_EXTRA]["evaluated"] = evaluate_answers(
                self._asked, completions, ids, self.eos_token_ids, self.rewards.evaluate
            )
        return made

    def _replace(self, tied: list[int], made: list[Any]) -> None:
        """Replaces tied groups by groups of other problems, in the rows and in ``made``.

        A group may be spread over processes, and all processes must generate equally many completions. So each
        generates a share of the new groups, and then takes the completions of its own rows.
        """
        processes, rank, width = self.accelerator.num_processes, self.accelerator.process_index, len(self._rows)
        size = self.num_generations
        rows = self._draw(len(tied))
        padded = list(rows)
        while len(padded) % processes:
            padded += rows[-size:]
        share = len(padded) // processes
        new = self._complete(padded[rank * share : (rank + 1) * share])
        completed = gather_object([_at(new, place) for place in range(share)])
        places = [group * size + place for group in tied for place in range(size)]
        for place, row, sample in zip(places, rows, completed, strict=False):  # without the padding
            process, here = divmod(place, width)
            if process == rank:
                self._rows[here] = row
                _put(made, here, sample)

    def _save_checkpoint(self, model: Any, trial: Any) -> None:
        """Deletes older checkpoints only after the new one is whole, so that a whole one exists at every moment."""
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
                "sampler": {"kind": self.sampler.kind, "state": self.sampler.state()},
            }
            checkpoint = Path(self.args.output_dir) / f"checkpoint-{self.state.global_step}"
            write_whole(checkpoint / STATE, json.dumps(state))
            rotate_checkpoints(output_dir=self.args.output_dir, save_total_limit=limit, use_mtime=True)

    def close(self) -> None:
        """Closes the sampler and the log."""
        self.sampler.close()
        self.rewards.log.close()

    def create_model_card(self, *_: Any, **__: Any) -> None:
        """Writes none: the folder has our own README, and TRL would look up the model's folder as a name of the hub."""

    def restore(self, checkpoint: Path) -> None:
        """Restores sampler and temperature from a checkpoint. A temperature configured anew since then is kept."""
        state = json.loads((checkpoint / STATE).read_text(encoding="utf-8"))
        if state["configured_temperature"] == self._configured_temperature:
            self.set_temperature(state["temperature"])
        if state["sampler"]["kind"] == self.sampler.kind:
            self.sampler.restore(state["sampler"]["state"])

    def _load_optimizer_and_scheduler(self, checkpoint: str | None) -> None:
        """Loads the state of a checkpoint, and keeps the settings of this run. A checkpoint also holds the settings of
        its own run; they would undo a change of the learning rate.
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


_EXTRA = 5  # the place of the extra fields, a list each by name, in the parts of TRL's generation


def _at(made: list[Any], place: int) -> list[Any]:
    """Takes one row out of the parts of TRL's generation, each with a value for every row."""
    sample: list[Any] = []
    for part in made:
        if isinstance(part, dict):
            sample.append({name: values[place] for name, values in part.items()})
        else:
            sample.append(part[place] if part else None)
    return sample


def _put(made: list[Any], place: int, sample: list[Any]) -> None:
    """Replaces a row by the values of ``_at``."""
    for part, new in zip(made, sample, strict=True):
        if isinstance(part, dict):
            for name, value in new.items():
                part[name][place] = value
        elif part:
            part[place] = new
