"""The study's assumptions: shares of each severity in the answers of simulated policies and in honest tries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.reward_quality.ladder import Severity

__all__ = ["GROUP", "POLICIES", "TRY", "Policy"]

GROUP = 8


@dataclass(frozen=True, kw_only=True)
class Policy:
    """A simulated policy.

    Attributes:
        name: its name.
        shares: share of answers of each severity, with the sum 1.
        spam: if not empty, its only kind of spam; otherwise all kinds occur.
    """

    name: str
    shares: Mapping[Severity, float]
    spam: str = ""


def _policy(name: str, *shares: float, spam: str = "") -> Policy:
    return Policy(name=name, shares=dict(zip(Severity, shares, strict=True)), spam=spam)


POLICIES = (
    _policy("collapsed", 0.00, 0.00, 0.01, 0.01, 0.01, 0.01, 0.06, 0.02, 0.02, 0.02, 0.84, spam="runaway spam"),
    _policy("base model", 0.02, 0.03, 0.15, 0.15, 0.13, 0.12, 0.20, 0.05, 0.05, 0.05, 0.05),
    _policy("learner", 0.15, 0.15, 0.25, 0.15, 0.08, 0.05, 0.10, 0.03, 0.02, 0.01, 0.01),
    _policy("expert", 0.70, 0.15, 0.08, 0.03, 0.01, 0.00, 0.02, 0.01, 0.00, 0.00, 0.00),
)
"""Assumed, not measured. The base model compiles 2 answers of 10, like the seed's model at its start. The collapsed
policy writes runaway spam in 84 answers of 100, like the seed's model at its end.
"""

TRY = {
    True: {Severity.REFERENCE: 0.1, Severity.FAILS_FEW: 0.3, Severity.FAILS_MOST: 0.6},
    False: {
        Severity.ONE_TYPE_ERROR: 0.3,
        Severity.TWO_TYPE_ERRORS: 0.2,
        Severity.THREE_TYPE_ERRORS: 0.1,
        Severity.SYNTAX_ERROR: 0.3,
        Severity.CUT_AT_75: 0.1,
    },
}
"""Shares of severities among compiling (True) and failing (False) honest tries. Assumed: a tenth of the former pass."""
