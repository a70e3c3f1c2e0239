"""The level at which a model solves half of the problems."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocaml_env.evaluation.levels import Rung, advice, crossing, rungs, show_crossing, table
from ocaml_env.evaluation.statistics import Estimate
from ocaml_env.evaluation.summary import Group

SHARES = st.lists(st.floats(0, 1), min_size=1, max_size=6)


def ladder(*rates: float, problems: int = 10) -> list[Rung]:
    return [Rung(level=n, problems=problems, rate=r, low=0.0, high=1.0) for n, r in enumerate(rates, start=1)]


def test_half_is_solved_between_two_levels() -> None:
    assert crossing(ladder(1.0, 0.75, 0.25, 0.0)) == 2.5
    assert crossing(ladder(0.9, 0.5, 0.1)) == 2.0
    assert show_crossing(ladder(1.0, 0.75, 0.25, 0.0)) == "solves half at level 2.5"


def test_below_the_first_and_above_the_last_level_are_answers() -> None:
    assert crossing(ladder(0.4, 0.1)) == -math.inf
    assert show_crossing(ladder(0.4, 0.1)) == "solves half below level 1"
    assert crossing(ladder(*[0.6] * 6)) == math.inf
    assert show_crossing(ladder(*[0.6] * 6)) == "solves half above level 6"


def test_a_level_solved_more_often_than_an_easier_one_is_joined_with_it() -> None:
    assert crossing(ladder(0.9, 0.3, 0.5, 0.1)) == 1.8  # joined: 0.9, 0.4, 0.4, 0.1


@given(SHARES)
def test_the_crossing_lies_on_the_ladder_or_off_it(rates: list[float]) -> None:
    level = crossing(ladder(*rates))
    assert level in (-math.inf, math.inf) or 1 <= level <= len(rates)


@given(SHARES, st.integers(0, 5), st.floats(0, 1))
def test_solving_more_never_lowers_the_crossing(rates: list[float], place: int, more: float) -> None:
    better = [*rates]
    better[place % len(rates)] = max(better[place % len(rates)], more)
    assert crossing(ladder(*better)) >= crossing(ladder(*rates)) - 1e-9


@pytest.mark.parametrize(
    ("rates", "said"),
    [
        ((0.9, 0.7, 0.3, 0.1), "bundled:train?level=2-3"),
        ((0.9, 0.5, 0.1), "bundled:train?level=2"),
        ((0.95, 0.9, 0.85), "bundled:train?level=3"),
        ((1.0, 1.0), "bundled:train?level=2"),
        ((0.1, 0.0), "bundled:train?level=1"),
        ((0.0, 0.0), "warm start"),
    ],
)
def test_advice_names_the_levels_that_are_sometimes_solved(rates: tuple[float, ...], said: str) -> None:
    assert said in advice(ladder(*rates))


def test_the_table_has_a_line_a_level() -> None:
    lines = list(table(ladder(0.5, 0.25)))
    assert len(lines) == 3
    assert "50.0%" in lines[1]


def test_problems_without_a_level_are_left_out() -> None:
    group = Group(problems=3, samples=3, passed=1, rate=Estimate(estimate=0.5, low=0.1, high=0.9))
    assert [rung.level for rung in rungs({"easy": group, "2": group, "none": group})] == [2]
    with pytest.raises(ValueError, match="has a level"):
        crossing([])
