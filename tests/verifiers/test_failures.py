"""Infrastructure errors in a batch: all other verdicts survive."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Collection

import pytest

from ocaml_env.episode import evaluate_each, evaluate_many
from ocaml_env.errors import BatchError, OCamlEnvError, SandboxUnavailable, WorkerCrashed
from ocaml_env.problem import Problem
from ocaml_env.reward import RewardSpec
from ocaml_env.verdict import Verdict
from ocaml_env.verifiers.local import Verifier

pytestmark = pytest.mark.usefixtures("verifier")


class Failing(Verifier):
    """A verifier that fails on some candidates, chosen by the number in their comment."""

    def __init__(self, fails: Callable[[int], bool], error: type[OCamlEnvError] = WorkerCrashed) -> None:
        super().__init__(workers=2, sandbox="best-effort")
        self._fails, self._error = fails, error

    def verify(self, problem: Problem, code: str) -> Verdict:
        if self._fails(int(code.split()[-2])):
            raise self._error(f"killed at {code}")
        return super().verify(problem, code)


def numbered(add: Problem, count: int) -> list[tuple[Problem, str]]:
    return [(add, f"{add.reference} (* {n} *)") for n in range(count)]


def failing(numbers: Collection[int]) -> Failing:
    return Failing(lambda number: number in numbers)


def test_a_batch_has_all_other_verdicts(add: Problem) -> None:
    with failing({3, 4, 11}) as verifier, pytest.raises(BatchError, match=r"(?s)3 of 20 .*killed at .* 3 ") as raised:
        verifier.verify_many(numbered(add, 20))
    assert [place for place, verdict in enumerate(raised.value.verdicts) if verdict is None] == [3, 4, 11]
    assert all(verdict.passed for verdict in raised.value.verdicts if verdict)
    assert {place: type(error) for place, error in raised.value.errors.items()} == dict.fromkeys(
        (3, 4, 11), WorkerCrashed
    )


def test_after_five_failures_in_a_row_the_batch_stops(add: Problem) -> None:
    with Failing(lambda number: number >= 2) as verifier, pytest.raises(BatchError, match="not tried") as raised:
        verifier.verify_many(numbered(add, 100))
    verdicts, errors = raised.value.verdicts, raised.value.errors
    assert [verdict is not None for verdict in verdicts] == [True, True] + [False] * 98
    assert 5 <= len(errors) <= 6  # the other thread may have one in progress
    assert raised.value.at(99) is raised.value


def test_failures_with_verdicts_between_them_do_not_stop_a_batch(add: Problem) -> None:
    with Failing(lambda number: number % 2 == 0) as verifier:
        verifier._pool.size = 1
        with pytest.raises(BatchError, match="20 of 40") as raised:
            verifier.verify_many(numbered(add, 40))
    assert sum(verdict is not None for verdict in raised.value.verdicts) == 20


def test_an_error_that_affects_every_candidate_ends_the_batch_at_once(add: Problem) -> None:
    with Failing(lambda _: True, SandboxUnavailable) as verifier, pytest.raises(SandboxUnavailable):
        verifier.verify_many(numbered(add, 3))


def test_each_failing_sample_has_its_own_error(add: Problem) -> None:
    pairs: list[tuple[Problem, object]] = [(add, ""), *numbered(add, 4)]
    reward = RewardSpec.preset("staged")
    with failing({1}) as verifier:
        each = evaluate_each(pairs, verifier=verifier, reward=reward)
        with pytest.raises(BatchError) as raised:
            evaluate_many(pairs, verifier=verifier, reward=reward)
    assert isinstance(each[2], WorkerCrashed)
    assert [result.reward.total for result in each if not isinstance(result, OCamlEnvError)] == pytest.approx(
        [0, 1, 1, 1]
    )
    assert [verdict is None for verdict in raised.value.verdicts] == [False, False, True, False, False]
    assert list(raised.value.errors) == [2]


def test_a_batch_error_survives_pickling(add: Problem) -> None:
    with failing({1}) as verifier, pytest.raises(BatchError) as raised:
        verifier.verify_many(numbered(add, 2))
    copy = pickle.loads(pickle.dumps(raised.value))
    assert (str(copy), copy.verdicts) == (str(raised.value), raised.value.verdicts)
    assert isinstance(copy.at(1), WorkerCrashed)
