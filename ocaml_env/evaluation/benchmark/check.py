"""Checks a run of the benchmark before it becomes a row: rules, digests, samples, and their evaluation again."""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from ocaml_env.errors import ConfigError
from ocaml_env.evaluation.benchmark.fresh import seed_of_weights
from ocaml_env.evaluation.benchmark.manifest import manifest
from ocaml_env.evaluation.benchmark.submission import Status, Submission, summary_digest
from ocaml_env.evaluation.benchmark.tracks import FRESH, REPAIR, TRACKS, fixed_settings, read_track
from ocaml_env.evaluation.config import RunConfig
from ocaml_env.evaluation.directory import read_config, read_samples, read_summary
from ocaml_env.evaluation.run import rescore
from ocaml_env.evaluation.statistics import bootstrap
from ocaml_env.evaluation.summary import Summary
from ocaml_env.evaluation.tally import summarise
from ocaml_env.prompt import PromptSpec
from ocaml_env.verifiers.base import AnyVerifier
from ocaml_env.verifiers.choose import open_verifier

__all__ = ["check_run", "submission_of"]

_SAME = (
    *("settings", "samples", "pass@1", "reward", "funnel", "by_outcome", "by_level", "truncated", "by_problem"),
    "benchmark",
)
"""Parts of a summary that do not depend on the version of OCaml or on the machine."""

# These record None for models without sampling, or another form of the same setting.
_SAMPLING = frozenset({"temperature", "top_p", "max_tokens"})


def submission_of(folder: Path, options: argparse.Namespace, *, again: Path | None, secret: str) -> Submission:
    """Checks a run, and a second one of the same model if there is one.

    Args:
        folder: the run.
        options: settings of the verifier: ``verifier``, ``workers`` and ``sandbox``.
        again: a run of the same model by somebody else.
        secret: the secret of the fresh track; "" for none.

    Raises:
        ConfigError: if a run breaks a rule of the benchmark; the message says which.
    """
    versions = check_run(folder, options)
    status = Status.SELF_REPORTED
    if secret and _is_of_a_release(folder, secret):
        status = Status.REPRODUCED
    if again is not None:
        if again.resolve() == folder.resolve():
            raise ConfigError(f"{again}: this is the run itself; --again takes the run of somebody else")
        check_run(again, options)
        _agree(folder, again)
        status = Status.REPRODUCED
    return Submission(status=status, summary=summary_digest(folder), versions=versions, secret=secret)


def check_run(folder: Path, options: argparse.Namespace) -> Mapping[str, str]:
    """Checks one run, and returns the versions by which its samples were evaluated again.

    Raises:
        ConfigError: as for ``submission_of``.
    """
    config, summary = read_config(folder), read_summary(folder)
    track = _check_settings(folder, config)
    with open_verifier(options.verifier, workers=options.workers, sandbox=options.sandbox) as verifier:
        _check_samples(folder, config, track, verifier)
    again = summarise(read_samples(folder), config=config, k=[1], problems=list(summary.by_problem))
    _compare(folder, summary, again, "summary.json")
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch, "run")
        copy.mkdir()
        for name in ("config.json", "samples.jsonl", "summary.json"):
            shutil.copyfile(folder / name, copy / name)
        rescored, _ = rescore(argparse.Namespace(**{**vars(options), "rescore": copy, "reward": None, "k": None}))
    if rescored.faults.count:
        raise ConfigError(f"{folder}: not all samples could be evaluated: {rescored.faults.example}")
    _compare(folder, summary, rescored, "this engine")
    return rescored.config.versions


def _check_settings(folder: Path, config: RunConfig) -> str:
    """Checks the settings of a run, and returns the name of its track."""
    if config.benchmark is None or (name := config.benchmark.name) not in TRACKS:
        raise ConfigError(f"{folder}: not a run of the benchmark: make it with --benchmark, one of {', '.join(TRACKS)}")
    source = config.problems
    if source != name and not (name == FRESH and source.startswith(f"{FRESH}:")):
        raise ConfigError(f"{folder}: {name} has no problems of {source!r}")
    for setting, value in fixed_settings(name).items():
        found = getattr(config, setting, value)  # options that decide no sample are no settings of a run
        if (found or None) != (value or None) and not (found is None and setting in _SAMPLING):
            raise ConfigError(f"{folder}: {name} fixes {setting} at {value!r}, and the run has {found!r}")
    return name


def _check_samples(folder: Path, config: RunConfig, track: str, verifier: AnyVerifier) -> None:
    """Checks that each problem has its one sample, with the digests of the problem and of its prompt."""
    prompts, problems = PromptSpec(), read_track(config.problems, verifier).by_id
    counts: Counter[str] = Counter()
    for record in read_samples(folder):
        where = f"{folder}: sample of {record.problem_id!r}"
        problem = problems.get(record.problem_id)
        if problem is None:
            raise ConfigError(f"{where}: {track} has no such problem")
        if record.fault:
            raise ConfigError(f"{where}: it is missing; the same command of `ocaml-env evaluate` asks again")
        if record.problem_digest != problem.digest:
            raise ConfigError(f"{where}: the digest of the problem differs")
        # The prompt of a repair holds messages of the compiler.
        if track != REPAIR and record.prompt_digest != prompts.text(problem).digest:
            raise ConfigError(f"{where}: the digest of the prompt differs")
        counts[record.problem_id] += 1
    if wrong := [name for name in problems if counts[name] != config.n]:
        raise ConfigError(f"{folder}: {wrong[0]!r} has {counts[wrong[0]]} samples, not {config.n}")


def _compare(folder: Path, told: Summary, found: Summary, by: str) -> None:
    theirs, ours = told.to_json(), found.to_json()
    for name in _SAME:
        if theirs.get(name) != ours.get(name):
            differing = [
                problem for problem, counts in told.by_problem.items() if counts != found.by_problem.get(problem)
            ]
            example = f"; problems that differ: {', '.join(differing[:5])}" if differing else ""
            raise ConfigError(f"{folder}: {name} of its samples by {by} is not {name} of summary.json{example}")


def _agree(folder: Path, again: Path) -> None:
    """Checks that two runs are of the same model and track, and differ by chance at most."""
    first, second = read_summary(folder), read_summary(again)
    if _model(first) != _model(second):
        raise ConfigError(f"{again}: a run of another track or other weights than {folder}")
    differences = [float(found.passed - second.by_problem[name].passed) for name, found in first.by_problem.items()]
    low, high = bootstrap(differences)
    if not low <= 0 <= high:
        raise ConfigError(
            f"{again}: its pass@1 differs by {low:.1%} to {high:.1%} from that of {folder}: not by chance"
        )


def _model(summary: Summary) -> tuple[str, str, str]:
    """The problems, and the digest of the weights, or the model's name if they are unknown."""
    config = summary.config
    return config.problems, config.digest, (config.benchmark and config.benchmark.weights) or config.model


def _is_of_a_release(folder: Path, secret: str) -> bool:
    """True if the secret gives the seed of the run, and a release committed to it.

    Raises:
        ConfigError: if the secret is not that of the run.
    """
    config = read_config(folder)
    weights = config.benchmark and config.benchmark.weights
    if config.problems != f"{FRESH}:{seed_of_weights(secret, weights or '')}":
        raise ConfigError(f"{folder}: its problems were not drawn with this secret")
    return manifest().is_committed(secret)
