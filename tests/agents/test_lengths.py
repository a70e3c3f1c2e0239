"""The default limits of tokens lose no bundled problem, and a run reports the losses of shorter limits."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents.config import Config
from agents.lengths import prompt_length, reference_lengths, target
from agents.preflight import check
from ocaml_env import Problem, PromptSpec, PromptStyle, load_problems
from ocaml_env.evaluation.models.hf import load_tokenizer
from ocaml_env.problems.sources import read_sets

DEFAULT = Config()
SMOLLM2 = Path(__file__).parents[2] / ".cache" / "smollm2"

# SmolLM2's tokenizer is not in the repository. It makes 0.997 to 1.155 tokens of each of these pieces, measured on the
# bundled problems' prompts and references of more than 700 tokens.
_PIECE = re.compile(r"\d| ?[A-Za-z]{1,8}| ?[^\w\s]+|\s+|\w")
_MOST_OF_A_PIECE = 1.155
_CHAT = 31  # tokens that the chat template adds, with the system's message


def at_most(text: str) -> int:
    """Returns an upper bound for the number of SmolLM2's tokens of a long text."""
    return int(_MOST_OF_A_PIECE * len(_PIECE.findall(text))) + 1


@pytest.mark.parametrize("style", list(PromptStyle))
def test_the_default_limits_lose_no_bundled_problem(style: PromptStyle) -> None:
    problems, prompts = load_problems("bundled"), PromptSpec(style=style)
    assert max(at_most(prompts.text(problem)) for problem in problems) + _CHAT <= DEFAULT.max_prompt_length
    assert max(at_most(target(problem, style)) for problem in problems) < DEFAULT.max_completion_length


@pytest.mark.skipif(not SMOLLM2.exists(), reason="needs SmolLM2's tokenizer: python -m agents.smollm2")
@pytest.mark.parametrize("style", list(PromptStyle))
def test_smollm2s_own_tokenizer_keeps_to_the_upper_bound(style: PromptStyle) -> None:
    problems, prompts, tokenizer = load_problems("bundled"), PromptSpec(style=style), load_tokenizer(str(SMOLLM2))
    asked = [prompt_length(problem, prompts, tokenizer) for problem in problems]
    answered = reference_lengths(problems, style, tokenizer)
    for problem, tokens, answer in zip(problems, asked, answered, strict=True):
        assert tokens <= 700 or tokens <= at_most(prompts.text(problem)) + _CHAT
        assert answer <= 700 or answer <= at_most(target(problem, style)) + 1
    assert max(asked) <= DEFAULT.max_prompt_length
    assert max(answered) <= DEFAULT.max_completion_length


def test_a_run_reports_how_many_references_exceed_the_limit(
    config: Callable[..., Config], problems: list[Problem], model_folder: Path
) -> None:
    lengths: Any = sorted(reference_lengths(problems, "brief", load_tokenizer(str(model_folder))))
    made = config(max_completion_length=lengths[-3])
    long = sum(tokens > lengths[-3] for tokens in lengths)
    (note,) = [line for line in check(made, problems, read_sets(made.eval_problems)).notes if "references" in line]
    assert f"{long} of 24 references have more than {lengths[-3]} tokens" in note
    assert f"the longest {lengths[-1]}" in note
    made = config(max_completion_length=lengths[-1])
    assert not [line for line in check(made, problems, read_sets(made.eval_problems)).notes if "references" in line]
