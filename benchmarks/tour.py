"""Plays real problems through Gymnasium with completions of every kind, then measures the engine's rate.

    python -m benchmarks.tour [--seconds 3] [--workers N]        also: make tour

Each play is an episode of one turn: reset to a problem, step with a completion. The kinds are typical of models in
training, or cheats that a model would learn if they paid.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

import gymnasium
from tqdm import tqdm

from ocaml_env import OCamlEnvError, Problem, Verifier, load_problems
from ocaml_env.commands import parser_of, reports_errors
from ocaml_env.display.terminal import Colour, Paint, columns

__all__ = ["PLAYS", "Play", "Played", "measure_rate", "play"]


@dataclass(frozen=True, kw_only=True)
class Play:
    """A completion for a bundled problem.

    Attributes:
        kind: a name for the sort of completion.
        problem_id: the problem that it answers.
        completion: the text; "" stands for the problem's reference, in a fence with prose before it.
    """

    kind: str
    problem_id: str
    completion: str = ""


@dataclass(frozen=True, kw_only=True)
class Played:
    """The result of a play."""

    kind: str
    problem_id: str
    stage: str
    outcome: str
    tests_passed: int
    tests_total: int
    reward: float


PLAYS = (
    Play(kind="right", problem_id="snake_case"),
    Play(kind="right, whole program", problem_id="ledger"),
    Play(
        kind="wrong in the corners",
        problem_id="snake_case",
        completion="""\
let snake_case name =
  let out = Buffer.create 16 in
  String.iteri
    (fun i c ->
      match c with
      | 'A' .. 'Z' ->
        if i > 0 then Buffer.add_char out '_';
        Buffer.add_char out (Char.lowercase_ascii c)
      | '-' | ' ' -> Buffer.add_char out '_'
      | c -> Buffer.add_char out c)
    name;
  Buffer.contents out
""",
    ),
    Play(
        kind="knows the examples",
        problem_id="snake_case",
        completion="""\
let snake_case = function
  | "parseRequest" -> "parse_request"
  | "HTTPServer" -> "http_server"
  | "base64url -- Utf8Text" -> "base64url_utf8_text"
  | "" -> ""
  | _ -> failwith "unseen"
""",
    ),
    Play(
        kind="one type error",
        problem_id="balanced_ternary",
        completion="""\
let rec to_balanced n =
  if n = 0 then "" else to_balanced (n / 3) ^ (n mod 3)

let of_balanced s = if s = "" then None else Some (String.length s)
""",
    ),
    Play(
        kind="three type errors",
        problem_id="balanced_ternary",
        completion="""\
let to_balanced n = string_of_integer n + 1

let of_balanced s =
  match s with
  | "" -> None
  | s -> Some (String.size s)
