"""Measures the time that ``env.step`` adds to ``verifier.verify``: extraction, reward, feedback, next observation.

    python -m benchmarks.performance.overhead [--rounds N]

Both evaluate the same completions in turn, with one shared verifier. If its cache is on, ``verify`` costs next to
nothing, and the difference is the time that ``step`` adds. If it is off, the difference is the same but noisier,
because each evaluation takes some milliseconds. The target is printed beside the figures; slowness is no failure.

Exit codes: 0 measured; 2 wrong usage; 3 something is missing or broken.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median, quantiles

import gymnasium
from tqdm import tqdm

from benchmarks.tour import PLAYS
from ocaml_env import Problem, Verifier, extract, load_problems
from ocaml_env.commands import natural, parser_of, reports_errors

__all__ = ["Overhead", "main", "measure"]

TARGET_MS = 0.3
SEVERAL_TURNS = 4

# Their evaluation takes so long, and varies so much, that it would hide any difference.
_SLOW = frozenset({"TIMEOUT", "MEMORY_LIMIT"})


@dataclass(frozen=True, kw_only=True)
class Overhead:
    """Milliseconds, one entry for each pair of measurements.

    Attributes:
        verify: time of ``verify``.
        added: time of ``step`` minus that of ``verify``.
    """

    verify: list[float]
    added: list[float]

    @property
    def p95(self) -> float:
        return quantiles(self.added, n=20)[-1]


def measure(problems: Sequence[Problem], *, cache_size: int, max_turns: int, rounds: int) -> Overhead:
    """Evaluates completions for ``problems`` by both ways in turn, after an uncounted round.

    Raises:
        OCamlEnvError: if the engine cannot evaluate.
    """
    times = Overhead(verify=[], added=[])
    with Verifier(workers=1, cache_size=cache_size) as verifier:
        env = gymnasium.make("OCamlCode-v0", problems=tuple(problems), verifier=verifier, max_turns=max_turns)
        inputs = [pair for problem in problems for pair in _completions(problem) if not _slow(verifier, *pair)]
        for counted in tqdm([False] + [True] * rounds, desc="rounds", leave=False, disable=None):
            for problem, completion in inputs:
                env.reset(options={"problem_id": problem.id})
                # The order alternates, because the first one loads the CPU's caches for the second.
                verify, step = _pair(verifier, env, problem, completion, step_first=len(times.added) % 2 == 1)
                if counted:
                    times.verify.append(verify * 1e3)
                    times.added.append((step - verify) * 1e3)
    return times


def _completions(problem: Problem) -> list[tuple[Problem, str]]:
    """Returns a right answer in the form of a model's, an ill-typed one, and the completions of the tour."""
    right = f"Here is a solution.\n\n```ocaml\n{problem.reference}\n```\nIt handles the empty case too.\n"
    wrong = f'```ocaml\n{problem.reference}\nlet surplus = 1 + "one" + undefined_name\n```\n'
    plays = [play.completion for play in PLAYS if play.problem_id == problem.id and play.completion]
    return [(problem, completion) for completion in (right, wrong, *plays)]


def _slow(verifier: Verifier, problem: Problem, completion: str) -> bool:
    code = extract(completion, wanted=problem.wanted, kind=problem.kind).code
    return code is None or verifier.verify(problem, code).outcome in _SLOW


def _pair(
    verifier: Verifier, env: gymnasium.Env[str, str], problem: Problem, completion: str, *, step_first: bool
) -> tuple[float, float]:
    """Returns the seconds of ``verify`` and of ``step``."""
    code = extract(completion, wanted=problem.wanted, kind=problem.kind).code
    assert code is not None
    began = time.perf_counter()
    if step_first:
        env.step(completion)
        between = time.perf_counter()
        verifier.verify(problem, code)
        return time.perf_counter() - between, between - began
    verifier.verify(problem, code)
    between = time.perf_counter()
    env.step(completion)
    return between - began, time.perf_counter() - between


@reports_errors()
def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, prints, and returns the exit code."""
    parser = parser_of("python -m benchmarks.performance.overhead", __doc__)
    parser.add_argument("--rounds", type=natural, default=20, help="rounds through all completions (default: 20)")
    options = parser.parse_args(arguments)
    problems = list(load_problems("bundled"))
    print(f"{'milliseconds':<30} {'verify':>8} {'step adds':>10} {'p95':>8}   target")
    for title, cache_size, max_turns, rounds in (
        ("cache on", 4096, 1, options.rounds),
        (f"cache on, {SEVERAL_TURNS} turns", 4096, SEVERAL_TURNS, options.rounds),
        ("cache off", 0, 1, max(1, options.rounds // 4)),
    ):
        times = measure(problems, cache_size=cache_size, max_turns=max_turns, rounds=rounds)
        added = median(times.added)
        said = f"at most {TARGET_MS} ms: {'met' if added <= TARGET_MS else 'MISSED'}"
        print(f"{title:<30} {median(times.verify):>8.3f} {added:>10.3f} {times.p95:>8.3f}   {said}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
