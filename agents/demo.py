"""Trains a small policy to write OCaml by the real reward, in a few minutes on a laptop.

    python -m agents.demo                       # the embedded tiny policy; `make demo`
    python -m agents.demo --config smollm2      # SmolLM2-135M; `make demo-smollm2`

Evaluates the policy on held-out problems, trains it by GRPO on the environment, and evaluates it again. Intervals are
95%, by bootstrap over problems; the rise is paired.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from agents.config import Config
from agents.config_sources import read_config
from agents.curve import shown, windows
from agents.evaluation import Evaluation, difference
from agents.grpo import GRPOAgent
from agents.health.files import read_run
from agents.health.wording import headline
from agents.processes import quiet_libraries
from ocaml_env import Problem
from ocaml_env.commands import parser_of, reports_errors
from ocaml_env.display.terminal import bar
from ocaml_env.problems.sources import read_sets

__all__ = ["Look", "main"]

UNSEEN = "tiny:unseen?n=60"

REAL_RUN = Path(__file__).parents[1] / "benchmarks" / "results" / "smollm2-climb" / "grpo-1"
"""The kept log of a real language model's training."""


@dataclass(frozen=True, kw_only=True)
class Look:
    """Evaluations of a policy before or after training.

    Attributes:
        sampled: held-out problems at temperature 1.
        greedy: the same problems, greedy.
        unseen: problems of a family outside all training, at temperature 1; None without ``--unseen`` problems.
    """

    sampled: Evaluation
    greedy: Evaluation
    unseen: Evaluation | None


def look(agent: GRPOAgent, unseen: Sequence[Problem], *, samples: int, title: str) -> Look:
    """Evaluates a policy on held-out problems, and on unseen ones if there are any."""
    return Look(
        sampled=agent.evaluate(samples=samples, temperature=1.0, progress=f"{title}: held-out problems"),
        greedy=agent.evaluate(samples=1, temperature=0.0, progress=f"{title}: greedy"),
        unseen=(
            agent.evaluate(unseen, samples=1, temperature=1.0, progress=f"{title}: unseen family") if unseen else None
        ),
    )


def show(before: Look, after: Look) -> None:
    """Prints both as bars, and the rise from the first to the second."""
    rows = [("held-out, T = 1", before.sampled, after.sampled), ("held-out, greedy", before.greedy, after.greedy)]
    if before.unseen and after.unseen:
        rows.append(("unseen family", before.unseen, after.unseen))
    for name, first, second in rows:
        for when, found in (("before", first), ("after", second)):
            interval = f"{found.low:>6.1%} to {found.high:.1%}"
            print(
                f"  {name:<17} {when:<7} {bar(found.pass_rate)} {found.pass_rate:>6.1%}   {interval}   "
                f"n = {found.samples}"
            )
        rise, low, high = difference(first, second)
        verdict = "beyond noise" if low > 0 else "a fall" if high < 0 else "within noise"
        print(f"  {'':<17} {'rise':<7} {100 * rise:+.1f} points, {100 * low:+.1f} to {100 * high:+.1f}: {verdict}\n")


@reports_errors(interrupted="interrupted: the same command goes on from the last checkpoint")
def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command.

    Returns the exit code: 0 a rise beyond noise, 1 none, 2 wrong usage, 3 an infrastructure error, 130 interrupted.
    """
    parser = parser_of("python -m agents.demo", __doc__)
    parser.add_argument("--config", default="tiny", help="name or file of a configuration (default: tiny)")
    parser.add_argument("--seed", type=int, default=0, help="seed of training and sampling (default: 0)")
    parser.add_argument("--out", type=Path, help="folder of the run (default: grpo_runs/demo-CONFIG-SEED)")
    parser.add_argument("--unseen", help="problems of a family outside all training (default: the tiny policy's)")
    parser.add_argument(
        "--samples", type=int, default=0, help="samples of each held-out problem (default: the configuration's)"
    )
    options = parser.parse_args(arguments)
    quiet_libraries()
    config = read_config(path=options.config)
    name = f"demo-{Path(options.config).stem}-{options.seed}"
    config = replace(config, seed=options.seed, output_dir=str(options.out or Path("grpo_runs") / name), resume="auto")
    print("loading problems; the first time they are drawn, which takes minutes", flush=True)
    wanted = UNSEEN if options.unseen is None and config.model == "tiny" else options.unseen
    unseen = read_sets(wanted) if wanted else ()
    return _run(config, unseen, options.samples or config.eval_samples)


def _run(config: Config, unseen: Sequence[Problem], samples: int) -> int:
    began = time.monotonic()
    folder = Path(config.output_dir)
    with GRPOAgent(config=config) as agent:
        held_out = len(agent.evaluation_problems)
        print(f"1. {config.model} before training, on {held_out} problems that no training sees")
        before = look(agent, unseen, samples=samples, title="before")
        print(f"   solves {before.sampled.pass_rate:.1%} of them at temperature 1\n")
        print(f"2. GRPO on {len(agent.problems)} other problems; every answer is evaluated by the environment")
        trained = agent.train()
        print(f"\n3. after {time.monotonic() - began:.0f} seconds")
        after = look(agent, unseen, samples=samples, title="after")
        show(before, after)
    rise, low, high = difference(before.sampled, after.sampled)
    figures: dict[str, Any] = {
        "seed": config.seed,
        "seconds": time.monotonic() - began,
        "rise": {"estimate": rise, "low": low, "high": high},
        "before": _plain(before),
        "after": _plain(after),
    }
    (folder / "demo.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    print(f"4. the diagnosis of this run: {headline(agent.diagnosis())}\n")
    print(f"the report, with plots and groups of answers: {(folder / 'report.html').resolve()}")
    print(f"the whole diagnosis: .venv/bin/python -m agents.health {folder}")
    print(f"the model: {trained}; {figures['seconds']:.0f} seconds in all")
    if config.model == "tiny":
        print("\n5. the same with a language model, SmolLM2-135M: its answers in an hour of training")
        print(shown(windows(read_run(REAL_RUN).records)))
        print("   `make demo-smollm2` trains one anew")
    return 0 if low > 0 else 1


def _plain(seen: Look) -> dict[str, object]:
    parts = {"sampled": seen.sampled, "greedy": seen.greedy, "unseen": seen.unseen}
    return {name: part.to_dict() for name, part in parts.items() if part is not None}


if __name__ == "__main__":
    sys.exit(main())
