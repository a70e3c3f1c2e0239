"""Measures time and memory of evaluating recorded completions, and checks that all summaries are equal.

    python -m benchmarks.performance.rescoring [--samples N] [--workers N] [--problems SET]

It writes unique completions, so that no verdict comes from a cache (see ``recorded``). It evaluates them with
``ocaml-env evaluate``, and twice again with ``--rescore``: with the same number of workers and with another one. Each
run is a command of its own, watched from outside. CPU time is reported in two parts: the harness is the command's own
process (reading, extraction, rewards, writing, the summary), and the engine is all processes below it. Completions out
of time or memory are counted, because each costs a second of CPU time or more, as much as a thousand others.

Exit codes: 0 the summaries are equal byte for byte; 1 they are not; 2 wrong usage; 3 something is missing or broken.
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
from ocaml_env import Outcome, Verifier, load_problems
from ocaml_env.commands import natural, parser_of, reports_errors
from ocaml_env.evaluation.directory import read_samples

__all__ = ["main"]

SAMPLES = 20_000
TARGET_SECONDS = 120.0
_SLOW = frozenset({Outcome.TIMEOUT.value, Outcome.MEMORY_LIMIT.value})


@reports_errors()
def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, prints, and returns the exit code."""
    parser = parser_of("python -m benchmarks.performance.rescoring", __doc__)
    add = parser.add_argument
    add("--samples", type=natural, default=SAMPLES, help=f"completions ({SAMPLES:,})")
    add("--workers", type=natural, default=2, help="workers of the first two runs; the third has one fewer or more (2)")
    add("--problems", metavar="SET", default="bundled:eval", help="problems of the completions (bundled:eval)")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        return _measure(Path(scratch), options)


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
    """Returns the outcome of each sample and of its tests, by problem and sample number."""
    return {
        (record.problem_id, record.sample): (record.last.outcome, *(test.outcome for test in record.tests))
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
