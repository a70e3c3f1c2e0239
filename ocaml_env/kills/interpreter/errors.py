"""The ways in which an evaluation ends without a value."""

from __future__ import annotations

from typing import Any

from ocaml_env.errors import EngineError

__all__ = ["Diverged", "Ended", "Raised", "Unsupported"]


class Unsupported(EngineError):
    """The program uses something unknown to this interpreter; it may be valid OCaml."""


class Raised(Exception):
    """The program raised; ``value`` is the exception as a value."""

    def __init__(self, value: Any) -> None:
        super().__init__(value)
        self.value = value


class Diverged(Exception):
    """The program exceeded its number of steps, or its depth."""


class Ended(Exception):
    """The program called ``exit``."""
