"""TRL with real trainers and random models: rewards, infrastructure errors, several turns, and tools."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ocaml_env import ConfigError, EngineError, Problem, Verifier
from ocaml_env.episode import EpisodeSpec, evaluate_each
from ocaml_env.integrations.common import TooManyFaults
from ocaml_env.integrations.trl import (
    Rollouts,
    between_turns,
    dataset,
    environment_factory,
    evaluate_answers,
    reward_function,
    rollout_function,
)
from ocaml_env.prompt import PromptSpec
from ocaml_env.reward import RewardSpec
from tests.integrations.broken import Broken
from tests.integrations.installed import need
from tests.random_model import CHAT, make_random_model

need("trl")
pytestmark = pytest.mark.filterwarnings("default")  # the libraries warn


# --- the reward function ----------------------------------------------------------------------------------------------


def test_a_chat_and_a_text_earn_the_same(verifier: Verifier, add: Problem) -> None:
    pay = reward_function([add], verifier=verifier)
    chat = [{"role": "user", "content": "?"}, {"role": "assistant", "content": add.reference}]
    parts = [{"role": "assistant", "content": [{"type": "text", "text": add.reference}]}]
    called: list[dict[str, Any]] = [{"role": "assistant", "content": None, "tool_calls": []}]
    asked = [add.reference, chat, parts, called]
    assert pay(completions=asked, problem_id=["add"] * 4) == pytest.approx([1.0, 1.0, 1.0, 0.0])


def test_a_completion_without_an_end_token_is_truncated(verifier: Verifier, add: Problem) -> None:
    texts = [f"```ocaml\n{add.reference}"] * 2
    ids = [[5, 6, 1], [5, 6, 7]]
    whole, cut = reward_function([add], verifier=verifier, end_tokens=1)(
        completions=texts, completion_ids=ids, problem_id=["add"] * 2
    )
    assert whole is not None
    assert cut is not None
    assert whole > cut
    unknown = reward_function([add], verifier=verifier)
    assert unknown(completions=texts, completion_ids=ids, problem_id=["add"] * 2) == [whole, whole]


def test_a_fault_is_no_reward_and_costs_only_its_own_sample(add: Problem) -> None:
    extras: dict[str, list[Any]] = {}
    metrics: dict[str, float] = {}
    with Broken(workers=1) as broken:
        pay = reward_function([add], verifier=broken)
        paid = pay(
            completions=[add.reference, "let fault = 1", "let x ="],
            problem_id=["add"] * 3,
            log_extra=extras.__setitem__,
            log_metric=metrics.__setitem__,
        )
    assert paid == [1.0, None, 0.0]
    assert extras["outcome"] == ["PASSED", "not scored: the worker went away", "SYNTAX_ERROR"]
    assert metrics["pass_rate"] == 0.5


def test_a_run_that_loses_too_many_rewards_ends(add: Problem) -> None:
    with Broken(workers=1) as broken:
        pay = reward_function([add], verifier=broken, max_fault_share=0.5)
        lost: dict[str, Any] = {"completions": ["let fault = 1"] * 2, "problem_id": ["add"] * 2}
        assert pay(completions=["let x ="] * 3, problem_id=["add"] * 3) == [0.0] * 3
        assert pay(**lost) == [None, None]
        with pytest.raises(TooManyFaults, match="4 of the last 7 .* the worker went away"):
            pay(**lost)


def test_an_episode_is_paid_by_the_totals_of_its_turns(verifier: Verifier, add: Problem) -> None:
    texts = ["let add =", "let add a b = a", add.reference]
    evaluate = partial(evaluate_each, verifier=verifier, reward=RewardSpec.preset("binary"))
    turns = [turn for [turn] in evaluate_answers([add] * 3, texts, None, None, evaluate)]
    pay = reward_function([add], total=lambda totals: sum(totals) / len(totals))
    assert pay(completions=["everything that was said"], evaluated=[turns]) == [pytest.approx(1 / 3)]


def test_a_data_set_without_problem_ids_is_refused(verifier: Verifier, add: Problem) -> None:
    with pytest.raises(ConfigError, match="no column problem_id"):
        reward_function([add], verifier=verifier)(completions=["let x = 1"])
    with pytest.raises(ConfigError, match=r"no problem 'ad'.*add"):
        reward_function([add], verifier=verifier)(completions=["let x = 1"], problem_id=["ad"])


# --- several turns ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def model_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_random_model(tmp_path_factory.mktemp("model"))


def load_tokenizer(folder: Path) -> Any:
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(folder)


def reciting(model: Path, folder: Path, problem: Problem, answers: Sequence[str], **arguments: Any) -> Any:
    """Makes a real trainer that draws these answers, in order."""
    from tests.integrations.players.trl import trainer

    made = trainer(model, folder, data=dataset([problem], chat=arguments.pop("chat", False)), **arguments)
    made.recorded = iter([(answer, False) for answer in answers])
    return made


def test_an_episode_ends_when_it_passes_and_feedback_is_masked(
    verifier: Verifier, add: Problem, model_folder: Path, tmp_path: Path
) -> None:
    wrong, cheat, right = "let add a b = a", "let add = Obj.magic 1", add.reference
    spec = EpisodeSpec(prompts=PromptSpec(), max_turns=3)
    prompt = spec.prompts.text(add)
    rollouts = Rollouts(
        [add],
        spec=spec,
        evaluate=lambda pairs: evaluate_each(pairs, verifier=verifier, reward=RewardSpec.preset("staged")),
    )
    answers = [right, wrong, cheat, right, wrong, wrong]
    trainer = reciting(model_folder, tmp_path, add, answers, reward=reward_function([add]), rollout_func=rollouts)
    output = rollouts([prompt] * 3, trainer)
    assert list(trainer.recorded) == []
    passed = [[answer.evaluated.verdict.passed for answer in turns] for turns in output["evaluated"]]
    assert passed == [[True], [False, True], [False, False, False]]
    tokenizer = trainer.processing_class
    for ids, mask, turns in zip(output["completion_ids"], output["env_mask"], output["evaluated"], strict=True):
        assert len(ids) == len(mask)
        drawn = [token for token, own in zip(ids, mask, strict=True) if own]
        written = [str(answer.completion) for answer in turns]
        assert tokenizer.decode(drawn, skip_special_tokens=True) == "".join(written)
        assert sum(mask) == sum(answer.tokens for answer in turns)
    feedback = [token for token, own in zip(output["completion_ids"][2], output["env_mask"][2], strict=True) if not own]
    assert "Obj.magic" in tokenizer.decode(feedback)
    assert output["env_mask"][0] == [1] * len(output["completion_ids"][0])
    assert output["logprobs"] is None
    # The second turn reads the prompt, the first answer and the feedback on it.
    second = output["prompt_ids"][1] + output["completion_ids"][1]
    assert tokenizer.decode(second).startswith(f"{prompt}{wrong}<eos>\n\n")


def test_a_prompt_with_solved_examples_as_messages_is_known(
    verifier: Verifier, add: Problem, last: Problem, tmp_path: Path
) -> None:
    spec = EpisodeSpec(prompts=PromptSpec(shots=(last,)), max_turns=2)
    rollouts = Rollouts(
        [add],
        spec=spec,
        evaluate=lambda pairs: evaluate_each(pairs, verifier=verifier, reward=RewardSpec.preset("staged")),
    )
    model = make_random_model(tmp_path / "model", chat_template=CHAT)
    pay = reward_function([add])
    trainer = reciting(model, tmp_path, add, [add.reference], chat=True, reward=pay, rollout_func=rollouts)
    [[answer]] = rollouts([spec.prompts.messages(add)], trainer)["evaluated"]
    assert answer.problem is add


def test_the_last_turn_is_paid(verifier: Verifier, add: Problem, model_folder: Path, tmp_path: Path) -> None:
    pay = reward_function([add], verifier=verifier)
    rollouts = rollout_function([add], max_turns=2, verifier=verifier)
    answers = ["let add a b = a", "let x =", add.reference, "let y ="]
    trainer = reciting(model_folder, tmp_path, add, answers, reward=pay, rollout_func=rollouts)
    trainer.train()
    logged = next(entry for entry in trainer.state.log_history if "reward" in entry)
    assert logged["rewards/ocaml_reward/mean"] == pytest.approx(0.5)
    assert logged["pass_rate"] == pytest.approx(0.5)


def test_a_fault_ends_the_episode_and_is_no_reward(add: Problem, model_folder: Path, tmp_path: Path) -> None:
    with Broken(workers=1) as broken:
        rollouts = rollout_function([add], max_turns=3, verifier=broken)
        answers = ["let fault = 1", "let add a b = a", "let fault = 2"]
        trainer = reciting(model_folder, tmp_path, add, answers, reward=reward_function([add]), rollout_func=rollouts)
        output = rollouts([PromptSpec().text(add)] * 2, trainer)
    assert all(isinstance(turns[-1].evaluated, EngineError) for turns in output["evaluated"])
    assert reward_function([add])(completions=["", ""], evaluated=output["evaluated"]) == [None, None]


def test_a_prompt_without_a_problem_is_refused(add: Problem) -> None:
    with pytest.raises(ConfigError, match=r"no problem is asked like this: 'Hello'.*prompt_style"):
        rollout_function([add])([[{"role": "user", "content": "Hello"}]], None)


def test_the_chat_template_writes_the_text_between_turns(tmp_path: Path) -> None:
    suffix, tokenizer = suffix_of(make_random_model(tmp_path, chat_template=CHAT))
    assert tokenizer.decode(suffix("It fails.", True)) == "<|user|>It fails.<eos><|assistant|>"
    assert tokenizer.decode(suffix("It fails.", False)) == "<eos><|user|>It fails.<eos><|assistant|>"


def test_without_a_template_blank_lines_separate_turns(model_folder: Path) -> None:
    suffix, tokenizer = suffix_of(model_folder)
    assert tokenizer.decode(suffix("It fails.", True)) == "\n\nIt fails.\n\n"


def suffix_of(folder: Path) -> tuple[Callable[[str, bool], list[int]], Any]:
    tokenizer = load_tokenizer(folder)
    return between_turns(tokenizer), tokenizer


# --- tools ------------------------------------------------------------------------------------------------------------


def call(code: str) -> str:
    arguments = json.dumps({"name": "submit", "arguments": {"code": code}})
    return f"<tool_call>\n{arguments}\n</tool_call>"


def test_a_model_that_calls_the_tool_is_paid_for_its_last_submission(
    verifier: Verifier, add: Problem, tmp_path: Path
) -> None:
    from trl.chat_template_utils import qwen3_chat_template

    model = make_random_model(tmp_path / "model", chat_template=qwen3_chat_template, eos="<|im_end|>")
    answers = [
        *(call("let add a b = a"), call("let add = 1")),  # the first turn of both rollouts
        *(call(add.reference), "I give up."),
        "Done.",
    ]
    factory = environment_factory([add], verifier=verifier)
    trainer = reciting(model, tmp_path, add, answers, chat=True, environment_factory=factory)
    assert [tool.__name__ for tool in trainer.tools] == ["submit"]
    trainer.max_completion_length = 1500
    trainer.train()
    assert list(trainer.recorded) == []
    first, second = trainer.environments
    assert first.get_reward() == pytest.approx(1.0)
    assert 0 < second.get_reward() < 1
    logged = next(entry for entry in trainer.state.log_history if "reward" in entry)
    assert logged["reward"] == pytest.approx((first.get_reward() + second.get_reward()) / 2)
    assert logged["tools/failure_frequency"] == 0


def test_nothing_submitted_earns_nothing_and_a_task_ends(verifier: Verifier, add: Problem) -> None:
    env = environment_factory([add], max_turns=2, verifier=verifier)()
    env.reset(problem_id="add", prompt="ignored")
    assert env.get_reward() == 0
    env.submit("let add a b = a")
    assert env.get_reward() > 0
    assert "syntax error" in env.submit("let add =").lower()
    assert env.get_reward() == 0
    assert env.submit(add.reference).startswith("The task is over")
    assert env.get_reward() == 0
    env.reset(problem_id="add")
    assert env.submit(add.reference) == "All 6 tests pass."
    assert env.get_reward() == pytest.approx(1.0)


def test_a_fault_in_the_tool_gives_no_reward_until_the_next_submission(add: Problem) -> None:
    with Broken(workers=1) as broken:
        env = environment_factory([add], verifier=broken)()
        env.reset(problem_id="add")
        assert "not your fault" in env.submit("let fault = 1")
        assert env.get_reward() is None
        env.submit(add.reference)
        assert env.get_reward() == pytest.approx(1.0)


def test_endless_faults_in_the_tool_end_the_run(add: Problem) -> None:
    with Broken(workers=1) as broken:
        env = environment_factory([add], verifier=broken)()
        rewards: list[float | None] = []
        with pytest.raises(EngineError):
            rewards.extend(lost(env) for _ in range(100))
        assert set(rewards) == {None}


def lost(env: Any) -> float | None:
    env.reset(problem_id="add")
    env.submit("let fault = 1")
    reward: float | None = env.get_reward()
    return reward


def test_an_evaluated_rollout_is_not_evaluated_again(add: Problem, verifier: Verifier) -> None:
    evaluate = partial(evaluate_each, verifier=verifier, reward=RewardSpec.preset("binary"))
    answers = evaluate_answers([add], [add.reference], None, None, evaluate)
    closed = Verifier(workers=1)
    closed.close()
    pay = reward_function([add], verifier=closed)
    assert pay(completions=["everything that was said"], evaluated=answers) == [1.0]
