"""The study: makes and judges the answers once, then asks every preset what it would have paid."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from statistics import fmean
from typing import Any

from tqdm import tqdm

from benchmarks.exploits.attack import Attack, attacks
from benchmarks.exploits.judge import Judge
from benchmarks.quality.ladder import (
    LIMITS,
    SPAM,
    Answer,
    Severity,
    answers,
    dressed,
    judged,
    judged_many,
    ladder,
    stubs,
)
from benchmarks.quality.laws import Material, Trial, forms, sample_forms, small_answers, try_laws
from benchmarks.quality.measures import Order, auc, break_even, distinct, order, spearman, tied_share
from ocaml_env.errors import EngineError
from ocaml_env.extract import Completion, extract
from ocaml_env.problem import Problem
from ocaml_env.reward import RewardSpec
from ocaml_env.verifier import Verifier

__all__ = ["GROUP", "POLICIES", "TRY", "Exploits", "Gathered", "Payoffs", "Policy", "Quality", "assess", "gather"]

GROUP = 8
_DRAWS = 25


@dataclass(frozen=True, kw_only=True)
class Policy:
    """A policy that is simulated.

    Attributes:
        name: of it.
        shares: how often its answers are of each severity; they add up to 1.
        spam: where not empty, the one kind of spam that it writes when it gives no answer.
    """

    name: str
    shares: Mapping[Severity, float]
    spam: str = ""


def _policy(name: str, *shares: float, spam: str = "") -> Policy:
    return Policy(name=name, shares=dict(zip(Severity, shares, strict=True)), spam=spam)


POLICIES = (
    _policy("collapsed", 0.00, 0.00, 0.01, 0.01, 0.01, 0.01, 0.06, 0.02, 0.02, 0.02, 0.84, spam="runaway spam"),
    _policy("base model", 0.02, 0.03, 0.15, 0.15, 0.13, 0.12, 0.20, 0.05, 0.05, 0.05, 0.05),
    _policy("learner", 0.15, 0.15, 0.25, 0.15, 0.08, 0.05, 0.10, 0.03, 0.02, 0.01, 0.01),
    _policy("expert", 0.70, 0.15, 0.08, 0.03, 0.01, 0.00, 0.02, 0.01, 0.00, 0.00, 0.00),
)
"""Assumed, not measured. The base model compiles 2 answers of 10, as the seed's did; the collapsed one writes runaway
spam in 84 answers of 100, as the seed's ended.
"""

TRY = {
    True: {Severity.REFERENCE: 0.1, Severity.FAILS_FEW: 0.3, Severity.FAILS_MOST: 0.6},
    False: {
        Severity.ONE_TYPE_ERROR: 0.3,
        Severity.TWO_TYPE_ERRORS: 0.2,
        Severity.THREE_TYPE_ERRORS: 0.1,
        Severity.SYNTAX_ERROR: 0.3,
        Severity.CUT_AT_75: 0.1,
    },
}
"""What an honest try is that compiles, and one that does not. Assumed: of those that compile a tenth pass."""


@dataclass(frozen=True, kw_only=True)
class Payoffs:
    """What trying and not trying are worth.

    Attributes:
        compiled: mean reward of a try that compiles.
        failed: of one that does not.
        stub: of a stub that raises, in the form that pays best: as it is, or below a comment and with the marker.
        best_stub: of one such stub at most, on any problem.
        spam: of the text without code that pays best.
        spam_kind: which one that is.
        stub_break_even: compile rate below which the stub pays better than trying; infinite where it always does.
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
        """Expected reward of a policy that tries, and compiles at that rate."""
        return rate * self.compiled + (1 - rate) * self.failed


