"""The whole comparison: all its figures, also as plain values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from statistics import fmean
from typing import Any

from ocaml_env.evaluation.compare.difference import Difference, difference
from ocaml_env.evaluation.compare.movement import Flip, Kind, Moves, flips, movement
from ocaml_env.evaluation.compare.pairs import Pair, Pairs, pair_up, unlike
from ocaml_env.evaluation.compare.side import OUTCOMES, Answers, Side, stage_of
from ocaml_env.evaluation.statistics import pass_at_k
from ocaml_env.verdict import Stage

__all__ = ["Comparison", "compare", "record"]

_FUNNEL = {
    "extracted": Stage.PARSE,
    "parsed": Stage.TYPECHECK,
    "typechecked": Stage.COMPILE,
    "compiled": Stage.TEST,
}
"""Share -> the least stage for a sample to count."""


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """The comparison of A and B.

    Attributes:
        a: the first evaluation.
        b: the second evaluation.
        pairs: their common problems.
        warnings: reasons why they may not be comparable.
        figures: name -> its difference: pass@k, the funnel, the reward, tokens, as far as both have them.
        by_level: level -> the difference of pass@1.
        by_topic: topic -> the difference of pass@1, the surest change first; a problem may have several topics.
        flips: problems with a changed rate, the largest change first.
        moves: numbers of samples by their outcomes in A and B.
    """

    a: Side
    b: Side
    pairs: Pairs
    warnings: Sequence[str]
    figures: Mapping[str, Difference]
    by_level: Mapping[str, Difference]
    by_topic: Mapping[str, Difference]
    flips: Sequence[Flip]
    moves: Moves

    def of(self, kind: Kind) -> list[Flip]:
        return [flip for flip in self.flips if flip.kind is kind]


def compare(a: Side, b: Side) -> Comparison:
    """Compares two evaluations.

    Raises:
        ConfigError: if they have no problem in common.
    """
    pairs = pair_up(a, b)
    topics = _groups(pairs.compared, lambda answers: answers.topics or ("none",))
    levels = _groups(pairs.compared, lambda answers: (answers.level,))
    return Comparison(
        a=a,
        b=b,
        pairs=pairs,
        warnings=unlike(a, b, pairs),
        figures=dict(_figures(a, b, pairs.compared)),
        by_level=dict(sorted(levels.items())),
        by_topic=dict(sorted(topics.items(), key=lambda item: (item[1].p, -abs(item[1].estimate), item[0]))),
        flips=flips(pairs.compared),
        moves=movement(pairs.compared),
    )


def record(found: Comparison) -> dict[str, Any]:
    """Returns every figure as plain values."""
    compared = found.pairs.compared
    return {
        "schema_version": 1,
        "a": _about(found.a),
        "b": _about(found.b),
        "problems": {
            "compared": len(compared),
            "only_a": list(found.pairs.only_a),
            "only_b": list(found.pairs.only_b),
            "changed": list(found.pairs.changed),
            "unanswered": list(found.pairs.unanswered),
        },
        "warnings": list(found.warnings),
        "differences": {name: _plain(one) for name, one in found.figures.items()},
        "by_level": {name: _plain(one) for name, one in found.by_level.items()},
        "by_topic": {name: _plain(one) for name, one in found.by_topic.items()},
        "flips": {kind.value: [_flip(flip) for flip in found.of(kind)] for kind in Kind},
        "movement": [
            {"a": before.value, "b": after.value, "samples": found.moves[before, after]}
            for before in OUTCOMES
            for after in OUTCOMES
            if (before, after) in found.moves
        ],
    }


def _figures(a: Side, b: Side, pairs: Sequence[Pair]) -> Iterator[tuple[str, Difference]]:
    least = min(len(answers.samples) for pair in pairs for answers in (pair.a, pair.b))
    for k in sorted({1, *a.k} & {1, *b.k}):
        if k <= least:
            yield f"pass@{k}", _over(pairs, partial(_pass_at_k, k))
    for name, stage in _FUNNEL.items():
        yield name, _over(pairs, partial(_reached, stage))
    if a.config.reward == b.config.reward:
        yield "reward", _over(pairs, lambda answers: fmean(sample.total for sample in answers.samples))
    counted = [pair for pair in pairs if _tokens(pair.a) is not None and _tokens(pair.b) is not None]
    if counted:
        yield "tokens", _over(counted, lambda answers: _tokens(answers) or 0.0)


def _over(pairs: Sequence[Pair], figure: Callable[[Answers], float]) -> Difference:
    return difference([(figure(pair.a), figure(pair.b)) for pair in pairs])


def _pass_at_k(k: int, answers: Answers) -> float:
    rate = pass_at_k(len(answers.samples), answers.solved, k)
    assert rate is not None  # k is at most the number of samples
    return rate


def _reached(stage: Stage, answers: Answers) -> float:
    return sum(stage_of(sample.outcome) >= stage for sample in answers.samples) / len(answers.samples)


def _tokens(answers: Answers) -> float | None:
    """The mean tokens of a sample; None unless the model reported those of all samples."""
    counted = [sample.tokens for sample in answers.samples if sample.tokens is not None]
    return fmean(counted) if len(counted) == len(answers.samples) else None


def _groups(pairs: Sequence[Pair], names: Callable[[Answers], Sequence[str]]) -> dict[str, Difference]:
    """The difference of pass@1 by group."""
    groups: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        for name in names(pair.b):
            groups[name].append(pair)
    return {name: _over(group, lambda answers: answers.rate) for name, group in groups.items()}


def _about(side: Side) -> dict[str, Any]:
    return {
        "path": str(side.path),
        "problems": len(side.answers),
        "samples": side.count,
        "faults": side.faults,
        "settings": side.config.settings(),
        "versions": side.config.versions,
    }


def _plain(one: Difference) -> dict[str, Any]:
    return {**asdict(one), "distinct": one.distinct}


def _flip(flip: Flip) -> dict[str, Any]:
    return {
        "problem_id": flip.problem,
        "level": flip.level,
        "a": {"passed": flip.a[0], "n": flip.a[1]},
        "b": {"passed": flip.b[0], "n": flip.b[1]},
        "rise": flip.rise,
    }
