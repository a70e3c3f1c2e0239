"""The tracks of the benchmark: their problems, and the settings that they fix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from ocaml_env.errors import ConfigError
from ocaml_env.evaluation.benchmark.fresh import draw_fresh
from ocaml_env.evaluation.benchmark.manifest import NAME, check_frozen, manifest
from ocaml_env.evaluation.benchmark.quick import draw_quick
from ocaml_env.problem import Problem
from ocaml_env.problem.record import nearest
from ocaml_env.problems import ProblemSet, load_problems
from ocaml_env.verifiers.base import AnyVerifier

__all__ = ["FRESH", "QUICK", "REPAIR", "SETTINGS", "TRACKS", "Track", "fixed_settings", "read_track", "track_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Track:
    """One track: the same rules, with other problems or turns.

    Attributes:
        name: for ``--benchmark``.
        about: a few words.
        turns: the most answers of an episode.
    """

    name: str
    about: str
    turns: int = 1


QUICK, REPAIR, FRESH = f"{NAME}-quick", f"{NAME}-repair", f"{NAME}-fresh"

TRACKS: Mapping[str, Track] = {
    track.name: track
    for track in (
        Track(name=NAME, about="all problems, one answer each"),
        Track(name=f"{NAME}-two-turns", about="the same, with feedback and a second answer", turns=2),
        Track(name=REPAIR, about="answers with a fault to repair"),
        Track(name=QUICK, about="120 of the problems"),
        Track(name=FRESH, about="problems drawn for these weights alone"),
    )
}

# Temperature and top-p of pass@1 in MultiPL-E (Cassano et al. 2022). Greedy answers of models that think may repeat
# themselves without end.
SETTINGS: Mapping[str, Any] = {
    "protocol": None,
    "limit": 0,
    "n": 1,
    "k": [1],
    "temperature": 0.2,
    "top_p": 0.95,
    "max_tokens": 4096,
    "prompt_style": "text",
    "shots": 0,
    "instruction": "",
    "prefill": False,
    "prompt": "",
    "feedback": "",
    "reward": "staged",
    "seed": 0,
    "stop": [],
    "sandbox": "required",
    "inside": "accept",
}
"""Options of ``ocaml-env evaluate`` that all tracks fix."""


def track_of(source: str) -> Track | None:
    """The track of a source of problems: a track's name, for the fresh one with ``:SEED``; None if it is another."""
    return TRACKS.get(source.partition(":")[0])


def fixed_settings(name: str) -> dict[str, Any]:
    """Returns the options of ``ocaml-env evaluate`` that a track fixes, but for its problems.

    Raises:
        ConfigError: if there is no such track.
    """
    if name not in TRACKS:
        raise ConfigError(f"there is no benchmark {name!r}{nearest(name, TRACKS)}; docs/benchmark.md lists them")
    return {**SETTINGS, "turns": TRACKS[name].turns}


def read_track(source: str, verifier: AnyVerifier | None = None) -> ProblemSet:
    """Reads the problems of a track, and checks that they are the frozen ones.

    Args:
        source: as for ``track_of``.
        verifier: plants the faults of repairs; without one, a local one is opened.

    Raises:
        ConfigError: if a problem is not the frozen one, or the fresh track has no seed.
    """
    name, _, seed = source.partition(":")
    if name == FRESH:
        return ProblemSet(draw_fresh(seed, _frozen()), name=source)
    if name == REPAIR:
        repairs = _repairs(verifier)
        check_frozen(repairs, manifest().repair)
        return ProblemSet(repairs, name=source)
    return ProblemSet(draw_quick(_frozen()) if name == QUICK else _frozen(), name=source)


@cache
def _frozen() -> ProblemSet:
    problems = load_problems("bundled:eval")
    check_frozen(problems, manifest().problems)
    return problems


def _repairs(verifier: AnyVerifier | None) -> list[Problem]:
    from ocaml_env.problems.repair import authoring, repair_of_id  # it imports the engine

    problems = _frozen()
    with authoring(verifier) as author:
        return [repair_of_id(name, problems.get, author) for name in manifest().repair]
