"""Trains a weak policy under each reward, with equal steps and problems, and compares the results.

    python -m benchmarks.reward_learning --model CHECKPOINT --out DIR [--rewards ...] [--seeds 0,1,2] [--steps 96]
    python -m benchmarks.reward_learning --out DIR              # the table of finished runs

Finished runs are kept, and interrupted runs continue. pass@1 is measured on held-out problems, before and after. The
last column is the mean difference from ``staged`` with its 95% interval: a paired bootstrap over problems, with the
mean over the seeds for each problem. ``staged`` stays the default unless this interval lies above 0 for another reward.

Exit codes: 0 done; 2 wrong usage; 3 an infrastructure error.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

from agents.config import Config
from agents.config_sources import read_config
from agents.grpo import GRPOAgent
from agents.processes import quiet_libraries
from ocaml_env import ConfigError, Problem, Reward, RewardSpec, Verdict
from ocaml_env.commands import parser_of, reports_errors
from ocaml_env.evaluation.files import write_whole
from ocaml_env.evaluation.statistics import bootstrap
from ocaml_env.extract import Extraction
from ocaml_env.reward import progress

__all__ = ["REWARDS", "main", "strict_typecheck"]

_STAGED = RewardSpec.preset("staged")
REWARDS = {
    "staged": "staged",
    "staged, .17 without progress": "benchmarks.reward_learning:strict_typecheck",
    "staged-1": "staged-1",
    "pass-dominant": "pass-dominant",
    "binary": "binary",
}
"""The rewards by their names in the table. The others are compared with the first."""

_LAST = 16  # the shares are means over so many logged steps at the end


def strict_typecheck(problem: Problem, extraction: Extraction, verdict: Verdict) -> Reward:
    """Pays like ``staged``, but code without progress and without errors earns only as much as code with one error."""
    reward = _STAGED(problem, extraction, verdict)
    if verdict.errors == 0 and reward.typecheck > 0 and progress(problem, verdict) == 0:
        return replace(reward, typecheck=_STAGED.typecheck * 0.85)  # .17 of .20, as for one error
    return reward


@reports_errors(interrupted="interrupted: run the same command to continue")
def main(arguments: Sequence[str] | None = None) -> int:
    """Makes missing runs, prints the table, and returns the exit code."""
    parser = parser_of("python -m benchmarks.reward_learning", __doc__)
    parser.add_argument("--model", help="the weak policy: a folder of weights; without it nothing is trained")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for runs and figures")
    parser.add_argument("--config", default="tiny", help="name or file of a configuration (default: tiny)")
    parser.add_argument("--rewards", default=";".join(REWARDS), help="names of the table, separated by `;` (all)")
    parser.add_argument("--seeds", type=_numbers, default=(0, 1, 2), help="seeds of the training (default: 0,1,2)")
    parser.add_argument("--steps", type=int, default=96, help="steps of each run (default: 96)")
    options = parser.parse_args(arguments)
    quiet_libraries()
    names = [name.strip() for name in options.rewards.split(";")]
    if unknown := [name for name in names if name not in REWARDS]:
        raise ConfigError(f"--rewards: there is no reward {unknown[0]!r}; known are {'; '.join(REWARDS)}")
    for seed in options.seeds if options.model is not None else ():
        for name in names:
            _train(options, name, seed)
    print("\n".join(table(_results(options.out))))
    return 0


def _numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no list of numbers such as 0,1,2") from None


def _train(options: argparse.Namespace, name: str, seed: int) -> None:
    folder = options.out / f"{name.replace(', .', '-').replace(' ', '-')}-{seed}"
    result = folder / "result.json"
    if result.exists():
        return
    print(f"{name}, seed {seed}", flush=True)
    config: Config = replace(
        read_config(path=options.config),
        model=options.model,
        reward=REWARDS[name],
        seed=seed,
        max_steps=options.steps,
        scale_rewards="none",
        output_dir=str(folder),
        resume="auto",
    )
    with GRPOAgent(config=config) as agent:
        before = agent.evaluate(samples=config.eval_samples, temperature=1.0, progress="before")
        agent.train()
        after = agent.evaluate(samples=config.eval_samples, temperature=1.0, progress="after")
    figures = {
        "reward": name,
        "seed": seed,
        "steps": options.steps,
        "before": before.to_dict(),
        "after": after.to_dict(),
        "degenerate": _last(folder, "degenerate"),
        "no_code_or_syntax": _last(folder, "no_code_or_syntax"),
    }
    write_whole(result, json.dumps(figures, indent=1) + "\n")


def _last(folder: Path, name: str) -> float:
    lines = (folder / "metrics.jsonl").read_text(encoding="utf-8").splitlines()[-_LAST:]
    return fmean(float(json.loads(line).get(name, 0.0)) for line in lines)


def _results(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Reads the results by reward, in the order of the table."""
    found = [json.loads(path.read_bytes()) for path in sorted(folder.glob("*/result.json"))]
    if not found:
        raise ConfigError(f"there is no result in {folder}: give --model to make some")
    by_name = {name: [result for result in found if result["reward"] == name] for name in REWARDS}
    return {name: results for name, results in by_name.items() if results}


def table(results: Mapping[str, Sequence[Mapping[str, Any]]]) -> Iterator[str]:
    """Makes the table as lines of Markdown."""
    first = next(iter(results))
    rows = [["reward", "seeds", "before", "after", "by seed", "given up", "no code", f"minus {first}"]]
    for name, runs in results.items():
        after = [run["after"]["pass@1"]["estimate"] for run in runs]
        rows.append(
            [
                name,
                str(len(runs)),
                f"{fmean(run['before']['pass@1']['estimate'] for run in runs):.1%}",
                f"{fmean(after):.1%}",
                ", ".join(f"{rate:.1%}" for rate in after),
                f"{fmean(run['degenerate'] for run in runs):.1%}",
                f"{fmean(run['no_code_or_syntax'] for run in runs):.1%}",
                "" if name == first else _difference(results[first], runs),
            ]
        )
    rows.insert(1, ["---"] * len(rows[0]))
    return (f"| {' | '.join(row)} |" for row in rows)


def _difference(first: Sequence[Mapping[str, Any]], other: Sequence[Mapping[str, Any]]) -> str:
    """Returns the mean paired difference and its interval, over the seeds that both have; "" without such seeds."""
    seeds = {run["seed"] for run in first} & {run["seed"] for run in other}
    mine, theirs = (_by_problem([run for run in runs if run["seed"] in seeds]) for runs in (other, first))
    if not seeds:
        return ""
    rose = [mine[problem] - theirs[problem] for problem in theirs]
    low, high = bootstrap(rose)
    return f"{100 * fmean(rose):+.1f} ({100 * low:+.1f} to {100 * high:+.1f})"


def _by_problem(runs: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    return {
        problem: fmean(run["after"]["by_problem"][problem] for run in runs)
        for problem in (runs[0]["after"]["by_problem"] if runs else ())
    }


if __name__ == "__main__":
    sys.exit(main())
