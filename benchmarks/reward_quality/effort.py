"""Presents the rewards of giving up and of honest answers: rows of the table, and a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.reward_quality.evidence import SHARES, Evidence, Honest
from benchmarks.reward_quality.study import Quality

__all__ = ["KINDS", "Measure", "honest", "measures", "sentence"]


@dataclass(frozen=True, kw_only=True)
class Measure:
    """A row of the table.

    Attributes:
        title: for people.
        better: the better direction or value, for people.
        of: computes the figure of a preset; None if there is none.
        form: format of the figure.
    """

    title: str
    better: str
    of: Callable[[Quality], float | None]
    form: str


KINDS = (
    *((f"{share} of the functions right", "partial", share) for share in SHARES[1:]),
    ("some right, each tested by itself", "apart", "any"),
    *((f"right but for {count} type error{'s' * (count > 1)}", "inside", count) for count in (1, 2, 3)),
    *((f"the same, of several functions: {count}", "several", count) for count in (1, 2, 3)),
    *((f"type errors in unused definitions: {count}", "beside", count) for count in (1, 2, 3)),
)
"""Kinds of honest answers: a title, an attribute of ``Evidence``, and a key there."""


def honest(found: Evidence, group: str, key: str | int) -> Honest | None:
    """Returns the figures of one kind of honest answers; None if there are no such answers."""
    table: Mapping[str | int, Honest] = getattr(found, group)
    return table.get(key)


def measures(any_quality: Quality) -> Iterator[Measure]:
    """Yields the rows, without kinds of answers that do not occur."""
    yield _less("the best strategy of giving up earns", lambda found: found.giving_up.mean)
    yield _less("  if chosen for each problem", lambda found: found.giving_up.chosen)
    yield _less("  at most, on any problem", lambda found: found.giving_up.most)
    yield _less("  answers of all strategies above .25", lambda found: found.giving_up.above_quarter, form="{:.0%}")
    for title, group, key in KINDS:
        if honest(any_quality.evidence, group, key):
            yield Measure(title=title, better="more", of=_figure(group, key, "mean"), form="{:.3f}")
            yield Measure(
                title="  paid more than giving up", better="more", of=_figure(group, key, "above"), form="{:.0%}"
            )


def sentence(qualities: Sequence[Quality]) -> str:
    """Compares giving up with honest answers in a sentence, by preset."""
    text = f"The best strategy of giving up earns {_told(qualities, lambda q: q.evidence.giving_up.mean, '{:.2f}')}"
    for title, group, key in (
        ("answers with some functions right", "ways", "any"),
        ("programs that are right but for one type error", "inside", 1),
    ):
        if honest(qualities[0].evidence, group, key):
            text += f"; of {title}, {_told(qualities, _figure(group, key, 'above'), '{:.0%}')} are paid more than that"
    return f"{text}."


def _told(qualities: Sequence[Quality], of: Callable[[Quality], float | None], form: str) -> str:
    """Formats the figure of the first preset, with those of the others in parentheses."""
    first, *others = ((quality.preset, form.format(of(quality))) for quality in qualities)
    listed = ", ".join(f"{value} under {preset}" for preset, value in others)
    return f"{first[1]} under {first[0]}" + (f" ({listed})" if listed else "")


def _less(title: str, of: Callable[[Evidence], float], form: str = "{:.3f}") -> Measure:
    return Measure(title=title, better="less", of=lambda quality: of(quality.evidence), form=form)


def _figure(group: str, key: str | int, name: str) -> Callable[[Quality], float | None]:
    def of(quality: Quality) -> float | None:
        found = honest(quality.evidence, group, key)
        return None if found is None else float(getattr(found, name))

    return of
