"""Faults that were planted before, kept in the cache folder: the same source, kind and seed give the same again."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from ocaml_env.engine import sources_digest
from ocaml_env.engine.toolchain import cache_roots
from ocaml_env.problem import Problem
from ocaml_env.problem.record import verdict_from_record
from ocaml_env.problems.repair.planted import Planted
from ocaml_env.verdict import Verdict

__all__ = ["KnownFaults"]


class KnownFaults:
    """What became of planting a kind of fault in a problem. A folder that cannot be read or written is no error.

    Args:
        ocaml_version: whose messages the verdicts hold.
        keep: whether files are used.
    """

    def __init__(self, ocaml_version: str, *, keep: bool = True) -> None:
        folder = _folder() if keep else None
        self._file = folder and folder / f"{ocaml_version}.jsonl"
        self._known = dict(_read(self._file))
        self._new: dict[str, Planted] = {}

    def get(self, problem: Problem, kind: str, seed: int) -> Planted | None:
        """What is known of it; None if nothing is."""
        return self._known.get(_key(problem, kind, seed))

    def add(self, problem: Problem, kind: str, seed: int, planted: Planted) -> None:
        key = _key(problem, kind, seed)
        self._known[key] = self._new[key] = planted

    def save(self) -> None:
        """Adds what is new to the file, at once: other processes may add to it at the same time."""
        lines = "".join(json.dumps({"key": key, **asdict(planted)}) + "\n" for key, planted in self._new.items())
        if self._file and lines:
            with contextlib.suppress(OSError), self._file.open("ab", buffering=0) as file:
                file.write(lines.encode())
        self._new.clear()


def _read(file: Path | None) -> Iterator[tuple[str, Planted]]:
    try:
        lines = file.read_text(encoding="utf-8").splitlines() if file else []
    except OSError:
        return
    for line in lines:
        with contextlib.suppress(json.JSONDecodeError):  # A killed process can leave half a line.
            found = json.loads(line)
            verdict: Verdict | None = verdict_from_record(found["verdict"])
            yield found["key"], Planted(attempt=found["attempt"], verdict=verdict, reason=found["reason"])


def _key(problem: Problem, kind: str, seed: int) -> str:
    whole = [problem.id, problem.digest, problem.reference, kind, seed]
    return hashlib.sha256(json.dumps(whole).encode("utf-8", "surrogatepass")).hexdigest()[:32]


@functools.cache
def _folder() -> Path | None:
    """The folder for what these sources and this engine plant, in the first cache folder that can be written."""
    digest = hashlib.sha256(sources_digest().encode())
    package = Path(__file__).parents[2]
    for path in sorted([*Path(__file__).parent.glob("*.py"), package / "reward.py", package / "verdict.py"]):
        digest.update(path.read_bytes())
    for root in cache_roots():
        folder = root / "repair" / digest.hexdigest()[:16]
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            return folder
    return None
