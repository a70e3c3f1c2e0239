"""Evaluates the completions of a training, and records them: the agent's side of TRL's reward function.

The reward function is that of ``integrations.trl``, as for any other user of TRL. This module chooses the spec by the
progress of the run, and keeps a record of each completion for the logs and for the sampler of problems.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol

from accelerate.utils import gather_object

from agents.config import Config
from agents.curriculum import Attempt, cell_of
from agents.logs import REWARD_NAME, RunLog
from agents.records import Scored, summary
from agents.sampler import ProblemSampler
from agents.wrappers import AnyRewardWrapper, paid
from ocaml_env import AnyVerifier, Completion, OCamlCodeEnv, OCamlEnvError, Problem, PromptSpec, RewardSpec
from ocaml_env.curriculum import THIRDS
from ocaml_env.episode import Evaluation, evaluate_each
from ocaml_env.integrations.trl import Answer, episode_reward, reward_function

__all__ = ["Rewards"]

_REPORTED = ("final_reward", "no_code_or_syntax", "degenerate", "compression_ratio", "top_reward_share", "level")
"""TRL reports these figures, and those of ``pass_rate/``, to TensorBoard, wandb or trackio; metrics.jsonl has all."""

_SAME = 1e-9  # a smaller difference of rewards is a tie, as for ``kind_of``


class Trainer(Protocol):
    """The interface of the trainer to its rewards.

    Attributes:
        args: TRL's arguments.
        state: the trainer state of transformers, with step and epoch.
        model: tells training from evaluation.
        accelerator: holds the index of this process.
        num_generations: completions of a group.
        sampler: chooses problems.
    """

    args: Any
    state: Any
    model: Any
    accelerator: Any
    num_generations: int
    sampler: ProblemSampler


class Rewards:
    """Evaluates and records the completions of one process.

    Attributes:
        function: TRL's reward function.
        trainer: the trainer; it sets itself.
    """

    trainer: Trainer

    def __init__(
        self,
        config: Config,
        problems: Sequence[Problem],
        prompts: PromptSpec,
        *,
        verifier: AnyVerifier,
        log: RunLog,
        env: OCamlCodeEnv | None = None,
        wrappers: Sequence[AnyRewardWrapper] = (),
    ) -> None:
        """Takes the reward of ``env`` and its wrappers; without ``env`` that of the configuration."""
        self.log = log
        self._verifier = verifier
        self._prompts = prompts
        self._env = env
        self._curriculum = env.curriculum if env is not None else config.curriculum_spec()
        self._constant = env.reward_spec if env is not None else config.reward_spec()
        self._final = self._curriculum.final if self._curriculum is not None else self._constant
        self._total = partial(paid, wrappers=wrappers)
        self._replaced: list[Attempt] = []  # attempts of groups that are drawn again
        self._generated = (-1, 0)  # the optimiser step of the last generation, and the number of its generations
        self.function = reward_function(
            problems,
            verifier=verifier,
            name=REWARD_NAME,
            total=self._total,
            max_fault_share=config.max_fault_share,
            on_answers=self._record,
        )

    def spec(self) -> RewardSpec:
        """The reward at this moment of the run."""
        if self._curriculum is None:
            return self._constant
        state = self.trainer.state
        share = state.global_step / max(state.max_steps, 1)
        progress = share if self._curriculum.phases == THIRDS else float(state.epoch or 0.0)
        if self._env is not None:
            self._env.set_progress(progress)
        return self._curriculum.at(progress)

    def evaluate(self, pairs: Sequence[tuple[Problem, Completion]]) -> list[Evaluation | OCamlEnvError]:
        """Evaluates completions of this process, and waits."""
        with self.log.counted("verify"):
            return evaluate_each(pairs, verifier=self._verifier, reward=self.spec())

    def tied_groups(self, answers: Sequence[list[Answer]]) -> list[int]:
        """Returns the numbers of tied groups, over all processes: all their completions earn the same.

        The trainer draws them again. Their attempts are kept for the sampler.

        Args:
            answers: the episodes of this process.
        """
        size = self.trainer.num_generations
        totals = list(gather_object([episode_reward(turns, self._total) for turns in answers]))
        attempts = list(gather_object([_attempt(turns[-1]) for turns in answers]))
        tied = [group for group in range(len(totals) // size) if _same(totals[group * size : (group + 1) * size])]
        for group in tied:
            self._replaced += filter(None, attempts[group * size : (group + 1) * size])
        return tied

    def _record(self, answers: Sequence[list[Answer]], log_metric: Callable[[str, float], None]) -> None:
        """Records the episodes of one generation."""
        with self.log.counted("glue"):
            trainer = self.trainer
            episodes = self._scored(answers)
            last = [turns[-1] for turns in episodes]
            if trainer.model.training:
                self.log.record(last, [turn for turns in episodes for turn in turns[:-1]])
                attempts = [record.attempt for record in last if record is not None]
                trainer.sampler.observe([*self._replaced, *attempts])
                self._replaced.clear()
            for name, figure in summary(last).items():
                if name in _REPORTED or name.startswith("pass_rate/"):
                    log_metric(name, figure)

    def _scored(self, answers: Sequence[list[Answer]]) -> list[list[Scored | None]]:
        """Makes the records of the episodes of all processes, in TRL's order of groups. None for an infrastructure
        error.
        """
        trainer, arguments = self.trainer, self.trainer.args
        step, times = self._generated
        times = times + 1 if step == trainer.state.global_step else 1
        step = trainer.state.global_step
        self._generated = (step, times)
        size = trainer.num_generations
        passes = arguments.steps_per_generation * arguments.num_iterations
        generation = step * max(1, arguments.gradient_accumulation_steps // passes) + times - 1
        first = generation * (arguments.generation_batch_size // size)
        before = trainer.accelerator.process_index * len(answers)
        records = [
            [
                Scored.of(
                    answer.evaluated,
                    self._final,
                    prompt_digest=self._prompts.text(answer.problem).digest,
                    step=step,
                    epoch=float(trainer.state.epoch or 0.0),
                    group=first + (before + place) // size,
                    turn=turn,
                    tokens=answer.tokens,
                )
                if isinstance(answer.evaluated, Evaluation)
                else None
                for turn, answer in enumerate(turns, start=1)
            ]
            for place, turns in enumerate(answers)
        ]
        return list(gather_object(records))


def _same(totals: Sequence[float | None]) -> bool:
    """True if a group has no difference of rewards. False if infrastructure errors left no reward to compare."""
    known = [total for total in totals if total is not None]
    return bool(known) and max(known) - min(known) <= _SAME


def _attempt(answer: Answer) -> Attempt | None:
    """The attempt of an answer, for the sampler; None after an infrastructure error."""
    if isinstance(answer.evaluated, OCamlEnvError):
        return None
    return Attempt(answer.problem.id, cell_of(answer.problem), answer.evaluated.verdict.passed)
