"""Measures if the tests of a problem kill almost right programs: mutants of its reference.

A mutant is the reference with one small fault. If one passes every test (a survivor), a test is missing, or no test
could tell the mutant from the reference. List the latter, each with a reason, beside ``<id>.md`` in
``<id>.mutants.toml``:

    [equivalent]
    "7:12 comparison: a < b -> a <= b" = "a and b are never equal: they are keys of one map"

Mutants do not count if they do not compile (stillborn), have the bytecode of the reference (proven equivalent), or are
listed. As a program: ``python -m ocaml_env.audit.mutation FILE.md...``.
"""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from ocaml_env.errors import ConfigError, OCamlEnvError, ProblemError
from ocaml_env.kills.mutants import CAP, MutationScore, measure_many
from ocaml_env.problem import Problem
from ocaml_env.problems.format import read_problem
from ocaml_env.verifiers.local import Verifier

__all__ = ["PASS_SCORE", "equivalents_path", "main", "read_equivalents"]

# The least good score of a problem.
PASS_SCORE = 0.85


def equivalents_path(problem_path: str | PathLike[str]) -> Path:
    """The list of equivalent mutants beside a problem's file."""
    return Path(problem_path).with_suffix(".mutants.toml")


def read_equivalents(problem_path: str | PathLike[str]) -> dict[str, str]:
    """Reads the mutants listed as equivalent beside a problem's file: reasons by key. Empty if there is no such file.

    Raises:
        ProblemError: if the file exists and has a wrong form.
    """
    path = equivalents_path(problem_path)
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except UnicodeDecodeError as error:
        raise ProblemError(f"{path}: the file is not UTF-8 text ({error})") from None
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ProblemError(f"{path}: not TOML: {error}") from None
    equivalent = table.pop("equivalent", {})
    if table or not isinstance(equivalent, dict):
        raise ProblemError(f"{path}: it must hold the table [equivalent] and nothing else")
    for key, reason in equivalent.items():
        if not isinstance(reason, str) or not reason.strip():
            raise ProblemError(f"{path}: {key!r} needs its reason, a string, why no test can tell it apart")
    return equivalent


# --- as a program -----------------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures the problems in files. Returns 0: good scores, 1: not so, 2: bad files, 3: an infrastructure error."""
    parser = argparse.ArgumentParser(
        prog="python -m ocaml_env.audit.mutation", description="Do the tests kill mutants of the reference?"
    )
    parser.add_argument("files", metavar="FILE.md", nargs="+", type=Path)
    parser.add_argument("--workers", type=int, default=None, help="worker processes (default: one for each CPU)")
    parser.add_argument("--cap", type=int, default=CAP, help=f"mutants to run of each reference (default: {CAP})")
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")
    options = parser.parse_args(arguments)
    results: list[MutationScore | ProblemError] = []
    loaded: list[tuple[Problem, dict[str, str]]] = []
    for path in options.files:
        try:
            loaded.append((read_problem(path), read_equivalents(path)))
        except (ProblemError, OSError) as error:
            results.append(error if isinstance(error, ProblemError) else ProblemError(str(error)))
    try:
        with Verifier(workers=options.workers, cache_size=0) as verifier:
            progress = len(loaded) > 8 and sys.stderr.isatty()
            results += measure_many(loaded, verifier=verifier, cap=options.cap, progress=progress)
    except ConfigError as error:
        parser.error(str(error))
    except OCamlEnvError as error:
        sys.stderr.write(f"{error}\n")
        return 3
    scores = [result for result in results if isinstance(result, MutationScore)]
    errors = [result for result in results if isinstance(result, ProblemError)]
    if options.json:
        sys.stdout.write(json.dumps([_as_json(score) for score in scores], indent=2, ensure_ascii=False) + "\n")
    else:
        references = {problem.id: problem.reference for problem, _ in loaded}
        for score in scores:
            sys.stdout.writelines(line + "\n" for line in _as_text(references[score.problem_id], score))
        if len(scores) > 1:
            sys.stdout.write(_summary(scores) + "\n")
    sys.stderr.writelines(f"{error}\n" for error in errors)
    if errors:
        return 2
    return 0 if all(_is_clean(score) for score in scores) else 1


def _is_clean(score: MutationScore) -> bool:
    return score.score >= PASS_SCORE and not score.refuted and not score.stale


def _as_json(score: MutationScore) -> dict[str, object]:
    return {
        "problem_id": score.problem_id,
        "score": round(score.score, 4),
        "found": score.found,
        "total": score.total,
        "killed": score.killed,
        "survivors": [mutant.key for mutant in score.survivors],
        "equivalent": {entry.mutant.key: entry.reason for entry in score.equivalent},
        "proven": score.proven,
        "stillborn": score.stillborn,
        "refuted": score.refuted,
        "stale": score.stale,
    }


def _as_text(reference: str, score: MutationScore) -> list[str]:
    mark = "" if score.score >= PASS_SCORE else f"  BELOW {PASS_SCORE:.0%}"
    lines = [
        f"{score.problem_id}: {score.score:.0%}, {score.killed} of {score.total} killed"
        f" (of {score.found} mutants: {score.stillborn} do not compile, {score.proven} proven equivalent,"
        f" {len(score.equivalent)} listed as equivalent){mark}"
    ]
    source = reference.split("\n")
    for mutant in score.survivors:
        # The key is quoted as in TOML, ready for the list of equivalents.
        lines.append(f"  survivor {json.dumps(mutant.key, ensure_ascii=False)}")
        lines.append(f"    {mutant.line:4} | {source[mutant.line - 1]}")
    lines += [f"  refuted (listed as equivalent, but a test kills it): {key}" for key in score.refuted]
    lines += [f"  stale (listed, but no mutant has this key): {key}" for key in score.stale]
    return lines


def _summary(scores: Sequence[MutationScore]) -> str:
    killed, total = sum(score.killed for score in scores), sum(score.total for score in scores)
    lowest = min(scores, key=lambda score: score.score)
    share = killed / total if total else 1.0
    return (
        f"{len(scores)} problems: {share:.1%}, {killed} of {total} killed;"
        f" lowest {lowest.problem_id} with {lowest.score:.0%}"
    )


if __name__ == "__main__":
    sys.exit(main())
