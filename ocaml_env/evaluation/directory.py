"""The results directory of an evaluation: its settings, and one line a sample, written as samples arrive.

    config.json     the settings; a resumed run must have the same
    samples.jsonl   one object a sample, see ``record``
    summary.json    made from the two
    report.html     all of it, for people

A killed run loses only its unfinished samples: each line is flushed at once. A resumed run cuts off half a line at the
end, and drops and repeats samples with a ``fault`` (an infrastructure error in place of an answer or a verdict).
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Self

from ocaml_env.errors import ConfigError
from ocaml_env.evaluation.config import RunConfig
from ocaml_env.evaluation.fast_json import decode, encode
from ocaml_env.evaluation.files import FolderLock, write_whole
from ocaml_env.evaluation.record import Record
from ocaml_env.evaluation.summary import Summary

__all__ = [
    "SCHEMA_VERSION",
    "Done",
    "Results",
    "check_samples",
    "read_config",
    "read_samples",
    "read_summary",
    "write_json",
]

SCHEMA_VERSION = 1
"""Rises if a field changes its meaning or is removed; readers refuse other versions."""


class Done:
    """The set of finished samples: a byte each, so that memory stays flat.

    Attributes:
        passed: number of passing samples.
    """

    def __init__(self) -> None:
        self.passed = 0
        self._of: dict[str, bytearray] = {}

    @property
    def problems(self) -> Collection[str]:
        """Ids of problems with a finished sample."""
        return self._of.keys()

    def add(self, problem_id: str, sample: int, passed: bool) -> None:
        """Adds a sample; the caller checks that it is new."""
        these = self._of.setdefault(problem_id, bytearray())
        these.extend(bytes(max(0, sample + 1 - len(these))))
        these[sample] = 1
        self.passed += passed

    def __contains__(self, key: tuple[str, int]) -> bool:
        problem_id, sample = key
        return self._of.get(problem_id, b"")[sample : sample + 1] == b"\1"

    def __len__(self) -> int:
        return sum(map(sum, self._of.values()))


class Results:
    """A results directory, locked for writing by this process. A context manager.

    Args:
        path: the directory; it is made if there is none.
        config: the settings of the run. ``base_url`` is recorded but not compared, because a server
            may move; of ``versions`` only OCaml's is compared.
        keep_faults: True keeps samples with a fault; by default they are dropped, to be repeated.
        seen: is called with every kept and every written sample, in the order of the file.

    Attributes:
        done: the finished samples.

    Raises:
        ConfigError: if another run is writing there, or the directory holds a run with other settings.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        config: RunConfig,
        *,
        keep_faults: bool = False,
        seen: Callable[[Record], None] = lambda record: None,
    ) -> None:
        self.path = Path(path)
        self._seen = seen
        self._alone = FolderLock(self.path, option="--out")
        self.done = Done()
        self._n = config.n
        try:
            self._claim(config)
            self._mend(keep_faults)
            self._file = self.samples.open("ab")
        except BaseException:
            self._alone.close()
            raise

    @property
    def samples(self) -> Path:
        return self.path / "samples.jsonl"

    def write(self, record: Record) -> None:
        """Appends a sample. Does nothing once the directory is closed.

        Raises:
            OSError: if the disk refuses it.
        """
        if self._file.closed:
            return
        self._file.write(_line(record))
        self._file.flush()
        if not record.fault:
            self.done.add(record.problem_id, record.sample, record.passed)
        self._seen(record)

    @contextmanager
    def replacing(self) -> Iterator[Callable[[Record], None]]:
        """Replaces all samples by those written in the context. A failed or killed run leaves the old ones."""
        fresh = self.samples.with_suffix(".new")
        with fresh.open("wb") as file:

            def write(record: Record) -> None:
                file.write(_line(record))

            yield write
            _settle(file)
        self._file.close()
        os.replace(fresh, self.samples)
        self._file = self.samples.open("ab")

    def close(self) -> None:
        """Unlocks the directory."""
        if not self._file.closed:
            self._file.close()
            self._alone.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _claim(self, config: RunConfig) -> None:
        file = self.path / "config.json"
        if file.exists():
            differing = _differences(read_config(self.path), config)
            if differing:
                raise ConfigError(
                    f"{self.path} holds a run with other settings: {'; '.join(differing)}. "
                    "Give the same settings to go on with it, or choose another --out"
                )
        elif self.samples.exists():
            raise ConfigError(f"{self.path} holds samples.jsonl and no config.json: choose another --out")
        write_json(file, config.to_json())

    def _mend(self, keep_faults: bool) -> None:
        """Cuts off half a line at the end, drops faults, and marks samples as done."""
        if not self.samples.exists():
            return
        faults, whole = 0, 0
        with self.samples.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if not line.endswith(b"\n"):
                    break
                whole += len(line)
                record = _read(line, self.samples, number)
                name, sample = record.problem_id, record.sample
                if record.fault:
                    faults += 1
                    if not keep_faults:
                        continue
                elif (name, sample) in self.done:
                    raise ConfigError(f"{self.samples}:{number}: sample {sample} of {name!r} is there twice")
                elif not 0 <= sample < self._n:
                    raise ConfigError(f"{self.samples}:{number}: there is no sample {sample} of {self._n}")
                else:
                    self.done.add(name, sample, record.passed)
                self._seen(record)
        if whole < self.samples.stat().st_size:
            os.truncate(self.samples, whole)
        if faults and not keep_faults:
            fresh = self.samples.with_suffix(".new")
            with self.samples.open("rb") as file, fresh.open("wb") as kept:
                kept.writelines(line for line in file if not decode(line)["fault"])
                _settle(kept)
            os.replace(fresh, self.samples)


