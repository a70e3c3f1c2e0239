"""A run's folder with really evaluated answers, without the training."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from agents.config import Config
from agents.logs import COMPLETIONS
from agents.run_dir import CONFIG
from ocaml_env import Completion, Problem, RewardSpec, Verifier
from ocaml_env.episode import evaluate_many
from ocaml_env.rollout import RolloutWriter

__all__ = ["keep"]


def keep(folder: Path, config: Config, answers: Sequence[tuple[Problem, str, int]], verifier: Verifier) -> Path:
    """Evaluates answers (problem, text, turn) and writes them as a run with this configuration does."""
    pairs = [(problem, text if isinstance(text, Completion) else Completion(text)) for problem, text, _ in answers]
    evaluated = evaluate_many(pairs, verifier=verifier, reward=RewardSpec.preset("staged"))
    with RolloutWriter(folder / COMPLETIONS) as writer:
        for evaluation, (_, _, turn) in zip(evaluated, answers, strict=True):
            writer.write(evaluation.rollout(prompt_digest="", turn=turn))
    (folder / CONFIG).write_text(config.to_yaml(), encoding="utf-8")
    return folder
