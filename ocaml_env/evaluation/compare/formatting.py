"""The figures of a comparison, in sentences."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from ocaml_env.evaluation.compare.difference import FEWEST, Difference
from ocaml_env.evaluation.compare.movement import Kind, Moves
from ocaml_env.evaluation.compare.side import Side, stage_of
from ocaml_env.evaluation.compare.study import Comparison
from ocaml_env.verdict import Outcome, Stage

__all__ = [
    "PAIRED",
    "STEPS",
    "about",
    "by_step",
    "flipped",
    "interval",
    "number",
    "of_movement",
    "rise",
    "shown_p",
    "value",
    "verdict",
]

STEPS = ("no code", "syntax", "types", "compile", "tests", "passed")
"""Last stages of samples: the failing stage, or ``passed``."""

_FAILURES = ("answers without code", "syntax errors", "typecheck failures", "compile failures", "test failures")
_PASSED = len(STEPS) - 1

PAIRED = (
    "Samples of a problem have no partner in the other evaluation: those that ended alike stay, and the rest are "
    "paired from worst to best. Where one has more samples of a problem than the other, they have weights."
)
_AFTER = {Stage.EXTRACT: "hold code", Stage.PARSE: "parse", Stage.TYPECHECK: "typecheck", Stage.COMPILE: "compile"}
"""Verbs for samples past a stage."""


def verdict(found: Comparison) -> str:
    """Says if one of the two solves more."""
    one, problems = found.figures["pass@1"], len(found.pairs.compared)
    if not found.flips:
        return f"Both solve every problem equally often: pass@1 is {one.a:.1%}."
    moved = "rises" if one.estimate > 0 else "falls" if one.estimate < 0 else "stays"
    told = (
        f"pass@1 {moved}, from {one.a:.1%} in A to {one.b:.1%} in B: {rise('pass@1', one.estimate)} points, 95% "
        f"interval {interval('pass@1', one)}, p = {one.p:.2g}."
    )
    if one.distinct:
        return f"{told} {'B' if one.estimate > 0 else 'A'} solves more: the difference is distinguishable from zero."
    if problems < FEWEST:
        return f"{told} {problems} problems are too few to tell: below {FEWEST}, no difference is more than chance."
    return f"{told} The difference is not distinguishable from zero on these {problems} problems."


def flipped(found: Comparison) -> str:
    """Counts the flipped problems, in words."""
    counts = {kind: len(found.of(kind)) for kind in Kind}
    return (
        f"{_problems(counts[Kind.GAINED])} that A never solved B solves, {counts[Kind.LOST]} the other way; "
        f"of those that both solve {counts[Kind.ROSE]} are solved more often in B, {counts[Kind.FELL]} less often."
    )


def of_movement(found: Comparison) -> list[str]:
    """Says where the samples of each stage of A ended in B."""
    steps = by_step(found.moves)
    return [*(told for stage in Stage if (told := _of_stage(stage, steps))), *_of_passed(steps)]


def by_step(moves: Moves) -> dict[tuple[int, int], float]:
    """(place in STEPS in A, the same in B) -> samples."""
    steps: dict[tuple[int, int], float] = defaultdict(float)
    for (before, after), count in moves.items():
        steps[_step(before), _step(after)] += count
    return dict(steps)


def about(side: Side) -> str:
    """Names an evaluation without its model: ``first: bundled:eval, 10 samples of 170 problems, temperature 0.8``."""
    config = side.config
    drawn = "" if config.temperature is None else f", temperature {config.temperature:g}"
    turns = "" if config.turns == 1 else f", {config.turns} turns"
    asked = f"{config.n} samples of {len(side.answers)} problems"
    return f"{side.path.resolve().name}: {config.problems}, {asked}{drawn}{turns}"


def value(name: str, figure: float) -> str:
    """Formats a figure: a share, a reward or tokens."""
    return f"{figure:.0f}" if name == "tokens" else f"{figure:.3f}" if name == "reward" else f"{figure:.1%}"


def rise(name: str, figure: float) -> str:
    """Formats the change of a figure; of a share in points."""
    places, factor = {"tokens": (0, 1), "reward": (3, 1)}.get(name, (1, 100))
    rounded = round(figure * factor, places)
    return f"{rounded:+.{places}f}" if rounded else f"{0:.{places}f}"


def interval(name: str, one: Difference) -> str:
    """Formats the interval of a difference, in its unit."""
    return f"{rise(name, one.low)} to {rise(name, one.high)}"


def shown_p(one: Difference) -> str:
    """Formats a p-value for a table."""
    return f"{one.p:.2g}" if one.p >= 0.001 else "<.001"


def number(count: float) -> str:
    """Formats a number of samples, possibly fractional: samples have weights if A and B have unequal numbers."""
    return f"{round(count, 1):g}" if count < 1e5 else f"{count:.0f}"


def _of_stage(stage: Stage, steps: Mapping[tuple[int, int], float]) -> str:
    row = {after: count for (before, after), count in steps.items() if before == stage}
    further = {after: count for after, count in row.items() if after > stage}
    earlier = {after: count for after, count in row.items() if after < stage}
    if not further and not earlier:
        return ""
    whole = f"{number(sum(row.values()))} {_FAILURES[stage]}"
    parts = []
    if further:
        doing = _AFTER.get(stage, "pass")
        if stage is Stage.TYPECHECK and further.keys() <= {Stage.TEST, _PASSED}:
            doing = "compile"
        so_far = f"{number(sum(further.values()))} of {whole} now {doing}"
        compiled = sum(count for after, count in further.items() if after >= Stage.TEST)
        if doing in ("hold code", "parse", "typecheck") and compiled:
            so_far += f", {number(compiled)} compile"
        if stage is not Stage.TEST:
            so_far += f", {number(further[_PASSED])} pass" if _PASSED in further else ", none pass"
        parts.append(so_far)
    if earlier:
        lost = f"{number(sum(earlier.values()))} fail earlier"
        parts.append(lost if further else f"of {whole} {lost}")
    return "; ".join(parts).capitalize() + "."


def _of_passed(steps: Mapping[tuple[int, int], float]) -> Iterator[str]:
    row = {after: count for (before, after), count in steps.items() if before == _PASSED}
    failed = {after: count for after, count in sorted(row.items()) if after != _PASSED}
    if failed:
        at = ", ".join(f"{number(count)} at {STEPS[after]}" for after, count in failed.items())
        yield f"{number(sum(failed.values()))} of {number(sum(row.values()))} that passed now fail: {at}."


def _problems(count: int) -> str:
    return f"{count} problem{'' if count == 1 else 's'}"


def _step(outcome: Outcome) -> int:
    return _PASSED if outcome is Outcome.PASSED else int(stage_of(outcome))
