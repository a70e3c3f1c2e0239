"""Groups of completions side by side, for the page of a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agents.health.records import GroupKind
from agents.health.samples import Group, Samples
from ocaml_env import extract
from ocaml_env.display.markup import plain
from ocaml_env.display.search import choice
from ocaml_env.display.style import GROUP_LOOKS, OUTCOME_LOOKS
from ocaml_env.display.terminal import code_frame
from ocaml_env.problem import Problem
from ocaml_env.rollout import Rollout

__all__ = ["viewer"]

MOST_OF_VIEWER = 3_000_000
"""Most characters of the group viewer; further groups are left out and counted. It keeps the page below 5 MB."""


def viewer(samples: Samples) -> Iterator[str]:
    """Yields the groups with their filters; nothing if there are none."""
    if not samples.groups:
        return
    shown, used = [], 0
    for group in samples.groups:
        text = "\n".join(_group(group, samples.problem(group.problem_id)))
        if used + len(text) <= MOST_OF_VIEWER:
            shown.append(text)
            used += len(text)
    left_out = len(samples.groups) - len(shown)
    yield "<h2>Groups</h2>"
    yield (
        f'<p class="dim">{len(shown)} groups, spread over the run and over the kinds'
        f"{f'; {left_out} more were too long for this page' if left_out else ''}.</p>"
    )
    yield '<div class="filters"><input id="search" type="search" placeholder="problem, topic, outcome" '
    yield 'aria-label="Search groups">'
    levels = sorted({_level(samples.problem(group.problem_id)) for group in samples.groups})
    outcomes = {rollout.outcome.value for group in samples.groups for rollout in group.rollouts}
    yield choice("kind", "all kinds", {kind: kind.replace("_", " ") for kind in GroupKind})
    yield choice("level", "all levels", {level: f"level {level}" for level in levels})
    yield choice("outcome", "all outcomes", {name: name for name in OUTCOME_LOOKS if name in outcomes})
    yield choice("cut", "cut off or not", {"yes": "cut off", "no": "not cut off"})
    yield '<span id="count" class="dim"></span></div><div id="groups" data-rows="groups">'
    yield from shown
    yield "</div>"


def _level(problem: Problem | None) -> str:
    return problem.level_name if problem else "unknown"


def _group(group: Group, problem: Problem | None) -> Iterator[str]:
    topics = " ".join(problem.topics) if problem else ""
    outcomes = sorted({rollout.outcome.value for rollout in group.rollouts})
    words = " ".join([group.problem_id, topics, group.kind, f"step {group.step}", *outcomes]).lower()
    totals = ", ".join(f"{rollout.total:.2f}" for rollout in group.rollouts)
    yield (
        f'<details data-kind="{group.kind}" data-level="{plain(_level(problem))}" data-text="{plain(words)}"><summary>'
        f'<span class="badge {GROUP_LOOKS[group.kind]}">{group.kind.replace("_", " ")}</span> '
        f'step {group.step}, {plain(group.problem_id)} <span class="dim small">{totals}</span></summary>'
    )
    if problem is not None:
        statement = f"{problem.statement.strip()}\n\n{problem.signature.strip()}"
        yield f'<pre class="prose">{plain(statement.strip())}</pre>'
    if group.size > len(group.rollouts):
        yield f'<p class="dim small">The first {len(group.rollouts)} of {group.size}.</p>'
    yield '<div class="side">'
    for rollout, length in zip(group.rollouts, group.lengths, strict=True):
        yield from _sample(rollout, length, wanted=problem.wanted if problem else ())
    yield "</div></details>"


def _sample(rollout: Rollout, length: int, *, wanted: Sequence[str]) -> Iterator[str]:
    parts = ", ".join(f"{name} {value:.2f}" for name, value in rollout.parts.items() if value)
    tests = f", {rollout.tests_passed}/{rollout.tests_total} tests" if rollout.tests_total else ""
    cut = ", cut off" if rollout.truncated else ""
    yield (
        f'<div class="sample" data-outcome="{rollout.outcome.value}" data-cut="{"yes" if rollout.truncated else "no"}">'
        f'<span class="badge {OUTCOME_LOOKS[rollout.outcome.value]}">'
        f"{rollout.outcome.value}</span> <b>{rollout.total:.3f}</b><span class=dim>{tests}{cut}</span>"
        f'<div class="parts">{plain(parts) or "no part earned anything"}</div>'
    )
    if rollout.diagnostics:
        code = extract(rollout.completion, wanted=wanted, truncated=rollout.truncated).code or ""
        yield '<ul class="small">'
        for number, error in enumerate(rollout.diagnostics[:6]):
            place = f"line {error.line}: " if error.line else ""
            follows = ' <span class="dim">(follows from another)</span>' if error.cascade else ""
            yield f"<li>{place}{plain(error.message[:400])}{follows}"
            frame = code_frame(code, error.line, error.column, width=60) if number == 0 else []
            yield f"<pre>{plain(chr(10).join(frame))}</pre></li>" if frame else "</li>"
        if len(rollout.diagnostics) > 6:
            yield f"<li>and {len(rollout.diagnostics) - 6} more</li>"
        yield "</ul>"
    yield f"<pre>{plain(rollout.completion)}</pre>"
    if length > len(rollout.completion):
        yield f'<div class="dim small">{length - len(rollout.completion):,} more characters</div>'
    yield "</div>"
