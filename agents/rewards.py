"""TRL's reward function: one total for each completion, from the verdicts of the environment."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from accelerate.utils import gather_object

from agents.config import Config
from agents.curriculum import Attempt, cell_of
from agents.logs import RunLog
from agents.sampler import ProblemSampler
from agents.scoring import Batch, Faults, Sample, Scored, Scoring, scored, summary
from agents.wrappers import AnyRewardWrapper, paid
from ocaml_env import Completion, OCamlCodeEnv, OCamlEnvError, RewardSpec
from ocaml_env.curriculum import THIRDS
from ocaml_env.episode import Evaluation
from ocaml_env.integrations.trl import Conversation

__all__ = ["Rewards"]

_REPORTED = (
    "pass_rate",
    "final_reward",
    "no_code_or_syntax",
    "degenerate",
    "compression_ratio",
    "top_reward_share",
    "level",
)
"""TRL reports these figures, and those of ``pass_rate/``, to TensorBoard, wandb or trackio; metrics.jsonl has all."""

_SAME = 1e-9  # a smaller difference of rewards is a tie, as for ``kind_of``

Turns = list[tuple[Sample, Evaluation | OCamlEnvError]]


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
    """Computes the rewards of one process, and records them.

    Attributes:
        faults: counts the infrastructure errors of all processes.
    """

    def __init__(
        self,
        config: Config,
        scoring: Scoring,
        *,
        env: OCamlCodeEnv | None = None,
        wrappers: Sequence[AnyRewardWrapper] = (),
    ) -> None:
        """Takes the reward of ``env`` and its wrappers; without ``env`` that of the configuration."""
        self.scoring = scoring
        self.faults = Faults(most=config.max_fault_share)
        self._env = env
        self._wrappers = wrappers
        self._curriculum = env.curriculum if env is not None else config.curriculum_spec()
        self._constant = env.reward_spec if env is not None else config.reward_spec()
        self._final = self._curriculum.final if self._curriculum is not None else self._constant
        self._batch: Batch | None = None
        self._evaluated: list[Turns] | None = None
        self._replaced: list[Attempt] = []  # attempts of groups that are drawn again
        self._trainer: Trainer | None = None
        self._log: RunLog | None = None
        self._generated = (-1, 0)  # the optimiser step of the last generation, and the number of its generations

    def attach(self, trainer: Trainer, log: RunLog) -> None:
        """Sets the trainer and the log."""
        self._trainer, self._log = trainer, log

    def add_glue(self, seconds: float) -> None:
        """Adds to the time of our own code."""
        if self._log is not None:
            self._log.glue += seconds

    def spec(self, state: Any) -> RewardSpec:
        """The reward at a state of the trainer."""
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
        """Begins to verify the answers to these rows, each a text and its token ids. ``ends`` are the end tokens."""
        assert self._trainer is not None
        samples = [
            Sample(
                problem=row["problem"],
                prompt=row["observation"],
                completion=Completion(text, truncated=ids[-1] not in ends),
                tokens=len(ids),
            )
            for row, (text, ids) in zip(rows, answers, strict=True)
        ]
        self._batch = self.scoring.begin(samples, self.spec(self._trainer.state))

    def on_records(self, conversations: Sequence[Conversation]) -> None:
        """Takes verified episodes of several turns."""
        self._evaluated = [_turns(conversation) for conversation in conversations]

    def take(self) -> list[Turns]:
        """Waits for verification. Returns the turns of each episode of this process."""
        if self._evaluated is not None:
            evaluated, self._evaluated = self._evaluated, None
            return evaluated
        assert self._batch is not None
        batch, self._batch = self._batch, None
        return [[pair] for pair in zip(batch.samples, self.scoring.finish(batch), strict=True)]

    def put(self, episodes: list[Turns]) -> None:
        """Puts back the episodes of ``take``; some may have been replaced."""
        self._evaluated = episodes

    def tied_groups(self) -> list[int]:
        """Returns the numbers of tied groups, over all processes: all their completions earn the same.

        The trainer draws them again. Their attempts are kept for the sampler.
        """
        assert self._trainer is not None
        episodes = self.take()
        self.put(episodes)
        size = self._trainer.num_generations
        totals = list(gather_object([self._paid([evaluation for _, evaluation in turns]) for turns in episodes]))
        attempts = list(gather_object([_attempt(turns) for turns in episodes]))
        tied = [group for group in range(len(totals) // size) if _same(totals[group * size : (group + 1) * size])]
        for group in tied:
            self._replaced += filter(None, attempts[group * size : (group + 1) * size])
        return tied

    def __call__(
        self, *, completions: Sequence[Any], log_metric: Callable[[str, float], None], **_: Any
    ) -> list[float | None]:
        """Returns one total for each completion; None after an infrastructure error. TRL calls it.

        Raises:
            TooManyFaults: if infrastructure errors pile up.
        """
        began, waited = time.perf_counter(), self.scoring.verify_seconds
        trainer, log = self._trainer, self._log
        assert trainer is not None
        assert log is not None
        episodes = self.take()
        step, times = self._generated
        self._generated = (trainer.state.global_step, times + 1 if step == trainer.state.global_step else 1)
        last = self._records([turns[-1] for turns in episodes], trainer)
        earlier = self._records([turn for turns in episodes for turn in turns[:-1]], trainer, per_episode=episodes)
        self.faults.add([record.fault for record in last if record.fault], len(last))
        if trainer.model.training:
            log.record(last, earlier)
            attempts = [
                Attempt(record.problem_id, record.cell, record.rollout.passed)
                for record in last
                if record.rollout is not None
            ]
            trainer.sampler.observe([*self._replaced, *attempts])
            self._replaced.clear()
        for name, figure in summary(last).items():
            if name in _REPORTED or name.startswith("pass_rate/"):
                log_metric(name, figure)
        log.glue += time.perf_counter() - began - (self.scoring.verify_seconds - waited)
        return [self._paid([evaluation for _, evaluation in turns]) for turns in episodes]

    def _paid(self, turns: Sequence[Evaluation | OCamlEnvError]) -> float | None:
        """The total of an episode; None if its last turn could not be evaluated."""
        if isinstance(turns[-1], OCamlEnvError):
            return None
        return paid([float(turn.reward.total) for turn in turns if isinstance(turn, Evaluation)], self._wrappers)

    def _records(self, turns: Turns, trainer: Trainer, per_episode: Sequence[Turns] | None = None) -> list[Scored]:
        """Returns the records of all processes, in TRL's order of groups. ``turns`` are one of each episode; with
        ``per_episode`` they are all turns of these episodes but the last.
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
            [evaluation for _, evaluation in turns],
            final=self._final,
            step=trainer.state.global_step,
            epoch=float(trainer.state.epoch or 0.0),
            group_of=lambda index: first + (before + places[index]) // group,
        )
        return list(gather_object(records))


def _same(totals: Sequence[float | None]) -> bool:
    """True if a group has no difference of rewards. False if infrastructure errors left no reward to compare."""
    known = [total for total in totals if total is not None]
    return bool(known) and max(known) - min(known) <= _SAME


def _attempt(turns: Turns) -> Attempt | None:
    """The attempt of an episode, for the sampler; None after an infrastructure error."""
    sample, evaluation = turns[-1]
    if isinstance(evaluation, OCamlEnvError):
        return None
    return Attempt(sample.problem.id, cell_of(sample.problem), evaluation.verdict.passed)


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
            answer.evaluated,
        )
        for turn, answer in enumerate(conversation.answers, start=1)
    ]
