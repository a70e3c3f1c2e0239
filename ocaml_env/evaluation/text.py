"""The summary of an evaluation for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ocaml_env.display.terminal import Colour, Paint, bar, columns, printable
from ocaml_env.evaluation.statistics import Estimate
from ocaml_env.evaluation.summary import BenchmarkScore, Group, PeerRates, PeerSummary, Summary

__all__ = ["show"]

_TOPICS, _ERRORS, _REASONS = 8, 3, 10
_BAR = 24  # characters
_MESSAGES = 160  # width of lines with messages, if the output has no width of its own


def show(summary: Summary, paint: Paint, *, width: int | None = None) -> str:
    """Formats a summary, and the results by another benchmark's protocol if there are any.

    Args:
        summary: the summary.
        paint: applies colours.
        width: width of the terminal; None for lines of any length.
    """
    protocol = _protocol(summary, summary.protocol, paint, width) if summary.protocol else ()
    return "\n".join([*_own(summary, paint, width), *protocol])


def _own(summary: Summary, paint: Paint, width: int | None) -> Iterator[str]:
    config = summary.config
    drawn = "" if config.temperature is None else f"temperature {config.temperature:g}, "
    yield f"{paint(printable(config.model), Colour.BOLD)} on {config.problems}"
    counts = f"{summary.problems} problems, {summary.samples} samples, {drawn}reward {config.reward}"
    yield from (paint(counts, Colour.DIM), "")
    if summary.benchmark:
        yield from (*_score(summary.benchmark, paint), "")
    rows = [_rate(k, rate, paint) for k, rate in summary.rates.items()]
    yield from (*columns(rows, right={2}, indent="  ", width=width), "")
    if summary.samples:
        rows = [[name, bar(share, _BAR), f"{share:.1%}"] for name, share in summary.funnel.items()]
        yield from (*columns(rows, right={2}, indent="  ", width=width), "")
        yield from (*columns(_groups(summary, paint), right={1, 2}, indent="  ", width=width), "")
        if config.turns > 1:
            yield f"  solved by turn 1, 2, ...: {' '.join(f'{share:.1%}' for share in summary.turns.solved_by)}"
        yield "  " + ", ".join(f"{count} {name}" for name, count in summary.by_outcome.items())
        for found in summary.diagnostics[:_ERRORS]:
            row = [f"{found.count} samples:", printable(found.example.message)]
            yield from columns([row], indent="  ", width=width or _MESSAGES)
        yield f"  reward {summary.reward:.3f}; {_generated(summary)}"
    if summary.faults.count:
        text = f"{summary.faults.count} samples could not be had, and count nowhere: "
        yield "  " + paint(text, Colour.YELLOW) + printable(summary.faults.example)


def _score(found: BenchmarkScore, paint: Paint) -> Iterator[str]:
    levels = ", ".join(f"{level}: {share:.1%}" for level, share in found.by_level.items())
    yield (
        f"{paint(found.name, Colour.BOLD)} {found.score.estimate:.1%}, the mean over levels; 95% interval "
        f"{found.score.low:.1%} to {found.score.high:.1%}, standard error {found.standard_error:.1%}"
    )
    yield f"  {levels}; {found.half_solved}"
    if found.too_many_cut_off:
        yield paint(f"  {found.cut_off:.1%} of the answers are cut off: the row is marked", Colour.YELLOW)


def _rate(k: int, rate: Estimate | None, paint: Paint) -> list[str]:
    if rate is None:
        return [f"pass@{k}", "", "-", paint(f"needs {k} samples of each problem", Colour.DIM)]
    interval = paint(f"{rate.low:.1%} to {rate.high:.1%}", Colour.DIM)
    return [f"pass@{k}", bar(rate.estimate, _BAR), f"{rate.estimate:.1%}", interval]


def _groups(summary: Summary, paint: Paint) -> list[list[str]]:
    by_level = sorted(summary.by_level.items())
    by_topic = sorted(summary.by_topic.items(), key=lambda item: (item[1].rate.estimate, item[0]))
    return [
        ["level", "problems", "pass@1"],
        *(_group(name, group, paint) for name, group in by_level),
        ["topic, hardest first"],
        *(_group(name, group, paint) for name, group in by_topic[:_TOPICS]),
    ]


def _group(name: str, group: Group, paint: Paint) -> list[str]:
    rate = group.rate
    interval = paint(f"{rate.low:.1%} to {rate.high:.1%}", Colour.DIM)
    return [name, str(group.problems), f"{rate.estimate:.1%}", bar(rate.estimate, _BAR), interval]


def _generated(summary: Summary) -> str:
    tokens, speed = summary.tokens.mean, summary.tokens_per_second
    cut_off = f"{summary.truncated:.1%} cut off"
    if tokens is None:
        return cut_off
    return f"{tokens:.0f} tokens a sample{'' if speed is None else f', {speed:.0f} a second of a request'}; {cut_off}"


def _protocol(summary: Summary, found: PeerSummary, paint: Paint, width: int | None) -> Iterator[str]:
    yield from ("", paint(f"protocol {found.name}", Colour.BOLD))
    sides = {"theirs": PeerRates(rates=summary.rates, problems=summary.problems), "ours": found.ours}
    if found.broken and found.theirs_without_broken:
        sides["theirs, without broken tests"] = found.theirs_without_broken
    rows = [["", *sides]]
    rows += [[f"pass@{k}", *(_share(side.rates[k]) for side in sides.values())] for k in summary.rates]
    rows.append(["problems", *(str(side.problems) for side in sides.values())])
    yield from columns(rows, right={1, 2, 3}, indent="  ", width=width)
    statuses = ", ".join(f"{count} {name}" for name, count in found.by_status.items())
    yield f"  theirs: {statuses}" + (f"; {found.forged} forged" if found.forged else "")
    of_all = f"of {summary.problems} problems"
    for reasons, head in (
        (found.broken, f"{of_all}: no completion compiles with their tests"),
        (found.mended, f"{of_all}: ours mends their tests"),
        (found.unjudged, f"{of_all}: ours cannot evaluate them"),
        (found.left_out, "rows are left out of every figure"),
    ):
        if reasons:
            yield "  " + paint(f"{len(reasons)} {head}", Colour.YELLOW)
            yield from _reasons(reasons, width)
    if found.disagreements:
        yield f"  {sum(kind.count for kind in found.disagreements)} samples with different verdicts"
        rows = [["", "theirs", "ours", ""]]
        for kind in found.disagreements:
            place = f"see {kind.example.problem_id}, sample {kind.example.sample}"
            rows.append([str(kind.count), kind.theirs, kind.ours, kind.why or place])
        yield from columns(rows, right={0}, indent="    ", width=width or _MESSAGES)


def _reasons(reasons: Mapping[str, str], width: int | None) -> Iterable[str]:
    shown = [[problem, printable(reason)] for problem, reason in list(reasons.items())[:_REASONS]]
    yield from columns(shown, indent="    ", width=width or _MESSAGES)
    if (more := len(reasons) - _REASONS) > 0:
        yield f"    and {more} more, in summary.json"


def _share(rate: Estimate | None) -> str:
    return "-" if rate is None else f"{rate.estimate:.1%}"
