"""Trains a model further in several ways, and compares each with the warm start, on problems that no training saw.

    python -m benchmarks.climb --out DIR [--config smollm2] [--arms grpo,references,own] [--seeds 0,1,2]
    python -m benchmarks.climb --out DIR --arms '' [--minus grpo]           # the table of examined arms

An arm is a few commands, each printed before it runs, with a log in DIR. Finished commands are not run again, and the
same command continues an interrupted one. All arms begin at the model of the configuration.

    grpo         GRPO, as configured
    no-repair    GRPO without repair problems
    uniform      GRPO by the curriculum `uniform`, which asks all kinds and levels alike
    once         GRPO without a curriculum: the named problems in a random order, one round after the other
    ladder       GRPO by the ladder
    references   the warm start goes on: supervised learning of references of the same problems
    own          rejection sampling: the model answers the problems, and learns its passing answers; twice

``references`` and ``own`` make ``--sft-steps`` steps: choose the number so that they take the CPU time of ``grpo``. The
table has the time of each arm. DIR remembers the weights at which its arms begin, and refuses others. An arm that
changes nothing in the configuration is left out.

The figures are pass@1 at temperature 0.7, if the column says no other, minus the warm start's, in points, with the 95%
interval of a bootstrap over problems; with several seeds, over the mean of each problem. ``--minus ARM`` compares with
another arm than the warm start. The table is made from ``DIR/ARM-SEED/exams/*.json``: the samples and passes of every
problem, one file an exam.

A configuration with evaluation problems outside ``bundled:eval``, such as ``tiny``, is examined on those: at
temperature 1 in place of 0.7, and greedily. Other columns then have dashes.

Exit codes: 0 done; 2 wrong usage; 3 a command failed.
"""

from __future__ import annotations

import argparse
import json
import resource
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

from agents.config import Config
from agents.config_sources import read_config
from ocaml_env import ConfigError
from ocaml_env.commands import parser_of, reports_errors
from ocaml_env.evaluation.benchmark.fresh import weights_digest
from ocaml_env.evaluation.compare.side import read_side
from ocaml_env.evaluation.files import write_whole
from ocaml_env.evaluation.statistics import bootstrap, pass_at_k

__all__ = ["ARMS", "main", "table"]

ARMS = ("grpo", "no-repair", "uniform", "once", "ladder", "references", "own")
_ROUNDS = 2  # of `own`
_SAME: Mapping[str, Callable[[Config], bool]] = {
    "no-repair": lambda config: "repair:" not in config.problems,
    "uniform": lambda config: config.curriculum == "uniform",
    "once": lambda config: config.curriculum == "none",
    "ladder": lambda config: config.curriculum == "ladder",
}
"""Arm -> True if it changes nothing in a configuration."""
_TIMES, _WEIGHTS, _WARM = "time.json", "weights.sha256", "warm"


@dataclass(frozen=True, kw_only=True)
class Exam:
    """An evaluation of every model.

    Attributes:
        problems: their source.
        samples: answers to each problem.
        temperature: 0 is greedy.
        max_tokens: length of an answer; 0 for that of the configuration.
    """

    problems: str
    samples: int
    temperature: float
    max_tokens: int = 0


# SmolLM2 needs 207 tokens for the longest reference of level 3, and 58 and 116 for those of levels 1 and 2.
EXAMS = {
    "sampled": Exam(problems="bundled:eval?level=1-2", samples=8, temperature=0.7),
    "level 3": Exam(problems="bundled:eval?level=3", samples=4, temperature=0.7, max_tokens=416),
    "greedy": Exam(problems="bundled:eval?level=1-2", samples=1, temperature=0.0),
    "repair": Exam(problems="repair:bundled:eval?level=1-2&seed=1&n=80", samples=2, temperature=0.7),
}


