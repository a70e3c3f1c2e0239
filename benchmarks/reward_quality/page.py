"""Presents the study as a self-contained HTML page: the table, plots, the laws and the assumptions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.reward_quality.effort import KINDS, honest
from benchmarks.reward_quality.evidence import SHARES
from benchmarks.reward_quality.ladder import Severity
from benchmarks.reward_quality.policies import POLICIES, TRY
from benchmarks.reward_quality.strategies import STRATEGIES
from benchmarks.reward_quality.study import Quality
from benchmarks.reward_quality.table import Row
from ocaml_env.display.charts import Line, bars, heat, lines
from ocaml_env.display.markup import plain
from ocaml_env.display.page import document

__all__ = ["page"]

_LOOKS = ("a", "f", "b", "c", "e")
_MORE_STYLE = (
    ".line.e { stroke: var(--warn); } .key.e { background: var(--warn); } td.best { font-weight: 700; }"
    " .line.f { stroke: var(--bar); stroke-dasharray: 2 3; } .key.f { background: var(--bar); opacity: .5; }"
)
_BINS = 20
_RATES = [rate / 20 for rate in range(21)]


def page(qualities: Sequence[Quality], rows: Sequence[Row], sentences: Sequence[str], *, about: str) -> str:
    """Makes the whole page.

    Args:
        qualities: one for each preset.
        rows: rows of the table.
        sentences: the summary.
        about: a line on the measured problems and answers.
    """
    body = _body(qualities, rows, sentences, about)
    return "\n".join(document("Reward quality", body, style=_MORE_STYLE))


def _body(qualities: Sequence[Quality], rows: Sequence[Row], sentences: Sequence[str], about: str) -> Iterator[str]:
    yield f'<h1>Reward quality</h1><p class="dim">{plain(about)}</p>'
    yield '<div class="verdict">' + "".join(f"<p>{plain(sentence)}</p>" for sentence in sentences) + "</div>"
    yield from _table(qualities, rows)
    yield '<h2>Plots</h2><div class="plots">'
    yield from _plots(qualities)
    yield "</div>"
    yield from _giving_up(qualities)
    yield from _laws(qualities)
    yield from _assumed()


def _table(qualities: Sequence[Quality], rows: Sequence[Row]) -> Iterator[str]:
    head = "".join(f'<th class="n">{plain(quality.preset)}</th>' for quality in qualities)
    yield f'<div class="wide"><table><tr><th>measure</th>{head}<th>better</th></tr>'
    for row in rows:
        cells = "".join(
            f'<td class="n{" best good" if place in row.best else ""}">{plain(cell)}</td>'
            for place, cell in enumerate(row.cells)
        )
        indent = "&emsp;" if row.title.startswith(" ") else ""
        yield f'<tr><td>{indent}{plain(row.title.strip())}</td>{cells}<td class="dim">{plain(row.better)}</td></tr>'
    yield "</table></div>"


def _plots(qualities: Sequence[Quality]) -> Iterator[str]:
    looks = dict(zip((quality.preset for quality in qualities), _LOOKS, strict=True))
    means = {
        quality.preset: [(float(s), sum(paid) / len(paid)) for s, paid in quality.by_severity.items() if paid]
        for quality in qualities
    }
    yield lines(
        "Mean reward by severity",
        [Line(name=name, look=looks[name], points=points) for name, points in means.items()],
        form="{:.2f}",
        x_name="severity",
    )
    gains = [
        Line(
            name=quality.preset,
            look=looks[quality.preset],
            points=[(rate, quality.payoffs.trying(rate) - _effortless(quality)) for rate in _RATES],
        )
        for quality in qualities
    ]
    nothing = Line(name="no gain", look="d", points=[(0.0, 0.0), (1.0, 0.0)])
    yield lines(
        "Reward of trying above the best stub or spam",
        [*gains, nothing],
        form="{:.2f}",
        bottom=-0.2,
        top=0.6,
        x_name="compile rate",
    )
    yield lines(
        "Share of groups of 8 without variance",
        [
            Line(
                name=quality.preset,
                look=looks[quality.preset],
                points=[(place, quality.tied[p.name]) for place, p in enumerate(POLICIES, 1) if p.name in quality.tied],
            )
            for quality in qualities
        ],
        form="{:.0%}",
        top=1.0,
        x_name=", ".join(f"{place} {policy.name}" for place, policy in enumerate(POLICIES, 1)),
    )
    yield lines(
        "Mean reward by share of right functions",
        [
            Line(
                name=quality.preset,
                look=looks[quality.preset],
                points=[
                    (float(place), quality.evidence.partial[share].mean)
                    for place, share in enumerate(SHARES)
                    if share in quality.evidence.partial
                ],
            )
            for quality in qualities
        ],
        form="{:.2f}",
        x_name=", ".join(f"{place} {share}" for place, share in enumerate(SHARES)),
    )
    yield bars(
        "Attacks",
        [
            (
                quality.preset,
                {
                    "no more than their baseline": quality.exploits.count - quality.exploits.above_baseline,
                    "more": quality.exploits.above_baseline,
                },
            )
            for quality in qualities
        ],
        {"no more than their baseline": "o1", "more": "o11"},
    )
    for quality in qualities:
        yield heat(
            f"{quality.preset}: rewards by severity",
            [(float(severity), _binned(paid)) for severity, paid in quality.by_severity.items() if paid],
            x_name="severity",
        )


def _giving_up(qualities: Sequence[Quality]) -> Iterator[str]:
    head = "".join(f'<th class="n">{plain(quality.preset)}</th>' for quality in qualities)
    yield "<h2>Giving up, and honest answers</h2>"
    yield f'<div class="wide"><table><tr><th>mean reward of a strategy over all problems</th>{head}</tr>'
    for strategy in STRATEGIES:
        yield f"<tr><td>{plain(strategy)}</td>"
        for giving_up in (quality.evidence.giving_up for quality in qualities):
            best = " best" if strategy == giving_up.best else ""
            yield f'<td class="n{best}">{giving_up.means[strategy]:.3f}</td>'
        yield "</tr>"
    yield "</table></div>"
    yield '<div class="wide"><table><tr><th>honest answers: mean reward, gain over giving up, share above it</th>'
    yield f'<th class="n">answers</th>{head}</tr>'
    for title, group, key in KINDS:
        found = [honest(quality.evidence, group, key) for quality in qualities]
        if found[0]:
            yield f'<tr><td>{plain(title)}</td><td class="n">{found[0].count}</td>'
            yield from (
                f'<td class="n">{some.mean:.2f}, {some.gain:+.2f}, {some.above:.0%}</td>' for some in found if some
            )
            yield "</tr>"
    yield "</table></div>"


def _effortless(quality: Quality) -> float:
    return max(quality.payoffs.stub, quality.payoffs.spam)


def _binned(paid: Sequence[float]) -> list[int]:
    counts = [0] * _BINS
    for reward in paid:
        counts[max(0, min(_BINS - 1, int(reward * _BINS + 1e-6)))] += 1
    return counts


def _laws(qualities: Sequence[Quality]) -> Iterator[str]:
    head = "".join(f'<th class="n">{plain(quality.preset)}</th>' for quality in qualities)
    yield f'<h2>The laws of staged</h2><div class="wide"><table><tr><th>law</th>{head}</tr>'
    for trials in zip(*(quality.laws for quality in qualities), strict=True):
        cells = "".join(
            f'<td class="n {"bad" if trial.broken else "good" if trial.cases else "dim"}">'
            + (f"{trial.broken} of {trial.cases} broken" if trial.broken else f"{trial.cases} kept")
            + "</td>"
            for trial in trials
        )
        yield f"<tr><td>{plain(trials[0].law)}</td>{cells}</tr>"
    yield "</table></div>"
    for quality in qualities:
        if quality.broken:
            yield f"<details><summary>How {plain(quality.preset)} breaks {quality.broken} of them</summary><ul>"
            yield from (
                f"<li>{plain(trial.law)}: {plain(trial.example)}</li>" for trial in quality.laws if trial.broken
            )
            yield "</ul></details>"


def _assumed() -> Iterator[str]:
    names = "".join(f'<th class="n">{plain(policy.name)}</th>' for policy in POLICIES)
    yield "<h2>Assumptions</h2>"
    yield "<p>The shares of each severity in the answers of simulated policies and in honest tries are assumed.</p>"
    yield f'<div class="wide"><table><tr><th class="n">severity</th><th>answer</th>{names}<th class="n">a try</th></tr>'
    tries = {severity: (share, compiles) for compiles, shares in TRY.items() for severity, share in shares.items()}
    for severity in Severity:
        shares = "".join(f'<td class="n">{policy.shares[severity]:.0%}</td>' for policy in POLICIES)
        share, compiles = tries.get(severity, (0.0, False))
        told = f"{share:.0%} if it {'compiles' if compiles else 'fails'}" if share else ""
        yield f'<tr><td class="n">{int(severity)}</td><td>{plain(severity.title)}</td>{shares}'
        yield f'<td class="n">{told}</td></tr>'
    yield "</table></div>"
