"""Reads the answers of runs and evaluations, with problems and results, as data for further training.

A run of ``agents.grpo`` keeps ``reward_logs/completions.jsonl``, an evaluation ``samples.jsonl``. Both name problems by
id and digest. If a problem has changed since, its answers are left out: their results are of the old problem. Answers
to problems of an evaluation split are refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from agents.config import Config
from agents.config_sources import read_config
from agents.logs import COMPLETIONS
from agents.run_dir import CONFIG
from ocaml_env import Completion, ConfigError, Problem, extract
from ocaml_env.evaluation import directory
from ocaml_env.evaluation.config import RunConfig
from ocaml_env.problems.repair.code import Code
from ocaml_env.problems.sources import problem_of_id, read_sets
from ocaml_env.rollout import Rollout, read_rollouts

__all__ = ["Answer", "Kept", "distinct", "normalised", "read_answers"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer to a problem.

    Attributes:
        problem: its problem.
        completion: the text, with a mark if it was cut off.
        passed: True if it passed all tests.
        total: the reward.
        turn: its turn in its episode, from 1. From the second on, the prompt held feedback on the turn before.
    """

    problem: Problem
    completion: Completion
    passed: bool
    total: float
    turn: int

    @property
    def code(self) -> str:
        """The OCaml code of the answer; "" if there is none."""
        found = extract(self.completion, wanted=self.problem.wanted, kind=self.problem.kind)
        return found.code or ""


@dataclass(frozen=True, kw_only=True)
class Kept:
    """The answers in a folder.

    Attributes:
        answers: the answers, in their recorded order.
        asked: the settings of their prompts, as a configuration.
        notes: a sentence for each reason of leaving answers out.
    """

    answers: tuple[Answer, ...]
    asked: Config
    notes: tuple[str, ...]


def read_answers(folder: Path) -> Kept:
    """Reads the answers of a run of ``agents.grpo``, or of an evaluation.

    Raises:
        ConfigError: if the folder is neither, if all answers are left out, or if it holds answers to problems of an
            evaluation split.
    """
    if (folder / COMPLETIONS).exists():
        asked, records = read_config(path=folder / CONFIG), read_rollouts(folder / COMPLETIONS)
    elif (folder / "samples.jsonl").exists():
        asked, records = _asked(directory.read_config(folder)), _of_evaluation(folder)
    else:
        raise ConfigError(
            f"{folder} holds no answers: neither {COMPLETIONS} of a run, nor samples.jsonl of an evaluation"
        )
    known: dict[str, Problem | None] = dict(read_sets(asked.problems).by_id)
    answers = []
    left_out: Counter[str] = Counter()
    for record in records:
        name = record.problem_id
        if name not in known:
            known[name] = _found(name)
        problem = known[name]
        if problem is None or problem.digest != record.problem_digest:
            left_out["is not there" if problem is None else "is another one by now"] += 1
            continue
        answers.append(
            Answer(
                problem=problem,
                completion=Completion(record.completion, truncated=record.truncated),
                passed=record.passed,
                total=record.total,
                turn=record.turn,
            )
        )
    _refuse_evaluations(folder, answers)
    notes = tuple(f"{count} answers of {folder} are left out: their problem {why}" for why, count in left_out.items())
    if not answers:
        raise ConfigError(f"{folder} holds no answer that can be used" + "".join(f"; {note}" for note in notes))
    return Kept(answers=tuple(answers), asked=asked, notes=notes)


def normalised(code: str) -> str:
    """Normalises code: its tokens without comments and layout."""
    return " ".join(token.text for token in Code(code).tokens)


def distinct(answers: Iterable[Answer]) -> Iterator[Answer]:
    """Skips an answer if an earlier one to the same problem has the same code, but for comments and layout."""
    seen: set[tuple[str, str]] = set()
    for answer in answers:
        key = (answer.problem.id, normalised(answer.code))
        if key not in seen:
            seen.add(key)
            yield answer


def _of_evaluation(folder: Path) -> Iterator[Rollout]:
    for sample in directory.read_samples(folder):
        if not sample.fault:
            # The turns of older samples lack the digest, which the sample has.
            yield from (replace(turn, problem_digest=sample.problem_digest) for turn in sample.turns)


def _asked(settings: RunConfig) -> Config:
    """Makes a configuration of the prompts of an evaluation."""
    names = ("problems", "prompt_style", "shots", "shot_problems", "instruction", "prompt", "feedback")
    return Config(**{name: value for name in names if (value := getattr(settings, name))})


def _found(problem_id: str) -> Problem | None:
    try:
        return problem_of_id(problem_id)
    except ConfigError:
        return None


def _refuse_evaluations(folder: Path, answers: Iterable[Answer]) -> None:
    wrong = sorted({answer.problem.id for answer in answers if answer.problem.split == "eval"})
    if wrong:
        raise ConfigError(
            f"{folder} holds answers to {len(wrong)} problems of an evaluation, such as {wrong[0]!r}: a model that "
            "learnt from them could not be evaluated on them. Give a run or an evaluation on `bundled:train` or on "
            "`generated:...?split=train`"
        )
