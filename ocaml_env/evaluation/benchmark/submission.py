"""``submission.json`` of a results directory: the outcome of its check by ``ocaml-env submit``, and its place on the
leaderboard.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from ocaml_env.errors import ConfigError
from ocaml_env.evaluation.files import write_whole

__all__ = ["Status", "Submission", "read_status", "summary_digest"]

_FILE = "submission.json"


class Status(StrEnum):
    """The trust in a row: only its samples were checked, or somebody else got the same figures from the model."""

    SELF_REPORTED = "self-reported"
    REPRODUCED = "reproduced"
    CHANGED = "changed since its check"


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """A checked run.

    Attributes:
        status: the status of its row.
        summary: ``summary_digest`` of the run.
        versions: versions with which its samples were evaluated again.
        secret: the revealed secret of the fresh track; "" if there is none.
    """

    status: Status
    summary: str
    versions: Mapping[str, str]
    secret: str = ""

    def write(self, folder: Path) -> None:
        """Writes the file into a results directory."""
        write_whole(folder / _FILE, json.dumps(asdict(self), indent=2) + "\n")


def summary_digest(folder: Path) -> str:
    """SHA-256, in hexadecimal, of ``summary.json``."""
    return hashlib.sha256((folder / "summary.json").read_bytes()).hexdigest()


def read_status(folder: Path) -> Status | None:
    """The status of a run; None if it was never submitted.

    Raises:
        ConfigError: if its file is damaged.
    """
    file = folder / _FILE
    if not file.exists():
        return None
    try:
        read: dict[str, Any] = json.loads(file.read_bytes())
        return Status(read["status"]) if read["summary"] == summary_digest(folder) else Status.CHANGED
    except (ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"{file}: not the file of a submission: {error!r}") from None
