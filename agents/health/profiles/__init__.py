"""The profiles that there are, by name."""

from __future__ import annotations

from collections.abc import Mapping

from agents.health.profile import Profile
from agents.health.profiles.default import DEFAULT
from agents.health.profiles.seed import SEED

__all__ = ["PROFILES", "find_profile"]

PROFILES: Mapping[str, Profile] = {profile.name: profile for profile in (DEFAULT, SEED)}
"""Name -> profile; the first is what is used where none is named."""


def find_profile(name: str) -> Profile:
    """The profile of that name.

    Raises:
        ValueError: where there is none; the message has the names of those that there are.
    """
    if name not in PROFILES:
        raise ValueError(f"there is no profile {name!r}; those that there are: {', '.join(PROFILES)}")
    return PROFILES[name]