def _line(record: Record) -> bytes:
    whole = {"schema_version": SCHEMA_VERSION, **record.to_json()}
    line = encode(whole)
    if not line.isascii():  # escaped: some readers take U+2028 and the like for a line end
        line = json.dumps(whole, allow_nan=False).encode("ascii")
    return line + b"\n"


def _settle(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())


def check_samples(path: str | os.PathLike[str]) -> Path:
    """Returns the file of samples of a results directory.

    Raises:
        ConfigError: if only the figures were kept.
    """
    file = Path(path) / "samples.jsonl"
    if not file.exists() and (file.parent / "summary.json").exists():
        raise ConfigError(f"{path} has no samples.jsonl: only the figures of this run were kept")
    return file


def read_samples(path: str | os.PathLike[str], *, lines: Collection[int] | None = None) -> Iterator[Record]:
    """Yields the samples of a results directory in the order of the file; skips half a line at the end.

    Args:
        path: the directory.
        lines: numbers of the lines to read, from 1; None reads all.

    Raises:
        ConfigError: if there is no file of samples, or a line is not a sample.
    """
    file = check_samples(path)
    try:
        with file.open("rb") as samples:
            for number, line in enumerate(samples, start=1):
                if line.endswith(b"\n") and (lines is None or number in lines):
                    yield _read(line, file, number)
    except OSError as error:
        raise ConfigError(f"{file}: {error.strerror}: this is no results directory") from None


def read_config(path: str | os.PathLike[str]) -> RunConfig:
    """Reads the settings of a results directory.

    Raises:
        ConfigError: if there are none.
    """
    file = Path(path) / "config.json"
    return RunConfig.from_json(_read_object(file, "this is no results directory"), file)


def read_summary(path: str | os.PathLike[str]) -> Summary:
    """Reads the summary of a results directory.

    Raises:
        ConfigError: if there is none.
    """
    file = Path(path) / "summary.json"
    begun = (Path(path) / "config.json").exists()
    unfinished = "the run is not finished; the same command of `ocaml-env evaluate` goes on with it"
    absent = unfinished if begun else "there is no evaluation here"
    return Summary.from_json(_read_object(file, absent), file)


def _read_object(file: Path, absent: str) -> dict[str, Any]:
    try:
        value = json.loads(file.read_bytes())
    except OSError as error:
        raise ConfigError(f"{file}: {error.strerror}: {absent}") from None
    except ValueError as error:
        raise ConfigError(f"{file}: not JSON: {error}") from None
    if not isinstance(value, dict):
        raise ConfigError(f"{file}: not a JSON object")
    return value


def write_json(path: Path, value: object) -> None:
    """Writes a JSON file in one step, see ``write_whole``."""
    write_whole(path, json.dumps(value, indent=2, allow_nan=False) + "\n")


def _differences(before: RunConfig, now: RunConfig) -> list[str]:
    """The differing settings, in words. Of the versions only OCaml's counts, because it decides verdicts."""

    def settings(config: RunConfig) -> dict[str, Any]:
        flat = {name: value for name, value in config.settings().items() if name != "base_url"}
        return flat | {"OCaml": config.versions.get("ocaml")}

    old, new = settings(before), settings(now)
    return [
        f"{name} was {old.get(name)!r} and is {new.get(name)!r}"
        for name in dict.fromkeys([*old, *new])
        if old.get(name) != new.get(name)
    ]


def _read(line: bytes, file: Path, number: int) -> Record:
    try:
        value = decode(line)
    except ValueError as error:
        raise ConfigError(f"{file}:{number}: not JSON: {error}") from None
    if not isinstance(value, dict) or value.get("schema_version") != SCHEMA_VERSION:
        raise ConfigError(f"{file}:{number}: not a sample of schema version {SCHEMA_VERSION}")
    try:
        return Record.from_json(value)
    except KeyError as error:
        raise ConfigError(f"{file}:{number}: the field {error} is missing") from None
    except (TypeError, ValueError) as error:
        raise ConfigError(f"{file}:{number}: not a sample of an evaluation: {error}") from None
