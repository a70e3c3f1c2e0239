"""One recorded sample, and files of them: one JSON object a line, under a version.

A record says what was asked (by digest), what was answered, what happened and what it was worth. It is made in
``episode``; logs, reports and health rules read it. Lines are only ever appended, and each is flushed, so that a killed
run loses at most the line it was writing.
"""

from __future__ import annotations

import json
import math
import os
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, BinaryIO, Self

from ocaml_env.errors import ConfigError
from ocaml_env.verdict import Diagnostic, Outcome

__all__ = ["SCHEMA_VERSION", "Rollout", "RolloutWriter", "read_rollouts"]

SCHEMA_VERSION = 2
"""Goes up if a field changes its meaning, comes or goes; a reader refuses versions that it does not know. Records of
version 1 say neither the reward's version, nor the problem's digest, nor whether the answer was degenerate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rollout:
    """One completion and what became of it.

    Attributes:
        schema_version: see ``SCHEMA_VERSION``.
        step: the training or evaluation step that asked for it, from 0.
        epoch: how far the run was, in passes over its problems.
        problem_id: the problem.
        problem_digest: ``Problem.digest``; "" if the record is older.
        group: which group of completions of one prompt it belongs to.
        turn: its turn in its episode, from 1.
        prompt_digest: SHA-256 of the prompt, in hexadecimal.
        completion: the raw text of the model.
        truncated: True where generation hit its budget.
        tokens: how many tokens were generated; None where nobody counted.
        outcome: how it ended.
        errors: type errors, as the verdict counts them.
        diagnostics: what the checker said.
        reward: ``RewardSpec.version`` of what was paid; "" if the record is older.
        degenerate: True for an answer that does no better, in any group of tests, than one that has given up.
        parts: the parts of the reward by name.
        total: their sum.
        tests_passed: tests that passed, public and hidden.
        tests_total: tests that the verdict lists; 0 where no test was reached.
        passed: True only where the outcome is PASSED.
    """

    schema_version: int = SCHEMA_VERSION
    step: int
    epoch: float
    problem_id: str
    problem_digest: str = ""
    group: int
    turn: int
    prompt_digest: str
    completion: str
    truncated: bool
    tokens: int | None
    outcome: Outcome
    errors: int
    diagnostics: tuple[Diagnostic, ...]
    reward: str = ""
    degenerate: bool = False
    parts: Mapping[str, float]
    total: float
    tests_passed: int
    tests_total: int
    passed: bool

    @property
    def compiler_raised(self) -> bool:
        """See ``Verdict.compiler_raised``."""
        return any(diagnostic.kind == "compiler" for diagnostic in self.diagnostics)

    def to_json(self) -> str:
        """One line, without its newline. Non-ASCII text is escaped, so that lone surrogates survive.

        A high surrogate that a low one follows is read back as the one character that the two spell.

        Raises:
            ConfigError: where a number is infinite or nan, which JSON cannot say.
        """
        record = {field.name: getattr(self, field.name) for field in fields(self)}
        record["diagnostics"] = [diagnostic.as_dict() for diagnostic in self.diagnostics]
        record["parts"] = dict(self.parts)
        try:
            return json.dumps(record, allow_nan=False)
        except ValueError as error:
            raise ConfigError(f"a rollout of problem {self.problem_id!r} cannot be written: {error}") from None

    @classmethod
    def from_json(cls, line: str | bytes, *, where: str = "<line>") -> Self:
        """Reads one line back.

        Raises:
            ConfigError: where the line is not a rollout of a known version; the message begins with ``where``.
        """
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:  # not JSON, not UTF-8, or nested without end
            raise ConfigError(f"{where}: not JSON: {error}") from None
        if not isinstance(record, dict):
            raise ConfigError(f"{where}: a rollout is a JSON object, not a {type(record).__name__}")
        version = record.get("schema_version")
        if not isinstance(version, int) or isinstance(version, bool) or version < 1:
            raise ConfigError(f"{where}: schema_version is missing or not a positive number: this is not a rollout")
        if version > SCHEMA_VERSION:
            raise ConfigError(
                f"{where}: schema_version {version} is newer than the {SCHEMA_VERSION} that this ocaml_env reads"
            )
        if version == 1:
            record = {"problem_digest": "", "reward": "", "degenerate": False} | record
        return cls(**_checked(record, where))


class RolloutWriter:
    """Appends rollouts to a file, each flushed as it is written. A context manager.

    Opening a file that a killed run left with half a line at its end cuts that half line off, and warns of it. Not for
    several writers of one file at a time.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        _mend(self.path)
        self._file: BinaryIO = self.path.open("ab")

    def write(self, rollout: Rollout) -> None:
        self._file.write(rollout.to_json().encode("ascii") + b"\n")
        self._file.flush()

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read_rollouts(path: str | os.PathLike[str]) -> Iterator[Rollout]:
    """The rollouts of a file, one by one. Empty lines are skipped; so is half a line at the end, with a warning.

    Raises:
        ConfigError: where a line is not a rollout; the message names the file and the line.
        OSError: where the file cannot be read.
    """
    with Path(path).open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            where = f"{os.fspath(path)}:{number}"
            if not line.endswith(b"\n") and not _is_json(line):
                warnings.warn(f"{where}: the last line is cut off and was skipped", RuntimeWarning, stacklevel=2)
                return
            yield Rollout.from_json(line, where=where)


