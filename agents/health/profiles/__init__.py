"""The profiles, by name."""

from __future__ import annotations

from collections.abc import Mapping

from agents.health.profile import Profile
from agents.health.profiles.default import DEFAULT
from agents.health.profiles.seed import SEED

__all__ = ["PROFILES", "find_profile"]

PROFILES: Mapping[str, Profile] = {profile.name: profile for profile in (DEFAULT, SEED)}
"""Name -> profile; the first is the default."""


def find_profile(name: str) -> Profile:
    """Returns the profile of that name.

    Raises:
        ValueError: if there is none; the message lists the names of all profiles.
    """
    if name not in PROFILES:
        raise ValueError(f"there is no profile {name!r}; those that there are: {', '.join(PROFILES)}")
    return PROFILES[name]
