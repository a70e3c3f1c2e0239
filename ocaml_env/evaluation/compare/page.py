"""The comparison as one self-contained HTML page, without a script."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ocaml_env.display.markup import plain
from ocaml_env.display.page import document
from ocaml_env.evaluation.compare.difference import FEWEST, LEVEL, Difference
from ocaml_env.evaluation.compare.formatting import (
    PAIRED,
    about,
    flipped,
    interval,
    number,
    of_movement,
    rise,
    shown_p,
    value,
    verdict,
)
from ocaml_env.evaluation.compare.movement import Flip, Kind
from ocaml_env.evaluation.compare.rises import STYLE, rises
from ocaml_env.evaluation.compare.side import OUTCOMES
from ocaml_env.evaluation.compare.study import Comparison
from ocaml_env.evaluation.models.base import short_name

__all__ = ["page"]

_KINDS = {
    Kind.GAINED: "Never solved in A, solved in B",
    Kind.LOST: "Solved in A, never in B",
    Kind.ROSE: "Solved more often in B",
    Kind.FELL: "Solved less often in B",
}
_STYLE = f"""{STYLE}
.verdict p:first-child {{ font-weight: 600; }}
.matrix td.stay {{ background: var(--soft); }} .wide table {{ min-width: 34rem; }}
.flips td {{ overflow-wrap: anywhere; }}
"""


def page(found: Comparison) -> str:
    """Renders the whole page."""
    title = " and ".join(short_name(side.config.model) for side in (found.a, found.b)) + ", compared"
    return "\n".join(document(title, _body(found, title), style=_STYLE)) + "\n"


def _body(found: Comparison, title: str) -> Iterator[str]:
    yield f"<h1>{plain(title)}</h1>"
    for name, side in (("A", found.a), ("B", found.b)):
        model, more = plain(short_name(side.config.model)), plain(about(side))
        yield f'<div><strong>{name}: {model}</strong> <span class="dim">{more}</span></div>'
    one = found.figures["pass@1"]
    look = "" if not one.distinct else "good" if one.estimate > 0 else "bad"
    yield f'<div class="verdict {look}"><p>{plain(verdict(found))}</p>'
    yield f"<p>{plain(flipped(found))} {len(found.pairs.compared)} problems are compared, each with itself.</p></div>"
    if found.warnings:
        yield '<div class="verdict note"><p>Not like with like</p><ul>'
        yield from (f"<li>{plain(warning)}</li>" for warning in found.warnings)
        yield "</ul></div>"
    yield from _figures(found)
    yield from _plots(found)
    yield from _movement(found)
    yield "<h2>Problems that flipped</h2>"
    for kind, words in _KINDS.items():
        yield from _flips(words, found.of(kind), opened=kind in (Kind.GAINED, Kind.LOST))
    yield "<h2>Levels and topics</h2>"
    yield from _table("level", found.by_level, shares_of="pass@1")
    yield from _table("topic", found.by_topic, shares_of="pass@1")
    yield '<p class="dim small">pass@1. Where nothing changed, one such line in 20 is coloured still.</p>'
    yield from _left_out(found)


def _figures(found: Comparison) -> Iterator[str]:
    yield "<h2>Figures</h2>"
    yield from _table("figure", found.figures)
    yield (
        '<p class="dim small">Means over problems, and B - A: that of shares in points. Intervals: 95%, by bootstrap '
        f"over problems; p: of the sign-flip test. Coloured: distinguishable from zero by both, p &lt; {LEVEL:g}.</p>"
    )


def _table(title: str, figures: Mapping[str, Difference], *, shares_of: str = "") -> Iterator[str]:
    head = "".join(f'<th class="n">{name}</th>' for name in ("A", "B", "B - A", "95% interval", "p", "problems"))
    yield f'<div class="wide"><table><tr><th>{title}</th>{head}</tr>'
    for name, one in figures.items():
        figure = shares_of or name
        look = "" if not one.distinct or name == "tokens" else " good" if one.estimate > 0 else " bad"
        told = interval(figure, one) if one.problems >= FEWEST else "too few"
        cells = [value(figure, one.a), value(figure, one.b), told, shown_p(one), str(one.problems)]
        cells = [f'<td class="n">{plain(cell)}</td>' for cell in cells]
        cells.insert(2, f'<td class="n{look}">{rise(figure, one.estimate)}</td>')
        yield f"<tr><td>{plain(name)}</td>{''.join(cells)}</tr>"
    yield "</table></div>"


def _plots(found: Comparison) -> Iterator[str]:
    shares = {name: one for name, one in found.figures.items() if name not in ("reward", "tokens")}
    yield '<div class="plots">'
    yield rises("Difference of the shares, in points", shares)
    yield rises("Difference of pass@1 by level and topic", {**found.by_level, **found.by_topic})
    yield "</div>"


def _movement(found: Comparison) -> Iterator[str]:
    yield "<h2>Where samples moved</h2>"
    yield from (f"<p>{plain(sentence)}</p>" for sentence in of_movement(found))
    before = [outcome for outcome in OUTCOMES if any(key[0] is outcome for key in found.moves)]
    after = [outcome for outcome in OUTCOMES if any(key[1] is outcome for key in found.moves)]
    head = "".join(f'<th class="n">{_outcome(outcome)}</th>' for outcome in after)
    yield f'<div class="wide"><table class="matrix"><tr><th>A downwards, B across</th>{head}</tr>'
    for row in before:
        cells = []
        for column in after:
            count = found.moves.get((row, column), 0.0)
            rank = OUTCOMES.index(column) - OUTCOMES.index(row)
            look = "stay" if not rank else "dim" if not count else "good" if rank > 0 else "bad"
            cells.append(f'<td class="n {look}">{number(count) if count else "·"}</td>')
        yield f"<tr><td>{_outcome(row)}</td>{''.join(cells)}</tr>"
    yield "</table></div>"
    yield f'<p class="dim small">{PAIRED}</p>'


def _flips(words: str, flips: Sequence[Flip], *, opened: bool) -> Iterator[str]:
    yield f"<details{' open' if opened and flips else ''}><summary>{words}: {len(flips)}</summary>"
    if flips:
        yield '<table class="flips"><tr><th>problem</th><th>level</th>'
        yield '<th class="n">A</th><th class="n">B</th></tr>'
        for flip in flips:
            rates = "".join(f'<td class="n">{passed}/{n}</td>' for passed, n in (flip.a, flip.b))
            yield f"<tr><td>{plain(flip.problem)}</td><td>{plain(flip.level)}</td>{rates}</tr>"
        yield "</table>"
    yield "</details>"


def _left_out(found: Comparison) -> Iterator[str]:
    pairs = found.pairs
    groups = {
        "only in A": pairs.only_a,
        "only in B": pairs.only_b,
        "with other tests, signature or limits": pairs.changed,
        "without samples, for faults": pairs.unanswered,
    }
    for words, names in groups.items():
        if names:
            listed = ", ".join(plain(name) for name in names)
            yield f"<details><summary>Left out, {words}: {len(names)}</summary><p>{listed}</p></details>"


def _outcome(outcome: str) -> str:
    return outcome.replace("_", " ").lower()
