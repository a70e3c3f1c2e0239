"""Divides a set for training and evaluation. Near-duplicates stay on one side: neither side gives away the other."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from ocaml_env.errors import ConfigError
from ocaml_env.problem import Problem
from ocaml_env.problems.similar import alike_statements, similar_pairs

__all__ = ["hold_out"]


def hold_out(problems: Sequence[Problem], share: float, *, seed: int = 0) -> list[Problem]:
    """The problems, in their order, each with ``split`` set to ``train`` or ``eval``.

    Clusters of near-duplicates are ordered by a hash of the seed and their smallest id, and go to the evaluation as
    long as they fit into its share. So the same set, share and seed give the same division on every machine.

    Args:
        problems: the whole set. Its problems belong to no evaluation yet.
        share: of the problems to evaluate on, above 0 and below 1; at least one problem is on each side.
        seed: of the division.

    Raises:
        ConfigError: if the set cannot be divided.
    """
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 < share < 1:
        raise ConfigError(f"holdout must be above 0 and below 1, such as 0.2, not {share!r}")
    if held := [problem.id for problem in problems if problem.split == "eval"]:
        raise ConfigError(
            f"holdout cannot divide a set that has problems for evaluation already, such as {held[0]!r}: leave out "
            "holdout, and give split=train or split=eval"
        )
    clusters = _clusters(problems)
    room = min(max(1, round(share * len(problems))), len(problems) - 1)
    evaluation: set[int] = set()
    for cluster in sorted(clusters, key=lambda places: _hash(seed, min(problems[place].id for place in places))):
        if len(evaluation) + len(cluster) <= room:
            evaluation.update(cluster)
    if not evaluation:
        raise ConfigError(
            f"holdout={share:g} leaves no problem to evaluate on: the {len(problems)} problems form {len(clusters)} "
            "clusters of near-duplicates, and none is small enough; raise holdout, or evaluate on another set"
        )
    return [
        replace(problem, split="eval" if place in evaluation else "train") for place, problem in enumerate(problems)
    ]


def _clusters(problems: Sequence[Problem]) -> list[list[int]]:
    """The places of problems with like tests or statements, directly or through others."""
    leader = list(range(len(problems)))

    def find(place: int) -> int:
        while leader[place] != place:
            leader[place] = place = leader[leader[place]]
        return place

    alike = {(pair.first, pair.second) for pair in similar_pairs(problems)} | alike_statements(problems)
    for first, second in sorted(alike):
        leader[find(second)] = find(first)
    clusters: dict[int, list[int]] = {}
    for place in range(len(problems)):
        clusters.setdefault(find(place), []).append(place)
    return list(clusters.values())


def _hash(seed: int, problem_id: str) -> str:
    return hashlib.sha256(f"{seed}/{problem_id}".encode()).hexdigest()
