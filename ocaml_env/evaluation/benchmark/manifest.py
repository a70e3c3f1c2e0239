"""The manifest of the benchmark: the digest of each problem, and a line for each change.

``python -m benchmarks.freeze`` writes it. A problem that changes needs a new benchmark, with a new number.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ocaml_env.errors import ConfigError
from ocaml_env.problem import Problem
from ocaml_env.prompt import PromptSpec

__all__ = ["NAME", "PATH", "Manifest", "check_frozen", "digest_of_ids", "frozen_digest", "manifest"]

NAME = "ocamlcode-1"
PATH = Path(__file__).with_name(f"{NAME}.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The content of the manifest.

    Attributes:
        name: the benchmark's.
        changes: its changelog: a date and a sentence each.
        problems: id -> ``frozen_digest``.
        repair: the same for the track of repairs.
        quick: ``digest_of_ids`` of the quick track.
        fresh_secrets: release -> SHA-256, in hexadecimal, of its secret for the fresh track.
    """

    name: str
    changes: tuple[Mapping[str, str], ...]
    problems: Mapping[str, str]
    repair: Mapping[str, str]
    quick: str
    fresh_secrets: Mapping[str, str]

    def is_committed(self, secret: str) -> bool:
        """True if a release has this secret."""
        return hashlib.sha256(secret.encode()).hexdigest() in self.fresh_secrets.values()


@cache
def manifest() -> Manifest:
    """Reads the manifest."""
    read = json.loads(PATH.read_text(encoding="utf-8"))
    return Manifest(**{**read, "changes": tuple(read["changes"])})


def frozen_digest(problem: Problem) -> str:
    """Returns the SHA-256, in hexadecimal, of a problem: its prompt, its tests, its level and topics.

    The feedback on a repair's attempt is left out: its messages come from the compiler, and differ between versions.
    """
    content = [problem.digest, PromptSpec().question(problem), problem.level, problem.topics]
    return hashlib.sha256(json.dumps(content).encode("utf-8", "surrogatepass")).hexdigest()


def digest_of_ids(problems: Iterable[Problem]) -> str:
    """SHA-256, in hexadecimal, of the ids of problems, in their order."""
    return hashlib.sha256("\n".join(problem.id for problem in problems).encode()).hexdigest()


def check_frozen(problems: Iterable[Problem], frozen: Mapping[str, str]) -> None:
    """Checks that the problems are those of the manifest.

    Raises:
        ConfigError: if one changed, is missing, or is new.
    """
    now = {problem.id: frozen_digest(problem) for problem in problems}
    if differing := sorted(name for name in now.keys() | frozen.keys() if now.get(name) != frozen.get(name)):
        raise ConfigError(
            f"these are not the problems of {NAME}: {len(differing)} differ, such as {differing[0]!r}. Use a version "
            "of ocaml-env whose problems or prompts did not change"
        )
