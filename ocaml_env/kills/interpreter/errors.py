"""How the evaluation of a program may end but for a value."""

from __future__ import annotations

from typing import Any

from ocaml_env.errors import EngineError

__all__ = ["Diverged", "Ended", "Raised", "Unsupported"]


class Unsupported(EngineError):
    """The program has what is not known here; it may be good OCaml."""


class Raised(Exception):
    """The program raised; ``value`` is the exception as a value."""

    def __init__(self, value: Any) -> None:
        super().__init__(value)
        self.value = value


class Diverged(Exception):
    """The program took more steps, or went deeper, than it was allowed to."""


class Ended(Exception):
    """The program called ``exit``."""
