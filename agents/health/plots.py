"""The plots of a run's page."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

from agents.health.diagnosis import Diagnosis
from agents.health.measure import start_of
from agents.health.metrics import METRICS
from agents.health.records import Record
from agents.health.samples import Samples
from ocaml_env.display.charts import Area, Line, bars, heat, lines, stacked
from ocaml_env.display.style import GROUP_LOOKS, LEVEL_LOOKS, OUTCOME_LOOKS

__all__ = ["plots"]


def plots(diagnosis: Diagnosis, samples: Samples) -> Iterator[str]:
    """Yields all plots of a run; nothing if it has no logging step."""
    records = diagnosis.run.records
    if not records:
        return
    by_step = all(record.step is not None for record in records)
    xs = [float(record.step or 0) for record in records] if by_step else [float(i + 1) for i in range(len(records))]
    x_name = "step" if by_step else "line of the log"
    marks = [
        (float(change.step), f"step {change.step}: {change.setting} {change.before:g} to {change.after:g}")
        for change in diagnosis.run.interventions
        if by_step
    ]

    def line(name: str, look: str, metric: str, title: str | None = None) -> Line:
        of = METRICS[metric].of
        points = [(x, value) for x, record in zip(xs, records, strict=True) if (value := of(record)) is not None]
        return Line(name=title or name, look=look, points=points)

    yield "<h2>Plots</h2>"
    if marks:
        yield '<p class="dim small">Dashed upright lines: a setting was changed while the run went on.</p>'
    yield '<div class="plots">'
    area, wanted = _trajectory(diagnosis, xs) if diagnosis.profile.trajectory else (None, _start(records, xs))
    paid = Line(
        name="paid",
        look="b",
        points=[(x, r.numbers["reward"]) for x, r in zip(xs, records, strict=True) if "final_reward" in r.numbers]
        if all("reward" in r.numbers for r in records if "final_reward" in r.numbers)
        else [],
    )
    differs = [abs(r.numbers.get("final_reward", 0) - r.numbers.get("reward", 0)) > 1e-9 for r in records]
    drawn = [line("reward", "a", "reward"), *([paid] if paid.points and any(differs) else []), wanted]
    beside = "the expected trajectory" if diagnosis.profile.trajectory else "where it started"
    yield lines(f"Reward, and {beside}", drawn, form="{:.3f}", area=area, marks=marks, x_name=x_name)
    yield lines("Pass rate", [line("pass rate", "c", "pass_rate")], form="{:.1%}", marks=marks, x_name=x_name)
    by_level = _by_level(records, xs)
    yield lines("Pass rate by level", by_level, form="{:.0%}", top=1.0, marks=marks, x_name=x_name)
    asked = [_logged("level", "a", "level", records, xs)]
    yield lines("Mean level of the problems", asked, form="{:.2f}", bottom=None, marks=marks, x_name=x_name)
    yield stacked("Outcomes", _outcomes(records, xs, samples), OUTCOME_LOOKS, x_name=x_name)
    yield heat("Rewards", sorted((float(step), row) for step, row in samples.rewards.items()))
    kinds = [(x, record.groups) for x, record in zip(xs, records, strict=True) if record.groups]
    if kinds:
        yield stacked("Groups by kind (only varied ones teach)", kinds, GROUP_LOOKS, x_name=x_name)
    else:
        tied = [line("frac_zero_std", "a", "zero_variance")]
        yield lines("Groups without variance", tied, form="{:.2f}", marks=marks, x_name=x_name)
    yield lines("Entropy", [line("entropy", "a", "entropy")], form="{:.3f}", marks=marks, x_name=x_name)
    shares = [
        line("truncated", "b", "truncated"),
        line("no code or syntax error", "a", "no_code_or_syntax"),
        line("degenerate", "c", "degenerate"),
    ]
    yield lines("Truncated; gibberish; degenerate", shares, form="{:.0%}", marks=marks, x_name=x_name)
    ratio = [line("compression ratio", "a", "compression_ratio")]
    yield lines("Compression ratio", ratio, form="{:.1f}", marks=marks, x_name=x_name)
    gradient = [line("gradient norm", "a", "grad_norm")]
    yield lines("Gradient norm", gradient, form="{:.3g}", marks=marks, x_name=x_name, log=True)
    rate = [line("learning rate", "a", "learning_rate")]
    yield lines("Learning rate", rate, form="{:.1e}", marks=marks, x_name=x_name)
    yield _errors(samples)
    for title, counts in (("Outcomes by topic", samples.topics), ("Outcomes by level", samples.levels)):
        rows = sorted(counts.items(), key=lambda pair: (-sum(pair[1].values()), pair[0]))[:24]
        yield bars(title, [(name, dict(row)) for name, row in rows], OUTCOME_LOOKS)
    yield "</div>"


def _logged(name: str, look: str, number: str, records: Sequence[Record], xs: Sequence[float]) -> Line:
    """A line through one number of the log."""
    points = [(x, record.numbers[number]) for x, record in zip(xs, records, strict=True) if number in record.numbers]
    return Line(name=name, look=look, points=points)


def _by_level(records: Sequence[Record], xs: Sequence[float]) -> list[Line]:
    """The pass rate at each level in the log."""
    prefix = "pass_rate/level_"
    levels = sorted(
        {name.removeprefix(prefix) for record in records for name in record.numbers if name.startswith(prefix)}
    )
    return [_logged(level, LEVEL_LOOKS.get(level, "a"), prefix + level, records, xs) for level in levels]


def _start(records: Sequence[Record], xs: list[float]) -> Line:
    """The mean reward at the start, drawn over the whole run as the level to rise above."""
    values = [value for record in records if (value := METRICS["reward"].of(record)) is not None]
    start = [value for value in values[: start_of(len(values))] if math.isfinite(value)]
    points = [(x, fmean(start)) for x in (xs[0], xs[-1])] if start else []
    return Line(name="start", look="d", points=points)


def _trajectory(diagnosis: Diagnosis, xs: list[float]) -> tuple[Area | None, Line]:
    """The profile's expected band and reward, at the run's own steps."""
    band, wanted = [], []
    for x, record in zip(xs, diagnosis.run.records, strict=True):
        at = diagnosis.profile.clock.of(record)
        expected = diagnosis.profile.expected(at) if at is not None else None
        if expected is not None:
            phase, reward = expected
            band.append((x, phase.low, phase.high))
            wanted.append((x, reward))
    return (Area(name="band", points=band) if band else None), Line(name="expected", look="d", points=wanted)


def _outcomes(
    records: tuple[Record, ...], xs: list[float], samples: Samples
) -> list[tuple[float, Mapping[str, float]]]:
    """Outcomes from the log if it has them, else from the completions."""
    logged: list[tuple[float, Mapping[str, float]]] = [
        (x, dict(record.outcomes)) for x, record in zip(xs, records, strict=True) if record.outcomes
    ]
    return logged or sorted(((float(s), dict(row)) for s, row in samples.outcomes.items()), key=lambda point: point[0])


def _errors(samples: Samples) -> str:
    rows = []
    for kind, count in samples.errors.most_common(14):
        names = [name for (of, name), _ in samples.names.most_common(200) if of == kind][:1]
        rows.append((f"{kind}: {names[0]}" if names else kind, {"samples": count}))
    return bars(
        "Most frequent OCaml errors",
        rows,
        {"samples": "plain"},
        note="Samples that have an error of the kind, and its commonest name.",
    )