def _mend(path: Path) -> None:
    """Makes the file, where it exists, end with a whole line."""
    if not path.exists():
        return
    with path.open("r+b") as file:
        size = file.seek(0, os.SEEK_END)
        start, tail = size, b""
        while start and b"\n" not in tail:
            start = max(0, start - 65_536)
            file.seek(start)
            tail = file.read(size - start)
        start += tail.rfind(b"\n") + 1
        tail = tail[tail.rfind(b"\n") + 1 :]
        if tail and _is_json(tail):
            file.write(b"\n")
        elif tail:
            file.truncate(start)
            warnings.warn(f"{path}: half a line at its end was cut off", RuntimeWarning, stacklevel=3)


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


_JSON_TYPES: Mapping[str, tuple[type, ...]] = {
    "bool": (bool,),
    "float": (int, float),
    "int": (int,),
    "int | None": (int, type(None)),
    "str": (str,),
    "Mapping[str, float]": (dict,),
    "Outcome": (str,),
    "tuple[Diagnostic, ...]": (list,),
}
_TYPES = {field.name: _JSON_TYPES[str(field.type)] for field in fields(Rollout)}


def _checked(record: dict[str, Any], where: str) -> dict[str, Any]:
    """The record with its fields as Python values; unknown, missing and ill-typed fields are errors."""
    for name, kinds in _TYPES.items():
        if name not in record:
            raise ConfigError(f"{where}: the field {name!r} is missing")
        _check_type(name, record[name], kinds, where)
    for name in record:
        if name not in _TYPES:
            raise ConfigError(f"{where}: unknown field {name!r}")
    for part, value in record["parts"].items():
        _check_type(f"the part {part!r}", value, (int, float), where)
    try:
        outcome = Outcome(record["outcome"])
        diagnostics = tuple(Diagnostic(**diagnostic) for diagnostic in record["diagnostics"])
    except (TypeError, ValueError) as error:
        raise ConfigError(f"{where}: {error}") from None
    return record | {"outcome": outcome, "diagnostics": diagnostics}


def _check_type(name: str, value: object, kinds: tuple[type, ...], where: str) -> None:
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        wanted = " or ".join("null" if kind is type(None) else kind.__name__ for kind in kinds)
        raise ConfigError(f"{where}: {name} must be {wanted}, not {value!r:.80}")
    if isinstance(value, float) and not math.isfinite(value):
        raise ConfigError(f"{where}: {name} must be a finite number, not {value!r}")
