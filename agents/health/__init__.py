"""Training diagnostics: judges the health of a run, names faults, recommends changes, and decides to continue or stop.

    from agents.health import diagnose, find_profile, read_run
    diagnose(read_run("grpo_runs"), find_profile("default")).decision

Needs neither torch nor a trainer. Import ``callback`` by its own name: it runs in a trainer, and needs transformers.
"""

from __future__ import annotations

from agents.health.conclude import diagnose
from agents.health.diagnosis import Decision, Diagnosis, Status
from agents.health.files import CannotRead, read_run
from agents.health.profiles import PROFILES, find_profile
from agents.health.records import Record, Run

__all__ = [
    "PROFILES",
    "CannotRead",
    "Decision",
    "Diagnosis",
    "Record",
    "Run",
    "Status",
    "diagnose",
    "find_profile",
    "read_run",
]
