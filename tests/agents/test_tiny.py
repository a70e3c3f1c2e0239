"""The tiny policy: its problems, its tokenizer, and its weights in the repository."""

from __future__ import annotations

from typing import Any

import pytest

from agents.tiny.tasks import PROMPTS, SEEN, UNSEEN, Split, tiny_tasks
from ocaml_env import RewardSpec, Verifier
from ocaml_env.episode import EpisodeSpec
from ocaml_env.extract import extract
from ocaml_env.problem import Problem
from ocaml_env.prompt import Prompt

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from agents.evaluation import evaluate  # noqa: E402 - these import torch
from agents.tiny.model import MAX_COMPLETION_TOKENS, tiny_path  # noqa: E402
from ocaml_env.evaluation.models.hf import LanguagePolicy, Sampling  # noqa: E402

MEBIBYTE = 2**20


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    return transformers.AutoTokenizer.from_pretrained(tiny_path())


@pytest.fixture(scope="module")
def problems() -> dict[Split, list[Problem]]:
    return {
        Split.SFT: list(tiny_tasks(Split.SFT, 120)),
        Split.GRPO: list(tiny_tasks(Split.GRPO, 60)),
        Split.HELD_OUT: list(tiny_tasks(Split.HELD_OUT, 60)),
    }


def test_no_two_splits_share_a_statement_or_a_reference(problems: dict[Split, list[Problem]]) -> None:
    for split in Split:
        for other_split in Split:
            if split is not other_split:
                assert {p.statement for p in problems[split]}.isdisjoint(p.statement for p in problems[other_split])
                assert {p.reference for p in problems[split]}.isdisjoint(p.reference for p in problems[other_split])


def test_more_problems_of_a_split_contain_the_fewer() -> None:
    fewer, more = (tiny_tasks(Split.HELD_OUT, n) for n in (10, 30))
    assert len(fewer) == 10
    assert {p.id for p in fewer} < {p.id for p in more}


def test_the_unseen_family_shares_no_problem_with_the_seen_ones(problems: dict[Split, list[Problem]]) -> None:
    unseen = tiny_tasks(Split.HELD_OUT, 20, families=(UNSEEN,))
    seen = [problem for split in Split for problem in problems[split]]
    assert UNSEEN not in SEEN
    assert {p.statement for p in unseen}.isdisjoint(p.statement for p in seen)
    assert {p.reference for p in unseen}.isdisjoint(p.reference for p in seen)


def test_a_reference_without_a_fence_is_extracted_as_it_is(problems: dict[Split, list[Problem]]) -> None:
    for problem in problems[Split.HELD_OUT]:
        assert extract(problem.reference, kind="function").code == problem.reference.strip()


def test_the_weights_are_an_ordinary_folder_of_at_most_five_megabytes() -> None:
    files = {file.name: file.stat().st_size for file in tiny_path().iterdir()}
    assert {"config.json", "generation_config.json", "model.safetensors", "tokenizer.json"} <= files.keys()
    assert sum(files.values()) <= 5 * MEBIBYTE


def test_every_digit_is_its_own_token_and_part_of_no_other(tokenizer: Any) -> None:
    with_digits = {token for token in tokenizer.get_vocab() if any(digit in token for digit in "0123456789")}
    assert with_digits == set("0123456789")


def test_prompts_and_references_survive_the_tokenizer(tokenizer: Any, problems: dict[Split, list[Problem]]) -> None:
    for problem in problems[Split.HELD_OUT]:
        for text in (PROMPTS.text(problem), problem.reference):
            assert tokenizer.decode(tokenizer(text, add_special_tokens=False)["input_ids"]) == text


def test_a_prompt_is_between_two_tokens_other_than_end_and_padding(tokenizer: Any) -> None:
    ids = tokenizer("val f : int")["input_ids"]
    assert (ids[0], ids[-1]) == (tokenizer.bos_token_id, tokenizer.sep_token_id)
    assert len({tokenizer.bos_token_id, tokenizer.sep_token_id, tokenizer.eos_token_id, tokenizer.pad_token_id}) == 4


def test_references_fit_the_budget_of_a_completion(tokenizer: Any, problems: dict[Split, list[Problem]]) -> None:
    for problem in problems[Split.GRPO]:
        assert len(tokenizer(problem.reference, add_special_tokens=False)["input_ids"]) < MAX_COMPLETION_TOKENS


def test_the_tiny_policy_passes_a_tenth_of_its_held_out_samples_at_temperature_one(
    tokenizer: Any, verifier: Verifier
) -> None:
    torch.set_num_threads(1)  # threads that spin while they wait would take the checker's core
    model = transformers.AutoModelForCausalLM.from_pretrained(tiny_path(), dtype=torch.float32)
    asked = list(tiny_tasks(Split.HELD_OUT, 60))
    policy = LanguagePolicy(model, tokenizer, Sampling(temperature=1.0, max_tokens=MAX_COMPLETION_TOKENS))
    spec = EpisodeSpec(prompts=PROMPTS)
    reached = evaluate(policy, asked, verifier=verifier, reward=RewardSpec.preset("binary"), spec=spec)
    assert reached.pass_rate >= 0.1


def test_a_stop_text_ends_a_completion_and_changes_nothing_before() -> None:
    from ocaml_env.evaluation.models.hf import load_policy

    prompts = [PROMPTS.text(problem) for problem in tiny_tasks(Split.HELD_OUT, 4)]
    policy = load_policy("tiny").with_sampling(temperature=0.0, max_tokens=60)
    whole = policy.generate(prompts)
    stopped = policy.with_sampling(stop=(" =", "->")).generate(prompts)
    for (long, tokens), (short, fewer) in zip(whole, stopped, strict=True):
        assert long.startswith(short)
        assert fewer < tokens
        assert not short.truncated
        assert len(short) == min(long.find(stop) for stop in (" =", "->") if stop in long)


def test_a_prefilled_answer_is_continued_and_contains_its_prefill() -> None:
    from ocaml_env.evaluation.models.hf import load_policy

    problem = next(iter(tiny_tasks(Split.HELD_OUT, 1)))
    policy = load_policy("tiny").with_sampling(temperature=0.0, max_tokens=60)
    (free,) = policy.act([PROMPTS.text(problem)])
    begins = free[: free.index("=")]
    (begun,) = policy.act([Prompt(PROMPTS.text(problem), prefill=begins)])
    assert begun.startswith(begins)
    assert len(begun) > len(begins)