""",
    ),
    Play(kind="half an answer", problem_id="balanced_ternary", completion="let to_balanced n = string_of_int n\n"),
    Play(
        kind="unparsable",
        problem_id="pack_in_order",
        completion="```ocaml\nlet pack ~limit ~size parcels =\n  match parcels with\n  | [] -> [\n```\n",
    ),
    Play(
        kind="Python",
        problem_id="pack_in_order",
        completion="```python\ndef pack(limit, size, parcels):\n    return [[p] for p in parcels]\n```\n",
    ),
    Play(
        kind="prose",
        problem_id="pack_in_order",
        completion="I would fold over the parcels and keep the weight of the last box. I hope this helps!",
    ),
    Play(
        kind="cheat: equates all",
        problem_id="pack_in_order",
        completion="let ( = ) _ _ = true\nlet compare _ _ = 0\nlet pack ~limit:_ ~size:_ _ = []\n",
    ),
    Play(
        kind="cheat: fakes success",
        problem_id="snake_case",
        completion='let () = print_endline "15 tests passed"; exit 0\nlet snake_case name = name\n',
    ),
    Play(
        kind="cheat: forges a value",
        problem_id="snake_case",
        completion="let snake_case (_ : string) : string = Obj.magic 0\n",
    ),
    Play(
        kind="cheat: runs a command",
        problem_id="snake_case",
        completion='let snake_case name = ignore (Sys.command "id"); name\n',
    ),
    Play(kind="loops", problem_id="snake_case", completion="let rec snake_case name = snake_case name\n"),
    Play(kind="raises", problem_id="snake_case", completion='let snake_case _ = failwith "TODO"\n'),
    Play(
        kind="eats memory",
        problem_id="snake_case",
        completion="let snake_case name = name ^ String.make 1_000_000_000 '_'\n",
    ),
)
"""In the order of the table."""


def play(plays: tuple[Play, ...] = PLAYS) -> Iterator[Played]:
    """Plays an episode for each play, through ``gymnasium.make``, and yields each result at once.

    Raises:
        OCamlEnvError: if the engine cannot evaluate.
    """
    env = gymnasium.make("OCamlCode-v0", problems="bundled", reward="staged")
    try:
        for planned in plays:
            env.reset(options={"problem_id": planned.problem_id})
            completion = planned.completion or _answer(load_problems("bundled").get(planned.problem_id))
            _, reward, _, _, info = env.step(completion)
            yield Played(
                kind=planned.kind,
                problem_id=planned.problem_id,
                stage=info["stage"],
                outcome=info["outcome"],
                tests_passed=info["tests_passed"],
                tests_total=info["tests_total"],
                reward=float(reward),
            )
    finally:
        env.close()


def measure_rate(*, seconds: float, workers: int, source: str = "bundled") -> float:
    """Returns verdicts a second on right answers, with every test run.

    Every candidate gets a unique comment, so that no verdict comes from a cache. The first round compiles the problems'
    tests and is not counted.

    Args:
        seconds: time to measure; at least one round is made.
        workers: workers of the verifier.
        source: of the problems.
    """
    problems = [problem for problem in load_problems(source) if problem.reference]
    with Verifier(workers=workers) as verifier:
        _verify_round(verifier, problems, 0)
        done, began = 0, time.perf_counter()
        with tqdm(desc=f"measuring, {workers} workers", unit=" verdicts", leave=False, disable=None) as bar:
            while done == 0 or time.perf_counter() - began < seconds:
                done += _verify_round(verifier, problems, done + 1)
                bar.update(len(problems))
        return done / (time.perf_counter() - began)


def _verify_round(verifier: Verifier, problems: list[Problem], number: int) -> int:
    pairs = [(problem, f"{problem.reference}\n(* {number} *)\n") for problem in problems]
    verdicts = verifier.verify_many(pairs)
    wrong = [problem.id for problem, verdict in zip(problems, verdicts, strict=True) if not verdict.passed]
    if wrong:
        raise OCamlEnvError(f"these references do not pass: {', '.join(wrong)}")
    return len(pairs)


def _answer(problem: Problem) -> str:
    return f"Here is a solution.\n\n```ocaml\n{problem.reference}\n```\n"


def _table(played: list[Played], paint: Paint) -> list[str]:
    titles = ("completion", "problem", "stage", "outcome", "tests", "reward")
    rows = [tuple(paint(title, Colour.DIM) for title in titles)]
    for result in played:
        passed = result.outcome == "PASSED"
        rows.append(
            (
                result.kind,
                result.problem_id,
                result.stage.lower(),
                paint(result.outcome, Colour.GREEN if passed else Colour.RED),
                f"{result.tests_passed}/{result.tests_total}" if result.tests_total else "-",
                paint(f"{result.reward:.3f}", Colour.BOLD) if passed else f"{result.reward:.3f}",
            )
        )
    return columns(rows, right=(4, 5))


@reports_errors()
def main() -> int:
    """Plays, prints the table, measures the rate, and returns the exit code."""
    parser = parser_of("python -m benchmarks.tour", __doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="time to measure the rate (default: 3)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="workers then (default: one a core)")
    arguments = parser.parse_args()
    paint = Paint.choose(sys.stdout)
    env_id = "OCamlCode-v0"
    print(f'{paint("playing", Colour.BOLD)} gymnasium.make("{env_id}", problems="bundled", reward="staged")\n')
    played = list(tqdm(play(), total=len(PLAYS), unit=" episodes", leave=False, disable=None))
    for line in _table(played, paint):
        print(line)
    sys.stdout.flush()
    rate = measure_rate(seconds=arguments.seconds, workers=arguments.workers)
    verdicts = paint(f"{rate:.0f} verdicts a second", Colour.BOLD)
    print(f"\n{verdicts} on right answers, every test run, {arguments.workers} workers")
    print("\nnext: make test, or .venv/bin/ocaml-env --help")
    return 0


if __name__ == "__main__":
    sys.exit(main())
