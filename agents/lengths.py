"""Measures prompts and references of problems in the tokens of a model.

The limits of tokens rest on these figures: a problem with too long a prompt is left out, and an answer as long as a
too long reference is cut off.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ocaml_env import Problem, PromptSpec, PromptStyle
from ocaml_env.evaluation.models.hf import encode

__all__ = ["answer_length", "prompt_length", "reference_lengths", "target"]


def target(problem: Problem, style: str) -> str:
    """Writes the reference as an answer in a style of prompt."""
    if style == PromptStyle.COMPLETION:
        return problem.reference
    return f"```ocaml\n{problem.reference.rstrip()}\n```"


def prompt_length(problem: Problem, prompts: PromptSpec, tokenizer: Any) -> int:
    """Counts the tokens of a problem's prompt, with those of the chat template."""
    return len(encode(prompts.text(problem), tokenizer))


def answer_length(answer: str, tokenizer: Any) -> int:
    """Counts the tokens of an answer, with its end token."""
    return len(tokenizer(answer, add_special_tokens=False).input_ids) + 1


def reference_lengths(problems: Sequence[Problem], style: str, tokenizer: Any) -> list[int]:
    """Counts the tokens of each reference as an answer; 0 for a problem without a reference."""
    return [
        answer_length(target(problem, style), tokenizer) if problem.reference.strip() else 0 for problem in problems
    ]
