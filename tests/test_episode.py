"""One place turns a completion into verdict, reward, feedback and record, for every caller."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ocaml_env.episode import (
    MAX_COMPLETION_LENGTH,
    Episode,
    EpisodeSpec,
    evaluate,
    evaluate_many,
)
from ocaml_env.errors import ConfigError
from ocaml_env.extract import Completion
from ocaml_env.problem import Problem
from ocaml_env.prompt import Prompt
from ocaml_env.reward import RewardSpec
from ocaml_env.rollout import Rollout
from ocaml_env.verdict import Outcome, Stage
from ocaml_env.verifiers.local import Verifier

STAGED = RewardSpec.preset("staged")
WRONG = "let add a b = a\nlet negate a = -a"
ILL_TYPED = "let add a b = a ^ b\nlet negate a = -a"

NO_TEXT = [None, 3, 2.5, True, b"let x = 1", ["let x = 1"], ("let x = 1",), {"code": "let x = 1"}, object()]


@pytest.fixture
def asleep() -> Verifier:
    """Returns a closed verifier, which can evaluate nothing."""
    verifier = Verifier(workers=1)
    verifier.close()
    return verifier


# --- evaluating -------------------------------------------------------------------------------------------------------


def test_a_right_answer_passes_and_earns_all(verifier: Verifier, add: Problem) -> None:
    evaluation = evaluate(add, f"Here:\n```ocaml\n{add.reference}\n```", verifier=verifier, reward=STAGED)
    assert evaluation.verdict.passed
    assert evaluation.reward.total == pytest.approx(1.0)
    assert evaluation.extraction.code is not None
    assert evaluation.reason == ""
    assert evaluation.feedback == "All 6 tests pass."


def test_a_wrong_answer_earns_a_part_and_its_feedback_names_the_failure(verifier: Verifier, add: Problem) -> None:
    evaluation = evaluate(add, WRONG, verifier=verifier, reward=STAGED)
    assert evaluation.verdict.outcome is Outcome.TEST_FAILURE
    assert 0 < evaluation.reward.total < 1
    assert "add 1 2 = 3" in evaluation.feedback
    assert "Hidden tests: 2 of 4 pass" in evaluation.feedback


def test_a_program_is_evaluated_by_its_output(verifier: Verifier, total: Problem) -> None:
    assert evaluate(total, total.reference, verifier=verifier, reward=STAGED).verdict.passed
    wrong = evaluate(total, 'let () = print_endline "3"', verifier=verifier, reward=STAGED)
    assert wrong.verdict.outcome is Outcome.TEST_FAILURE
    assert wrong.verdict.tests_passed == 1


def test_an_answer_without_code_never_reaches_the_engine(asleep: Verifier, add: Problem) -> None:
    evaluation = evaluate(add, "", verifier=asleep, reward=STAGED)
    assert evaluation.verdict.outcome is Outcome.NO_CODE
    assert evaluation.verdict.stage is Stage.EXTRACT
    assert evaluation.reward.total == 0
    assert evaluation.reason
    assert evaluation.reason in evaluation.feedback


@pytest.mark.parametrize("answer", NO_TEXT, ids=lambda value: type(value).__name__)
def test_an_answer_of_another_type_than_text_is_no_code(asleep: Verifier, add: Problem, answer: object) -> None:
    evaluation = evaluate(add, answer, verifier=asleep, reward=STAGED)
    assert evaluation.verdict.outcome is Outcome.NO_CODE
    assert evaluation.reward.total == 0
    assert type(answer).__name__ in evaluation.reason
    assert evaluation.completion == ""


def test_a_too_long_answer_is_no_code_and_keeps_its_flag(asleep: Verifier, add: Problem) -> None:
    answer = Completion(add.reference + " " * MAX_COMPLETION_LENGTH, truncated=True)
    evaluation = evaluate(add, answer, verifier=asleep, reward=STAGED)
    assert evaluation.verdict.outcome is Outcome.NO_CODE
    assert evaluation.reward.total == 0
    assert f"at most {MAX_COMPLETION_LENGTH}" in evaluation.reason
    assert evaluation.extraction.truncated


def test_a_batch_gives_the_same_evaluations_as_single_answers(
    verifier: Verifier, add: Problem, last: Problem, total: Problem
) -> None:
    pairs: list[tuple[Problem, object]] = [
        (add, WRONG),
        (last, ""),
        (total, total.reference),
        (add, None),
        (last, last.reference),
        (add, ILL_TYPED),
        (add, Completion(WRONG, truncated=True)),
        (add, "let add ="),
    ]
    batch = evaluate_many(pairs, verifier=verifier, reward=STAGED)
    assert batch == [evaluate(problem, answer, verifier=verifier, reward=STAGED) for problem, answer in pairs]
    assert len({evaluation.verdict.outcome for evaluation in batch}) >= 5


def test_an_empty_batch_and_one_without_code_need_no_engine(asleep: Verifier, add: Problem) -> None:
    assert evaluate_many([], verifier=asleep, reward=STAGED) == []
    outcomes = [
        evaluation.verdict.outcome for evaluation in evaluate_many([(add, "")] * 2, verifier=asleep, reward=STAGED)
    ]
    assert outcomes == [Outcome.NO_CODE] * 2


# --- records ----------------------------------------------------------------------------------------------------------


def test_an_evaluation_becomes_a_record_that_can_be_written(verifier: Verifier, add: Problem) -> None:
    evaluation = evaluate(add, Completion(WRONG, truncated=True), verifier=verifier, reward=STAGED)
    rollout = evaluation.rollout(prompt_digest=Prompt("ask").digest, step=4, epoch=0.5, group=2, turn=1, tokens=12)
    assert Rollout.from_json(rollout.to_json()) == rollout
    assert rollout.prompt_digest == Prompt("ask").digest
    assert (rollout.step, rollout.epoch, rollout.group, rollout.turn, rollout.tokens) == (4, 0.5, 2, 1, 12)
    assert (rollout.problem_id, rollout.completion, rollout.truncated) == ("add", WRONG, True)
    assert (rollout.outcome, rollout.passed) == (Outcome.TEST_FAILURE, False)
    assert (rollout.tests_passed, rollout.tests_total) == (evaluation.verdict.tests_passed, 6)
    assert rollout.total == evaluation.reward.total
    assert sum(rollout.parts.values()) == pytest.approx(rollout.total)


# --- turns ------------------------------------------------------------------------------------------------------------


def test_the_rewards_of_the_turns_add_up_to_the_last_total(verifier: Verifier, add: Problem) -> None:
    answers = [WRONG, "", ILL_TYPED, add.reference]
    episode = Episode(add, EpisodeSpec(max_turns=6))
    turns = [episode.advance(evaluate(add, answer, verifier=verifier, reward=STAGED)) for answer in answers]
    totals = [turn.info["total"] for turn in turns]
    assert totals[1] == 0 < totals[2] < totals[0] < totals[3]
    assert turns[1].reward < 0
    assert sum(turn.reward for turn in turns) == pytest.approx(totals[-1])
    assert [turn.terminated for turn in turns] == [False, False, False, True]
    assert [turn.info["turn"] for turn in turns] == [1, 2, 3, 4]


def test_an_episode_ends_after_its_last_turn(asleep: Verifier, add: Problem) -> None:
    episode = Episode(add, EpisodeSpec(max_turns=2))
    turns = [episode.advance(evaluate(add, "", verifier=asleep, reward=STAGED)) for _ in range(2)]
    assert [turn.terminated for turn in turns] == [False, True]


def test_the_next_observation_holds_statement_answer_and_feedback(verifier: Verifier, add: Problem) -> None:
    episode = Episode(add, EpisodeSpec(max_turns=2))
    evaluation = evaluate(add, WRONG, verifier=verifier, reward=STAGED)
    turn = episode.advance(evaluation)
    assert turn.observation.startswith(episode.prompt)
    assert WRONG in turn.observation
    assert evaluation.feedback in turn.observation
    assert turn.observation.endswith("Answer again with all of the corrected definitions in one ```ocaml block.")


def test_info_names_no_hidden_test_and_is_the_callers_own(verifier: Verifier, add: Problem) -> None:
    named = replace(
        add, tests=tuple(replace(test, name="" if test.public else f"SECRET {test.code}") for test in add.tests)
    )
    evaluation = evaluate(named, WRONG, verifier=verifier, reward=STAGED)
    first, second = (Episode(named, EpisodeSpec()).advance(evaluation).info for _ in range(2))
    assert first == second
    assert "SECRET" not in repr(first)
    first["parts"].clear()
    first["diagnostics"].append("mine")
    assert second["parts"]
    assert evaluation.reward.parts


@pytest.mark.parametrize("max_turns", [0, -1, 1.5, True, "2", None])
def test_an_invalid_number_of_turns_is_refused(max_turns: object) -> None:
    with pytest.raises(ConfigError, match="max_turns must be a whole number from 1"):
        EpisodeSpec(max_turns=max_turns)  # type: ignore[arg-type]