def exams_of(config: Config) -> Mapping[str, Exam]:
    """The exams of a configuration, by name."""
    problems = config.evaluation_source
    if problems.startswith("bundled:eval"):
        return EXAMS
    return {
        "sampled": Exam(problems=problems, samples=8, temperature=1.0),
        "greedy": Exam(problems=problems, samples=1, temperature=0.0),
    }


COLUMNS: Mapping[str, tuple[str, str | None, int]] = {
    "level 1": ("sampled", "1", 1),
    "level 2": ("sampled", "2", 1),
    "level 3": ("level 3", None, 1),
    "greedy, 1": ("greedy", "1", 1),
    "greedy, 2": ("greedy", "2", 1),
    "pass@4, 1": ("sampled", "1", 4),
    "pass@8, 1": ("sampled", "1", 8),
    "repair, 1": ("repair", "1", 1),
    "repair, 2": ("repair", "2", 1),
}
"""Column of the table -> its exam, a level, and the k of pass@k."""


@reports_errors(interrupted="interrupted: run the same command to continue")
def main(arguments: Sequence[str] | None = None) -> int:
    """Runs what is missing, prints the table, and returns the exit code."""
    parser = parser_of("python -m benchmarks.climb", __doc__)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for runs and figures")
    parser.add_argument("--config", default="smollm2", help="name or file of a configuration (default: smollm2)")
    parser.add_argument("--arms", type=_names, default=ARMS, help=f"of {','.join(ARMS)} (default: all)")
    parser.add_argument("--seeds", type=_numbers, default=(0,), help="seeds of the trainings (default: 0)")
    parser.add_argument("--grpo-steps", type=int, metavar="N", help="steps of GRPO (default: as configured)")
    parser.add_argument("--sft-steps", type=int, default=300, metavar="N", help="of references and own (default: 300)")
    parser.add_argument("--draws", type=int, default=4, help="answers to a problem in a round of own (default: 4)")
    parser.add_argument("--batch", type=int, default=96, help="answers generated together (default: 96)")
    parser.add_argument("--samples", type=int, help="answers to a problem in the exam `sampled` (default: 8)")
    parser.add_argument("--minus", choices=(_WARM, *ARMS), default=_WARM, help="compare with this arm (default: warm)")
    options = parser.parse_args(arguments)
    config = read_config(path=options.config)
    if options.arms:
        _check_start(options.out / _WARM, config.model)
        _examine(options, config, options.out / _WARM, config.model)
    for seed in options.seeds:
        for arm in options.arms:
            if arm in _SAME and _SAME[arm](config):
                print(f"{arm} is grpo in this configuration, and is left out")
                continue
            folder = options.out / f"{arm}-{seed}"
            for name, command in _commands(arm, options, config, folder, seed):
                _run(folder, name, command)
            _examine(options, config, folder, str(folder / "model"))
    print("\n".join(table(options.out, minus=options.minus)))
    return 0


def _names(text: str) -> tuple[str, ...]:
    names = tuple(name for name in text.split(",") if name)
    if unknown := [name for name in names if name not in ARMS]:
        raise argparse.ArgumentTypeError(f"there is no arm {unknown[0]!r}; known are {', '.join(ARMS)}")
    return names


def _numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no list of numbers such as 0,1,2") from None


