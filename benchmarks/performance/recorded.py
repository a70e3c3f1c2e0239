"""Makes completions like those of models from references, to measure the evaluation of recorded completions.

Each problem gets right answers, answers with a small fault, a cut or a type error, stubs, and prose, in fixed shares. A
number in a comment makes each text unique, so that no cached verdict can be used.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from benchmarks.reward_quality.ladder import PLANTED
from ocaml_env import Problem, Verifier

__all__ = ["Recorded", "recorded", "write_recorded"]

SHARES = {"right": 30, "a type error": 30, "cut off": 15, "one small fault": 10, "a stub": 10, "prose": 5}
"""Percent of all completions. One small fault in twenty makes an endless loop, which costs CPU seconds."""

_PROSE = "I would go through the list once and keep what was seen so far; this is attempt {number}, without code."


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """One completion.

    Attributes:
        problem_id: the problem that it answers.
        completion: the text.
        truncated: True if it is cut off.
    """

    problem_id: str
    completion: str
    truncated: bool


def write_recorded(path: Path, problems: Sequence[Problem], verifier: Verifier, count: int) -> None:
    """Writes ``count`` completions in the format of ``ocaml-env evaluate --model completions:FILE``.

    Raises:
        OCamlEnvError: if the engine cannot read a reference.
    """
    with path.open("w", encoding="ascii") as file:
        for made in tqdm(recorded(problems, verifier, count), total=count, desc="writing", leave=False, disable=None):
            line = {"task_id": made.problem_id, "completion": made.completion, "truncated": made.truncated}
            file.write(json.dumps(line) + "\n")


def recorded(problems: Sequence[Problem], verifier: Verifier, count: int) -> Iterator[Recorded]:
    """Yields ``count`` completions, problem by problem; equal arguments give equal texts."""
    for index, problem in enumerate(problems):
        these = count * (index + 1) // len(problems) - count * index // len(problems)
        yield from _of(problem, verifier, these)


def _of(problem: Problem, verifier: Verifier, count: int) -> Iterator[Recorded]:
    rng = random.Random(problem.id)
    faults = [mutant.code for mutant in verifier.mutants(problem)]
    rng.shuffle(faults)
    faulty = itertools.cycle(faults or [problem.reference])
    stubs = [stub.code for stub in verifier.stubs(problem)] if problem.kind == "function" else ["let () = ()"]
    for number, kind in enumerate(rng.choices(list(SHARES), weights=list(SHARES.values()), k=count)):
        truncated = kind == "cut off"
        if kind == "prose":
            yield Recorded(problem_id=problem.id, completion=_PROSE.format(number=number), truncated=False)
            continue
        code = problem.reference
        if kind == "one small fault":
            code = next(faulty)
        elif kind == "a type error":
            code += f"\n\n{rng.choice(PLANTED)}"
        elif kind == "a stub":
            code = rng.choice(stubs)
        text = (
            f"Here is attempt {number}.\n\n```ocaml\n(* attempt {number} *)\n{code}\n```\n\nIt runs in linear time.\n"
        )
        if truncated:
            text = text[: rng.randrange(len(text) // 4, len(text))]
        yield Recorded(problem_id=problem.id, completion=text, truncated=truncated)
