"""How fast recorded completions are evaluated, in how much memory, and whether the summary is the same every time.

    python -m benchmarks.performance.rescoring [--samples N] [--workers N] [--problems SET]

Writes completions that no verdict cache can help with (see ``recorded``), evaluates them by ``ocaml-env evaluate``, and
evaluates them again by ``--rescore``, once with as many workers and once with another number: each a command of its own
that is watched from outside. CPU time is told apart: the harness is the command's own process (reading, extraction,
rewards, writing, the summary), the engine is all processes below it. Completions that ran out of time or memory are
counted, because each costs a thousand others: a second of CPU time and more, whatever evaluates it.

Exit codes: 0 the summaries are the same to the byte; 1 they are not; 2 wrong usage; 3 something is missing or broken.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.performance.processes import Used, run_watched
from benchmarks.performance.recorded import write_recorded
from ocaml_env import OCamlEnvError, Outcome, Verifier, load_problems
from ocaml_env.evaluation.directory import read_samples

__all__ = ["main"]

SAMPLES = 20_000
TARGET_SECONDS = 120.0
_SLOW = frozenset({Outcome.TIMEOUT.value, Outcome.MEMORY_LIMIT.value})


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, prints, and returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.performance.rescoring", description=(__doc__ or "").splitlines()[0]
    )
    add = parser.add_argument
    add("--samples", type=int, default=SAMPLES, help=f"completions ({SAMPLES:,})")
    add("--workers", type=int, default=2, help="of the first two runs; the third has one fewer or more (2)")
    add("--problems", metavar="SET", default="bundled:eval", help="what they answer (bundled:eval)")
    options = parser.parse_args(arguments)
    if options.samples < 1 or options.workers < 1:
        parser.error("--samples and --workers must be 1 or more")
    try:
        with tempfile.TemporaryDirectory() as scratch:
            return _measure(Path(scratch), options)
    except (OCamlEnvError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 3


def _measure(scratch: Path, options: argparse.Namespace) -> int:
    completions, out = scratch / "completions.jsonl", scratch / "run"
    with Verifier(workers=options.workers) as verifier:
        write_recorded(completions, list(load_problems(options.problems)), verifier, options.samples)
    other = options.workers - 1 or 2
    command = [sys.executable, "-m", "benchmarks.evaluate"]
    first = ["--model", f"completions:{completions}", "--problems", options.problems, "--out", str(out)]
    runs = [(first, options.workers), (["--rescore", str(out)], options.workers), (["--rescore", str(out)], other)]
    print(f"{options.samples:,} completions of {options.problems}; load average {os.getloadavg()[0]:.1f}")
    summaries: list[str] = []
    verdicts: dict[tuple[str, int], tuple[str, ...]] = {}
    for more, workers in runs:
        used = run_watched([*command, *more, "--workers", str(workers)])
        summaries.append(hashlib.sha256((out / "summary.json").read_bytes()).hexdigest())
        print(
            f"\n{'evaluated' if more is first else 'evaluated again'}, {workers} workers: summary {summaries[-1][:16]}"
        )
        print(_report(used, options.samples), flush=True)
        before, verdicts = verdicts, _verdicts(out)
        for (name, sample), now in verdicts.items() if before else ():
            if before[name, sample] != now:
                print(f"  sample {sample} of {name} was {before[name, sample]} and is {now}")
    slow = sum(not _SLOW.isdisjoint(outcomes) for outcomes in verdicts.values())
    print(f"\n{slow} completions ({slow / options.samples:.1%}) ran out of time or memory in a test")
    if len(set(summaries)) > 1:
        print("the summaries DIFFER")
        return 1
    print("all summaries are the same, byte for byte")
    return 0


def _verdicts(out: Path) -> dict[tuple[str, int], tuple[str, ...]]:
    """How each sample ended, and each of its tests."""
    return {
        (record["problem_id"], record["sample"]): (record["outcome"], *(test["outcome"] for test in record["tests"]))
        for record in read_samples(out)
    }


def _report(used: Used, samples: int) -> str:
    def each(seconds: float) -> str:
        return f"{seconds:.1f} s, {seconds / samples * 1e3:.2f} ms each"

    def megabytes(sizes: Sequence[int]) -> str:
        return ", ".join(f"{size / 1e6:.0f}" for size in sizes) + " MB"

    return "\n".join(
        [
            f"  wall time    {each(used.wall_seconds)} (for {SAMPLES:,} on 2 cores: under {TARGET_SECONDS:.0f} s)",
            f"  CPU harness  {each(used.own_seconds)}",
            f"  CPU engine   {each(used.below_seconds)}",
            f"  most memory in each quarter: harness {megabytes(used.rss_bytes)}, "
            f"engine {megabytes(used.below_rss_bytes)}",
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
