"""The documentation of checks and thresholds is that of the code."""

from __future__ import annotations

import re
from pathlib import Path

from ocaml_env.audit.finding import CHECKS
from ocaml_env.audit.rules import THRESHOLDS, Rules

PAGE = (Path(__file__).parents[2] / "docs" / "audit.md").read_text(encoding="utf-8")
ROWS = {
    name: (small, large)
    for name, small, large in re.findall(r"^\| `([\w-]+)` \| (\S+) \| (\S+) \|", PAGE, re.MULTILINE)
}


def test_the_page_lists_each_check_with_its_severities() -> None:
    small, large = Rules(size="small"), Rules(size="large")
    assert {name: ROWS.get(name) for name in CHECKS} == {
        name: (small.severity(name), large.severity(name)) for name in CHECKS
    }


def test_the_page_lists_each_threshold_with_its_defaults() -> None:
    assert {name: ROWS.get(name) for name in THRESHOLDS} == {
        name: (f"{figure.small:g}", f"{figure.large:g}") for name, figure in THRESHOLDS.items()
    }
