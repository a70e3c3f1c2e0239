"""Records of completions, and the figures of a generation."""

from __future__ import annotations

import json
from dataclasses import replace

from agents.records import Scored, breakdown, summary
from ocaml_env import Problem, RewardSpec, Verifier
from ocaml_env.episode import evaluate

STAGED = RewardSpec.preset("staged")


def rollout(add: Problem, verifier: Verifier, text: str, *, group: int) -> Scored:
    return Scored.of(evaluate(add, text, verifier=verifier, reward=STAGED), STAGED, prompt_digest="", group=group)


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
    assert summary([None]) == {"faults": 1}


def test_a_fault_is_in_no_share(verifier: Verifier, add: Problem) -> None:
    records = [rollout(add, verifier, add.reference, group=0), None, rollout(add, verifier, "let add a b = a", group=0)]
    assert (summary(records)["faults"], summary(records)["pass_rate"]) == (1, 0.5)


def test_the_breakdown_is_the_record_without_its_text(verifier: Verifier, add: Problem) -> None:
    one = rollout(add, verifier, add.reference, group=7)
    line = json.loads(json.dumps(breakdown(replace(one, final_total=0.25))))
    record = json.loads(one.rollout.to_json())
    del record["completion"]
    assert line == record | {"final_total": 0.25}
