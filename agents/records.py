"""Records of evaluated completions for the logs of a run, and the figures of a generation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agents.curriculum import Attempt, Cell, cell_of
from agents.health.records import GroupKind
from agents.health.samples import compression_ratio, kind_of
from ocaml_env import Outcome, RewardSpec
from ocaml_env.episode import Evaluation
from ocaml_env.rollout import Rollout

__all__ = ["Scored", "breakdown", "summary"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """The record of an evaluated completion, with the figures of a training.

    Attributes:
        rollout: the record.
        final_total: the total under the final reward.
        cell: the curriculum's cell of its problem.
    """

    rollout: Rollout
    final_total: float
    cell: Cell

    @classmethod
    def of(cls, evaluation: Evaluation, final: RewardSpec, **place: Any) -> Scored:
        """Makes the record of an evaluation. ``place`` has the arguments of ``Evaluation.rollout``."""
        total = final(evaluation.problem, evaluation.extraction, evaluation.verdict).total
        return cls(rollout=evaluation.rollout(**place), final_total=float(total), cell=cell_of(evaluation.problem))

    @property
    def attempt(self) -> Attempt:
        """The result for the sampler of problems."""
        return Attempt(self.rollout.problem_id, self.cell, self.rollout.passed)


def summary(records: Sequence[Scored | None]) -> dict[str, Any]:
    """Computes the figures of one generation, for metrics.jsonl beside TRL's own. A record is None after an
    infrastructure error. Shares are of the scored samples. A figure without measurements is absent.
    """
    known = [record for record in records if record is not None]
    rollouts = [record.rollout for record in known]
    figures: dict[str, Any] = {"faults": len(records) - len(known)}
    if not known:
        return figures
    count = len(known)
    outcomes = Counter(rollout.outcome for rollout in rollouts)
    figures |= {
        "pass_rate": outcomes[Outcome.PASSED] / count,
        "final_reward": sum(record.final_total for record in known) / count,
        "no_code_or_syntax": (outcomes[Outcome.NO_CODE] + outcomes[Outcome.SYNTAX_ERROR]) / count,
        "truncated": sum(rollout.truncated for rollout in rollouts) / count,
        "mean_errors": sum(rollout.errors for rollout in rollouts) / count,
        "degenerate": sum(rollout.degenerate for rollout in rollouts) / count,
        "compiler_raised": sum(rollout.compiler_raised for rollout in rollouts),
        "outcomes": {outcome.value: number for outcome, number in outcomes.most_common()},
        "groups": _kinds_of_groups(rollouts),
        **_by_level(known),
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
    return {kind: counts[kind] for kind in GroupKind}


def breakdown(score: Scored) -> Mapping[str, Any]:
    """The line of ``syntax_aware_breakdown.jsonl``: the record without its text, with the total of the final reward."""
    record = score.rollout.as_dict()
    del record["completion"]
    return record | {"final_total": score.final_total}
