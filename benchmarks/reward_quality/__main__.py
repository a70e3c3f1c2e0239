"""Compares reward presets by their rewards for answers of known severity.

    python -m benchmarks.reward_quality [--problems bundled:train] [--limit 20] [--seed 0] [--json FILE] [--html FILE]

The references of real problems are turned into answers of every severity (``ladder.py`` lists them, best first). The
answers are evaluated once, and every preset pays for them. The table has a row for each measure with its better
direction; sentences at the end summarise it. Equal arguments give equal figures.

Neighbouring severities are compared within a problem, and every step of the ladder has the same weight. ``staged`` ties
the last ones on purpose, because code that does not parse is worth nothing. A group of 8 without variance teaches
nothing; the groups are drawn from four assumed policies. *The stub pays below a compile rate of x*: a policy that
compiles less often than x earns more by giving up. The rewards of a try rest on assumptions, too (``policies.py``). If
neither a stub nor a failed try earns anything, x is 0, and failed tries teach nothing either.

Strategies of giving up ignore the problem (``strategies.py``). They are played on every problem of the set, and
compared with honest answers: some functions of several are right (``partial.py``), or the program is right but for one
to three type errors (``faults.py``). *Paid more than giving up* compares with the best strategy on the same problem.
``docs/reward-evidence.md`` has figures and conclusions.

The attacks of ``benchmarks/exploits`` are evaluated unchanged, and compared with the unchanged stub of their problem.
Under the seed's rules a stub of fewer than eight lines earns nothing, so any longer attack is above it. Attacks that
may contain a solution are left out.

Exit codes: 0 done; 1 ``staged`` broke one of its laws; 2 wrong usage; 3 an infrastructure error.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.reward_quality.gather import Gathered, gather
from benchmarks.reward_quality.ladder import Severity
from benchmarks.reward_quality.page import page
from benchmarks.reward_quality.policies import POLICIES
from benchmarks.reward_quality.study import Quality, assess
from benchmarks.reward_quality.table import Row, meaning, record, rows
from ocaml_env.commands import parser_of, reports_errors
from ocaml_env.display.terminal import Colour, Paint, columns
from ocaml_env.errors import ConfigError
from ocaml_env.problem import Problem
from ocaml_env.problems.load import load_problems
from ocaml_env.reward import RewardSpec

__all__ = ["PRESETS", "choose", "main"]

PRESETS = tuple(sorted(RewardSpec.presets(), key=lambda name: name == "seed-2025-12-10"))  # that one last
"""The presets in the order of the columns."""


@reports_errors()
def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, prints, writes the files, and returns the exit code."""
    options = _parser().parse_args(arguments)
    for file in filter(None, (options.json, options.html)):
        file.open("ab").close()  # a missing folder is an error now, not after the measurement
    problems = choose(options.problems, options.limit)
    gathered = gather(problems, seed=options.seed, workers=options.workers, family=options.family)
    qualities = [assess(gathered, preset) for preset in PRESETS]
    table, sentences = rows(qualities), meaning(qualities)
    material = gathered.material
    about = (
        f"{len(problems)} problems of {options.problems}, seed {options.seed}: {len(material.answers)} answers of "
        f"{len(Severity)} severities, {len(material.attacks)} attacks; OCaml {gathered.ocaml_version}"
    )
    _print(table, sentences, about)
    if options.json:
        told = _record(options, problems, gathered, qualities, sentences)
        options.json.write_text(json.dumps(told, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    if options.html:
        options.html.write_text(page(qualities, table, sentences, about=about), encoding="utf-8")
    return 1 if qualities[0].broken else 0


def choose(source: str, limit: int) -> list[Problem]:
    """Chooses at most ``limit`` problems with references, evenly spread over a set; 0 takes all.

    Raises:
        ConfigError: if there are none, or the set or the limit is invalid.
    """
    if limit < 0:
        raise ConfigError(f"--limit must be a whole number from 0, not {limit}")
    known = [problem for problem in load_problems(source) if problem.reference]
    if not known:
        raise ConfigError(f"{source} has no problem with a reference: answers are made of references")
    count = min(limit or len(known), len(known))
    return [known[place * len(known) // count] for place in range(count)]


def _parser() -> argparse.ArgumentParser:
    parser = parser_of("python -m benchmarks.reward_quality", __doc__)
    parser.add_argument("--problems", default="bundled:train", help="a set of problems (default: bundled:train)")
    parser.add_argument("--limit", type=int, default=20, help="most problems; 0 takes all (default: 20)")
    parser.add_argument("--seed", type=int, default=0, help="seed of all random choices (default: 0)")
    parser.add_argument("--workers", type=int, default=2, help="workers of the verifier (default: 2)")
    parser.add_argument("--family", default="", help="use only the attacks of this folder of benchmarks/exploits")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure to FILE")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a page with plots to FILE")
    return parser


def _print(table: Sequence[Row], sentences: Sequence[str], about: str) -> None:
    paint = Paint.choose(sys.stdout)
    lines = [[paint(text, Colour.BOLD) for text in ("measure", *PRESETS, "better")]]
    for row in table:
        cells = [paint(cell, Colour.GREEN) if place in row.best else cell for place, cell in enumerate(row.cells)]
        lines.append([row.title, *cells, paint(row.better, Colour.DIM)])
    print(about, "", *columns(lines, right=range(1, len(PRESETS) + 1)), "", *sentences, sep="\n")


def _record(
    options: argparse.Namespace,
    problems: Sequence[Problem],
    gathered: Gathered,
    qualities: Sequence[Quality],
    sentences: Sequence[str],
) -> dict[str, Any]:
    levels = [answer.severity for answer in gathered.material.answers]
    return {
        "schema_version": 1,
        "problems": options.problems,
        "problem_ids": [problem.id for problem in problems],
        "seed": options.seed,
        "ocaml_version": gathered.ocaml_version,
        "answers": {severity.name.lower(): levels.count(severity) for severity in Severity},
        "policies": {
            policy.name: {severity.name.lower(): share for severity, share in policy.shares.items()}
            for policy in POLICIES
        },
        "presets": {
            quality.preset: {"spec": RewardSpec.preset(quality.preset).to_dict(), **record(quality)}
            for quality in qualities
        },
        "meaning": list(sentences),
    }


if __name__ == "__main__":
    sys.exit(main())