def _commands(
    arm: str, options: argparse.Namespace, config: Config, folder: Path, seed: int
) -> Iterator[tuple[str, list[str]]]:
    """Yields the commands of an arm by their names. The last one writes ``folder / "model"``."""
    asked = " + ".join(part.strip() for part in config.problems.split("+") if not part.strip().startswith("repair:"))
    common = ["--config", options.config, "--seed", str(seed)]
    learn = ["agents.sft", *common, "--lr_scheduler_type", "constant_with_warmup"]
    if arm == "references":
        last = ["--problems", asked, "--output_dir", str(folder), "--max_steps", str(options.sft_steps)]
        yield "train", [*learn, *last]
    elif arm == "own":
        model = config.model
        for number in range(1, _ROUNDS + 1):
            drawn = folder / f"answers-{number}"
            exam = Exam(problems=asked, samples=options.draws, temperature=1.0)
            yield f"draw {number}", _evaluation(exam, options, config, model, drawn, seed=number)
            output = folder if number == _ROUNDS else folder / f"round-{number}"
            steps = str(options.sft_steps // _ROUNDS)
            last = ["--from-rollouts", str(drawn), "--output_dir", str(output), "--max_steps", steps]
            yield f"learn {number}", [*learn, "--model", model, *last]
            model = str(output / "model")
    else:
        changes = {
            "grpo": [],
            "no-repair": ["--problems", asked],
            "uniform": ["--curriculum", "uniform"],
            "once": ["--curriculum", "none"],
            "ladder": ["--curriculum", "ladder"],
        }[arm]
        length = ["--max_steps", str(options.grpo_steps)] if options.grpo_steps else []
        yield "train", ["agents.grpo", *common, "--output_dir", str(folder), *changes, *length]


def _check_start(warm: Path, model: str) -> None:
    """Remembers the weights of a folder's warm start, so that all its arms begin at the same ones.

    Raises:
        ConfigError: if the folder's other arms began at other weights.
    """
    place = Path(model).expanduser()
    if not place.exists():  # `tiny`, or a model of the hub: they do not change
        return
    digest, known = weights_digest(place), warm / _WEIGHTS
    if not known.exists():
        warm.mkdir(parents=True, exist_ok=True)
        write_whole(known, digest + "\n")
    elif known.read_text(encoding="utf-8").strip() != digest:
        raise ConfigError(f"{model} has other weights than the warm start of {warm.parent}: choose another --out")


def _examine(options: argparse.Namespace, config: Config, folder: Path, model: str) -> None:
    for name, exam in exams_of(config).items():
        if name == "sampled" and options.samples:
            exam = replace(exam, samples=options.samples)
        evaluation = folder / "exams" / name
        _run(folder, name, _evaluation(exam, options, config, model, evaluation, seed=0))
        if not evaluation.with_suffix(".json").exists():
            keep_exam(evaluation)


def keep_exam(evaluation: Path) -> None:
    """Writes the counts of an evaluation beside it, as ``NAME.json``."""
    side = read_side(evaluation)
    counts = {
        name: {"level": answers.level, "n": len(answers.samples), "passed": answers.solved}
        for name, answers in side.answers.items()
    }
    config = {name: getattr(side.config, name) for name in ("model", "problems", "digest", "temperature", "top_p")}
    kept = {**config, "max_tokens": side.config.max_tokens, "counts": counts}
    write_whole(evaluation.parent / f"{evaluation.name}.json", json.dumps(kept, indent=1) + "\n")


def _evaluation(
    exam: Exam, options: argparse.Namespace, config: Config, model: str, out: Path, *, seed: int
) -> list[str]:
    values = {
        "model": f"hf:{model}",
        "problems": exam.problems,
        "n": exam.samples,
        "temperature": exam.temperature,
        "top-p": 1.0 if exam.temperature == 1.0 else 0.95,
        "max-tokens": exam.max_tokens or config.max_completion_length,
        "prompt-style": config.prompt_style,
        "batch": options.batch,
        "threads": config.threads,
        "seed": seed,
        "out": out,
    }
    return ["benchmarks.evaluate", *(text for name, value in values.items() for text in (f"--{name}", str(value)))]


def _run(folder: Path, name: str, command: list[str]) -> None:
    """Runs a command unless it is finished, and remembers its CPU time.

    Raises:
        ConfigError: if it fails; its log says why.
    """
    times_path = folder / _TIMES
    times = json.loads(times_path.read_bytes()) if times_path.exists() else {}
    if name in times:
        return
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / f"{name.replace(' ', '-')}.log"
    print(f"python -m {shlex.join(command)}  # {log}", flush=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with log.open("ab") as file:
        done = subprocess.run([sys.executable, "-m", *command], check=False, stdout=file, stderr=subprocess.STDOUT)
    if done.returncode:
        raise ConfigError(f"the command above ended with exit code {done.returncode}; see {log}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    times[name] = round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1)
    write_whole(times_path, json.dumps(times, indent=1) + "\n")


def table(out: Path, *, minus: str = _WARM) -> Iterator[str]:
    """Makes the table of examined arms as lines of Markdown. An exam that is missing leaves a dash.

    Args:
        out: the folder of the arms.
        minus: the arm that the others are compared with.

    Raises:
        ConfigError: if that arm has not been evaluated.
    """
    examined = {arm: [folder for folder in _folders(out, arm) if _rates(folder)] for arm in (_WARM, *ARMS)}
    if not examined[minus]:
        raise ConfigError(f"{minus} has not been evaluated in {out}: run it")
    base = [_rates(folder) for folder in examined[minus]]
    before = {column: _mean([run[column] for run in base if column in run]) for column in COLUMNS}
    yield _row(["arm", "seeds", *COLUMNS, "CPU minutes"])
    yield _row(["---"] * (len(COLUMNS) + 3))
    title = "warm start" if minus == _WARM else minus
    yield _row([title, "", *(_share(before[column]) for column in COLUMNS), ""])
    for arm, folders in examined.items():
        if arm == minus or not folders:
            continue
        runs = [_rates(folder) for folder in folders]
        rose = [_rise(before[column], [run.get(column) for run in runs]) for column in COLUMNS]
        times = [_training_time(folder) for folder in folders]
        known = [time for time in times if time is not None]
        yield _row([arm, str(len(folders)), *rose, f"{fmean(known) / 60:.0f}" if known == times else "-"])


def _folders(out: Path, arm: str) -> list[Path]:
    return [out / _WARM] if arm == _WARM else sorted(out.glob(f"{arm}-*"))


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


Rates = Mapping[str, float]
"""Problem -> the share of its answers that pass."""


def _mean(runs: Sequence[Rates]) -> Rates:
    """The mean rate of each problem that all runs have."""
    shared = [name for name in runs[0] if all(name in run for run in runs)] if runs else []
    return {name: fmean(run[name] for run in runs) for name in shared}


def _share(rates: Rates | None) -> str:
    return f"{100 * fmean(rates.values()):.1f}%" if rates else "-"


def _rise(before: Rates | None, after: Sequence[Rates | None]) -> str:
    """The difference in points, over the problems of all exams, and how many runs were examined if not all."""
    runs = [rates for rates in after if rates]
    shared = [name for name in before or () if all(name in rates for rates in runs)]
    if not before or not runs or not shared:
        return "-"
    rises = [fmean(rates[name] for rates in runs) - before[name] for name in shared]
    low, high = bootstrap(rises)
    some = f", {len(runs)} of {len(after)} seeds" if len(runs) < len(after) else ""
    return f"{100 * fmean(rises):+.1f} ({100 * low:+.1f} to {100 * high:+.1f}){some}"


def _training_time(folder: Path) -> float | None:
    """The CPU seconds of an arm's training; None if they are not known."""
    if not (folder / _TIMES).exists():
        return None
    times: dict[str, float] = json.loads((folder / _TIMES).read_bytes())
    return sum(seconds for name, seconds in times.items() if name not in EXAMS)


def _rates(folder: Path) -> dict[str, Rates]:
    """Reads the share of passing answers of each problem, by column of the table."""
    found: dict[str, Rates] = {}
    for column, (exam, level, k) in COLUMNS.items():
        path = folder / "exams" / f"{exam}.json"
        counts = json.loads(path.read_bytes())["counts"] if path.exists() else {}
        rates = {
            name: pass_at_k(count["n"], count["passed"], k)
            for name, count in counts.items()
            if level is None or count["level"] == level
        }
        if known := {name: rate for name, rate in rates.items() if rate is not None}:
            found[column] = known
    return found


if __name__ == "__main__":
    sys.exit(main())
