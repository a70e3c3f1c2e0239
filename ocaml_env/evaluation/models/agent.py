"""What everything that answers observations has in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from ocaml_env.extract import Completion

__all__ = ["Agent"]


@runtime_checkable
class Agent(Protocol):
    """Anything that answers observations: a trained model, a service, a script."""

    def act(self, observations: Sequence[str]) -> list[Completion]:
        """One completion for each observation, in order. A cut-off one says so (``Completion.truncated``)."""
        ...
