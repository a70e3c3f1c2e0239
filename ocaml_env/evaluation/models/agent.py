"""The interface of agents: completions for observations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from ocaml_env.extract import Completion

__all__ = ["Agent"]


@runtime_checkable
class Agent(Protocol):
    """Answers observations: a trained model, a service or a script."""

    def act(self, observations: Sequence[str]) -> list[Completion]:
        """Returns one completion for each observation, in order. A cut-off one has ``Completion.truncated`` set."""
        ...
