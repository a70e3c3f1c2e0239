"""Reads the files that a run wrote about itself.

A run directory is searched for, in this order:

- ``metrics.jsonl``, one JSON object a logging step;
- ``learning.log``: any text with ``[Epoch ...]  name=value`` lines. Between a mean and its deviation stands ``±``,
  ``Â±`` (UTF-8 read as Latin-1, once or several times), ``+/-``, or a lone byte of Latin-1. The text is UTF-8 or
  UTF-16, with any line ends, and may hold the remains of progress bars;
- ``trainer_state.json`` of the newest checkpoint: the ``log_history`` of any transformers trainer.

A resumed run repeats steps: a step below an earlier one drops all records above it, and records of one step are merged.
Unreadable lines are noted with file and line, and skipped. A log without one readable logging step is an error.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from pathlib import Path

from agents.health.records import Intervention, Record, Run, bounded, mended, number_of, record_of

__all__ = ["CannotRead", "read_interventions", "read_run", "read_settings"]

_NOTES = 20
"""Notes kept of one run; a file of another kind would make one a line."""


class CannotRead(ValueError):
    """A run has no readable logging step; the message names the file, and the line if there is one."""


def read_run(source: Path | str) -> Run:
    """Reads a run directory, a checkpoint, a ``learning.log``, a ``metrics.jsonl`` or a ``trainer_state.json``.

    Raises:
        CannotRead: if there is no such file, or no logging step in it.
        OSError: if the operating system refuses to read an existing file.
    """
    path = Path(source)
    if not path.exists():
        raise CannotRead(f"{path}: there is no such file or folder")
    folder = path if path.is_dir() else path.parent
    file = _file_of(path) if path.is_dir() else path
    if path.is_dir() and folder.name.startswith("checkpoint-"):
        folder = folder.parent
    notes: list[str] = []
    records = mended(_READERS[file.suffix](file, notes) if file.suffix in _READERS else _read_log(file, notes))
    if not records:
        because = "".join(f"\n  {note}" for note in notes[:3])
        raise CannotRead(f"{file}: no logging step can be read from it{because}")
    completions = folder / "reward_logs" / "completions.jsonl"
    return Run(
        source=path,
        records=tuple(records),
        settings=read_settings(folder / "config.yaml"),
        interventions=tuple(read_interventions(folder / "interventions.jsonl", notes)),
        completions=completions if completions.is_file() else None,
        notes=tuple(notes[:_NOTES]),
    )


def _file_of(folder: Path) -> Path:
    for name in ("metrics.jsonl", "learning.log", "trainer_state.json"):
        if (folder / name).is_file() and (folder / name).stat().st_size:
            return folder / name
    checkpoints = [
        path for path in folder.glob("checkpoint-*/trainer_state.json") if _number_of(path.parent) is not None
    ]
    if not checkpoints:
        raise CannotRead(f"{folder}: it holds no metrics.jsonl, learning.log or checkpoint-*/trainer_state.json")
    return max(checkpoints, key=lambda path: _number_of(path.parent) or 0)


def _number_of(checkpoint: Path) -> int | None:
    tail = checkpoint.name.removeprefix("checkpoint-")
    return int(tail) if tail.isdecimal() else None


def _read_metrics(path: Path, notes: list[str]) -> Iterator[Record]:
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            where = f"{path}:{number}"
            if not line.strip():
                continue
            try:
                entry = json.loads(line)
            except (ValueError, RecursionError) as error:
                cut = "" if line.endswith(b"\n") else " (the last line, cut off)"
                notes.append(f"{where}: not JSON{cut}: {error}")
                continue
            if isinstance(entry, dict):
                yield record_of(entry, where=where, notes=notes)
            else:
                notes.append(f"{where}: a logging step is a JSON object, not a {type(entry).__name__}")


def _read_state(path: Path, notes: list[str]) -> Iterator[Record]:
    try:
        state = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise CannotRead(f"{path}: not JSON: {error}") from None
    history = state.get("log_history") if isinstance(state, dict) else None
    if not isinstance(history, list):
        raise CannotRead(f"{path}: it has no log_history: this is not the state of a transformers trainer")
    last = state.get("max_steps")
    for number, entry in enumerate(history):
        where = f"{path}: log_history[{number}]"
        if not isinstance(entry, dict):
            notes.append(f"{where}: not an object")
        elif not any(name.startswith("eval_") or name == "train_runtime" for name in entry):
            record = record_of(entry, where=where, notes=notes)
            share = record.step / last if record.step and isinstance(last, int) and last > 0 else None
            yield record.merged(Record(progress=share))


# --- text: learning.log -----------------------------------------------------------------------------------------------

_LINE = re.compile(r"\[Epoch\s+([^\]\s]+)\s*\](.*)")
_FIELD = re.compile(r"(\w+)=\s*(?!\w+=)(\S+)")  # a name without a value must not take the next name as its value
# A mean, a separator and a deviation. Wrong encodings turn the separator into non-ASCII signs or "?"; "+/-" is one too.
_PAIR = re.compile(r"([-+\w.]+?)(?:[^\x00-\x7f]+|\?+|\+/?-)([\w.+-]+)")

_NAMES = {
    "loss": ("loss",),
    "grad": ("grad_norm",),
    "lr": ("learning_rate",),
    "reward": ("reward", "reward_std"),
    "syntax_rew": ("rewards/syntax_aware_reward/mean", "rewards/syntax_aware_reward/std"),
    "entropy": ("entropy",),
    "frac_zero_std": ("frac_reward_zero_std",),
}
_ABSENT = frozenset({"n/a", "na", "none", "null", "-", "--"})


def _read_log(path: Path, notes: list[str]) -> Iterator[Record]:
    for number, line in enumerate(_lines(path.read_bytes()), start=1):
        if match := _LINE.search(line):
            where = f"{path}:{number}"
            try:
                epoch = float(match[1])
            except ValueError:
                notes.append(f"{where}: the epoch {match[1]!r:.40} is no number")
                continue
            numbers: dict[str, float] = {}
            for name, value in _FIELD.findall(match[2]):
                for known, text in zip(_NAMES.get(name, (name,)), _parts(value), strict=False):
                    if text.lower() in _ABSENT:
                        continue
                    try:
                        numbers[known] = bounded(float(text))
                    except ValueError:
                        notes.append(f"{where}: {name} is no number: {text!r:.60}")
            if numbers:
                yield Record(epoch=epoch, numbers=numbers, where=where)
            else:
                notes.append(f"{where}: no name=value after the epoch")


def _parts(value: str) -> tuple[str, ...]:
    """Splits a mean and its deviation, or returns one number. A lone ASCII hyphen is a sign, not a separator."""
    pair = _PAIR.fullmatch(value)
    return (pair[1], pair[2]) if pair else (value,)


def _lines(raw: bytes) -> Iterator[str]:
    """Splits a text of unknown encoding into lines. Decodes each line alone, so that a bad one spoils no other."""
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raw = raw.decode("utf-16", "replace").encode("utf-8")
    for line in raw.removeprefix(codecs.BOM_UTF8).split(b"\n"):
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError:
            text = line.decode("latin-1")
        yield from text.split("\r")  # also between a line and a progress bar over it


_READERS = {".jsonl": _read_metrics, ".json": _read_state}


# --- the other files of a run directory -------------------------------------------------------------------------------

_SETTING = re.compile(
    r"""^([A-Za-z_]\w*):[ \t]+(?:'([^']*)'|"([^"]*)"|([^'"#\s][^#]*?))[ \t]*(?:#.*)?$""", re.MULTILINE
)


def read_settings(path: Path) -> dict[str, str]:
    """Reads the ``name: scalar`` lines at the left margin of a YAML file; empty if there is no file.

    Lists and mappings are skipped, because no advice changes them. No YAML library is used, so that the diagnostics
    also run without one.
    """
    if not path.is_file():
        return {}
    text = path.read_text(encoding="utf-8", errors="replace")
    return {name: single or double or plain for name, single, double, plain in _SETTING.findall(text)}


def read_interventions(path: Path, notes: list[str]) -> list[Intervention]:
    """Reads ``interventions.jsonl``; empty if there is no file. Notes and skips bad lines."""
    kept: list[Intervention] = []
    if not path.is_file():
        return kept
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            intervention = Intervention(
                step=int(entry["step"]),
                epoch=number_of(entry.get("epoch")),
                setting=str(entry["setting"]),
                before=float(entry["from"]),
                after=float(entry["to"]),
                rule=str(entry.get("rule", "")),
            )
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            notes.append(f"{path}:{number}: not an intervention: {error!r}")
            continue
        kept.append(intervention)
    return kept
