"""Does ``gymnasium.make_vec("OCamlCode-v0", num_envs=64)`` run at the full speed of the engine?

    python -m benchmarks.performance.vector [--num-envs N] [--workers N] [--rounds N]

A round evaluates the answers of all environments twice, by ``verify_many`` and by ``step``, in alternating order, with
one verifier without a cache. The environments draw the problems. Of four answers three are right, in the form of a
model's answer, and one has type errors. Exit codes: 0 measured; 2 wrong usage; 3 something is missing or broken.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import gymnasium
from tqdm import tqdm

from ocaml_env import Problem, Verifier, extract, load_problems
from ocaml_env.commands import natural, parser_of, reports_errors

__all__ = ["Rates", "main", "measure"]


@dataclass(frozen=True, kw_only=True)
class Rates:
    """Seconds of each round, by both ways.

    Attributes:
        verify: seconds of ``verify_many``.
        step: seconds of the vector environment's ``step``.
    """

    verify: list[float]
    step: list[float]

    @property
    def share(self) -> float:
        """The rate of ``step`` divided by that of ``verify_many``: the median over the rounds."""
        return median(verify / step for verify, step in zip(self.verify, self.step, strict=True))


def measure(*, num_envs: int, workers: int, rounds: int) -> Rates:
    """Runs rounds, after an uncounted one.

    Raises:
        OCamlEnvError: if the engine cannot evaluate.
    """
    rates = Rates(verify=[], step=[])
    problems = load_problems("bundled:train")
    with Verifier(workers=workers, cache_size=0) as verifier:
        envs = gymnasium.make_vec("OCamlCode-v0", num_envs=num_envs, problems=problems, verifier=verifier)
        _, infos = envs.reset(seed=0)
        for number in tqdm(range(rounds + 1), desc="rounds", leave=False, disable=None):
            asked = [problems.get(problem_id) for problem_id in infos["problem_id"]]
            answers = [_answer(problem, right=(number + place) % 4 != 0) for place, problem in enumerate(asked)]
            verify = step = 0.0
            for stepping in (True, False) if number % 2 else (False, True):
                if stepping:
                    step, infos = _step(envs, answers)
                else:
                    verify = _verify(verifier, asked, answers)
            if number:
                rates.verify.append(verify)
                rates.step.append(step)
        envs.close()
    return rates


def _answer(problem: Problem, *, right: bool) -> str:
    surplus = "" if right else '\nlet surplus = 1 + "one" + undefined_name'
    return f"Here is a solution.\n\n```ocaml\n{problem.reference}{surplus}\n```\nIt handles the empty case too.\n"


def _verify(verifier: Verifier, problems: Sequence[Problem], answers: Sequence[str]) -> float:
    codes = [
        extract(answer, wanted=problem.wanted, kind=problem.kind).code or ""
        for problem, answer in zip(problems, answers, strict=True)
    ]
    began = time.perf_counter()
    verifier.verify_many(zip(problems, codes, strict=True))
    return time.perf_counter() - began


def _step(envs: Any, answers: Sequence[str]) -> tuple[float, dict[str, Any]]:
    began = time.perf_counter()
    *_, infos = envs.step(answers)
    return time.perf_counter() - began, infos


@reports_errors()
def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, prints, and returns the exit code."""
    parser = parser_of("python -m benchmarks.performance.vector", __doc__)
    parser.add_argument("--num-envs", type=natural, default=64, help="environments (default: 64)")
    parser.add_argument("--workers", type=natural, default=2, help="workers of the verifier (default: 2)")
    parser.add_argument("--rounds", type=natural, default=30, help="rounds (default: 30)")
    options = parser.parse_args(arguments)
    rates = measure(num_envs=options.num_envs, workers=options.workers, rounds=options.rounds)
    print(f"{options.num_envs} environments, {options.workers} workers, {options.rounds} rounds; evaluations a second")
    for name, seconds in (("verify_many", rates.verify), ("make_vec, step", rates.step)):
        print(f"{name:<16} {options.num_envs / median(seconds):>8.0f}")
    print(f"step runs at {rates.share:.1%} of the rate of verify_many (median of the rounds)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