@dataclass(frozen=True, kw_only=True)
class Exploits:
    """What the corpus of attacks earns.

    Attributes:
        count: attacks that are compared; those that may hold a solution are not.
        best: the most that one earns.
        best_name: which one.
        best_stuffed: the most that one earns, or would earn below eight lines of comment and before the END marker.
        above_stub: how many earn more than the stub of their problem that raises.
        above_baseline: how many earn more than what their own file says they must not beat.
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
        order: pairs of answers of neighbouring severities, within a problem; every step weighs the same.
        steps: the same for each step, by the worse severity.
        spearman: rank correlation of reward with severity: -1 is perfect.
        near_far: chance that a near miss is paid more than a far one on the same problem.
        tied: share of groups of 8 with no variance, by policy.
        distinct: how many different rewards the ladders earn.
        by_severity: every reward, by severity.
        laws: one trial a law.
        payoffs: trying and not trying.
        exploits: the attacks.
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

    @property
    def broken(self) -> int:
        """Laws of ``staged`` that do not hold under this preset."""
        return sum(trial.broken > 0 for trial in self.laws)


@dataclass(frozen=True, kw_only=True)
class Gathered:
    """What was judged, once for all presets."""

    material: Material
    groups: Mapping[str, Sequence[Sequence[Answer]]]
    ocaml_version: str


def gather(problems: Sequence[Problem], *, seed: int = 0, workers: int = 2, family: str = "") -> Gathered:
    """Makes and judges every answer. Equal arguments give equal results.

    Args:
        problems: with references.
        seed: of what is drawn.
        workers: of the verifier.
        family: only the attacks of this family; all by default.

    Raises:
        OCamlEnvError: where the engine cannot judge.
    """
    chosen = [attack for attack in attacks(family=family) if not attack.stable and not attack.outcomes]
    found: list[Answer] = []
    empty: list[Answer] = []
    formed = []
    with tqdm(total=len(problems) + len(chosen), unit="", disable=None, leave=False) as bar:
        with Verifier(workers=workers, limits=LIMITS) as verifier:
            for problem in problems:
                bar.set_description(problem.id[:24].ljust(24))
                rng = random.Random(f"{seed}/{problem.id}")
                mine = answers(problem, verifier, rng)
                found += mine
                formed += [forms(answer, verifier) for answer in sample_forms(mine, rng)]
                empty += _stubs(problem, verifier)
                bar.update()
            formed += [forms(answer, verifier) for answer in small_answers(verifier)]
            version = verifier.ocaml_version
        again = _again(found, random.Random(seed))
        bar.set_description("attacks".ljust(24))
        with Judge(workers=workers) as judge:
            attacked = _attacked(chosen, judge, bar)
    material = Material(answers=found, stubs=empty, forms=formed, again=again, attacks=attacked)
    return Gathered(material=material, groups=_groups(found, random.Random(seed)), ocaml_version=version)


def assess(gathered: Gathered, preset: str) -> Quality:
    """Every figure of one preset."""
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
    )


_STUFFING = "(* the answer\n" + "is written below\n" * 8 + "*)\n"

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


def _stubs(problem: Problem, verifier: Verifier) -> list[Answer]:
    """Each as it is, and as one writes it whom the seed's rules have taught."""
    texts = []
    for kind, code in stubs(problem, verifier):
        texts += [(kind, Completion(code), None), (f"{kind}, stuffed", dressed(_STUFFING + code), None)]
    return judged_many(problem, texts, verifier)


def _again(found: Sequence[Answer], rng: random.Random) -> list[tuple[Answer, Answer]]:
    chosen = rng.sample(found, min(len(found), 100))
    with Verifier(workers=1, cache_size=0, limits=LIMITS) as other:
        return [(answer, judged(answer.problem, answer.kind, answer.text, other)) for answer in chosen]


def _groups(found: Sequence[Answer], rng: random.Random) -> dict[str, list[list[Answer]]]:
    """Groups of 8 on one problem. A level that a problem lacks is not drawn there."""
    groups: dict[str, list[list[Answer]]] = {}
    for policy in POLICIES:
        groups[policy.name] = []
        for table in ladder(found).values():
            present = [severity for severity in table if policy.shares[severity] > 0]
            weights = [policy.shares[severity] for severity in present]
            for _ in range(_DRAWS if present else 0):
                drawn = rng.choices(present, weights, k=GROUP)
                groups[policy.name].append([rng.choice(_writes(policy, table[severity])) for severity in drawn])
    return groups


def _writes(policy: Policy, level: Sequence[Answer]) -> Sequence[Answer]:
    """The answers of a level that a policy would give."""
    return [answer for answer in level if answer.kind == policy.spam] or level


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


def _attacked(chosen: Sequence[Attack], judge: Judge, bar: tqdm[Any]) -> list[tuple[Attack, Answer, Answer, Answer]]:
    """Each attack with its own answer, the stub that raises, and what it is held against."""
    effortless: dict[tuple[str, str], Answer] = {}

    def plain(attack: Attack, baseline: str) -> Answer:
        target = attack.target
        key = (target.problem.id, baseline)
        if key not in effortless:
            text = target.wrong if baseline == "wrong" else target.raising
            made = Answer(
                problem=target.problem,
                kind=baseline,
                text=Completion(text),
                extraction=extract(text, kind=target.problem.kind),
                verdict=judge.verdict(target.problem, text),
            )
            effortless[key] = made
        return effortless[key]

    found = []
    for finding in judge.judge_all(chosen):
        bar.update()
        attack = finding.attack
        if finding.verdict is None:
            raise EngineError(f"attack {attack.name}: {finding.fault}")
        raising = plain(attack, "raising")
        answer = replace(
            raising,
            kind=attack.name,
            text=Completion(attack.text),
            extraction=extract(attack.text, kind=attack.target.problem.kind),
            verdict=finding.verdict,
        )
        found.append((attack, answer, raising, plain(attack, attack.baseline)))
    return found


def _stuffed(answer: Answer) -> Answer:
    """The same in the form that the seed's rules pay best. The verdict stays, for a comment changes none."""
    code = answer.extraction.code
    stuffed = None if code is None else _STUFFING + code
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
