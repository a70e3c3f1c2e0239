"""What a batch of completions is worth in training: the environment's own verdicts and rewards, and a record of each.

Verification starts as soon as the completions are there, beside whatever the trainer does before it asks for rewards.
An infrastructure error makes the reward of its sample None, which TRL leaves out of the loss; it is counted, and the
run ends with ``TooManyFaults`` when they pile up.
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
    """More samples could not be scored, by an infrastructure error, than a run may lose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One completion that is to be scored.

    Attributes:
        problem: what was asked.
        prompt: the text that was asked.
        completion: what was answered.
        tokens: how many tokens that was.
        turn: its turn in its episode.
    """

    problem: Problem
    prompt: str
    completion: Completion
    tokens: int
    turn: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """What a sample earned, as it is gathered over the processes.

    Attributes:
        rollout: the record of the sample; None where we failed.
        final_total: the total under the final reward.
        problem_id: what was asked.
        cell: where the curriculum has it.
        fault: an infrastructure error, "" where there was none.
    """

    rollout: Rollout | None
    final_total: float | None
    problem_id: str
    cell: Cell
    fault: str = ""


@dataclass(slots=True)
class Batch:
    """A batch of samples that is being verified.

    Attributes:
        samples: in the order of their rewards.
        evaluations: to come.
    """

    samples: list[Sample]
    evaluations: Future[list[Evaluation | OCamlEnvError]]


@dataclass(slots=True)
class Faults:
    """Counts infrastructure errors, and says when they are too many: over the latest generations, so that one bad
    minute of a long run is forgiven, and a machine that lost its OCaml is not.

    Attributes:
        most: the share of samples that may be lost.
        window: generations that are looked at.
        total: faults in all.
    """

    most: float
    window: int = 4
    total: int = 0
    _latest: deque[tuple[int, int]] = field(default_factory=deque)

    def add(self, faults: Sequence[str], samples: int) -> None:
        """Counts those of one generation.

        Raises:
            TooManyFaults: where more than ``most`` of the latest ``window`` generations' samples are lost; never in
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
        verify_seconds: how long the trainer waited for verdicts, since ``take_seconds``.
    """

    def __init__(self, verifier: AnyVerifier) -> None:
        self.verifier = verifier
        self.verify_seconds = 0.0
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="verify")

    def begin(self, samples: Sequence[Sample], spec: RewardSpec) -> Batch:
        """Starts to verify; returns at once."""
        samples = list(samples)
        pairs = [(sample.problem, sample.completion) for sample in samples]
        return Batch(samples=samples, evaluations=self._submit(pairs, spec))

    def finish(self, batch: Batch) -> list[Evaluation | OCamlEnvError]:
        """Waits for the evaluations of a batch: for each sample one, or an infrastructure error."""
        return self._wait(batch.evaluations)

    def evaluate(
        self, pairs: Sequence[tuple[Problem, Completion]], spec: RewardSpec
    ) -> list[Evaluation | OCamlEnvError]:
        """Verifies, and waits."""
        return self._wait(self._submit(pairs, spec))

    def take_seconds(self) -> float:
        """The seconds waited since the last call."""
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
    """The records of samples. ``group_of`` numbers the group of the sample at an index of this process."""
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


# --- what a step's samples say together -------------------------------------------------------------------------------


def summary(records: Sequence[Scored]) -> dict[str, Any]:
    """The figures of one generation that metrics.jsonl keeps beside TRL's own. Shares are of the samples that could be
    scored; a figure that nothing was measured for is absent.
    """
    pairs = [(one.rollout, one.final_total) for one in records if one.rollout is not None]
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
    """The mean level, and the pass rate at each."""
    passed: dict[str, list[bool]] = {}
    for one in records:
        if one.rollout is not None:
            passed.setdefault(one.cell.level, []).append(one.rollout.passed)
    numbers = [int(level) for level, some in passed.items() if level.isdecimal() for _ in some]
    figures = {f"pass_rate/level_{level}": sum(some) / len(some) for level, some in sorted(passed.items())}
    return figures | ({"level": sum(numbers) / len(numbers)} if numbers else {})


def _kinds_of_groups(rollouts: Sequence[Rollout]) -> dict[str, int]:
    """How many groups teach, and why the others do not."""
    groups: dict[int, list[Rollout]] = {}
    for rollout in rollouts:
        groups.setdefault(rollout.group, []).append(rollout)
    counts = Counter(kind_of(group) for group in groups.values())
    return {kind: counts[kind] for kind in KINDS}


def breakdown(one: Scored) -> Mapping[str, Any]:
    """The line of ``syntax_aware_breakdown.jsonl``: the record without its text, with the total of the final reward."""
    assert one.rollout is not None
    record = asdict(one.rollout)
    del record["completion"]
    return record | {"final_total": one.final_total}
