"""Trains a model further in several ways, and compares each with the warm start, on problems that no training saw.

    python -m benchmarks.climb --out DIR [--config smollm2] [--arms grpo,references,own] [--seeds 0,1,2]
    python -m benchmarks.climb --out DIR --arms ''           # the table of finished arms

An arm is a few commands, each printed before it runs, with a log in DIR. Finished commands are not run again, and the
same command continues an interrupted one. All arms begin at the model of the configuration.

    grpo         GRPO, as configured
    no-repair    GRPO without repair problems
    uniform      GRPO without a curriculum
    references   the warm start goes on: supervised learning of references of the same problems
    own          rejection sampling: the model answers the problems, and learns its passing answers; twice

``references`` and ``own`` make ``--sft-steps`` steps: choose a number for which their CPU time is that of ``grpo``. The
table has the time of each arm. Its figures are pass@1 at temperature 0.7 minus the warm start's, in points, with the
95% interval of a bootstrap over problems; with several seeds, over the mean of each problem.

Exit codes: 0 done; 2 wrong usage; 3 a command failed.
"""

from __future__ import annotations

import argparse
import json
import resource
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from agents.config import Config
from agents.config_sources import read_config
from ocaml_env import ConfigError
from ocaml_env.commands import parser_of, reports_errors
from ocaml_env.evaluation.compare.side import Side, read_side
from ocaml_env.evaluation.files import write_whole
from ocaml_env.evaluation.statistics import bootstrap

__all__ = ["ARMS", "main", "table"]

ARMS = ("grpo", "no-repair", "uniform", "references", "own")
_ROUNDS = 2  # of `own`
_TIMES = "time.json"


@dataclass(frozen=True, kw_only=True)
class Exam:
    """An evaluation of every model.

    Attributes:
        problems: their source.
        samples: answers to each problem.
        temperature: 0 is greedy.
    """

    problems: str
    samples: int
    temperature: float


EXAMS = {
    "sampled": Exam(problems="bundled:eval?level=1-2", samples=8, temperature=0.7),
    "level 3": Exam(problems="bundled:eval?level=3", samples=4, temperature=0.7),
    "greedy": Exam(problems="bundled:eval?level=1-2", samples=1, temperature=0.0),
    "repair": Exam(problems="repair:bundled:eval?level=1-2&seed=1&n=80", samples=2, temperature=0.7),
}


@reports_errors(interrupted="interrupted: run the same command to continue")
def main(arguments: Sequence[str] | None = None) -> int:
    """Runs what is missing, prints the table, and returns the exit code."""
    parser = parser_of("python -m benchmarks.climb", __doc__)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for runs and figures")
    parser.add_argument("--config", default="smollm2", help="name or file of a configuration (default: smollm2)")
    parser.add_argument("--arms", type=_names, default=ARMS, help=f"of {','.join(ARMS)} (default: all)")
    parser.add_argument("--seeds", type=_numbers, default=(0,), help="seeds of the trainings (default: 0)")
    parser.add_argument("--sft-steps", type=int, default=300, help="steps of references and own (default: 300)")
    parser.add_argument("--batch", type=int, default=96, help="answers generated together (default: 96)")
    options = parser.parse_args(arguments)
    config = read_config(path=options.config)
    if options.arms:
        _examine(options, config, options.out / "warm", config.model)
    for seed in options.seeds:
        for arm in options.arms:
            folder = options.out / f"{arm}-{seed}"
            for name, command in _commands(arm, options, config, folder, seed):
                _run(folder, name, command)
            _examine(options, config, folder, str(folder / "model"))
    print("\n".join(table(options.out)))
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
            exam = Exam(problems=asked, samples=4, temperature=1.0)
            yield f"draw {number}", _evaluation(exam, options, config, model, drawn, seed=number)
            output = folder if number == _ROUNDS else folder / f"round-{number}"
            steps = str(options.sft_steps // _ROUNDS)
            last = ["--from-rollouts", str(drawn), "--output_dir", str(output), "--max_steps", steps]
            yield f"learn {number}", [*learn, "--model", model, *last]
            model = str(output / "model")
    else:
        changes = {"grpo": [], "no-repair": ["--problems", asked], "uniform": ["--curriculum", "none"]}[arm]
        yield "train", ["agents.grpo", *common, "--output_dir", str(folder), *changes]


def _examine(options: argparse.Namespace, config: Config, folder: Path, model: str) -> None:
    for name, exam in EXAMS.items():
        _run(folder, name, _evaluation(exam, options, config, model, folder / "exams" / name, seed=0))


def _evaluation(
    exam: Exam, options: argparse.Namespace, config: Config, model: str, out: Path, *, seed: int
) -> list[str]:
    values = {
        "model": f"hf:{model}",
        "problems": exam.problems,
        "n": exam.samples,
        "temperature": exam.temperature,
        "top-p": 1.0 if exam.temperature == 1.0 else 0.95,
        "max-tokens": config.max_completion_length,
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


def table(out: Path) -> Iterator[str]:
    """Makes the table of finished arms as lines of Markdown."""
    if not (out / "warm" / "exams" / "sampled" / "summary.json").exists():
        raise ConfigError(f"the warm start has not been evaluated in {out}: run an arm")
    columns = ["level 1", "level 2", "level 3", "greedy, 1-2", "pass@8, 1-2", "repair, 1-2"]
    yield _row(["arm", "seeds", *columns, "CPU minutes"])
    yield _row(["---"] * (len(columns) + 3))
    warm = _rates(out / "warm")
    yield _row(["warm start", "", *(f"{100 * fmean(warm[column].values()):.1f}%" for column in columns), ""])
    for arm in ARMS:
        folders = [path.parent for path in sorted(out.glob(f"{arm}-*/{_TIMES}")) if _examined(path.parent)]
        if not folders:
            continue
        runs = [_rates(folder) for folder in folders]
        rose = [
            [fmean(run[column][name] for run in runs) - rate for name, rate in warm[column].items()]
            for column in columns
        ]
        minutes = fmean(_training_time(folder) for folder in folders) / 60
        yield _row([arm, str(len(folders)), *(_points(values) for values in rose), f"{minutes:.0f}"])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _points(values: Sequence[float]) -> str:
    low, high = bootstrap(values)
    return f"{100 * fmean(values):+.1f} ({100 * low:+.1f} to {100 * high:+.1f})"


def _examined(folder: Path) -> bool:
    return set(EXAMS) <= set(json.loads((folder / _TIMES).read_bytes()))


def _training_time(folder: Path) -> float:
    times: dict[str, float] = json.loads((folder / _TIMES).read_bytes())
    return sum(seconds for name, seconds in times.items() if name not in EXAMS)


def _rates(folder: Path) -> dict[str, dict[str, float]]:
    """Reads the share of passing answers of each problem, by column of the table."""
    sides = {name: read_side(folder / "exams" / name) for name in EXAMS}
    sampled = sides["sampled"]
    return {
        "level 1": _passed(sampled, level=1),
        "level 2": _passed(sampled, level=2),
        "level 3": _passed(sides["level 3"]),
        "greedy, 1-2": _passed(sides["greedy"]),
        "pass@8, 1-2": {name: float(answers.solved > 0) for name, answers in sampled.answers.items()},
        "repair, 1-2": _passed(sides["repair"]),
    }


def _passed(side: Side, level: int | None = None) -> dict[str, float]:
    return {
        name: answers.rate for name, answers in side.answers.items() if level is None or answers.level == str(level)
    }


if __name__ == "__main__":
    sys.exit(main())
