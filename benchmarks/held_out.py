"""Checks that no training family draws a solution of an evaluation problem; by OCaml, not by our interpreter.

    python -m benchmarks.held_out [--families NAMES] [--draws 500] [--seed S]

It draws references of each family, renames them, and runs them on the hidden tests of each problem of bundled:eval with
the same types: first on one test, then on all if that one passes.

Exit codes: 0 no reference passes; 1 one passes; 2 wrong usage; 3 an infrastructure error.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tqdm import tqdm

from ocaml_env import Verdict, Verifier
from ocaml_env.commands import parser_of, reports_errors
from ocaml_env.problem import Problem
from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.draft import Draft
from ocaml_env.problems.generators.family import Family
from ocaml_env.problems.generators.held_out import renamings, solves_held_out
from ocaml_env.problems.generators.source import find_families

__all__ = ["main"]

Item = tuple[Problem, str]


@reports_errors()
def main(arguments: Sequence[str] | None = None) -> int:
    parser = parser_of("python -m benchmarks.held_out", __doc__)
    parser.add_argument("--families", default="all", help="names of families or topics, with commas (default: all)")
    parser.add_argument("--draws", type=int, default=500, help="draws of each family, over its levels (default: 500)")
    parser.add_argument("--seed", type=int, default=80, help="seed of the draws (default: 80)")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args(arguments)
    families = [family for family in find_families(options.families.split(",")) if family.split == "train"]
    draws, tried, solved = 0, 0, []
    with Verifier(workers=options.workers) as verifier:
        for family in tqdm(families, unit="family"):
            drafts = list(_drafts(family, options.draws, options.seed))
            items = [
                *{(asked.id, code): (asked, code) for draft in drafts for asked, code in _attempts(draft)}.values()
            ]
            first = [(replace(asked, tests=asked.tests[:1]), code) for asked, code in items]
            left = _passing(items, verifier.verify_many(first))
            solved += [(family.name, *item) for item in _passing(left, verifier.verify_many(left))]
            draws, tried = draws + len(drafts), tried + len(items)
    print(f"{draws:,} draws of {len(families)} families, {tried:,} attempts at problems of their types: ", end="")
    print(f"{len(solved)} pass")
    for name, asked, code in solved:
        print(f"{name} solves {asked.id}:\n{code}")
    return int(bool(solved))


def _passing(items: Sequence[Item], verdicts: Sequence[Verdict]) -> list[Item]:
    return [item for item, verdict in zip(items, verdicts, strict=True) if verdict.passed]


def _drafts(family: Family, draws: int, seed: int) -> Iterator[Draft]:
    """Yields drafts that the family would accept as problems."""
    for level in family.levels:
        made = attempt = 0
        while made < draws / len(family.levels):
            attempt += 1
            try:
                draft = family.draft(Chance(f"{family.name}/{level}/{seed}/0/{attempt}"), level)
            except Unfit:
                continue
            if not solves_held_out(draft):
                made += 1
                yield draft


def _attempts(draft: Draft) -> Iterator[Item]:
    for renamed, asked in renamings(draft):
        yield replace(asked, tests=asked.hidden_tests, baseline=()), f"{draft.reference}\n{renamed}\n"


if __name__ == "__main__":
    sys.exit(main())
