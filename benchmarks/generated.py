"""Counts wrong mutants that pass the tests of generated problems.

    python -m benchmarks.generated [--families NAMES] [--levels 1-5] [--problems N] [--seed S] [--json FILE]

It draws ``--problems`` problems of each family and level. The engine makes the mutants of their references; they are
independent of the variants used to choose the tests. A mutant is wrong if it fails a test or one of 300 further cases
of the problem's stream. The figure is the share of wrong mutants that pass all tests.

Exit codes: 0 done; 1 the share is more than 0.3% at a level; 2 wrong usage; 3 an infrastructure error.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path

from tqdm import tqdm

from ocaml_env import Verifier
from ocaml_env.commands import parser_of, reports_errors
from ocaml_env.kills.mutants import measure
from ocaml_env.problem import Limits, Test
from ocaml_env.problems.generators.chance import Unfit
from ocaml_env.problems.generators.draft import Case, Draft
from ocaml_env.problems.generators.family import Family, draw_with_draft
from ocaml_env.problems.generators.source import find_families, read_levels
from ocaml_env.problems.generators.trial import Trial

__all__ = ["Kills", "main", "measure_problem"]

CASES = 300
MOST = 0.003


@dataclass(frozen=True, slots=True, kw_only=True)
class Kills:
    """The mutants of a problem's reference, by the tests that they fail.

    Attributes:
        problem_id: the problem.
        level: its level.
        wrong: number of mutants that fail a test or a further case.
        escaped: the code of wrong mutants that pass all tests.
    """

    problem_id: str
    level: int
    wrong: int
    escaped: tuple[str, ...]


def measure_problem(family: Family, level: int, seed: int, index: int, verifier: Verifier) -> Kills:
    """Evaluates the mutants of one problem."""
    problem, draft = draw_with_draft(family, level, seed, index)
    score = measure(problem, verifier=verifier)
    escaped: list[str] = []
    if score.survivors:
        further = replace(problem, tests=tuple(_further(draft)), baseline=(), limits=Limits(total_cpu_seconds=20.0))
        probes = verifier.probe(further, [problem.reference, *(mutant.code for mutant in score.survivors)])
        if not probes[0].passed:
            raise SystemExit(f"{problem.id}: the reference fails a further case, {probes[0].failed}")
        pairs = zip(score.survivors, probes[1:], strict=True)
        escaped = [mutant.code for mutant, probe in pairs if not probe.passed]
    wrong = score.killed + len(escaped)
    return Kills(problem_id=problem.id, level=level, wrong=wrong, escaped=tuple(escaped))


def _further(draft: Draft) -> Iterator[Test]:
    cases: list[Case] = []
    with suppress(Unfit):  # a draft may have fewer cases
        cases.extend(islice(draft.cases, CASES))
    answers = [case.answer for case in cases]
    if not all(answers):
        answers = Trial(draft, cases).texts()
    for number, (case, answer) in enumerate(zip(cases, answers, strict=True)):
        if answer and draft.kind == "program":
            yield Test(name=f"further {number}", stdin=case.asked, stdout=answer)
        elif answer:
            yield Test(f"{case.asked} = {answer}", name=f"further {number}")


@reports_errors()
def main(arguments: Sequence[str] | None = None) -> int:
    parser = parser_of("python -m benchmarks.generated", __doc__)
    parser.add_argument("--families", default="all", help="names of families or topics, with commas (default: all)")
    parser.add_argument("--levels", default="1-5", help="a level or a range (default: 1-5)")
    parser.add_argument("--problems", type=int, default=20, help="number for each family and level (default: 20)")
    parser.add_argument("--seed", type=int, default=90, help="seed of the problems (default: 90)")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", type=Path, help="write every figure to FILE")
    options = parser.parse_args(arguments)
    places = [
        (family, level, options.seed, index)
        for family in find_families(options.families.split(","))
        for level in read_levels(options.levels)
        if level in family.levels
        for index in range(options.problems)
    ]
    with Verifier(workers=options.workers) as verifier, ThreadPoolExecutor(options.workers) as threads:
        jobs = [threads.submit(measure_problem, *place, verifier) for place in places]
        try:
            found = [job.result() for job in tqdm(jobs, unit="problem")]
        finally:
            threads.shutdown(wait=False, cancel_futures=True)
    if options.json:
        options.json.write_text(json.dumps([asdict(kills) for kills in found], indent=1) + "\n")
    return _report(found)


def _report(found: Sequence[Kills]) -> int:
    lines, bad = ["level  problems  wrong mutants  that pass"], False
    for level in sorted({kills.level for kills in found}):
        here = [kills for kills in found if kills.level == level]
        wrong, passed = sum(kills.wrong for kills in here), sum(len(kills.escaped) for kills in here)
        share = passed / wrong if wrong else 0.0
        bad = bad or share > MOST
        lines.append(f"{level:5}  {len(here):8}  {wrong:13,}  {passed:5} ({share:.2%})")
    worst = sorted((kills for kills in found if kills.escaped), key=lambda kills: -len(kills.escaped))
    lines += [f"{kills.problem_id}: {len(kills.escaped)} of {kills.wrong}" for kills in worst[:20]]
    sys.stdout.write("\n".join(lines) + "\n")
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())
