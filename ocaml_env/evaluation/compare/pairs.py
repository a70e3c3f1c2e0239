"""The common problems of two evaluations, and reasons why the two may not be comparable."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ocaml_env.errors import ConfigError
from ocaml_env.evaluation.compare.side import Answers, Side

__all__ = ["Pair", "Pairs", "pair_up", "unlike"]

_NO_CAUSE = frozenset({"model", "problems", "digest", "limit", "left_out", "seed", "batch", "completions", "versions"})
"""Settings without a warning: they are shown elsewhere, or do not affect a comparison."""

_PROMPT = ("prompt_style", "shots", "shot_problems", "instruction", "prefill", "endpoint")
_FEW = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Both evaluations' answers to one problem; each has at least one sample."""

    problem: str
    a: Answers
    b: Answers


@dataclass(frozen=True, kw_only=True)
class Pairs:
    """The common problems, and those left out.

    Attributes:
        compared: the common problems, by id.
        only_a: problems of A alone.
        only_b: problems of B alone.
        changed: problems with different tests, signatures or limits in A and B.
        unanswered: problems without a sample in A or B, because of faults.
    """

    compared: tuple[Pair, ...]
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]
    changed: tuple[str, ...]
    unanswered: tuple[str, ...]


def pair_up(a: Side, b: Side) -> Pairs:
    """Pairs the problems that are the same in both evaluations.

    Raises:
        ConfigError: if there is none.
    """
    both = sorted(a.answers.keys() & b.answers.keys())
    compared, changed, unanswered = [], [], []
    for name in both:
        one, other = a.answers[name], b.answers[name]
        if not one.samples or not other.samples:
            unanswered.append(name)
        elif one.digest and other.digest and one.digest != other.digest:
            changed.append(name)
        else:
            compared.append(Pair(problem=name, a=one, b=other))
    if not compared:
        raise ConfigError(f"{a.path} and {b.path} have nothing to compare: {_why(both, changed)}")
    return Pairs(
        compared=tuple(compared),
        only_a=tuple(sorted(a.answers.keys() - b.answers.keys())),
        only_b=tuple(sorted(b.answers.keys() - a.answers.keys())),
        changed=tuple(changed),
        unanswered=tuple(unanswered),
    )


def unlike(a: Side, b: Side, pairs: Pairs) -> list[str]:
    """Returns causes of a difference other than the models, a sentence each."""
    return [*_suites(a, b, pairs), *_settings(a, b), *_prompts(a, b, pairs), *_faults(a, b, pairs)]


def _why(both: Sequence[str], changed: Sequence[str]) -> str:
    if not both:
        return "no problem was asked in both"
    if changed:
        return (
            f"{_named(changed)}: the same id, and other tests, signature or limits. --rescore both with one version "
            "of the problems"
        )
    return "no problem has samples in both, for faults"


def _suites(a: Side, b: Side, pairs: Pairs) -> Iterator[str]:
    if pairs.only_a or pairs.only_b:
        yield (
            f"the suites differ: {len(pairs.only_a)} problems were asked only in A and {len(pairs.only_b)} only in B, "
            "and are left out"
        )
    if pairs.changed:
        yield (
            f"{_named(pairs.changed)}: the same id, and other tests, signature or limits; left out. "
            "--rescore both with one version of the problems"
        )
    told = all(answers.digest for pair in pairs.compared for answers in (pair.a, pair.b))
    if a.config.digest != b.config.digest and not told:
        yield "the digests of the suites differ, and these samples do not tell of which problems the tests changed"


def _settings(a: Side, b: Side) -> Iterator[str]:
    ours, theirs = _without_model(a), _without_model(b)
    names = [name for name in dict.fromkeys([*ours, *theirs]) if name not in _NO_CAUSE]
    unknown: dict[str, list[str]] = {"A": [], "B": []}
    for name in names:
        one, other = ours.get(name), theirs.get(name)
        if one == other:
            continue
        if one is None or other is None:
            unknown["A" if one is None else "B"].append(name)
        else:
            yield f"{name} is {_shown(one)} in A and {_shown(other)} in B" + _so(name)
    for side, missing in unknown.items():
        if missing:
            yield f"known of {'B' if side == 'A' else 'A'} alone: {', '.join(missing)}"
    for name, title in (("ocaml", "OCaml"), ("ocaml_env", "ocaml-env")):
        one, other = (side.config.versions.get(name) for side in (a, b))
        if one != other:
            yield f"{title} is {_shown(one)} in A and {_shown(other)} in B"


def _without_model(side: Side) -> dict[str, Any]:
    """The settings of a run, without the digest of its weights: they are what is compared."""
    settings = side.config.to_json()
    if settings.get("benchmark"):
        settings["benchmark"] = {name: value for name, value in settings["benchmark"].items() if name != "weights"}
    return settings


def _prompts(a: Side, b: Side, pairs: Pairs) -> Iterator[str]:
    """Warns of different prompts, unless the settings already show the difference."""
    if any(getattr(a.config, name) != getattr(b.config, name) for name in _PROMPT):
        return
    other = [pair.problem for pair in pairs.compared if pair.a.prompt != pair.b.prompt]
    if other:
        yield f"{_named(other)}: the prompts differ, with the same settings: other statements, or another ocaml-env"


def _faults(a: Side, b: Side, pairs: Pairs) -> Iterator[str]:
    if a.faults or b.faults:
        yield f"samples that could not be had, and count nowhere: {a.faults} in A and {b.faults} in B" + (
            f"; so {_named(pairs.unanswered)} left out" if pairs.unanswered else ""
        )


def _so(name: str) -> str:
    if name == "n":
        return ": the more samples, the more problems are solved at least once; pass@k of the same k stays comparable"
    if name == "reward":
        return ": rewards are not compared"
    return ""


def _shown(value: Any) -> str:
    return "not known" if value is None else repr(value) if isinstance(value, str) else str(value)


def _named(problems: Sequence[str]) -> str:
    """Formats ``2 problems (add, last)``."""
    some = ", ".join(problems[:_FEW]) + (", ..." if len(problems) > _FEW else "")
    return f"{len(problems)} problem{'' if len(problems) == 1 else 's'} ({some})"
