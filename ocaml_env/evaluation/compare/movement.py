"""Flipped problems, and the movement of samples from outcome to outcome.

Samples of a problem have no partner in the other evaluation, so the least possible movement is assumed: samples with
the same outcome stay, and the rest are paired from worst to best. If A and B have unequal numbers of samples of a
problem, its samples have weights, so that each side weighs as much as the smaller one.
"""

from __future__ import annotations

import enum
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from ocaml_env.evaluation.compare.pairs import Pair
from ocaml_env.evaluation.compare.side import OUTCOMES, Answers
from ocaml_env.verdict import Outcome

__all__ = ["Flip", "Kind", "Moves", "flips", "movement"]

Moves = Mapping[tuple[Outcome, Outcome], float]
"""(outcome in A, outcome in B) -> samples."""


class Kind(enum.StrEnum):
    """The change of a problem's rate."""

    GAINED = "gained"
    LOST = "lost"
    ROSE = "rose"
    FELL = "fell"


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip:
    """A problem solved more or less often in B than in A.

    Attributes:
        problem: its id.
        kind: gained: never solved in A, solved in B; lost: the other way; rose and fell: solved in both.
        level: level of the problem.
        a: solved samples and all samples in A.
        b: the same in B.
    """

    problem: str
    kind: Kind
    level: str
    a: tuple[int, int]
    b: tuple[int, int]

    @property
    def rise(self) -> float:
        return self.b[0] / self.b[1] - self.a[0] / self.a[1]


def flips(pairs: Sequence[Pair]) -> list[Flip]:
    """Returns the problems with a changed rate, the largest change first."""
    found = [
        Flip(
            problem=pair.problem,
            kind=_kind(pair),
            level=pair.b.level,
            a=(pair.a.solved, len(pair.a.samples)),
            b=(pair.b.solved, len(pair.b.samples)),
        )
        for pair in pairs
        if pair.a.rate != pair.b.rate
    ]
    return sorted(found, key=lambda flip: (-abs(flip.rise), flip.problem))


def movement(pairs: Sequence[Pair]) -> Moves:
    """Counts samples by their outcomes in A and in B."""
    moves: dict[tuple[Outcome, Outcome], Fraction] = defaultdict(Fraction)
    for pair in pairs:
        for before, after, weight in _moves(_outcomes(pair.a), _outcomes(pair.b)):
            moves[before, after] += weight
    return {key: float(weight) for key, weight in moves.items()}


def _moves(a: Counter[Outcome], b: Counter[Outcome]) -> Iterator[tuple[Outcome, Outcome, Fraction]]:
    size = lcm(a.total(), b.total())
    weight = Fraction(min(a.total(), b.total()), size)
    before = Counter({outcome: count * (size // a.total()) for outcome, count in a.items()})
    after = Counter({outcome: count * (size // b.total()) for outcome, count in b.items()})
    stay = before & after
    for outcome, count in stay.items():
        yield outcome, outcome, count * weight
    gone, come = _worst_first(before - stay), _worst_first(after - stay)
    for (old, new), count in Counter(zip(gone, come, strict=True)).items():
        yield old, new, count * weight


def _worst_first(counts: Counter[Outcome]) -> Iterator[Outcome]:
    return (outcome for outcome in OUTCOMES for _ in range(counts[outcome]))


def _outcomes(answers: Answers) -> Counter[Outcome]:
    return Counter(sample.outcome for sample in answers.samples)


def _kind(pair: Pair) -> Kind:
    if not pair.a.solved:
        return Kind.GAINED
    if not pair.b.solved:
        return Kind.LOST
    return Kind.ROSE if pair.b.rate > pair.a.rate else Kind.FELL
