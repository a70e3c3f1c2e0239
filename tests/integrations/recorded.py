"""The recorded completions that every integration must evaluate alike: ``recorded.jsonl``, and what makes it.

    .venv/bin/python -m tests.integrations.recorded

writes the file anew: the same one, as long as the problems that it asks stay the same. Completions are made from
references in ways that models answer: bare, in prose, in fences, cut off, broken, forbidden, without end. Every outcome
is among them; those that cost a second each, or much memory, are few.
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
PROBLEMS = "bundled"
COUNT = 200


@dataclass(frozen=True, slots=True)
class Pair:
    """A completion of a problem of ``PROBLEMS``, and whether generation was cut off."""

    problem_id: str
    text: str
    truncated: bool

    @property
    def completion(self) -> Completion:
        """The text as the library's own type, which knows whether it was truncated."""
        return Completion(self.text, truncated=self.truncated)


def read_pairs() -> list[Pair]:
    """All recorded pairs, in order."""
    return [Pair(**json.loads(line)) for line in FILE.read_text(encoding="utf-8").splitlines()]


def fenced(code: str) -> str:
    return f"```ocaml\n{code}\n```"


def usual(problem: Problem, wrong: list[str], chance: random.Random) -> Iterator[tuple[str, bool]]:
    """Completions of a problem: text, and whether it was cut off. ``wrong`` are codes that typecheck."""
    code = problem.reference.rstrip()
    cut = code[: chance.randrange(len(code) // 3, 2 * len(code) // 3)]
    yield code, False
    yield f"Here is the module.\n\n{fenced(code)}\n\nIt runs in linear time — I hope. ✓", False
    yield f"```ocaml\n{code}", True  # whole, but nobody ended it
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
    """Completions that only a few problems need: no code at all, and limits."""
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
    for problem in functions[11:13]:  # typechecks, and has no safe order of evaluation
        cycle = "module rec A : sig val x : int end = struct let x = B.x end\nand B : sig val x : int end = A"
        yield Pair(problem.id, fenced(f"{cycle}\n{problem.reference}"), truncated=False)


def make_pairs() -> list[Pair]:
    """The pairs, made anew."""
    chance = random.Random(20)
    pairs = list(rare())
    problems = load_problems(PROBLEMS)
    asked = [*problems.filter(kind="function")[::100], *problems.filter(kind="program")[::9]]
    with Verifier(workers=1) as verifier:
        by_problem = []
        for problem in asked:
            wrong = [mutant.code for mutant in verifier.mutants(problem)][:20:5]
            by_problem.append([Pair(problem.id, *one) for one in usual(problem, wrong, chance)])
    # One of each kind from each problem in turn, so that the first 200 have all of them.
    turns = itertools.zip_longest(*by_problem)
    pairs += [pair for turn in turns for pair in turn if pair is not None]
    return pairs[:COUNT]


if __name__ == "__main__":
    with FILE.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(json.dumps(asdict(pair), ensure_ascii=False) + "\n" for pair in make_pairs())
