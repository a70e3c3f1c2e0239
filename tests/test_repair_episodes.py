"""Episodes of problems with an attempt: prompts, rewards, and the same behaviour in every interface."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.lengths import target
from agents.play import play
from ocaml_env.commands.cli import main as command
from ocaml_env.commands.evaluate import main as evaluate_command
from ocaml_env.env import OCamlCodeEnv
from ocaml_env.episode import Episode, EpisodeSpec, edit_lines, evaluate, evaluate_many
from ocaml_env.errors import ProblemError
from ocaml_env.extract import Completion
from ocaml_env.integrations import trl, verl
from ocaml_env.problem import Problem
from ocaml_env.problem.record import problem_from_record, problem_to_record
from ocaml_env.problems import to_jsonl
from ocaml_env.prompt import PromptSpec, PromptStyle
from ocaml_env.reward import RewardSpec, repair_value
from ocaml_env.server.service import Service
from ocaml_env.verdict import Outcome, Stage, Verdict
from ocaml_env.verifiers.local import Verifier

STAGED = RewardSpec.preset("staged")
FAULTS = {
    "syntax": "let add a b = a + b in\nlet negate a = -a",
    "type": "let add a b = a +. b\nlet negate a = -a",
    "value": "let add a b = a\nlet negate a = -a",
}
STUB = 'let add _ _ = failwith "stub"\nlet negate _ = failwith "stub"'


def fenced(code: str) -> str:
    return f"```ocaml\n{code}\n```"


@pytest.fixture(scope="session")
def broken(verifier: Verifier, add: Problem) -> dict[str, Problem]:
    """Maps each fault to the problem ``add`` with an attempt that has this fault."""
    return {
        fault: replace(add, id=f"add/{fault}", attempt=code, attempt_verdict=verifier.verify(add, code))
        for fault, code in FAULTS.items()
    }


def paid(problem: Problem, code: str, verifier: Verifier, reward: RewardSpec = STAGED) -> float:
    return float(evaluate(problem, fenced(code), verifier=verifier, reward=reward).reward.total)


# --- the value of a repair --------------------------------------------------------------------------------------------


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_a_value_is_the_share_of_the_remaining_reward(attempt: float, total: float, more: float) -> None:
    value = repair_value(total, attempt)
    assert 0 <= value <= total
    assert repair_value(attempt, attempt) == 0
    assert attempt == 1 or repair_value(1.0, attempt) == 1
    assert repair_value(max(total, more), attempt) >= value


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("preset", sorted({*RewardSpec.presets()} - {"seed-2025-12-10"}))
def test_the_attempt_pays_nothing_and_a_full_repair_all(
    verifier: Verifier, broken: dict[str, Problem], fault: str, preset: str
) -> None:
    problem, reward = broken[fault], RewardSpec.preset(preset)
    assert paid(problem, problem.attempt, verifier, reward) == 0
    assert paid(problem, problem.reference, verifier, reward) == 1


@pytest.mark.parametrize("fault", FAULTS)
def test_giving_up_pays_nothing(verifier: Verifier, broken: dict[str, Problem], fault: str) -> None:
    assert paid(broken[fault], STUB, verifier) == 0
    assert paid(broken[fault], "no code at all", verifier) == 0
    assert paid(broken[fault], "let add =", verifier) == 0


def test_raising_instead_of_a_type_error_repairs_nothing(verifier: Verifier, broken: dict[str, Problem]) -> None:
    raising = 'let add _ _ = failwith "later"\nlet negate a = -a'
    assert evaluate(broken["type"], raising, verifier=verifier, reward=STAGED).verdict.tests_passed > 0
    assert paid(broken["type"], raising, verifier) == 0


def test_an_unparsable_attempt_counts_as_a_quarter(verifier: Verifier, broken: dict[str, Problem]) -> None:
    assert STAGED.attempt_total(broken["syntax"]) == 0.25
    assert RewardSpec.preset("binary").attempt_total(broken["syntax"]) == 0.25
    better = "let add a b = a\nlet negate a = -a"
    plain = replace(broken["syntax"], attempt="", attempt_verdict=None)
    total = paid(plain, better, verifier)
    assert 0.25 < total < 1
    assert paid(broken["syntax"], better, verifier) == pytest.approx((total - 0.25) / 0.75)


def test_a_partial_repair_pays_a_part(verifier: Verifier, broken: dict[str, Problem]) -> None:
    problem = broken["value"]
    plain = replace(problem, attempt="", attempt_verdict=None)
    nearly = "let add a b = if a = 20 then a else a + b\nlet negate a = if a = 4 then 4 else -a"
    before, after = STAGED.attempt_total(problem), paid(plain, nearly, verifier)
    assert paid(plain, problem.attempt, verifier) <= before < after < 1
    assert paid(problem, nearly, verifier) == pytest.approx((after - before) / (1 - before))


def test_a_users_function_pays_for_a_repair_too(verifier: Verifier, broken: dict[str, Problem]) -> None:
    def tests_alone(problem: Problem, extraction: Any, verdict: Verdict) -> float:
        return verdict.tests_passed / len(problem.tests)

    reward = RewardSpec.of(tests_alone)
    assert paid(broken["value"], FAULTS["value"], verifier, reward) == 0
    assert paid(broken["value"], broken["value"].reference, verifier, reward) == 1
    assert paid(broken["value"], STUB, verifier, reward) == 0


@pytest.mark.parametrize("fault", FAULTS)
def test_a_users_function_gets_only_possible_verdicts(broken: dict[str, Problem], fault: str) -> None:
    def share(problem: Problem, extraction: Any, verdict: Verdict) -> float:
        return verdict.tests_passed / verdict.tests_total if verdict.stage is Stage.TEST else 0.0

    assert RewardSpec.of(share).attempt_total(broken[fault]) < 1


@pytest.mark.parametrize("fault", FAULTS)
def test_a_function_that_calls_a_preset_pays_as_the_preset(
    verifier: Verifier, broken: dict[str, Problem], fault: str
) -> None:
    asking = RewardSpec.of(lambda problem, extraction, verdict: STAGED(problem, extraction, verdict))
    for code in (FAULTS["value"], "let add a b = a + b\nlet negate a = a", STUB, broken[fault].reference):
        expected = paid(broken[fault], code, verifier)
        assert paid(broken[fault], code, verifier, asking) == pytest.approx(expected)


def test_additional_lines_repair_nothing(verifier: Verifier, broken: dict[str, Problem]) -> None:
    seed = RewardSpec.preset("seed-2025-12-10")
    more = "\n".join(f"let more_{n} = {n}" for n in range(seed.min_non_empty_lines))
    for fault in ("type", "value"):
        assert paid(broken[fault], f"{FAULTS[fault]}\n{more}\n(* END *)", verifier, seed) == 0


def test_the_parts_are_the_answers_and_the_penalty_takes_away_what_is_no_repair(
    verifier: Verifier, broken: dict[str, Problem]
) -> None:
    reward = evaluate(broken["value"], FAULTS["value"], verifier=verifier, reward=STAGED).reward
    assert reward.typecheck == pytest.approx(0.2)
    assert reward.penalty == pytest.approx(-sum(part for name, part in reward.parts.items() if name != "penalty"))


# --- prompts ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("style", PromptStyle)
@pytest.mark.parametrize("fault", FAULTS)
def test_an_episode_begins_after_the_attempt(broken: dict[str, Problem], style: PromptStyle, fault: str) -> None:
    problem, prompts = broken[fault], PromptSpec(style=style)
    assert problem.attempt_verdict is not None
    feedback = prompts.told(problem, problem.attempt_verdict, problem.attempt)
    prompt = Episode(problem, EpisodeSpec(prompts=prompts)).prompt
    assert prompt == prompts.revision(problem, prompts.question(problem), problem.attempt, feedback)
    assert [prompt.index(part) for part in (problem.statement, problem.attempt, feedback)]
    assert prompts.messages(problem)[-1]["content"] == prompt
    assert prompt != prompts.text(replace(problem, attempt="", attempt_verdict=None))


def test_a_users_function_writes_the_feedback_on_the_attempt(broken: dict[str, Problem]) -> None:
    prompts = PromptSpec(feedback=lambda problem, verdict, code, reason: f"{verdict.outcome}: {code}?")
    problem = broken["type"]
    assert f"TYPE_ERROR: {problem.attempt}?" in prompts.text(problem)


def test_in_a_chat_the_attempt_is_in_the_last_question(broken: dict[str, Problem], last: Problem) -> None:
    *shots, asked = PromptSpec(shots=(last,)).messages(broken["type"])
    assert [message["role"] for message in shots] == ["user", "assistant"]
    assert broken["type"].attempt in asked["content"]
    assert last.statement not in asked["content"]


def test_a_solved_example_shows_no_attempt(broken: dict[str, Problem], last: Problem) -> None:
    prompts = PromptSpec(shots=(broken["value"],))
    assert broken["value"].attempt not in prompts.text(last)
    assert broken["value"].reference in prompts.text(last)


def test_the_next_observation_shows_only_the_latest_code(verifier: Verifier, broken: dict[str, Problem]) -> None:
    problem = broken["type"]
    episode = Episode(problem, EpisodeSpec(max_turns=3))
    worse = "let add a b = b\nlet negate a = a"
    observation = episode.advance(evaluate(problem, worse, verifier=verifier, reward=STAGED)).observation
    assert problem.statement in observation
    assert worse in observation
    assert problem.attempt not in observation
    observation = episode.advance(evaluate(problem, "", verifier=verifier, reward=STAGED)).observation
    assert problem.attempt in observation


# --- data -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", FAULTS)
def test_plain_data_hold_the_attempt_and_its_verdict(broken: dict[str, Problem], fault: str) -> None:
    record = json.loads(json.dumps(problem_to_record(broken[fault])))
    assert problem_from_record(record, where="here") == broken[fault]


def test_an_attempt_is_a_part_of_the_digest(add: Problem, broken: dict[str, Problem]) -> None:
    digests = {problem.digest for problem in (add, *broken.values())}
    assert len(digests) == 4
    assert {problem.tests_digest for problem in broken.values()} == {add.tests_digest}


def test_an_attempt_comes_with_a_failing_verdict(add: Problem) -> None:
    passed = Verdict(outcome=Outcome.PASSED, stage=Stage.TEST)
    for attempt, verdict in (("let x = 1", None), ("", passed), ("let x = 1", passed)):
        with pytest.raises(ProblemError, match="an attempt comes with its verdict"):
            replace(add, attempt=attempt, attempt_verdict=verdict)
    with pytest.raises(ProblemError, match="attempt_verdict must be None or a Verdict, not dict"):
        replace(add, attempt="let x = 1", attempt_verdict={"outcome": "TYPE_ERROR"})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "verdict",
    [
        3,
        {},
        {"outcome": "GREAT", "stage": 1},
        {"outcome": "TYPE_ERROR", "stage": 2, "cpu": 1},
        {"outcome": "PASSED"},
        {"outcome": "TYPE_ERROR", "stage": 2, "errors": "two"},
        {"outcome": "TYPE_ERROR", "stage": 2, "partial": "add"},
        {"outcome": "TYPE_ERROR", "stage": 2, "diagnostics": [{"kind": "syntax", "message": "no", "line": "1"}]},
        {
            "outcome": "TEST_FAILURE",
            "stage": 4,
            "tests": [{"name": "a", "outcome": "PASSED", "returned": True, "public": 1}],
        },
    ],
)
def test_invalid_data_of_a_verdict_are_refused(add: Problem, verdict: object) -> None:
    record = problem_to_record(add) | {"attempt": "let x", "attempt_verdict": verdict}
    with pytest.raises(ProblemError, match="here: .*attempt_verdict"):
        problem_from_record(record, where="here")


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        ("a\nb", "a\nb", 0),
        ("a\nb\n", "a  \nb", 0),
        ("a\nb", "a\nc", 2),
        ("a\nb", "a\nb\nc", 1),
        ("a\nb", "", 2),
        ("a", "b\n" * 1000, 1001),
    ],
)
def test_the_size_of_a_repair_is_in_lines(before: str, after: str, lines: int) -> None:
    assert edit_lines(before, after) == lines


# --- interfaces -------------------------------------------------------------------------------------------------------


def test_the_environment_pays_changes_in_value(verifier: Verifier, broken: dict[str, Problem]) -> None:
    problem = broken["syntax"]
    env = OCamlCodeEnv([problem], verifier=verifier, max_turns=4)
    prompt, _ = env.reset(options={"index": 0})
    assert problem.attempt in prompt
    rewards, sizes = [], []
    for code in (problem.attempt, FAULTS["value"], STUB, problem.reference):
        _, reward, terminated, _, info = env.step(fenced(code))
        rewards.append(reward)
        sizes.append(info["edit_lines"])
    value = rewards[1]
    assert 0 < value < 1
    assert rewards == [0, value, -value, 1]
    assert sizes == [0, 2, 4, 2]
    assert terminated
    assert info["passed"]
    assert sum(rewards) == info["total"] == 1


def test_only_a_repair_has_a_size(verifier: Verifier, add: Problem) -> None:
    env = OCamlCodeEnv([add], verifier=verifier)
    env.reset()
    assert "edit_lines" not in env.step(add.reference)[4]


def test_gymnasium_makes_environments_of_repairs(verifier: Verifier) -> None:
    env = gymnasium.make("OCamlCode-v0", problems="repair:bundled?level=1&fault=type&n=4", verifier=verifier)
    prompt, _ = env.reset(seed=1)
    problem = env.unwrapped.problem  # type: ignore[attr-defined]
    assert problem.attempt in prompt
    _, reward, _, _, info = env.step(fenced(problem.reference))
    assert (reward, info["passed"]) == (1.0, True)


def test_a_vector_pays_as_single_environments_do(verifier: Verifier, add: Problem, broken: dict[str, Problem]) -> None:
    problems = [*broken.values(), add]
    envs = gymnasium.make_vec("OCamlCode-v0", num_envs=4, problems=problems, verifier=verifier)
    _, infos = envs.reset(seed=3)
    asked = [next(problem for problem in problems if problem.id == problem_id) for problem_id in infos["problem_id"]]
    _, rewards, _, _, infos = envs.step(tuple(fenced(FAULTS["value"]) for _ in asked))
    assert rewards.tolist() == [paid(problem, FAULTS["value"], verifier) for problem in asked]
    has_size = infos["final_info"].get("_edit_lines", [False] * 4)
    assert list(has_size) == [bool(problem.attempt) for problem in asked]


class Scripted:
    """Answers with code computed from the observation."""

    def __init__(self, code: Callable[[str], str]) -> None:
        self._code = code

    def act(self, observations: Sequence[str]) -> list[Completion]:
        return [Completion(fenced(self._code(observation))) for observation in observations]


def test_agents_play_repairs(verifier: Verifier, broken: dict[str, Problem], add: Problem) -> None:
    problems = list(broken.values())
    agent = Scripted(lambda observation: next(code for code in FAULTS.values() if code in observation))
    played = play(agent, problems, verifier=verifier, reward=STAGED)
    assert [episode.last.reward.total for episode in played] == [0, 0, 0]
    solved = play(Scripted(lambda _: add.reference), problems, verifier=verifier, reward=STAGED)
    assert [episode.last.reward.total for episode in solved] == [1, 1, 1]


def test_fine_tuning_learns_the_reference_in_the_form_of_the_prompt(broken: dict[str, Problem]) -> None:
    problem = broken["value"]
    assert target(problem, "text") == target(problem, "brief") == fenced(problem.reference)
    assert target(problem, "completion") == problem.reference


def test_trl_gets_the_same_prompts_and_rewards(verifier: Verifier, broken: dict[str, Problem]) -> None:
    problems = list(broken.values())
    pay = trl.reward_function(problems, verifier=verifier)
    for codes, value in (
        ([problem.attempt for problem in problems], 0),
        ([problem.reference for problem in problems], 1),
    ):
        assert pay(completions=list(map(fenced, codes)), problem_id=[problem.id for problem in problems]) == [value] * 3
    rollouts = trl.rollout_function(problems, verifier=verifier)
    for problem in problems:
        assert rollouts._problem(PromptSpec().messages(problem)) is problem


def test_the_rows_of_verl_hold_the_attempt(broken: dict[str, Problem]) -> None:
    rows = verl.rows(list(broken.values()))
    assert all(code in row["prompt"][-1]["content"] for row, code in zip(rows, FAULTS.values(), strict=True))


def test_the_service_shows_the_attempt_and_pays_for_its_repair(verifier: Verifier, broken: dict[str, Problem]) -> None:
    from ocaml_env.problems import ProblemSet

    service = Service(ProblemSet(broken.values(), name="broken"), verifier)
    problem = broken["type"]
    page = service.describe(problem.id)
    assert page.attempt == problem.attempt
    assert problem.attempt in page.prompt
    assert page.prompt == page.messages[-1]["content"]
    for code, value in ((problem.attempt, 0), (problem.reference, 1)):
        answer = json.loads(service.rewarding(problem, Completion(fenced(code)), STAGED)())
        assert answer["total"] == value


def test_an_evaluation_counts_a_repair_that_passes(
    verifier: Verifier, broken: dict[str, Problem], tmp_path: Path
) -> None:
    to_jsonl(broken.values(), tmp_path / "broken.jsonl")
    problems = ["--problems", str(tmp_path / "broken.jsonl"), "--workers", "1", "--n", "1"]
    for model, passed in (("agent:reference", 1.0), ("agent:stub", 0.0)):
        out = tmp_path / model.partition(":")[2]
        assert evaluate_command(["--model", model, "--out", str(out), *problems]) == 0
        samples = [json.loads(line) for line in (out / "samples.jsonl").read_text().splitlines()]
        assert [sample["total"] for sample in samples] == [passed] * 3
        assert {sample["passed"] for sample in samples} == {bool(passed)}


def test_the_command_shows_an_attempt_and_evaluates_its_repair(
    verifier: Verifier, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "repair/1/missing_rec/0/greatest_common_divisor"
    assert command(["problems", name]) == 0
    shown = capsys.readouterr().out
    assert "Attempt (TYPE_ERROR)" in shown
    assert "let greatest_common_divisor a b" in shown
    assert "Feedback" in shown
    assert "Unbound value greatest_common_divisor" in shown
    assert command(["problems", name, "--json"]) == 0
    problem = problem_from_record(json.loads(capsys.readouterr().out), where="shown")
    answer = tmp_path / "answer.ml"
    for code, status, message in (
        (problem.attempt, 1, "reward 0.000"),
        (problem.reference, 0, "a repair of 2 lines"),
    ):
        answer.write_text(code)
        assert command(["verify", name, str(answer)]) == status
        assert message in capsys.readouterr().out


def test_a_list_of_repairs_says_how_many_draws_failed(verifier: Verifier, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["problems", "repair:bundled?level=1&fault=type&n=5"]) == 0
    assert "5 of 5 problems in repair:bundled?level=1&fault=type&n=5: 5 faults planted, and " in capsys.readouterr().out


def test_a_batch_of_repairs_is_paid_as_single_ones(verifier: Verifier, broken: dict[str, Problem]) -> None:
    pairs = [(problem, fenced(FAULTS["value"])) for problem in broken.values()]
    totals = [evaluation.reward.total for evaluation in evaluate_many(pairs, verifier=verifier, reward=STAGED)]
    assert totals == [paid(problem, FAULTS["value"], verifier) for problem in broken.values()]
