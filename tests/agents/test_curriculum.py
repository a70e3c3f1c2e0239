"""The ladder: what it asks, by the rates at which cells are solved."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.curriculum import WINDOW, Attempt, Cell, Ladder, Uniform, cell_of, curriculum_maker
from ocaml_env import ConfigError, load_problems
from ocaml_env.problems.generators import generate

CELLS = [Cell("lists.numbers", str(level)) for level in range(1, 6)]
rates = st.lists(st.floats(0, 1), min_size=1, max_size=5)


def told(cell: Cell, passed: int, failed: int) -> list[Attempt]:
    return [Attempt("p", cell, True)] * passed + [Attempt("p", cell, False)] * failed


def ladder(passes: list[int], seed: int = 0) -> tuple[Ladder, list[Cell]]:
    """One that has seen ``WINDOW`` attempts of each cell, so many of which passed."""
    cells = [Cell("family", str(number)) for number in range(len(passes))]
    made = Ladder(seed)
    for cell, passed in zip(cells, passes, strict=True):
        made.observe(told(cell, passed, WINDOW - passed))
    return made, cells


def drawn(made: Ladder, cells: list[Cell], draws: int = 4000) -> list[float]:
    """The share of the draws that each cell gets."""
    counts = Counter(made.choose(cells) for _ in range(draws))
    return [counts[cell] / draws for cell in cells]


def test_a_cell_that_nobody_tried_is_estimated_at_a_half() -> None:
    assert Ladder(0).estimate(CELLS[0]) == 0.5


@given(st.integers(0, 200), st.integers(0, 200))
def test_the_estimate_is_the_mean_of_a_beta_posterior_over_the_last_64_attempts(passed: int, failed: int) -> None:
    made = Ladder(0)
    made.observe(told(CELLS[0], passed, failed))
    seen = min(WINDOW, passed + failed)
    passes = max(0, seen - failed)  # the failures are the latest
    assert made.estimate(CELLS[0]) == (1 + passes) / (2 + seen)


def test_most_draws_go_to_what_is_solved_at_20_to_80_percent_and_a_tenth_to_either_side() -> None:
    made, cells = ladder([64, 62, 40, 32, 20, 2, 0])
    shares = drawn(made, cells)
    assert sum(shares[:2]) == pytest.approx(0.1, abs=0.02)
    assert sum(shares[2:5]) == pytest.approx(0.8, abs=0.02)
    assert sum(shares[5:]) == pytest.approx(0.1, abs=0.02)


def test_of_these_the_ones_nearer_to_a_half_are_drawn_more_often() -> None:
    made, cells = ladder([14, 32, 50])
    shares = drawn(made, cells, 20_000)
    assert shares[1] > 2 * shares[0]
    assert shares[1] > 2 * shares[2]


def test_no_cell_takes_all_the_draws() -> None:
    made, cells = ladder([16, 20, 24, 32, 40, 44, 48])
    assert max(drawn(made, cells)) < 1 / 3


def test_of_what_is_hardly_ever_solved_the_most_promising_is_drawn_most() -> None:
    made, cells = ladder([32, 8, 0])
    shares = drawn(made, cells)
    assert shares[1] > 3 * shares[2]


def test_if_nothing_lies_between_20_and_80_percent_the_nearest_takes_its_place() -> None:
    made, cells = ladder([64, 60, 1, 0])  # 98, 92, 3 and 2%
    assert drawn(made, cells)[1] > 0.8
    made, cells = ladder([64, 63, 10, 0])  # 98, 97, 17 and 2%
    assert drawn(made, cells)[2] > 0.8


def test_a_policy_that_solves_all_or_nothing_is_still_asked() -> None:
    for passes in ([0, 0], [64, 64]):
        made, cells = ladder(passes)
        assert all(share > 0 for share in drawn(made, cells))


def test_hundreds_of_cells_that_nobody_tried_do_not_crowd_out_those_that_teach() -> None:
    made, known = ladder([16, 24, 32, 40, 48])
    untried = [Cell("other", str(number)) for number in range(200)]
    chosen = [made.choose([*known, *untried]) for _ in range(2000)]
    assert 0.02 < sum(cell in untried for cell in chosen) / 2000 < 0.25
    assert len({cell for cell in chosen if cell in untried}) > 50


@given(rates, st.integers(0, 99))
def test_every_cell_is_tried(solved: list[float], seed: int) -> None:
    made, chance = Ladder(seed), random.Random(seed)
    cells = [Cell("family", str(number)) for number in range(len(solved))]
    tried = set()
    for _ in range(200 * len(cells)):
        cell = made.choose(cells)
        tried.add(cell)
        made.observe([Attempt("p", cell, chance.random() < solved[int(cell.level)]) for _ in range(8)])
    assert tried == set(cells)


def test_it_climbs_with_a_policy_that_learns() -> None:
    """A policy that gets better at a level each time that it solves it, and at the next one a little."""
    made, chance = Ladder(1), random.Random(1)
    skill = {cell: 1.8 / 3 ** int(cell.level) for cell in CELLS}  # 60, 20, 7, 2 and 1%
    asked = []
    for _ in range(200):
        cell = made.choose(CELLS)
        passed = [chance.random() < skill[cell] for _ in range(8)]
        for other in CELLS:
            distance = abs(int(other.level) - int(cell.level))
            if 0 < sum(passed) < 8:  # a group without a difference teaches nothing
                skill[other] = min(1.0, skill[other] + 0.02 / 4**distance)
        made.observe([Attempt("p", cell, attempt) for attempt in passed])
        asked.append(int(cell.level))
    assert sum(asked[:50]) / 50 < 2.5
    assert sum(asked[-50:]) / 50 > 3.5


@given(
    st.lists(st.tuples(st.sampled_from(CELLS), st.integers(0, 8)), max_size=30),
    st.integers(0, 30),
    st.integers(0, 99),
)
def test_one_that_is_restored_goes_on_as_the_other_would_have(
    outcomes: list[tuple[Cell, int]], stop: int, seed: int
) -> None:
    def play(made: Ladder, some: list[tuple[Cell, int]]) -> list[Cell]:
        chosen = []
        for cell, passed in some:
            chosen.append(made.choose(CELLS))
            made.observe(told(cell, passed, 8 - passed))
        return chosen

    whole = play(Ladder(seed), outcomes)
    first, second = Ladder(seed), Ladder(seed)
    begun = play(first, outcomes[:stop])
    second.restore(json.loads(json.dumps(first.state())))
    assert begun + play(second, outcomes[stop:]) == whole
    assert second.state() == json.loads(json.dumps(second.state()))


@given(st.integers(0, 99))
def test_another_seed_draws_otherwise_and_the_same_seed_the_same(seed: int) -> None:
    def draws(one: int) -> list[Cell]:
        made = Ladder(one)
        return [made.choose(CELLS) for _ in range(40)]

    assert draws(seed) == draws(seed) != draws(seed + 1)


def test_a_generated_problem_belongs_to_its_family_and_another_one_to_its_topic() -> None:
    assert cell_of(generate("lists.numbers", level=2)) == Cell("lists.numbers", "2")
    bundled = load_problems("bundled:train?level=1")[0]
    assert cell_of(bundled) == Cell(bundled.topics[0], "1")


@pytest.mark.usefixtures("verifier")
def test_repair_problems_have_cells_of_their_own() -> None:
    (generated,) = load_problems("repair:generated:lists.numbers?level=1&n=1")
    assert cell_of(generated) == Cell("repair:lists.numbers", "1")
    (bundled,) = load_problems("repair:bundled:train?level=1&n=1")
    assert cell_of(bundled) == Cell(f"repair:{bundled.topics[0]}", "1")


def test_a_uniform_curriculum_asks_each_cell_as_often_and_goes_on_from_its_state() -> None:
    first, second = Uniform(3), Uniform(3)
    counts = Counter(first.choose(CELLS) for _ in range(5000))
    assert all(count == pytest.approx(1000, rel=0.15) for count in counts.values())
    second.restore(json.loads(json.dumps(first.state())))
    assert [second.choose(CELLS) for _ in range(50)] == [first.choose(CELLS) for _ in range(50)]


class NoState:
    def __init__(self, seed: int) -> None: ...
    def choose(self, cells: list[Cell]) -> Cell: ...  # type: ignore[empty-body]
    def observe(self, attempts: list[Attempt]) -> None: ...


def test_what_is_no_curriculum_is_refused_with_what_it_lacks() -> None:
    assert curriculum_maker("ladder") is Ladder
    assert curriculum_maker("thirds") is None
    with pytest.raises(ConfigError, match="makes something without state, restore"):
        curriculum_maker(f"{__name__}:NoState")
    with pytest.raises(ConfigError, match="cannot be called with a seed"):
        curriculum_maker(f"{__name__}:CELLS")
    with pytest.raises(ConfigError, match="one of none, epochs, thirds, ladder"):
        curriculum_maker("lader")
