"""Real evaluations of a few bundled problems, from completions with known outcomes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from ocaml_env import Problem, load_problems
from ocaml_env.commands.evaluate import main
from ocaml_env.problems import to_jsonl

__all__ = ["SHORT", "STRONG", "WEAK", "evaluate", "suite_of"]

# One string a problem, one letter a sample: P passes, T has a type error, S a syntax error, N no code.
WEAK = ("PPP", "PTS", "TTT", "SSS", "NNN", "TTS", "PPT", "STN")
STRONG = ("PPP", "PPT", "PPP", "PTT", "PPS", "TSS", "TTS", "PPP")
SHORT = ("PP", "PT", "TT", "PS", "NN", "TS", "TP", "PP")


def suite_of(folder: Path) -> tuple[str, list[Problem]]:
    """Writes eight bundled problems with short references to a file, and returns its path and the problems."""
    problems = sorted(load_problems("bundled:eval"), key=lambda problem: (len(problem.reference), problem.id))[:8]
    path = folder / "suite.jsonl"
    to_jsonl(problems, path)
    return str(path), problems


def evaluate(out: Path, model: str | Sequence[str], suite: tuple[str, list[Problem]], *more: str) -> Path:
    """Evaluates a model, or completions given by their letters, into ``out`` and returns ``out``."""
    path, problems = suite
    if not isinstance(model, str):
        file = out.with_suffix(".jsonl")
        answers = [
            {"task_id": problem.id, "completion": _completion(problem, letter)}
            for problem, letters in zip(problems, model, strict=True)
            for letter in letters
        ]
        file.write_text("\n".join(map(json.dumps, answers)) + "\n")
        model = f"completions:{file}"
    assert main(["--model", model, "--problems", path, "--out", str(out), "--workers", "1", *more]) == 0
    return out


def _completion(problem: Problem, letter: str) -> str:
    return {
        "P": problem.reference,
        "T": f'{problem.reference}\nlet oops : int = "one"',
        "S": f"{problem.reference}\nlet =",
        "N": "",
    }[letter]
