"""Files of a long run: a lock for a single writer of a folder, and writes in one step."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import Self

from ocaml_env.errors import ConfigError

__all__ = ["FolderLock", "write_whole"]


class FolderLock:
    """The exclusive right of a process to write into a folder, until it is closed. A context manager.

    The system releases the lock at the end of the process, even after SIGKILL. It leaves no file behind.

    Args:
        folder: the folder; it is made if there is none.
        option: the command's option for the folder, for the message.

    Raises:
        ConfigError: if another process has the lock, the folder cannot be made, or its file system has no locks.
    """

    def __init__(self, folder: str | os.PathLike[str], *, option: str) -> None:
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
            self._folder = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        except OSError as error:
            raise ConfigError(f"{folder}: cannot be a results directory: {error.strerror}") from None
        try:
            fcntl.flock(self._folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._folder)
            raise ConfigError(
                f"{folder}: another run is writing there; wait for it, or choose another {option}"
            ) from None
        except OSError as error:
            os.close(self._folder)
            raise ConfigError(
                f"{folder}: its file system has no locks, so two runs could mix there ({error.strerror}): choose "
                f"another {option}"
            ) from None

    def close(self) -> None:
        """Releases the lock. Call it once."""
        os.close(self._folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def write_whole(path: Path, text: str) -> None:
    """Writes a text file in one step: no reader sees half of it, and a killed process leaves the old file."""
    fresh = path.with_name(path.name + ".new")
    fresh.write_text(text, encoding="utf-8", newline="")
    os.replace(fresh, path)
