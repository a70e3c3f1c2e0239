"""Computes the rewards of a preset for all gathered answers, and its figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from statistics import fmean

from benchmarks.reward_quality.evidence import Evidence, weigh
from benchmarks.reward_quality.gather import Gathered
from benchmarks.reward_quality.ladder import SPAM, STUFFING, Answer, Severity, ladder
from benchmarks.reward_quality.laws import Trial, try_laws
from benchmarks.reward_quality.measures import Order, auc, break_even, distinct, order, spearman, tied_share
from benchmarks.reward_quality.policies import TRY
from ocaml_env.reward import RewardSpec

__all__ = ["Exploits", "Payoffs", "Quality", "assess"]


@dataclass(frozen=True, kw_only=True)
class Payoffs:
    """Rewards of trying and of not trying.

    Attributes:
        compiled: mean reward of a compiling try.
        failed: mean reward of a failing try.
        stub: mean reward of a raising stub, in its better form: plain, or below a comment and with the END marker.
        best_stub: the highest reward of such a stub on any problem.
        spam: mean reward of the best-paid kind of spam.
        spam_kind: that kind; "" if all spam earns 0.
        stub_break_even: compile rate below which the stub pays more than trying; infinite if it always does.
        spam_break_even: likewise for spam.
    """

    compiled: float
    failed: float
    stub: float
    best_stub: float
    spam: float
    spam_kind: str
    stub_break_even: float
    spam_break_even: float

    def trying(self, rate: float) -> float:
        """Returns the expected reward of a policy that tries and compiles at this rate."""
        return rate * self.compiled + (1 - rate) * self.failed


@dataclass(frozen=True, kw_only=True)
class Exploits:
    """Rewards of the attacks.

    Attributes:
        count: number of compared attacks; attacks that may contain a solution are left out.
        best: the highest reward of an attack.
        best_name: that attack.
        best_stuffed: the highest reward of an attack in the form that the seed's rules pay best.
        above_stub: number of attacks paid more than the raising stub of their problem.
        above_baseline: number of attacks paid more than the baseline in their file.
    """

    count: int
    best: float
    best_name: str
    best_stuffed: float
    above_stub: int
    above_baseline: int


@dataclass(frozen=True, kw_only=True)
class Quality:
    """All figures of one preset.

    Attributes:
        preset: its name.
        order: order of answers of neighbouring severities to the same problem; every step has the same weight.
        steps: the same for each step, by the worse severity.
        spearman: rank correlation of reward with severity; -1 is perfect.
        near_far: chance that a near miss is paid more than a far one on the same problem.
        tied: share of groups of 8 without variance, by policy.
        distinct: number of different rewards in the ladders.
        by_severity: every reward, by severity.
        laws: a trial of each law.
        payoffs: trying and not trying.
        exploits: the attacks.
        evidence: giving up, and partly right honest answers.
    """

    preset: str
    order: Order | None
    steps: Mapping[Severity, Order]
    spearman: float | None
    near_far: float | None
    tied: Mapping[str, float]
    distinct: int
    by_severity: Mapping[Severity, Sequence[float]]
    laws: Sequence[Trial]
    payoffs: Payoffs
    exploits: Exploits
    evidence: Evidence

    @property
    def broken(self) -> int:
        """The number of laws of ``staged`` broken under this preset."""
        return sum(trial.broken > 0 for trial in self.laws)


def assess(gathered: Gathered, preset: str) -> Quality:
    """Computes every figure of one preset."""
    spec = RewardSpec.preset(preset)
    found = gathered.material.answers
    levels = ladder(found)
    paid = {
        name: {severity: [answer.total(spec) for answer in level] for severity, level in table.items()}
        for name, table in levels.items()
    }
    by_severity = {
        severity: [reward for table in paid.values() for reward in table.get(severity, ())] for severity in Severity
    }
    steps = {}
    for better, worse in pairwise(Severity):
        if step := order(_pairs(paid, better, worse)):
            steps[worse] = step
    rewards = [(reward, float(severity)) for severity, row in by_severity.items() for reward in row]
    return Quality(
        preset=preset,
        order=_mean(list(steps.values())),
        steps=steps,
        spearman=spearman([reward for reward, _ in rewards], [severity for _, severity in rewards]),
        near_far=auc(_pairs(paid, Severity.FAILS_FEW, Severity.FAILS_MOST)),
        tied={
            name: tied_share([[answer.total(spec) for answer in group] for group in groups])
            for name, groups in gathered.groups.items()
            if groups
        },
        distinct=distinct(reward for reward, _ in rewards),
        by_severity=by_severity,
        laws=try_laws(gathered.material, spec),
        payoffs=_payoffs(gathered, by_severity, spec),
        exploits=_exploits(gathered, spec),
        evidence=weigh(gathered, spec),
    )


# --- parts ------------------------------------------------------------------------------------------------------------

_Paid = Mapping[str, Mapping[Severity, Sequence[float]]]


def _pairs(paid: _Paid, better: Severity, worse: Severity) -> list[tuple[float, float]]:
    return [pair for table in paid.values() for pair in product(table.get(better, ()), table.get(worse, ()))]


def _mean(steps: Sequence[Order]) -> Order | None:
    if not steps:
        return None
    return Order(
        right=fmean(step.right for step in steps),
        tied=fmean(step.tied for step in steps),
        reversed=fmean(step.reversed for step in steps),
    )


def _payoffs(gathered: Gathered, by_severity: Mapping[Severity, Sequence[float]], spec: RewardSpec) -> Payoffs:
    means = {severity: fmean(rewards) for severity, rewards in by_severity.items() if rewards}
    compiled, failed = (_weighted(TRY[True], means), _weighted(TRY[False], means))
    raising = [answer for answer in gathered.material.stubs if answer.kind.startswith("stub that raises")]
    stub = max((mean for _, mean in _means(raising, spec)), default=0.0)
    spam_kind, spam = max(
        _means([answer for answer in gathered.material.answers if answer.kind in SPAM], spec),
        key=lambda pair: pair[1],
        default=("", 0.0),
    )
    return Payoffs(
        compiled=compiled,
        failed=failed,
        stub=stub,
        best_stub=max((answer.total(spec) for answer in raising), default=0.0),
        spam=spam,
        spam_kind=spam_kind if spam > 0 else "",
        stub_break_even=break_even(compiled=compiled, failed=failed, effortless=stub),
        spam_break_even=break_even(compiled=compiled, failed=failed, effortless=spam),
    )


def _weighted(shares: Mapping[Severity, float], means: Mapping[Severity, float]) -> float:
    present = {severity: share for severity, share in shares.items() if severity in means}
    whole = sum(present.values())
    return sum(share * means[severity] for severity, share in present.items()) / whole if whole else 0.0


def _means(found: Sequence[Answer], spec: RewardSpec) -> list[tuple[str, float]]:
    kinds = dict.fromkeys(answer.kind for answer in found)
    return [(kind, fmean(answer.total(spec) for answer in found if answer.kind == kind)) for kind in kinds]


def _stuffed(answer: Answer) -> Answer:
    """Puts an answer into the form that the seed's rules pay best. The added comment does not change its verdict."""
    code = answer.extraction.code
    stuffed = None if code is None else STUFFING + code
    return replace(answer, extraction=replace(answer.extraction, code=stuffed, marker=True))


def _exploits(gathered: Gathered, spec: RewardSpec) -> Exploits:
    rows = [
        (attack.name, answer.total(spec), raising.total(spec), baseline.total(spec))
        for attack, answer, raising, baseline in gathered.material.attacks
    ]
    best_name, best = max(((name, total) for name, total, _, _ in rows), key=lambda row: row[1], default=("", 0.0))
    return Exploits(
        count=len(rows),
        best=best,
        best_name=best_name,
        best_stuffed=max((_stuffed(answer).total(spec) for _, answer, _, _ in gathered.material.attacks), default=best),
        above_stub=sum(total > stub + 1e-9 for _, total, stub, _ in rows),
        above_baseline=sum(total > ceiling + 1e-9 for _, total, _, ceiling in rows),
    )
