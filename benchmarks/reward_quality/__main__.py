"""Which preset should a run be paid by? What each pays for answers of known severity, side by side.

    python -m benchmarks.reward_quality [--problems bundled:train] [--limit 20] [--seed 0] [--json FILE] [--html FILE]

Answers of every severity are made of the references of real problems (``ladder.py`` lists them, best first),
evaluated once, and paid by every preset. The table has a line a measure and says which way is better; the last
sentences say what the figures mean. Equal arguments give equal figures.

Neighbouring severities are compared within a problem, and every step of the ladder weighs the same; ``staged`` ties the
last ones on purpose, for what does not parse is worth nothing. A group of 8 without variance teaches nothing: the
groups are drawn from four assumed policies. *A stub pays below a compile rate of x* says that a policy that compiles
less of its tries than x earns more by giving up; what a try is worth is assumed too (``policies.py``). Where
neither a stub nor a failed try earns anything, x is 0, and failed tries teach nothing either.

Does it pay to give up? Strategies that ignore the problem (``strategies.py``) are played on every problem of the set.
Beside them stand honest answers: some of several functions are right (``partial.py``), or the program is right but for
one to three type errors (``faults.py``). *Paid more than giving up*: than the best strategy on the same problem is.
``docs/reward-evidence.md`` has the figures and what they mean.

The attacks of ``benchmarks/exploits`` are evaluated as their files are, and compared with the stub of their problem as
it is. Under the seed's rules a stub of fewer than eight lines earns nothing, so any longer attack is above it. Those
that may hold a solution are left out.

Exit codes: 0 done, 1 ``staged`` broke one of its laws, 2 wrong usage, 3 an infrastructure error.
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
from ocaml_env.display.terminal import Colour, Paint, columns
from ocaml_env.errors import ConfigError, OCamlEnvError, ProblemError
from ocaml_env.problem import Problem
from ocaml_env.problems.load import load_problems
from ocaml_env.reward import RewardSpec

__all__ = ["PRESETS", "choose", "main"]

PRESETS = ("staged", "staged-1", "pass-dominant", "binary", "seed-2025-12-10")
"""In the order of the columns."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, prints, writes what was asked for, and returns the exit code."""
    options = _parser().parse_args(arguments)
    try:
        for file in filter(None, (options.json, options.html)):
            file.open("ab").close()  # a folder that is not there is told before anything is measured
        problems = choose(options.problems, options.limit)
        gathered = gather(problems, seed=options.seed, workers=options.workers, family=options.family)
        qualities = [assess(gathered, preset) for preset in PRESETS]
    except (ConfigError, ProblemError) as error:
        print(error, file=sys.stderr)
        return 2
    except OCamlEnvError as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 3
    except OSError as error:
        print(error, file=sys.stderr)
        return 2
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
    """At most ``limit`` problems that have a reference, evenly spread over a set; 0 takes all.

    Raises:
        ConfigError: where there is none, or the set or the limit is not understood.
    """
    if limit < 0:
        raise ConfigError(f"--limit must be a whole number from 0, not {limit}")
    known = [problem for problem in load_problems(source) if problem.reference]
    if not known:
        raise ConfigError(f"{source} has no problem with a reference: answers are made of references")
    count = min(limit or len(known), len(known))
    return [known[place * len(known) // count] for place in range(count)]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.reward_quality", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--problems", default="bundled:train", help="a set of problems (default: bundled:train)")
    parser.add_argument("--limit", type=int, default=20, help="problems at most; 0 takes all (default: 20)")
    parser.add_argument("--seed", type=int, default=0, help="of everything that is drawn (default: 0)")
    parser.add_argument("--workers", type=int, default=2, help="of the verifier (default: 2)")
    parser.add_argument("--family", default="", help="only the attacks of this folder of benchmarks/exploits")
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
