"""Finds the limits that fit a problem: measured when a problem is written to a file, never when it is read."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from ocaml_env.errors import ProblemError
from ocaml_env.problem import Limits, Problem
from ocaml_env.verifiers.base import AuthoringVerifier, Probe

__all__ = ["TIMES_REFERENCE", "Fitting", "fit_limits", "patient"]

TIMES_REFERENCE = 20
"""A limit on CPU time is at least this many times the reference's time."""

# CPU seconds that a reference may take to be measured: its limit would be 40 s a test.
_PATIENT_TEST, _PATIENT_TOTAL = 2.0, 8.0

# A reference that seems too slow is measured this many times again: another program's load seldom lasts that long.
_MORE_RUNS = 5

# Another program's load seldom makes a time four times as long, twice, or 40 times as long, once. Such a reference is
# slow: no further run.
_SLOW_ANYWAY = 4
_SLOW_AT_ONCE = 40

# A candidate is ended when its tests have taken this many times the total (see `Limits`).
_BACKSTOP = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitting:
    """The measured limits of a problem.

    Attributes:
        limits: the problem's, with enough CPU time for its reference.
        probe: the quickest run of the reference; None if there is none or its tests do not compile.
    """

    limits: Limits
    probe: Probe | None = None


def patient(limits: Limits) -> Limits:
    """The limits for a reference that is measured."""
    return replace(
        limits,
        test_cpu_seconds=max(_PATIENT_TEST, limits.test_cpu_seconds),
        total_cpu_seconds=max(_PATIENT_TOTAL, limits.total_cpu_seconds),
    )


def fit_limits(problem: Problem, verifier: AuthoringVerifier) -> Fitting:
    """Measures the reference. Limits only grow. They stay unchanged if the reference does not pass."""
    given = problem.limits
    if not problem.reference.strip():
        return Fitting(limits=given)
    try:
        [probe] = verifier.probe(problem, [problem.reference], limits=patient(given))
        for run in range(_MORE_RUNS):  # a busy machine inflates CPU time: the quickest run counts
            grown = _grown(given, probe)
            is_slow = grown.test_cpu_seconds > (_SLOW_ANYWAY if run else _SLOW_AT_ONCE) * given.test_cpu_seconds
            if not probe.passed or grown == given or is_slow:
                break
            [again] = verifier.probe(problem, [problem.reference], limits=patient(given))
            if again.passed and again.slowest_seconds < probe.slowest_seconds:
                probe = again
    except ProblemError:
        return Fitting(limits=given)
    return Fitting(limits=_grown(given, probe) if probe.passed else given, probe=probe)


def _grown(limits: Limits, probe: Probe) -> Limits:
    test = max(limits.test_cpu_seconds, _rounded_up(TIMES_REFERENCE * probe.slowest_seconds))
    total = limits.total_cpu_seconds
    if test > limits.test_cpu_seconds:  # as many tests as before may meet their limit
        total = _rounded_up(total * test / limits.test_cpu_seconds)
    total = max(total, _rounded_up(TIMES_REFERENCE * probe.cpu_seconds / _BACKSTOP))
    return replace(limits, test_cpu_seconds=test, total_cpu_seconds=total)


def _rounded_up(seconds: float) -> float:
    """Rounds up to two digits, because measured times vary."""
    if seconds <= 0:
        return 0.0
    unit = 10.0 ** (math.floor(math.log10(seconds)) - 1)
    return round(math.ceil(round(seconds / unit, 6)) * unit, 9)
