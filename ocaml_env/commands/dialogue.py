"""Questions in a terminal: lines, longer texts, and an editor for those who want one."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

__all__ = ["Stopped", "ask_line", "ask_text", "edit", "has_terminal"]


class Stopped(Exception):
    """The user stops here."""


def has_terminal() -> bool:
    """True if somebody can answer."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def ask_line(prompt: str) -> str:
    """One line. Raises ``Stopped`` at Ctrl-C and Ctrl-D."""
    try:
        return input(prompt).strip()
    except (EOFError, KeyboardInterrupt):
        print()
        raise Stopped from None


def ask_text(title: str, before: str, *, suffix: str) -> str:
    """A text of several lines, typed or written in the editor.

    Args:
        title: what is wanted.
        before: the text for the editor to begin with.
        suffix: of the editor's file, for its colours.
    """
    print(f"{title}\n(end with a line that has only a dot; `e` opens your editor)")
    lines: list[str] = []
    while (line := _raw_line()) != ".":
        if not lines and line.strip() == "e":
            return edit(before, suffix=suffix)
        lines.append(line)
    return "\n".join(lines)


def edit(text: str, *, suffix: str) -> str:
    """The text after the user has changed it in $VISUAL, $EDITOR or vi; unchanged if no editor can be run."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"edit{suffix}")
        path.write_text(text + "\n", encoding="utf-8")
        try:
            done = subprocess.run([*shlex.split(editor), str(path)], check=False)
        except OSError as error:
            print(f"{editor}: {error.strerror}. Set EDITOR to the command of your editor.")
            return text
        if done.returncode:
            print(f"{editor} ended with exit code {done.returncode}: nothing is changed")
            return text
        return path.read_text(encoding="utf-8", errors="replace").strip("\n")


def _raw_line() -> str:
    try:
        return input("| ").rstrip()
    except (EOFError, KeyboardInterrupt):
        print()
        raise Stopped from None
