"""pass@1 with its interval, and the evaluations before and after training."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.evaluation import difference, evaluate
from agents.play import play
from ocaml_env import Completion, EngineError, Outcome, Problem, RewardSpec, Verifier
from ocaml_env.episode import EpisodeSpec
from ocaml_env.evaluation.statistics import bootstrap
from ocaml_env.problems.sources import spread

STAGED = RewardSpec.preset("staged")

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::UserWarning", "ignore::DeprecationWarning")


class Knows:
    """Answers correctly, except for unknown problems; on a second turn it knows them all."""

    def __init__(self, problems: Sequence[Problem], unknown: Sequence[str] = ()) -> None:
        self.problems, self.unknown = problems, unknown

    def act(self, observations: Sequence[str]) -> list[Completion]:
        return [Completion(self._answer(observation)) for observation in observations]

    def _answer(self, observation: str) -> str:
        problem = next(candidate for candidate in self.problems if candidate.statement in observation)
        known = problem.id not in self.unknown or "Your last answer" in observation
        return problem.reference if known else "let nothing = 1"


def test_pass_at_1_is_the_share_that_passed(problems: list[Problem], verifier: Verifier) -> None:
    some = problems[:8]
    agent = Knows(some, [problem.id for problem in some[:2]])
    reached = evaluate(agent, some, verifier=verifier, reward=STAGED, samples=3, batch=5)
    assert (reached.samples, reached.problems, reached.pass_rate) == (24, 8, 0.75)
    assert reached.low < 0.75 < reached.high
    assert reached.by_problem == {problem.id: float(index >= 2) for index, problem in enumerate(some)}
    assert reached.outcomes == {Outcome.PASSED: 18, Outcome.TYPE_ERROR: 6}
    assert sum(asked for _, asked in reached.by_topic.values()) == 24
    json.dumps(reached.to_dict())


def test_a_second_turn_helps_an_agent_that_reads_the_feedback(problems: list[Problem], verifier: Verifier) -> None:
    some = problems[:4]
    agent = Knows(some, [some[0].id])
    played = play(agent, some, verifier=verifier, reward=STAGED, spec=EpisodeSpec(max_turns=2))
    assert [len(episode.turns) for episode in played] == [2, 1, 1, 1]
    assert all(episode.passed for episode in played)


class Breaks(Verifier):
    """A real verifier that raises an infrastructure error at some problems."""

    broken = ""

    def verify(self, problem: Problem, code: str) -> Any:
        if problem.id in self.broken:
            raise EngineError("a worker died")
        return super().verify(problem, code)


def test_infrastructure_errors_are_counted_separately_and_never_as_failures(problems: list[Problem]) -> None:
    some = problems[:4]
    with Breaks(workers=1) as verifier:
        verifier.broken = some[0].id
        reached = evaluate(Knows(some), some, verifier=verifier, reward=STAGED, samples=2)
        assert (reached.pass_rate, reached.samples, reached.faults) == (1.0, 6, 2)
        assert "2 more could not be evaluated, by an infrastructure error" in str(reached)
        verifier.broken = " ".join(problem.id for problem in some)
        with pytest.raises(EngineError, match="a worker died"):
            evaluate(Knows(some), some, verifier=verifier, reward=STAGED)


def test_a_rise_is_paired_by_problem(problems: list[Problem], verifier: Verifier) -> None:
    some = problems[:8]
    before = evaluate(Knows(some, [problem.id for problem in some[:6]]), some, verifier=verifier, reward=STAGED)
    after = evaluate(Knows(some, [problem.id for problem in some[:1]]), some, verifier=verifier, reward=STAGED)
    rise, low, high = difference(before, after)
    assert rise == 5 / 8
    assert 0 < low < rise < high
    assert difference(before, before) == (0.0, 0.0, 0.0)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_an_interval_contains_its_mean_and_stays_between_the_extremes(rates: list[float]) -> None:
    low, high = bootstrap(rates)
    assert min(rates) - 1e-9 <= low <= np.mean(rates) + 1e-9
    assert np.mean(rates) - 1e-9 <= high <= max(rates) + 1e-9
    assert bootstrap(rates) == (low, high)


def test_problems_of_a_short_evaluation_are_evenly_chosen(problems: list[Problem]) -> None:
    assert spread(problems, 0) == problems
    assert spread(problems, 1000) == problems
    assert spread(problems, 3) == [problems[0], problems[8], problems[16]]
