"""The diagnostics answer whatever a log contains, and recommend only existing settings."""

from __future__ import annotations

import json
import math
import re
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.health import PROFILES, CannotRead, diagnose, read_run
from agents.health.__main__ import as_json
from agents.health.report import report
from agents.health.settings import variable_of
from agents.health.text import Style, lines_table, told

PACKAGE = Path(__file__).parents[3] / "agents" / "health"

NUMBER = st.one_of(
    st.none(),
    st.floats(allow_nan=True, allow_infinity=True),
    st.integers(-(10**400), 10**400),
    st.sampled_from(["0.5", "nan", "much", True, [], {}]),
)
NAMES = (
    *("step", "epoch", "progress", "loss", "grad_norm", "learning_rate", "entropy", "reward", "reward_std"),
    *("final_reward", "pass_rate", "frac_reward_zero_std", "no_code_or_syntax", "compression_ratio"),
    *("truncated", "top_reward", "top_reward_share", "faults", "kl", "seconds", "temperature"),
)
GROUPS = st.dictionaries(st.sampled_from(["varied", "tied", "identical", "other"]), st.integers(-1, 9))
OUTCOMES = st.dictionaries(st.sampled_from(["PASSED", "NO_CODE", "other"]), st.integers(0, 9))
ENTRY = st.fixed_dictionaries({}, optional={**dict.fromkeys(NAMES, NUMBER), "groups": GROUPS, "outcomes": OUTCOMES})


# Means and sums of squares of these numbers overflow a float.
HUGE = st.sampled_from([1.7e308, -1.7e308, 1e200, -1e200, 1e99, -1e99, 5e-324, math.inf, -math.inf, math.nan])
HUGE_ENTRY = st.fixed_dictionaries(
    {name: HUGE for name in NAMES if name not in ("step", "epoch", "progress")}, optional={"groups": GROUPS}
)
LOGS = st.one_of(st.lists(ENTRY, max_size=30), st.lists(HUGE_ENTRY, min_size=10, max_size=30))


@settings(max_examples=80)
@given(LOGS, st.sampled_from([None, 0.0, 0.5, 1.0]))
def test_any_log_is_diagnosed_and_shown(entries: list[dict[str, Any]], as_of: float | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "metrics.jsonl"
        path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
        try:
            run = read_run(folder)
        except CannotRead:
            return
    for profile in PROFILES.values():
        diagnosis = diagnose(run, profile, as_of=as_of)
        text = "\n".join([*told(diagnosis, Style()), *lines_table(diagnosis, Style())])
        assert "Decision" in text
        assert "</html>" in report(diagnosis)
        json.dumps(as_json(diagnosis), allow_nan=False)


def test_only_the_callback_needs_transformers_and_nothing_imports_the_callback() -> None:
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if path.name != "callback.py":
            assert not re.search(
                r"^\s*(from|import) (torch|transformers|trl|yaml|agents\.health\.callback)\b", text, re.M
            )


def test_every_recommended_setting_is_one_of_the_trainers() -> None:
    config = pytest.importorskip("agents.config_sources", reason="the trainer's configuration is not here")
    actions = [action for profile in PROFILES.values() for rule in profile.rules for action in rule.actions]
    settings = {action.setting for action in actions if action.setting} | {"gradient_accumulation_steps"}
    for setting in settings:
        assert config.ENVIRONMENT[variable_of(setting)] == setting
    for action in actions:
        if action.to is not None:
            config.read_config(environment={variable_of(action.setting): action.to})
