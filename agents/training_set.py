"""The training set of a run: its problems and their prompts, apart from the problems of evaluations."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Any

from agents.config import Config
from agents.lengths import prompt_length, reference_lengths
from ocaml_env import ConfigError, Problem, ProblemSet, PromptSpec
from ocaml_env.episode import EpisodeSpec
from ocaml_env.problems.sources import read_sets, solved_examples

__all__ = ["Admission", "check_split", "cut_references", "episode_spec", "fitting", "training_set"]


def training_set(config: Config, problems: ProblemSet | None = None) -> ProblemSet:
    """The training set of a configuration: these problems, or those of its own source, filtered by level and length.

    Raises:
        ConfigError: if no problem is left.
    """
    problems = read_sets(config.training_source) if problems is None else problems
    chosen = problems
    if config.level:
        chosen = chosen.filter(level=config.level)
    if config.max_lines:
        chosen = chosen.filter(lines=(0, config.max_lines))
    if not chosen:
        raise ConfigError(f"none of the {len(problems)} problems of {problems.name!r} is left by level and max_lines")
    return chosen


def episode_spec(config: Config) -> EpisodeSpec:
    """The prompts and turns of a configuration."""
    shots = solved_examples(config.shots, config.shot_problems)
    spec = PromptSpec(style=config.prompt_style, shots=shots, instruction=config.instruction)
    prompts = PromptSpec.of(spec, prompt=config.prompt, feedback=config.feedback)
    return EpisodeSpec(prompts=prompts, max_turns=config.max_turns)


class Admission:
    """Decides if a run may train on a problem that its curriculum has drawn. Call it with the problem."""

    def __init__(self, config: Config, spec: EpisodeSpec, tokenizer: Any, evaluation: Sequence[Problem]) -> None:
        self._config = config
        self._spec = spec
        self._tokenizer = copy.deepcopy(tokenizer)  # a tokenizer must not be used by two threads
        self._held_out = _HeldOut(evaluation)

    def __call__(self, problem: Problem) -> bool:
        config = self._config
        if problem in self._held_out or (config.max_lines and problem.reference_lines > config.max_lines):
            return False
        return prompt_length(problem, self._spec.prompts, self._tokenizer) <= config.max_prompt_length


class _HeldOut:
    """The problems of an evaluation: any of the split ``eval``, and any with the id, statement or digest of one of its
    problems.
    """

    def __init__(self, evaluation: Sequence[Problem]) -> None:
        self._known = {text for problem in evaluation for text in (problem.id, problem.statement, problem.digest)}

    def __contains__(self, problem: Problem) -> bool:
        texts = {problem.id, problem.statement, problem.digest}
        return problem.split == "eval" or not self._known.isdisjoint(texts)


def check_split(problems: Sequence[Problem], evaluation: Sequence[Problem]) -> None:
    held_out = _HeldOut(evaluation)
    wrong = [problem.id for problem in problems if problem in held_out]
    if wrong:
        raise ConfigError(
            f"{len(wrong)} problems of the training set belong to an evaluation, such as {wrong[0]!r}: an agent that "
            "was trained on them cannot be evaluated on them. Train on `bundled:train` or on "
            "`generated:...?split=train`, or divide your own set: holdout 0.2 trains on 80% of it and evaluates on "
            "the rest"
        )


def fitting(
    problems: Sequence[Problem], prompts: PromptSpec, tokenizer: Any, most: int
) -> tuple[list[Problem], list[str], int]:
    """The problems with prompts of at most ``most`` tokens, the ids of the others, and the longest such prompt."""
    lengths = [prompt_length(problem, prompts, tokenizer) for problem in problems]
    fitting = [problem for problem, tokens in zip(problems, lengths, strict=True) if tokens <= most]
    left_out = [problem.id for problem, tokens in zip(problems, lengths, strict=True) if tokens > most]
    if not fitting:
        raise ConfigError(
            f"every prompt has more than {most} tokens; the shortest has {min(lengths)}: raise max_prompt_length, or "
            "use fewer shots"
        )
    return fitting, left_out, max(tokens for tokens in lengths if tokens <= most)


def cut_references(problems: Sequence[Problem], config: Config, tokenizer: Any) -> Iterator[str]:
    """Yields a note if answers as long as the references would be cut off."""
    lengths = reference_lengths(problems, config.prompt_style, tokenizer)
    long = sum(tokens > config.max_completion_length for tokens in lengths)
    if long:
        yield (
            f"{long} of {len(problems)} references have more than {config.max_completion_length} tokens "
            f"(max_completion_length), the longest {max(lengths)}: answers that long are cut off"
        )
