"""Benchmarks of others, for ``--benchmark``: their rows, protocol and sampling, so that figures are comparable.

    multipl-e:humaneval     MultiPL-E's HumanEval in OCaml, from the hub; ``--problems`` names a file of yours
    multipl-e:mbpp          the same for MBPP
    livecodebench:SOURCE    a set of stdin and stdout, with outputs compared as LiveCodeBench does
    exercism:PATH           a clone of Exercism's OCaml track

They have no frozen problems and no score over levels; ``ocaml-env submit`` takes none of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from ocaml_env.evaluation.benchmark.tracks import SETTINGS

__all__ = ["OUTSIDE", "Outside", "outside_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """A benchmark of others.

    Attributes:
        settings: options of ``ocaml-env evaluate`` that it fixes.
        usual: options that may be given, and their values otherwise.
    """

    settings: Mapping[str, Any]
    usual: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


# n decides how exact pass@k is, not what it is, so it is free.
_RULES = {name: value for name, value in SETTINGS.items() if name not in ("n", "k")} | {"turns": 1}

# The options of MultiPL-E's scripts. Its prompts are texts to go on with, in no style of ours.
_MULTIPL_E = {**_RULES, "protocol": "multipl-e", "max_tokens": 512, "prompt_style": None}

OUTSIDE: Mapping[str, str] = {
    "multipl-e:humaneval": "hub:nuprl/MultiPL-E:humaneval-ml",
    "multipl-e:mbpp": "hub:nuprl/MultiPL-E:mbpp-ml",
}
"""Name -> source of its rows."""


def outside_of(name: str) -> Outside | None:
    """The benchmark of a name; None if there is none of this name."""
    if name in OUTSIDE:
        return Outside(settings=_MULTIPL_E, usual={"problems": OUTSIDE[name], "n": 20})
    kind, _, source = name.partition(":")
    if kind == "livecodebench" and source:
        # The options of its runner.
        rules = {**_RULES, "protocol": kind, "max_tokens": 2000, "problems": source}
        return Outside(settings=rules, usual={"n": 10})
    if kind == "exercism" and source:
        return Outside(settings={**_RULES, "problems": name}, usual={"n": 1})
    return None
