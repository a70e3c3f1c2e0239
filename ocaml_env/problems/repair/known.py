"""Keeps planted faults in the cache folder: the same source, kind and seed give the same fault again."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

from ocaml_env.engine import sources_digest
from ocaml_env.engine.toolchain import cache_roots
from ocaml_env.problem import Problem
from ocaml_env.problem.record import verdict_from_record
from ocaml_env.problems.repair.planted import Planted
from ocaml_env.verdict import Verdict

__all__ = ["KnownFaults"]


class KnownFaults:
    """The results of planting faults with a seed: a file for each kind, read on demand.

    A folder that cannot be read or written is no error.

    Args:
        ocaml_version: of the messages in the verdicts.
        seed: of the draws.
        keep: False to use no files.
    """

    def __init__(self, ocaml_version: str, seed: int, *, keep: bool = True) -> None:
        self._folder = _folder() if keep else None
        self._name = f"{ocaml_version}-{seed}"
        self._known: dict[str, dict[str, Planted]] = {}
        self._new: dict[str, dict[str, Planted]] = {}

    def get(self, problem: Problem, kind: str) -> Planted | None:
        """The result for a problem and kind; None if unknown."""
        return self._of(kind).get(_key(problem))

    def add(self, problem: Problem, kind: str, planted: Planted) -> None:
        key = _key(problem)
        self._of(kind)[key] = self._new.setdefault(kind, {})[key] = planted

    def save(self) -> None:
        """Appends new results with one write for each file: other processes may add to it at the same time."""
        for kind, planted in self._new.items() if self._folder else ():
            lines = "".join(json.dumps({"key": key, **asdict(result)}) + "\n" for key, result in planted.items())
            with contextlib.suppress(OSError), self._file(kind).open("ab", buffering=0) as file:
                file.write(lines.encode())
        self._new.clear()

    def _of(self, kind: str) -> dict[str, Planted]:
        if kind not in self._known:
            self._known[kind] = dict(_read(self._file(kind))) if self._folder else {}
        return self._known[kind]

    def _file(self, kind: str) -> Path:
        return Path(self._folder or "", f"{self._name}-{kind}.jsonl")


def _read(file: Path) -> Iterator[tuple[str, Planted]]:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except OSError:
        return
    for line in lines:
        with contextlib.suppress(json.JSONDecodeError):  # A killed process can leave half a line.
            found = json.loads(line)
            verdict: Verdict | None = verdict_from_record(found["verdict"])
            kept = tuple(found["kept"])
            yield found["key"], Planted(attempt=found["attempt"], verdict=verdict, kept=kept, reason=found["reason"])


def _key(problem: Problem) -> str:
    whole = [problem.id, problem.digest, problem.signature, problem.reference]
    return hashlib.sha256(json.dumps(whole).encode("utf-8", "surrogatepass")).hexdigest()[:32]


@functools.cache
def _folder() -> Path | None:
    """The folder for these sources and this engine, in the first cache folder that can be written; None if there is
    none.
    """
    grammar = version("tree-sitter-ocaml")  # it decides what is cut out
    digest = hashlib.sha256(f"{sources_digest()} {grammar}".encode())
    package = Path(__file__).parents[2]
    for path in sorted([*Path(__file__).parent.glob("*.py"), package / "reward.py", package / "verdict.py"]):
        digest.update(path.read_bytes())
    for root in cache_roots():
        folder = root / "repair" / digest.hexdigest()[:16]
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            return folder
    return None
