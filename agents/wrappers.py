"""What Gymnasium's wrappers around an environment mean to a training, which asks the environment in parts and never
calls ``step``: those that change rewards are kept, and those that would change anything else are refused.
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
"""They step for themselves, and change nothing that a training takes. ``gymnasium.make`` adds the first two."""


def unwrap(given: Any) -> tuple[OCamlCodeEnv | None, tuple[AnyRewardWrapper, ...]]:
    """The environment behind wrappers, if it is one, and the wrappers that change its rewards, innermost first.

    Raises:
        ConfigError: for a wrapper that a training cannot keep, and for another environment.
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
    """What the steps of an episode pay together, whose turns have these totals: each pays the change in total."""
    if not wrappers:
        return totals[-1]
    together = 0.0
    for before, total in zip((0.0, *totals), totals, strict=False):
        reward: Any = total - before
        for wrapper in wrappers:
            reward = wrapper.reward(reward)
        together += float(reward)
    return together
