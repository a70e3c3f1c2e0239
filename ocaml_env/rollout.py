"""The record of one evaluated completion, and files of such records: one JSON object a line, with its schema's version.

``episode`` makes the record. The logs of a training hold one a line, the samples of an evaluation one a turn. Lines are
appended and flushed one by one, so that a killed run loses at most the line that it was writing.
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
from ocaml_env.verdict import Diagnostic, Outcome, Stage

__all__ = ["SCHEMA_VERSION", "Rollout", "RolloutWriter", "read_rollouts"]

SCHEMA_VERSION = 3
"""It rises if a field comes, goes or changes its meaning. A reader refuses versions that it does not know."""

_SINCE: Mapping[int, Mapping[str, Any]] = {
    2: {"problem_digest": "", "reward": "", "degenerate": False},
    3: {"stage": None, "tests_passed_inside": 0, "thinking": None, "latency": None},
}
"""New fields by version, with their values in older records."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rollout:
    """One completion, its verdict and its reward.

    Attributes:
        schema_version: see ``SCHEMA_VERSION``.
        step: the step of the training, from 0.
        epoch: the progress of the run, in passes over its problems.
        problem_id: the problem.
        problem_digest: ``Problem.digest``; "" if the record is older.
        group: the number of its group: completions of one prompt in one step.
        turn: its turn in its episode, from 1.
        prompt_digest: SHA-256 of the prompt, in hexadecimal; "" if unknown.
        completion: the raw text of the model.
        truncated: True if generation reached its limit.
        tokens: the number of generated tokens; None if unknown.
        thinking: the number of tokens of thinking among them; None if unknown.
        latency: seconds of generation; None if unknown.
        outcome: how it ended.
        stage: the last stage entered; None if the record is older.
        errors: type errors, as the verdict counts them.
        diagnostics: the messages of the checker.
        reward: ``RewardSpec.version`` of the reward; "" if the record is older.
        degenerate: True if it passes no more, in any group of tests, than an answer that gives up. Always False by the
            protocol of another benchmark.
        parts: the parts of the reward by name.
        total: their sum.
        tests_passed: passed tests, public and hidden.
        tests_passed_inside: those of them that are decided beside the candidate (see ``docs/trust.md``).
        tests_total: tests in the verdict; 0 if no test was reached.
        passed: True only if the outcome is PASSED.
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
    thinking: int | None = None
    latency: float | None = None
    outcome: Outcome
    stage: Stage | None = None
    errors: int
    diagnostics: tuple[Diagnostic, ...]
    reward: str = ""
    degenerate: bool = False
    parts: Mapping[str, float]
    total: float
    tests_passed: int
    tests_passed_inside: int = 0
    tests_total: int
    passed: bool

    @property
    def compiler_raised(self) -> bool:
        """See ``Verdict.compiler_raised``."""
        return any(diagnostic.kind == "compiler" for diagnostic in self.diagnostics)

    def to_json(self) -> str:
        """Returns one line, without its newline. Non-ASCII text is escaped, so that lone surrogates survive.

        A high surrogate before a low one is read back as the one character that they encode.

        Raises:
            ConfigError: if a number is infinite or nan. JSON has no such numbers.
        """
        try:
            return json.dumps(self.as_dict(), allow_nan=False)
        except ValueError as error:
            raise ConfigError(f"a rollout of problem {self.problem_id!r} cannot be written: {error}") from None

    def as_dict(self) -> dict[str, Any]:
        """Returns plain values of JSON, in the order of the fields."""
        record = {field.name: getattr(self, field.name) for field in fields(self)}
        record["stage"] = self.stage.name if self.stage is not None else None
        record["diagnostics"] = [diagnostic.as_dict() for diagnostic in self.diagnostics]
        record["parts"] = dict(self.parts)
        return record

    @classmethod
    def from_json(cls, line: str | bytes, *, where: str = "<line>") -> Self:
        """Reads one line back.

        Raises:
            ConfigError: if the line is not a rollout of a known version. The message begins with ``where``.
        """
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:  # not JSON, not UTF-8, or nested without end
            raise ConfigError(f"{where}: not JSON: {error}") from None
        return cls.from_dict(record, where=where)

    @classmethod
    def from_dict(cls, record: object, *, where: str = "<record>") -> Self:
        """Reads the values of ``as_dict`` back.

        Raises:
            ConfigError: as ``from_json``.
        """
        if not isinstance(record, dict):
            raise ConfigError(f"{where}: a rollout is a JSON object, not a {type(record).__name__}")
        version = record.get("schema_version")
        if not isinstance(version, int) or isinstance(version, bool) or version < 1:
            raise ConfigError(f"{where}: schema_version is missing or not a positive number: this is not a rollout")
        if version > SCHEMA_VERSION:
            raise ConfigError(
                f"{where}: schema_version {version} is newer than the {SCHEMA_VERSION} that this ocaml_env reads"
            )
        for since, values in _SINCE.items():
            if version < since:
                record = {**values, **record}
        return cls(**_checked(record, where))


class RolloutWriter:
    """Appends rollouts to a file, and flushes each. A context manager.

    A killed run can leave half a line at the end of its file. Opening the file cuts it off, with a warning. A file has
    one writer at a time.
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
    """Yields the rollouts of a file. Skips empty lines, and half a line at the end with a warning.

    Raises:
        ConfigError: if a line is not a rollout. The message names the file and the line.
        OSError: if the file cannot be read.
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
    """Makes the file end with a whole line, if there is a file."""
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
    "float | None": (int, float, type(None)),
    "int": (int,),
    "int | None": (int, type(None)),
    "str": (str,),
    "Mapping[str, float]": (dict,),
    "Outcome": (str,),
    "Stage | None": (str, type(None)),
    "tuple[Diagnostic, ...]": (list,),
}
_TYPES = {field.name: _JSON_TYPES[str(field.type)] for field in fields(Rollout)}


def _checked(record: dict[str, Any], where: str) -> dict[str, Any]:
    """Returns the record with its fields as Python values. Unknown, missing and ill-typed fields are errors."""
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
        stage = None if record["stage"] is None else _stage(record["stage"])
        diagnostics = tuple(Diagnostic(**diagnostic) for diagnostic in record["diagnostics"])
    except (TypeError, ValueError) as error:
        raise ConfigError(f"{where}: {error}") from None
    return record | {"outcome": outcome, "stage": stage, "diagnostics": diagnostics}


def _stage(name: str) -> Stage:
    if name not in Stage.__members__:
        raise ValueError(f"{name!r} is not a valid Stage")
    return Stage[name]


def _check_type(name: str, value: object, kinds: tuple[type, ...], where: str) -> None:
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        wanted = " or ".join("null" if kind is type(None) else kind.__name__ for kind in kinds)
        raise ConfigError(f"{where}: {name} must be {wanted}, not {value!r:.80}")
    if isinstance(value, float) and not math.isfinite(value):
        raise ConfigError(f"{where}: {name} must be a finite number, not {value!r}")
