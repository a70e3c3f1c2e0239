"""Rewards of a batch, counts of infrastructure errors, and the figures of a step."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from agents.curriculum import Cell, cell_of
from agents.scoring import Faults, Sample, Scored, Scoring, TooManyFaults, breakdown, scored, summary
from ocaml_env import Completion, EngineError, Outcome, Problem, RewardSpec, Verifier
from ocaml_env.episode import Evaluation, evaluate, evaluate_each

STAGED = RewardSpec.preset("staged")


class Broken(Verifier):
    """A real verifier that raises an infrastructure error if an answer contains "fault"."""

    def verify(self, problem: Problem, code: str) -> Any:
        if "fault" in code:
            raise EngineError("the worker went away")
        return super().verify(problem, code)


def sample(problem: Problem, text: str) -> Sample:
    return Sample(problem=problem, prompt="?", completion=Completion(text), tokens=len(text.split()))


def test_what_training_pays_is_what_the_environment_pays(verifier: Verifier, add: Problem) -> None:
    scoring = Scoring(verifier)
    texts = [add.reference, "let add a b = a", "let add = 1 + true", "let add =", "no code", ""]
    batch = scoring.begin([sample(add, text) for text in texts], STAGED)
    paid = [result.reward.total for result in scoring.finish(batch) if isinstance(result, Evaluation)]
    assert paid == [evaluate(add, text, verifier=verifier, reward=STAGED).reward.total for text in texts]
    assert scoring.take_seconds() > 0
    assert scoring.take_seconds() == 0
    scoring.close()


def test_a_fault_costs_only_its_own_sample_and_is_no_reward(add: Problem) -> None:
    with Broken(workers=1) as verifier:
        texts = [add.reference, add.reference + "\n(* fault *)", "let add a b = a"]
        evaluated = evaluate_each([(add, text) for text in texts], verifier=verifier, reward=STAGED)
    assert isinstance(evaluated[1], EngineError)
    assert [result.verdict.outcome for result in evaluated if isinstance(result, Evaluation)] == [
        Outcome.PASSED,
        Outcome.TYPE_ERROR,
    ]
    records = scored(
        [sample(add, text) for text in texts], evaluated, final=STAGED, step=3, epoch=0.5, group_of=lambda index: index
    )
    assert records[1].rollout is None
    assert "the worker went away" in records[1].fault
    assert summary(records)["faults"] == 1
    assert summary(records)["pass_rate"] == 0.5


def test_a_run_survives_faults_until_they_pile_up() -> None:
    faults = Faults(most=0.2)
    faults.add(["x"] * 10, 10)  # a first bad generation is survived
    faults = Faults(most=0.2)
    for _ in range(20):
        faults.add(["x"], 10)
    assert faults.total == 20
    faults.add(["x"] * 4, 10)
    with pytest.raises(TooManyFaults, match=r"9 of the last 40 completions could not be scored.*the disk is gone"):
        faults.add(["x", "x", "the disk is gone"], 10)


def test_a_fault_that_is_long_past_is_forgiven() -> None:
    faults = Faults(most=0.2)
    faults.add(["x"] * 10, 10)
    with pytest.raises(TooManyFaults):
        faults.add(["x"], 10)
    for _ in range(4):
        faults.add([], 10)
    faults.add(["x"], 10)


def rollout(add: Problem, verifier: Verifier, text: str, *, group: int) -> Scored:
    evaluation = evaluate(add, text, verifier=verifier, reward=STAGED)
    return Scored(
        rollout=evaluation.rollout(prompt="?", group=group),
        final_total=evaluation.reward.total,
        problem_id=add.id,
        cell=cell_of(add),
    )


def test_groups_are_told_apart_by_why_they_teach_nothing(verifier: Verifier, add: Problem) -> None:
    right, half = add.reference, "let add a b = a\nlet negate a = -a"
    groups = [
        [right, half],  # varied
        [right, right + "\n"],  # all passed, in other words
        [half, half],  # identical
        ["let x =", "let y ="],  # all failed
        [half, half + "\n(* the same again *)"],  # tied in the middle
    ]
    records = [rollout(add, verifier, text, group=number) for number, texts in enumerate(groups) for text in texts]
    figures = summary(records)
    assert figures["groups"] == {"varied": 1, "all_failed": 1, "all_passed": 1, "tied": 1, "identical": 1}
    assert figures["pass_rate"] == 0.3
    assert figures["no_code_or_syntax"] == 0.2
    assert figures["outcomes"] == {"TEST_FAILURE": 5, "PASSED": 3, "SYNTAX_ERROR": 2}
    assert figures["top_reward_share"] == 0.5


def test_repetition_shows_in_the_compression_ratio(verifier: Verifier, add: Problem) -> None:
    spam = summary([rollout(add, verifier, "(* END *) " * 400, group=0)])
    code = summary([rollout(add, verifier, add.reference, group=0)])
    assert spam["compression_ratio"] > 10 > 3 > code["compression_ratio"]


def test_a_step_of_faults_alone_has_no_other_figures() -> None:
    nothing = Scored(rollout=None, final_total=None, problem_id="p", cell=Cell("lists", "1"), fault="x")
    assert summary([nothing]) == {"faults": 1}


def test_the_breakdown_is_the_record_without_its_text(verifier: Verifier, add: Problem) -> None:
    one = rollout(add, verifier, add.reference, group=7)
    assert one.rollout is not None
    line = json.loads(json.dumps(breakdown(replace(one, final_total=0.25))))
    record = json.loads(one.rollout.to_json())
    del record["completion"]
    assert line == record | {"final_total": 0.25}
