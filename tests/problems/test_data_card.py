"""The figures of the data card are those of the set."""

from __future__ import annotations

from pathlib import Path
from statistics import median

import pytest

from ocaml_env import Problem, load_problems
from ocaml_env.problems.generators import LEVELS, families
from ocaml_env.problems.generators.family import EDITION

ROOT = Path(__file__).parents[2]
CARD = (ROOT / "docs" / "data-card.md").read_text(encoding="utf-8")
BUNDLED = list(load_problems("bundled"))
SPLITS = ("train", "eval")


def table(first: str) -> list[str]:
    """The rows of the table whose header begins with this text."""
    _, _, rest = CARD.partition(f"| {first} ")
    return rest.partition("\n\n")[0].splitlines()[2:]


def counts(problems: list[Problem]) -> list[float]:
    return [
        *(sum(problem.split == split for problem in problems) for split in SPLITS),
        sum(len(problem.public_tests) for problem in problems),
        sum(len(problem.hidden_tests) for problem in problems),
    ]


def row(name: object, figures: list[float]) -> str:
    return f"| {name} | " + " | ".join(f"{figure:,.0f}" for figure in figures) + " |"


def figures(problems: list[Problem]) -> list[float]:
    lines = median(problem.reference_lines or 0 for problem in problems)
    words = median(len(problem.statement.split()) for problem in problems)
    return [*counts(problems), lines, words]


def test_the_table_of_bundled_problems() -> None:
    levels = {level: [problem for problem in BUNDLED if problem.level == level] for level in range(1, 7)}
    expected = [row(level, figures(problems)) for level, problems in levels.items()]
    assert table("bundled, level") == [*expected, row("all", figures(BUNDLED))]


def test_the_table_of_families() -> None:
    def of(level: int | None) -> list[float]:
        chosen = [family for family in families().values() if level is None or level in family.levels]
        return [sum(family.split == split for family in chosen) for split in SPLITS]

    assert table("generated, level") == [*(row(level, of(level)) for level in LEVELS), row("all", of(None))]


@pytest.mark.parametrize("page", ["README.md", "docs/problems.md", "CHANGELOG.md"])
def test_pages_have_the_number_of_families(page: str) -> None:
    assert f"{len(families())} families" in (ROOT / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", ["function", "program"])
def test_the_counts_of_kinds(kind: str) -> None:
    assert f"{sum(problem.kind == kind for problem in BUNDLED)} ask for a {kind}" in CARD.replace("\n", " ")


def test_the_count_of_topics_and_sources() -> None:
    topics = {topic for problem in BUNDLED for topic in problem.topics}
    assert f"{len(topics)} topics" in CARD
    assert sum(problem.source != "original" for problem in BUNDLED) == 1


def test_the_card_names_the_edition_of_the_generators() -> None:
    assert f"edition {EDITION}" in CARD
