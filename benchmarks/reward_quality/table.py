"""Presents the figures as rows with presets as columns, and as sentences."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from benchmarks.reward_quality.effort import Measure, measures, sentence
from benchmarks.reward_quality.policies import GROUP
from benchmarks.reward_quality.study import Quality

__all__ = ["Row", "meaning", "record", "rows"]


@dataclass(frozen=True, kw_only=True)
class Row:
    """One measure.

    Attributes:
        title: for people.
        better: the better direction or value, for people.
        cells: the figure of each preset, as text.
        best: indices of the best presets; empty if all are equal.
    """

    title: str
    better: str
    cells: Sequence[str]
    best: frozenset[int]


def rows(qualities: Sequence[Quality]) -> list[Row]:
    """Makes a row for each measure."""
    return [_row(measure, qualities) for measure in (*_measures(qualities[0]), *measures(qualities[0]))]


def meaning(qualities: Sequence[Quality]) -> list[str]:
    """Summarises the figures in sentences."""
    return [_of_laws(qualities), _of_signal(qualities), _of_trying(qualities), sentence(qualities)]


def record(quality: Quality) -> dict[str, Any]:
    """Returns every figure of a preset as plain values; None if there is none, or if trying never pays."""
    payoffs, exploits = quality.payoffs, quality.exploits
    return {
        "order": _order(quality.order),
        "steps": {severity.name.lower(): _order(step) for severity, step in quality.steps.items()},
        "spearman": quality.spearman,
        "near_far": quality.near_far,
        "tied": dict(quality.tied),
        "distinct": quality.distinct,
        "mean_by_severity": {
            severity.name.lower(): sum(rewards) / len(rewards)
            for severity, rewards in quality.by_severity.items()
            if rewards
        },
        "laws_broken": quality.broken,
        "laws": [
            {"law": trial.law, "cases": trial.cases, "broken": trial.broken, "example": trial.example}
            for trial in quality.laws
        ],
        "payoffs": {
            "compiled": payoffs.compiled,
            "failed": payoffs.failed,
            "stub": payoffs.stub,
            "best_stub": payoffs.best_stub,
            "spam": payoffs.spam,
            "spam_kind": payoffs.spam_kind,
            "stub_break_even": _finite(payoffs.stub_break_even),
            "spam_break_even": _finite(payoffs.spam_break_even),
        },
        "exploits": {
            "count": exploits.count,
            "best": exploits.best,
            "best_name": exploits.best_name,
            "best_stuffed": exploits.best_stuffed,
            "above_stub": exploits.above_stub,
            "above_baseline": exploits.above_baseline,
        },
        **asdict(quality.evidence),
    }


# --- rows -------------------------------------------------------------------------------------------------------------


def _measures(any_quality: Quality) -> Iterator[Measure]:
    yield Measure(title="neighbouring severities in order", better="more", of=_order_share("right"), form="{:.0%}")
    yield Measure(title="  paid the same", better="fewer", of=_order_share("tied"), form="{:.0%}")
    yield Measure(title="  the worse one paid more", better="fewer", of=_order_share("reversed"), form="{:.0%}")
    yield Measure(title="rank correlation with severity", better="-1", of=lambda q: q.spearman, form="{:.2f}")
    yield Measure(title="near miss above far miss (AUC)", better="1", of=lambda q: q.near_far, form="{:.2f}")
    for name in any_quality.tied:
        yield Measure(title=f"tied groups of {GROUP}, {name}", better="fewer", of=_tied(name), form="{:.0%}")
    yield Measure(title="distinct rewards", better="more", of=lambda q: q.distinct, form="{:.0f}")
    yield Measure(
        title=f"laws of staged broken, of {len(any_quality.laws)}", better="fewer", of=lambda q: q.broken, form="{:.0f}"
    )
    yield Measure(
        title="a stub that raises earns, on average", better="less", of=lambda q: q.payoffs.stub, form="{:.3f}"
    )
    yield Measure(title="  at most, on any problem", better="less", of=lambda q: q.payoffs.best_stub, form="{:.3f}")
    yield Measure(title="spam earns", better="less", of=lambda q: q.payoffs.spam, form="{:.3f}")
    yield Measure(
        title="the stub pays below a compile rate of",
        better="lower",
        of=lambda q: q.payoffs.stub_break_even,
        form="{:.0%}",
    )
    yield Measure(
        title="spam pays below a compile rate of", better="lower", of=lambda q: q.payoffs.spam_break_even, form="{:.0%}"
    )
    yield Measure(title="the best attack earns", better="less", of=lambda q: q.exploits.best, form="{:.3f}")
    yield Measure(
        title="  with a comment and END marker", better="less", of=lambda q: q.exploits.best_stuffed, form="{:.3f}"
    )
    count = any_quality.exploits.count
    yield Measure(
        title=f"attacks above a stub that raises, of {count}",
        better="fewer",
        of=lambda q: q.exploits.above_stub,
        form="{:.0f}",
    )
    yield Measure(
        title=f"attacks above their own baseline, of {count}",
        better="fewer",
        of=lambda q: q.exploits.above_baseline,
        form="{:.0f}",
    )


def _order_share(name: str) -> Callable[[Quality], float | None]:
    return lambda quality: None if quality.order is None else float(getattr(quality.order, name))


def _tied(name: str) -> Callable[[Quality], float | None]:
    return lambda quality: quality.tied.get(name)


def _row(measure: Measure, qualities: Sequence[Quality]) -> Row:
    values = [measure.of(quality) for quality in qualities]
    cells = [_shown(value, measure.form) for value in values]
    known = [value for value in values if value is not None]
    wanted = max if measure.better in ("more", "1") else min
    best = _shown(wanted(known), measure.form) if known else ""
    winners = frozenset(place for place, cell in enumerate(cells) if cell == best)
    return Row(
        title=measure.title,
        better=measure.better,
        cells=cells,
        best=winners if len(winners) < len(cells) else frozenset(),
    )


def _shown(value: float | None, form: str) -> str:
    if value is None:
        return "-"
    return form.format(value + 0.0) if math.isfinite(value) else "any"


# --- sentences --------------------------------------------------------------------------------------------------------


def _of_laws(qualities: Sequence[Quality]) -> str:
    kept = [quality.preset for quality in qualities if not quality.broken]
    worst = max(qualities, key=lambda quality: quality.broken)
    if not worst.broken:
        return "No preset breaks a law of staged on these answers."
    trial = max(worst.laws, key=lambda trial: trial.broken / max(trial.cases, 1))
    first = f"{_listed(kept)} {'keep' if len(kept) > 1 else 'keeps'} every law" if kept else "Every preset breaks a law"
    return (
        f"{first}; {worst.preset} breaks {worst.broken} of {len(worst.laws)}, most often "
        f'"{trial.law}" ({trial.broken} of {trial.cases} cases: {trial.example}).'
    )


def _of_signal(qualities: Sequence[Quality]) -> str:
    ordered = [quality for quality in qualities if quality.order is not None]
    if not ordered:
        return "There are too few answers to compare severities."
    best = max(ordered, key=lambda quality: quality.order.right if quality.order else 0.0)
    wrong = max(ordered, key=lambda quality: quality.order.reversed if quality.order else 0.0)
    text = f"{best.preset} tells most severities apart ({_percent(best.order.right if best.order else 0)})"
    if wrong.order and wrong.order.reversed:
        text += f", {wrong.preset} pays the worse answer more most often ({_percent(wrong.order.reversed)})"
    blind = [quality.preset for quality in qualities if quality.near_far is not None and quality.near_far < 0.55]
    if blind:
        text += f", and {_listed(blind)} cannot tell a near miss from a far one"
    name = "base model"
    tied = [quality for quality in qualities if name in quality.tied]
    if tied:
        most, least = (pick(tied, key=lambda quality: quality.tied[name]) for pick in (max, min))
        text += (
            f"; of a {name}'s groups {most.preset} leaves {_percent(most.tied[name])} without a gradient, "
            f"{least.preset} {_percent(least.tied[name])}"
        )
    return text + "."


def _of_trying(qualities: Sequence[Quality]) -> str:
    worst = max(qualities, key=lambda quality: quality.payoffs.stub_break_even)
    text = f"A stub that raises pays {_below(worst.payoffs.stub_break_even)} under {worst.preset}"
    others = [quality for quality in qualities if quality is not worst]
    if others:
        text += f" ({', '.join(f'{_rate(q.payoffs.stub_break_even)} under {q.preset}' for q in others)})"
    spammed = [quality for quality in qualities if quality.payoffs.spam_break_even > 0]
    if not spammed:
        return f"{text}; spam never pays better than trying."
    paid = max(spammed, key=lambda quality: quality.payoffs.spam_break_even)
    return (
        f"{text}; {paid.payoffs.spam_kind} earns {paid.payoffs.spam:.3f} under {paid.preset} and pays "
        f"{_below(paid.payoffs.spam_break_even)}, {'as no spam does elsewhere' if len(spammed) == 1 else 'and more'}."
    )


def _below(rate: float) -> str:
    if rate == 0:
        return "never better than trying"
    return f"better than trying below a compile rate of {_percent(rate)}" if math.isfinite(rate) else "always better"


def _rate(rate: float) -> str:
    return _percent(rate) if math.isfinite(rate) else "always"


def _percent(share: float) -> str:
    return f"{share:.0%}"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _order(order: Any) -> dict[str, float] | None:
    return None if order is None else {"right": order.right, "tied": order.tied, "reversed": order.reversed}


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
