"""Which problems are asked next."""

from __future__ import annotations

import json
from itertools import islice

from hypothesis import given
from hypothesis import strategies as st

from agents.sampler import SolveRates, SolveRateSampler

IDS = [f"p{number}" for number in range(12)]


def sampler(seed: int = 0, *, groups: int = 3, attempts: int = 2, rest: int = 2, repeats: int = 1) -> SolveRateSampler:
    return SolveRateSampler(
        IDS, SolveRates(attempts=attempts, rest=rest), group=2, groups=groups, repeats=repeats, seed=seed
    )


@given(st.integers(0, 1000), st.integers(1, 6), st.integers(1, 3))
def test_an_epoch_asks_each_problem_once_in_whole_groups_where_none_rests(seed: int, groups: int, repeats: int) -> None:
    drawn = list(sampler(seed, groups=groups, repeats=repeats))
    assert len(drawn) == len(sampler(seed, groups=groups, repeats=repeats))
    assert all(drawn[place] == drawn[place + 1] for place in range(0, len(drawn), 2))
    asked = [index for index in range(len(IDS)) for _ in range(drawn.count(index))]
    most = len(IDS) // groups * groups
    assert len(set(drawn)) == most
    assert all(asked.count(index) in (0, 2 * repeats) for index in range(len(IDS)))


def test_what_is_always_or_never_solved_rests_and_is_asked_again_later() -> None:
    rates = SolveRates(attempts=2, rest=2)
    rates.observe([("a", True), ("a", True), ("b", False), ("b", False), ("c", True), ("c", False)])
    assert [rates.may_be_asked(name) for name in "abcd"] == [False, False, True, True]
    rates.observe([])
    assert not rates.may_be_asked("a")
    rates.observe([])
    assert rates.may_be_asked("a")


def test_resting_problems_are_not_drawn_while_others_can_be() -> None:
    drawn = sampler(groups=3, rest=100)
    drawn.rates.observe([(name, False) for name in IDS[:6] for _ in range(2)])
    for epoch in range(3):
        drawn.set_epoch(epoch)
        assert {IDS[index] for index in drawn} <= set(IDS[6:])


def test_where_all_rest_those_that_have_rested_longest_are_drawn() -> None:
    drawn = sampler(groups=3, rest=100)
    for start in (0, 6):
        drawn.rates.observe([(name, True) for name in IDS[start : start + 6] for _ in range(2)])
    assert {IDS[index] for index in islice(drawn, 6)} == set(IDS[:3])


@given(st.integers(0, 99), st.integers(0, 7))
def test_a_sampler_that_is_restored_goes_on_as_the_other_one_would_have(seed: int, stop: int) -> None:
    def play(one: SolveRateSampler, generations: range) -> list[int]:
        """What each generation asks; what it asks decides what rests."""
        asked = []
        for generation in generations:
            one.set_epoch(generation // 4)
            indices = list(islice(one, (generation % 4) * 6, (generation % 4) * 6 + 6))
            one.rates.observe([(IDS[index], index % 3 == 0) for index in indices])
            asked += indices
        return asked

    whole, first = sampler(seed), sampler(seed)
    everything = play(whole, range(8))
    begun = play(first, range(stop))
    second = sampler(seed)
    second.restore(json.loads(json.dumps(first.state())))
    assert begun + play(second, range(stop, 8)) == everything
