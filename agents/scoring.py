"""Scores batches of completions for training: verdicts and rewards of the environment, and a record of each.

Verification runs in the background from the moment the completions exist, until the trainer asks for rewards. After an
infrastructure error the reward of a sample is None, and TRL leaves it out of the loss. These errors are counted, and
the run ends with ``TooManyFaults`` if they pile up.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from typing import Any

from agents.curriculum import Cell, cell_of
from agents.health.samples import KINDS, compression_ratio, kind_of
from ocaml_env import AnyVerifier, Completion, EngineError, OCamlEnvError, Outcome, Problem, RewardSpec
from ocaml_env.episode import Evaluation, evaluate_each
from ocaml_env.rollout import Rollout

__all__ = [
    "Batch",
    "Faults",
    "Sample",
    "Scored",
    "Scoring",
    "TooManyFaults",
    "breakdown",
    "scored",
    "summary",
]


class TooManyFaults(EngineError):
    """Infrastructure errors lost more samples than a run may lose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One completion to be scored.

    Attributes:
        problem: its problem.
        prompt: the text of its prompt.
        completion: the answer.
        tokens: the number of tokens of the answer.
        turn: its turn in its episode, from 1.
    """

    problem: Problem
    prompt: str
    completion: Completion
    tokens: int
    turn: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """The score of a sample, as gathered over the processes.

    Attributes:
        rollout: the record of the sample; None after an infrastructure error.
        final_total: the total under the final reward; None after an infrastructure error.
        problem_id: the id of its problem.
        cell: the curriculum's cell of its problem.
        fault: the infrastructure error, or "".
    """

    rollout: Rollout | None
    final_total: float | None
    problem_id: str
    cell: Cell
    fault: str = ""


@dataclass(slots=True)
class Batch:
    """A batch of samples under verification.

    Attributes:
        samples: the samples, in the order of their rewards.
        evaluations: the future evaluations.
    """

    samples: list[Sample]
    evaluations: Future[list[Evaluation | OCamlEnvError]]


@dataclass(slots=True)
class Faults:
    """Counts infrastructure errors, and raises if they are too many. Only the latest generations count: one bad minute
    of a long run does no harm, but a machine that lost its OCaml ends the run.

    Attributes:
        most: the largest share of lost samples.
        window: the number of latest generations.
        total: all faults so far.
    """

    most: float
    window: int = 4
    total: int = 0
    _latest: deque[tuple[int, int]] = field(default_factory=deque)

    def add(self, faults: Sequence[str], samples: int) -> None:
        """Counts the faults of one generation of ``samples`` samples.

        Raises:
            TooManyFaults: if more than ``most`` of the samples of the latest ``window`` generations are lost; never in
                the first generation.
        """
        self.total += len(faults)
        self._latest.append((len(faults), samples))
        if len(self._latest) > self.window:
            self._latest.popleft()
        lost, asked = (sum(counts) for counts in zip(*self._latest, strict=True))
        if faults and len(self._latest) > 1 and lost > self.most * asked:
            raise TooManyFaults(
                f"{lost} of the last {asked} completions could not be scored, which is no fault of the model; the last "
                f"reason: {faults[-1]}. The run stops here and can be resumed from its last checkpoint."
            )


class Scoring:
    """Verifies batches in the background.

    Attributes:
        verify_seconds: seconds of the trainer's waiting for verdicts, since the last ``take_seconds``.
    """

    def __init__(self, verifier: AnyVerifier) -> None:
        self.verifier = verifier
        self.verify_seconds = 0.0
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="verify")

    def begin(self, samples: Sequence[Sample], spec: RewardSpec) -> Batch:
        """Begins to verify, and returns at once."""
        samples = list(samples)
        pairs = [(sample.problem, sample.completion) for sample in samples]
        return Batch(samples=samples, evaluations=self._submit(pairs, spec))

    def finish(self, batch: Batch) -> list[Evaluation | OCamlEnvError]:
        """Waits for a batch. Returns an evaluation, or an infrastructure error, for each sample."""
        return self._wait(batch.evaluations)

    def evaluate(
        self, pairs: Sequence[tuple[Problem, Completion]], spec: RewardSpec
    ) -> list[Evaluation | OCamlEnvError]:
        """Verifies, and waits for the result: an evaluation, or an infrastructure error, for each pair."""
        return self._wait(self._submit(pairs, spec))

    def take_seconds(self) -> float:
        """Returns the seconds of waiting since the last call, and begins anew at 0."""
        seconds, self.verify_seconds = self.verify_seconds, 0.0
        return seconds

    def close(self) -> None:
        self._thread.shutdown(cancel_futures=True)

    def _submit(
        self, pairs: Sequence[tuple[Problem, Completion]], spec: RewardSpec
    ) -> Future[list[Evaluation | OCamlEnvError]]:
        return self._thread.submit(evaluate_each, pairs, verifier=self.verifier, reward=spec)

    def _wait(self, evaluations: Future[list[Evaluation | OCamlEnvError]]) -> list[Evaluation | OCamlEnvError]:
        began = time.perf_counter()
        try:
            return evaluations.result()
        finally:
            self.verify_seconds += time.perf_counter() - began


def scored(
    samples: Sequence[Sample],
    evaluations: Sequence[Evaluation | OCamlEnvError],
    *,
    final: RewardSpec,
    step: int,
    epoch: float,
    group_of: Callable[[int], int],
) -> list[Scored]:
    """Makes the records of samples. ``group_of`` maps the index of a sample to the number of its group."""
    records = []
    for index, (sample, evaluation) in enumerate(zip(samples, evaluations, strict=True)):
        asked, cell = sample.problem.id, cell_of(sample.problem)
        if isinstance(evaluation, OCamlEnvError):
            fault = f"{type(evaluation).__name__}: {evaluation}"
            records.append(Scored(rollout=None, final_total=None, problem_id=asked, cell=cell, fault=fault))
            continue
        rollout = evaluation.rollout(
            prompt=sample.prompt, step=step, epoch=epoch, group=group_of(index), turn=sample.turn, tokens=sample.tokens
        )
        total = float(final(evaluation.problem, evaluation.extraction, evaluation.verdict).total)
        records.append(Scored(rollout=rollout, final_total=total, problem_id=asked, cell=cell))
    return records


# --- figures of a generation ------------------------------------------------------------------------------------------


def summary(records: Sequence[Scored]) -> dict[str, Any]:
    """Computes the figures of one generation, for metrics.jsonl beside TRL's own. Shares are of the scored samples. A
    figure without measurements is absent.
    """
    pairs = [(record.rollout, record.final_total) for record in records if record.rollout is not None]
    rollouts = [rollout for rollout, _ in pairs]
    figures: dict[str, Any] = {"faults": len(records) - len(rollouts)}
    if not rollouts:
        return figures
    count = len(rollouts)
    outcomes = Counter(rollout.outcome for rollout in rollouts)
    figures |= {
        "pass_rate": outcomes[Outcome.PASSED] / count,
        "final_reward": sum(total for _, total in pairs if total is not None) / count,
        "no_code_or_syntax": (outcomes[Outcome.NO_CODE] + outcomes[Outcome.SYNTAX_ERROR]) / count,
        "truncated": sum(rollout.truncated for rollout in rollouts) / count,
        "mean_errors": sum(rollout.errors for rollout in rollouts) / count,
        "degenerate": sum(rollout.degenerate for rollout in rollouts) / count,
        "compiler_raised": sum(rollout.compiler_raised for rollout in rollouts),
        "outcomes": {outcome.value: number for outcome, number in outcomes.most_common()},
        "groups": _kinds_of_groups(rollouts),
        **_by_level(records),
    }
    ratio = compression_ratio(rollout.completion for rollout in rollouts)
    if ratio is not None:
        figures["compression_ratio"] = ratio
    paid = Counter(round(rollout.total, 6) for rollout in rollouts if rollout.total > 0)
    if paid:
        top, times = paid.most_common(1)[0]
        figures |= {"top_reward": top, "top_reward_share": times / count}
    return figures


def _by_level(records: Sequence[Scored]) -> dict[str, float]:
    """The mean level, and the pass rate at each level."""
    passed: dict[str, list[bool]] = {}
    for record in records:
        if record.rollout is not None:
            passed.setdefault(record.cell.level, []).append(record.rollout.passed)
    numbers = [int(level) for level, some in passed.items() if level.isdecimal() for _ in some]
    figures = {f"pass_rate/level_{level}": sum(some) / len(some) for level, some in sorted(passed.items())}
    return figures | ({"level": sum(numbers) / len(numbers)} if numbers else {})


def _kinds_of_groups(rollouts: Sequence[Rollout]) -> dict[str, int]:
    """Counts the groups of each kind of ``kind_of``."""
    groups: dict[int, list[Rollout]] = {}
    for rollout in rollouts:
        groups.setdefault(rollout.group, []).append(rollout)
    counts = Counter(kind_of(group) for group in groups.values())
    return {kind: counts[kind] for kind in KINDS}


def breakdown(score: Scored) -> Mapping[str, Any]:
    """The line of ``syntax_aware_breakdown.jsonl``: the record without its text, with the total of the final reward."""
    assert score.rollout is not None
    record = asdict(score.rollout)
    del record["completion"]
    return record | {"final_total": score.final_total}
