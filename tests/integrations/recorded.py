"""The recorded completions, ``recorded.jsonl``, and the script that makes them.

Every integration must evaluate them alike. To write the file anew:

    .venv/bin/python -m tests.integrations.recorded

The file stays the same as long as its problems do. Completions are made from references in the ways of models: bare, in
prose, in fences, cut off, broken, forbidden, endless. Every outcome occurs, but few take a second or much memory.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from ocaml_env import Completion, Problem, Verifier, load_problems

__all__ = ["FILE", "PROBLEMS", "Pair", "read_pairs"]

FILE = Path(__file__).with_name("recorded.jsonl")
PROBLEMS = "bundled:eval"
COUNT = 200


@dataclass(frozen=True, slots=True)
class Pair:
    """A completion of a problem of ``PROBLEMS``; ``truncated`` says if generation was cut off."""

    problem_id: str
    text: str
    truncated: bool

    @property
    def completion(self) -> Completion:
        """Returns the text as the library's own type, which includes truncation."""
        return Completion(self.text, truncated=self.truncated)


def read_pairs() -> list[Pair]:
    """Returns all recorded pairs, in order."""
    return [Pair(**json.loads(line)) for line in FILE.read_text(encoding="utf-8").splitlines()]


def fenced(code: str) -> str:
    return f"```ocaml\n{code}\n```"


def usual(problem: Problem, wrong: list[str], chance: random.Random) -> Iterator[tuple[str, bool]]:
    """Yields completions of a problem with their truncation. The codes in ``wrong`` must typecheck."""
    code = problem.reference.rstrip()
    cut = code[: chance.randrange(len(code) // 3, 2 * len(code) // 3)]
    yield code, False
    yield f"Here is the module.\n\n{fenced(code)}\n\nIt runs in linear time — I hope. ✓", False
    yield f"```ocaml\n{code}", True  # complete code without the closing fence
    yield f"```ocaml\n{cut}", True
    yield cut, False
    yield f"First try:\n{fenced(wrong[0])}\nNo, better:\n{fenced(code)}", False
    yield f"<think>A {problem.id} needs care.</think>\r\n" + fenced(code).replace("\n", "\r\n"), False
    yield fenced(f"{code}\nlet surplus : int = surplus_of 1 + undefined_too"), False
    yield fenced(f"open Unix\n{code}"), False
    yield fenced(code.replace("let ", "lett ", 1)), False
    yield fenced(f'{code}\nlet _ = Sys.command "true"'), False
    yield fenced(f'{code}\nlet () = failwith "no"'), False
    for text in wrong:
        yield fenced(text), False


def rare() -> Iterator[Pair]:
    """Yields completions that only a few problems need: without code, or over a limit."""
    problems = load_problems(PROBLEMS)
    functions, programs = problems.filter(kind="function"), problems.filter(kind="program")
    for index, text in enumerate(("", " \n\t", "I do not know OCaml.", "(* END *)", "```ocaml\n```", "1 + 1", "let")):
        yield Pair(functions[index].id, text, truncated=False)
        yield Pair(functions[index].id, text, truncated=True)
    for problem in (functions[10], programs[0]):
        code = problem.reference
        yield Pair(problem.id, fenced(f"{code}\nlet () = while true do () done"), truncated=False)
        yield Pair(problem.id, fenced(f"let _keep = Array.make 200_000_000 0\n{code}"), truncated=False)
        yield Pair(problem.id, fenced(f"let rec deep n = 1 + deep n\nlet _ = deep 0\n{code}"), truncated=False)
    for problem in programs[:2]:
        yield Pair(
            problem.id, fenced("let () = while true do print_string (String.make 999 'a') done"), truncated=False
        )
    for problem in functions[11:13]:  # typechecks, but has no safe order of evaluation
        cycle = "module rec A : sig val x : int end = struct let x = B.x end\nand B : sig val x : int end = A"
        yield Pair(problem.id, fenced(f"{cycle}\n{problem.reference}"), truncated=False)


def make_pairs() -> list[Pair]:
    """Makes the pairs anew."""
    chance = random.Random(20)
    pairs = list(rare())
    problems = load_problems(PROBLEMS)
    large = [problem for problem in problems if (problem.level or 0) >= 4]  # of several functions, so of many rewards
    functions = [problem for problem in large if problem.kind == "function"]
    programs = [problem for problem in large if problem.kind == "program"]
    asked = [*functions[::19], *programs[::3]]
    with Verifier(workers=1) as verifier:
        by_problem = []
        for problem in asked:
            wrong = [mutant.code for mutant in verifier.mutants(problem)][:20:5]
            by_problem.append([Pair(problem.id, *completion) for completion in usual(problem, wrong, chance)])
    # The problems take turns, so that the first 200 pairs have all kinds.
    turns = itertools.zip_longest(*by_problem)
    pairs += [pair for turn in turns for pair in turn if pair is not None]
    return pairs[:COUNT]


if __name__ == "__main__":
    with FILE.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(json.dumps(asdict(pair), ensure_ascii=False) + "\n" for pair in make_pairs())
