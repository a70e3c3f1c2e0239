"""A table of runs as columns of text: the choice of columns, and their cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import partial

from ocaml_env.evaluation.config import RunConfig
from ocaml_env.evaluation.leaderboard.runs import Run, Table
from ocaml_env.evaluation.statistics import Estimate

__all__ = ["Column", "columns_of"]

_NOT_TOLD = frozenset(
    {
        *("model", "problems", "digest", "limit", "left_out", "n", "temperature", "turns", "protocol", "seed", "batch"),
        *("benchmark", "thinking", "versions"),
    }
)
"""Settings with a column of their own, or without effect on the quality of a run."""

_NOTHING = "-"
_LONGEST = 24  # characters of a setting's value


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column.

    Attributes:
        title: its head.
        cell: the text for a run.
        words: True if it holds words, aligned to the left.
        weight: rank of the column; the lightest is left out first if there is no room.
        level: the level of which it has pass@1; None if it has another figure.
    """

    title: str
    cell: Callable[[Run], str]
    words: bool = False
    weight: int
    level: int | None = None


def columns_of(table: Table) -> list[Column]:
    """Returns the columns of a table. Leaves out columns that are empty for every run."""
    alike = len({run.model for run in table.runs}) < len(table.runs)
    faults = any(run.summary.faults.count for run in table.runs)
    found = [
        Column(title="model", cell=lambda run: run.model, words=True, weight=100),
        Column(title="run", cell=lambda run: run.name, words=True, weight=95 if alike else 20),
    ]
    found += _of_benchmark(table.runs) if table.suite.benchmark else _of_set(table.runs)
    found += [
        Column(title="OCaml", cell=_ocaml, words=True, weight=15),
        Column(title="faults", cell=lambda run: str(run.summary.faults.count), weight=85 if faults else 30),
    ]
    if differing := _differing(table.runs):
        found.append(Column(title="settings", cell=lambda run: _settings(run, differing), words=True, weight=5))
    return [column for column in found if any(column.cell(run) != _NOTHING for run in table.runs)]


def _of_benchmark(runs: Sequence[Run]) -> list[Column]:
    levels = sorted({level for run in runs for level in run.levels})
    return [
        Column(title="score", cell=_score, weight=100),
        Column(title="95% interval", cell=_interval, weight=90),
        *(Column(title=f"level {level}", cell=partial(_level, level), weight=80, level=level) for level in levels),
        Column(title="half solved", cell=_half_solved, words=True, weight=50),
        Column(title="cut off", cell=_cut_off, weight=60),
        Column(title="thinking", cell=lambda run: str(run.summary.config.thinking or _NOTHING), weight=40),
        Column(title="fresh gap", cell=_fresh_gap, weight=70),
        Column(title="status", cell=lambda run: run.status or _NOTHING, words=True, weight=75),
    ]


def _of_set(runs: Sequence[Run]) -> list[Column]:
    found = [
        Column(title="n", cell=lambda run: str(run.summary.config.n), weight=70),
        Column(title="T", cell=_temperature, weight=60),
        Column(title="pass@1", cell=_score, weight=100),
        Column(title="95% interval", cell=_interval, weight=90),
    ]
    found.append(Column(title="pass@1, ours", cell=_ours, weight=95))
    found.append(Column(title="broken", cell=_broken, weight=65))
    for k in sorted({k for run in runs for k in run.summary.rates} - {1}):
        found.append(Column(title=f"pass@{k}", cell=partial(_rate, k), weight=80))
    for share in ("parsed", "typechecked", "compiled"):
        weight = 55 if share == "compiled" else 40
        found.append(Column(title=share, cell=partial(_share, share), weight=weight))
    return [
        *found,
        Column(title="reward", cell=lambda run: _number(run.summary.reward, 3), weight=50),
        Column(title="tokens/s", cell=lambda run: _number(run.summary.tokens_per_second, 0), weight=10),
    ]


def _ocaml(run: Run) -> str:
    return run.summary.config.versions.get("ocaml", _NOTHING)


def _score(run: Run) -> str:
    return _estimate(run.score)


def _ours(run: Run) -> str:
    found = run.summary.protocol
    return _NOTHING if found is None else _estimate(found.ours.rates.get(1))


def _broken(run: Run) -> str:
    found = run.summary.protocol
    return _NOTHING if found is None else str(len(found.broken))


def _level(level: int, run: Run) -> str:
    return _percent(run.levels.get(level))


def _half_solved(run: Run) -> str:
    found = run.summary.benchmark
    return found.half_solved.removeprefix("solves half ") if found else _NOTHING


def _cut_off(run: Run) -> str:
    found = run.summary.benchmark
    return f"{found.cut_off:.1%}{' †' if found.too_many_cut_off else ''}" if found else _NOTHING


def _fresh_gap(run: Run) -> str:
    return _NOTHING if run.fresh_gap is None else f"{100 * run.fresh_gap:+.1f}"


def _rate(k: int, run: Run) -> str:
    return _estimate(run.summary.rates.get(k))


def _interval(run: Run) -> str:
    rate = run.score
    return _NOTHING if rate is None else f"{100 * rate.low:.1f} to {100 * rate.high:.1f}"


def _temperature(run: Run) -> str:
    temperature = run.summary.config.temperature
    return _NOTHING if temperature is None else f"{temperature:g}"


def _share(name: str, run: Run) -> str:
    return _percent(run.summary.funnel.get(name))


def _estimate(rate: Estimate | None) -> str:
    return _percent(None if rate is None else rate.estimate)


def _percent(share: float | None) -> str:
    return _NOTHING if share is None else f"{share:.1%}"


def _number(value: float | None, places: int) -> str:
    return _NOTHING if value is None else f"{value:.{places}f}"


def _differing(runs: Sequence[Run]) -> list[str]:
    """The settings with different values among the runs."""
    names = [field.name for field in fields(RunConfig) if field.name not in _NOT_TOLD]
    return [name for name in names if len({_shown(run, name) for run in runs} - {""}) > 1]


def _settings(run: Run, names: Sequence[str]) -> str:
    return ", ".join(f"{name} {shown}" for name in names if (shown := _shown(run, name))) or _NOTHING


def _shown(run: Run, name: str) -> str:
    value = run.summary.config.settings().get(name)
    text = "" if value is None or value == "" else str(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
