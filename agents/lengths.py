"""How long problems are in a model's own tokens: what asks them, and their references as answers.

Limits of tokens are set by these figures, not guessed: a prompt that is too long is never asked, and a reference that
is longer than an answer may be cannot be given.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ocaml_env import Problem, PromptSpec, PromptStyle
from ocaml_env.evaluation.models.hf import encode

__all__ = ["answer_length", "prompt_length", "reference_lengths", "target"]


def target(problem: Problem, style: str) -> str:
    """The reference as the answer that the style of prompt asks for."""
    if style == PromptStyle.COMPLETION:
        return problem.reference
    return f"```ocaml\n{problem.reference.rstrip()}\n```"


def prompt_length(problem: Problem, prompts: PromptSpec, tokenizer: Any) -> int:
    """The tokens of a problem's prompt, with what the chat template adds."""
    return len(encode(prompts.text(problem), tokenizer))


def answer_length(answer: str, tokenizer: Any) -> int:
    """The tokens of an answer, with the one that ends it."""
    return len(tokenizer(answer, add_special_tokens=False).input_ids) + 1


def reference_lengths(problems: Sequence[Problem], style: str, tokenizer: Any) -> list[int]:
    """The tokens of each reference as an answer; 0 for a problem that has none."""
    return [
        answer_length(target(problem, style), tokenizer) if problem.reference.strip() else 0 for problem in problems
    ]
