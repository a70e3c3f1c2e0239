"""Gymnasium's wrappers in training.

Training uses the parts of an environment and never calls ``step``. Keeps wrappers of rewards, and refuses any that
would change something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gymnasium import Env, RewardWrapper, Wrapper
from gymnasium.vector import VectorEnv
from gymnasium.wrappers import OrderEnforcing, PassiveEnvChecker, RecordEpisodeStatistics

from ocaml_env import ConfigError, OCamlCodeEnv

__all__ = ["AnyRewardWrapper", "paid", "unwrap"]

AnyRewardWrapper = RewardWrapper[Any, Any]

_SILENT = (OrderEnforcing, PassiveEnvChecker, RecordEpisodeStatistics)
"""These override ``step``, but change nothing in training. ``gymnasium.make`` adds the first two."""


def unwrap(given: Any) -> tuple[OCamlCodeEnv | None, tuple[AnyRewardWrapper, ...]]:
    """Returns the environment behind wrappers, and its reward wrappers, innermost first. None for no environment.

    Raises:
        ConfigError: for a wrapper that changes more than rewards, and for another environment.
    """
    if not isinstance(given, Env | VectorEnv):
        return None, ()
    inner, kept = given, []
    while isinstance(inner, Wrapper):
        kind = type(inner)
        if isinstance(inner, RewardWrapper) and kind.step is RewardWrapper.step and kind.reset is Wrapper.reset:
            kept.append(inner)
        elif kind not in _SILENT and not (kind.step is Wrapper.step and kind.reset is Wrapper.reset):
            raise ConfigError(
                f"training cannot keep the wrapper {kind.__name__}: it would be left out, for no completion goes "
                "through its step or reset. Wrappers that change rewards alone (gymnasium.RewardWrapper) are kept"
            )
        inner = inner.env
    if not isinstance(inner, OCamlCodeEnv):
        raise ConfigError(
            f"training takes an environment of gymnasium.make('OCamlCode-v0') or problems, not {type(inner).__name__}"
        )
    return inner, tuple(reversed(kept))


def paid(totals: Sequence[float], wrappers: Sequence[AnyRewardWrapper]) -> float:
    """The sum of wrapped rewards over an episode with these totals. Each step pays the change of the total."""
    if not wrappers:
        return totals[-1]
    together = 0.0
    for before, total in zip((0.0, *totals), totals, strict=False):
        reward: Any = total - before
        for wrapper in wrappers:
            reward = wrapper.reward(reward)
        together += float(reward)
    return together
