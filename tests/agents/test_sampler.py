"""Which problems are asked next, if they are asked in turn."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from agents.curriculum import Attempt, Cell
from agents.sampler import PassSampler, SolveRates
from ocaml_env import Problem

PROBLEMS = [
    Problem(
        id=f"p{number:02}", statement=f"Write f{number}.", signature=f"val f{number} : int", tests=(f"f{number} = 1",)
    )
    for number in range(12)
]
IDS = [problem.id for problem in PROBLEMS]


def attempts(results: list[tuple[str, bool]]) -> list[Attempt]:
    return [Attempt(problem_id, Cell("none", "none"), passed) for problem_id, passed in results]


def sampler(seed: int = 0, *, looks_at: int = 2, rest: int = 2) -> PassSampler:
    return PassSampler(PROBLEMS, seed=seed, rates=SolveRates(attempts=looks_at, rest=rest))


def ids(problems: list[Problem]) -> list[str]:
    return [problem.id for problem in problems]


@given(st.integers(0, 1000), st.sampled_from([1, 2, 3, 4, 6, 12]))
def test_a_pass_asks_each_problem_once_if_none_rests(seed: int, groups: int) -> None:
    drawn = PassSampler(PROBLEMS, seed=seed)
    passes = [[name for _ in range(12 // groups) for name in ids(drawn.next(groups))] for _ in range(2)]
    assert [sorted(names) for names in passes] == [IDS, IDS]
    assert passes[0] != passes[1]


@given(st.integers(0, 1000), st.lists(st.integers(1, 12), max_size=8))
def test_a_generation_asks_different_problems(seed: int, sizes: list[int]) -> None:
    drawn = PassSampler(PROBLEMS, seed=seed)
    assert all(len(set(ids(drawn.next(size)))) == size for size in sizes)


def test_what_is_always_or_never_solved_rests_and_is_asked_again_later() -> None:
    rates = SolveRates(attempts=2, rest=2)
    rates.observe(attempts([("a", True), ("a", True), ("b", False), ("b", False), ("c", True), ("c", False)]))
    assert [rates.may_be_asked(name) for name in "abcd"] == [False, False, True, True]
    rates.observe([])
    assert not rates.may_be_asked("a")
    rates.observe([])
    assert rates.may_be_asked("a")


def test_resting_problems_are_not_drawn_while_others_can_be() -> None:
    drawn = sampler(rest=100)
    drawn.observe(attempts([(name, False) for name in IDS[:6] for _ in range(2)]))
    assert {name for _ in range(12) for name in ids(drawn.next(3))} == set(IDS[6:])


def test_if_all_rest_those_that_have_rested_longest_are_drawn() -> None:
    drawn = sampler(rest=100)
    for start in (0, 6):
        drawn.observe(attempts([(name, True) for name in IDS[start : start + 6] for _ in range(2)]))
    assert set(ids(drawn.next(3))) == set(IDS[:3])


@given(st.integers(0, 99), st.integers(0, 7))
def test_a_sampler_that_is_restored_goes_on_as_the_other_one_would_have(seed: int, stop: int) -> None:
    def play(one: PassSampler, generations: int) -> list[str]:
        """What each generation asks; what it asks decides what rests."""
        asked = []
        for _ in range(generations):
            names = ids(one.next(3))
            one.observe(attempts([(name, int(name[1:]) % 3 == 0) for name in names for _ in range(2)]))
            asked += names
        return asked

    everything = play(sampler(seed), 8)
    first, second = sampler(seed), sampler(seed)
    begun = play(first, stop)
    second.restore(json.loads(json.dumps(first.state())))
    assert begun + play(second, 8 - stop) == everything
