"""pass@k against direct computations of its definition."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocaml_env.evaluation.directory import read_config, read_samples, read_summary
from ocaml_env.evaluation.statistics import estimate, pass_at_k
from ocaml_env.evaluation.tally import summarise
from tests.evaluation.small_evaluations import WEAK, evaluate, suite_of

if TYPE_CHECKING:
    from pathlib import Path


def by_all_subsets(n: int, passed: int, k: int) -> float:
    samples = [number < passed for number in range(n)]
    subsets = list(itertools.combinations(samples, k))
    return sum(map(any, subsets)) / len(subsets)


def test_pass_at_k_is_the_share_of_subsets_with_a_passing_sample_for_every_n_up_to_12() -> None:
    for n in range(1, 13):
        for passed in range(n + 1):
            for k in range(1, n + 1):
                assert pass_at_k(n, passed, k) == pytest.approx(by_all_subsets(n, passed, k), abs=1e-12, rel=0)


@given(st.integers(1, 300), st.data())
def test_pass_at_k_grows_with_k_and_with_passing_samples_and_pass_at_1_is_their_share(
    n: int, data: st.DataObject
) -> None:
    passed, k = data.draw(st.integers(0, n - 1)), data.draw(st.integers(1, n))
    found, more = pass_at_k(n, passed, k), pass_at_k(n, passed + 1, k)
    assert found is not None
    assert more is not None
    assert 0 <= found <= more <= 1
    if k < n:
        further = pass_at_k(n, passed, k + 1)
        assert further is not None
        assert found <= further
    assert pass_at_k(n, passed, 1) == pytest.approx(passed / n, abs=1e-12)


@given(st.integers(0, 20), st.integers(1, 20))
def test_pass_at_k_is_undefined_with_fewer_than_k_samples(n: int, more: int) -> None:
    assert pass_at_k(n, 0, n + more) is None


@pytest.mark.parametrize(("n", "passed", "k"), [(3, 4, 1), (3, -1, 1), (3, 1, 0)])
def test_impossible_counts_are_refused(n: int, passed: int, k: int) -> None:
    with pytest.raises(ValueError, match="pass@k needs"):
        pass_at_k(n, passed, k)


@given(st.lists(st.tuples(st.just(5), st.integers(0, 5)), min_size=1, max_size=30), st.integers(1, 5))
def test_an_interval_lies_between_the_worst_and_best_problem_and_is_deterministic(
    counts: list[tuple[int, int]], k: int
) -> None:
    found = estimate(counts, k)
    assert found is not None
    rates = [pass_at_k(n, passed, k) or 0.0 for n, passed in counts]
    if set(rates) not in ({0.0}, {1.0}):
        assert min(rates) - 1e-12 <= found.low <= found.high <= max(rates) + 1e-12
    assert found.estimate == pytest.approx(sum(rates) / len(rates))
    assert found == estimate(counts, k)


@pytest.mark.parametrize(
    ("problems", "passed", "low", "high"),
    [(10, 0, 0.0, 0.308497), (10, 1, 0.691503, 1.0), (1, 0, 0.0, 0.975)],
)
def test_an_interval_is_wide_even_if_none_or_all_are_solved(
    problems: int, passed: int, low: float, high: float
) -> None:
    found = estimate([(1, passed)] * problems, 1)
    assert found is not None
    assert found.estimate == passed
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-6)


def test_one_problem_with_too_few_samples_leaves_pass_at_k_undefined() -> None:
    assert estimate([(5, 5), (4, 0)], 5) is None
    assert estimate([], 1) is None


# --- summaries --------------------------------------------------------------------------------------------------------


def test_a_summary_does_not_depend_on_the_order_of_samples(tmp_path: Path) -> None:
    run = evaluate(tmp_path / "run", WEAK, suite_of(tmp_path))
    samples, config, summary = list(read_samples(run)), read_config(run), read_summary(run)
    problems = list(summary.by_problem)
    for order in (samples, samples[::-1], samples[7:] + samples[:7]):
        again = summarise(order, config=config, k=list(summary.rates), problems=problems)
        assert again.to_json() == summary.to_json()
