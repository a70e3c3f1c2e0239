"""The rules of an audit: how much a finding weighs, and from which figure on there is one.

In a small set each row counts, so only a wrong one is an error there, and a weak one has a note. A large set has other
rows in its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal, get_args

from ocaml_env.audit.finding import CHECKS, Finding, Severity
from ocaml_env.errors import ConfigError
from ocaml_env.problem.record import nearest

__all__ = ["LARGE", "THRESHOLDS", "Choice", "Rules", "Size", "Threshold"]

LARGE = 200
"""A set with so many rows is large, because nobody mends so many by hand."""

Size = Literal["auto", "small", "large"]
Choice = Literal["error", "note", "off"]

_NOTES = frozenset({"no-reference", "repeated-test", "stub-answers", "guessable", "lopsided"})
_NOTES_IF_SMALL = _NOTES | {"short-statement", "weak-tests", "near-duplicate"}


@dataclass(frozen=True, slots=True)
class Threshold:
    """A figure that a check compares with.

    Attributes:
        meaning: in plain words.
        small: its default for a small set.
        large: its default for a large set.
    """

    meaning: str
    small: float
    large: float


THRESHOLDS = MappingProxyType(
    {
        "words": Threshold("short-statement: the fewest words of a statement", 4, 4),
        "guessed": Threshold("guessable: the share of hidden tests that any guess may pass, beside chance", 0.25, 0.25),
        "killed": Threshold("weak-tests: the least share of mutants killed, by the tests of one problem", 0.85, 0.85),
        "set-killed": Threshold("the least share of mutants killed in the whole set", 0.0, 0.95),
        "like-tests": Threshold("near-duplicate: the share of equal tests", 0.8, 0.8),
        "like-words": Threshold("near-duplicate: the likeness of statements, if half of the tests are equal", 0.6, 0.6),
        "against-words": Threshold("contaminated: the likeness of statements", 0.8, 0.8),
    }
)
"""The thresholds by name."""


@dataclass(frozen=True, kw_only=True)
class Rules:
    """Severities and thresholds: defaults by the size of the set, and exceptions.

    Attributes:
        size: ``auto`` goes by the number of rows (``LARGE``).
        severities: for a check, ``error``, ``note`` or ``off`` instead of its default.
        thresholds: for a name of ``THRESHOLDS``, a figure instead of its default.

    Raises:
        ConfigError: if a name is unknown or a figure is negative.
    """

    size: Size = "auto"
    severities: Mapping[str, Choice] = field(default_factory=dict)
    thresholds: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.size not in get_args(Size):
            raise ConfigError(f"the size of a set is auto, small or large, not {self.size!r}")
        for check, choice in self.severities.items():
            if check not in CHECKS:
                raise ConfigError(f"there is no check {check!r}{nearest(check, CHECKS)}")
            if choice not in get_args(Choice):
                raise ConfigError(f"the severity of {check} is error, note or off, not {choice!r}")
        for name, value in self.thresholds.items():
            if name not in THRESHOLDS:
                raise ConfigError(f"there is no threshold {name!r}{nearest(name, THRESHOLDS)}")
            if not value >= 0:
                raise ConfigError(f"the threshold {name} is a number from 0, not {value!r}")

    def for_rows(self, count: int) -> Rules:
        """The rules for a set of so many rows."""
        return replace(self, size="large" if count >= LARGE else "small") if self.size == "auto" else self

    def threshold(self, name: str) -> float:
        default = THRESHOLDS[name]
        return self.thresholds.get(name, default.small if self.size == "small" else default.large)

    def severity(self, check: str) -> Choice:
        default: Severity = "note" if check in (_NOTES_IF_SMALL if self.size == "small" else _NOTES) else "error"
        return self.severities.get(check, default)

    def weigh(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """The findings with their severities, without those that are off."""
        weighed = ((finding, self.severity(finding.check)) for finding in findings)
        return tuple(replace(finding, severity=choice) for finding, choice in weighed if choice != "off")
