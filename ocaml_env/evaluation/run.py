"""Runs an evaluation: draws, verifies and writes the missing samples, then summarises all of them."""

from __future__ import annotations

import argparse
import contextlib
import gc
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from tqdm import tqdm

from ocaml_env.errors import ConfigError
from ocaml_env.evaluation.batches import batches_of, work_through
from ocaml_env.evaluation.directory import Done, Results, read_config, read_samples, read_summary, write_json
from ocaml_env.evaluation.episodes import Evaluator, Rescorer, Run, SampleRequest
from ocaml_env.evaluation.models.base import AT_A_TIME, Model, ServedModel
from ocaml_env.evaluation.models.completions import Completions
from ocaml_env.evaluation.protocols.base import Protocol
from ocaml_env.evaluation.protocols.choose import open_protocol
from ocaml_env.evaluation.record_sink import RecordSink
from ocaml_env.evaluation.report import write_report
from ocaml_env.evaluation.report.aggregates import Aggregates
from ocaml_env.evaluation.requests import request_all
from ocaml_env.evaluation.settings import config_of, episodes, open_model, say_if_spoiled, versions_of
from ocaml_env.evaluation.summary import Tally
from ocaml_env.problem import Problem
from ocaml_env.reward import RewardSpec
from ocaml_env.verifiers.base import AnyVerifier
from ocaml_env.verifiers.choose import open_verifier

__all__ = ["evaluate", "rescore"]

_K = (1, 5, 10)


def evaluate(options: argparse.Namespace) -> tuple[dict[str, Any], Path]:
    reward = RewardSpec.of(options.reward or "staged")
    with contextlib.ExitStack() as stack:
        verifier = stack.enter_context(
            open_verifier(options.verifier, workers=options.workers, sandbox=options.sandbox, inside=options.inside)
        )
        protocol = open_protocol(options.protocol, options.problems, options.limit, verifier)
        spec = protocol.episodes(episodes(options))
        problems = protocol.problems
        if problems.note:
            sys.stderr.write(f"evaluate: {problems.note}\n")
        model = open_model(options, protocol, spec.prompts, verifier)
        stack.callback(model.close)
        if spoiled := say_if_spoiled(model, spec.prompts):
            sys.stderr.write(f"evaluate: {spoiled}\n")
        if isinstance(model, Completions) and spec.max_turns > 1:
            raise ConfigError("a file of completions has one turn: --turns must be 1")
        counts = model.counts if isinstance(model, Completions) else None
        n = options.n or (max(counts.values()) if counts else 10)
        asked = problems if counts is None else [problem for problem in problems if problem.id in counts]
        left_out = [] if counts is None else [problem.id for problem in problems if problem.id not in counts]
        if left_out:
            sys.stderr.write(
                f"evaluate: {len(left_out)} of {len(problems)} problems have no completion, and are left out of every "
                "figure\n"
            )
        each = {problem.id: n if counts is None else min(n, counts[problem.id]) for problem in asked}
        samples = (SampleRequest(problem, number) for problem in asked for number in range(each[problem.id]))
        style = str(spec.prompts.style)
        digest = protocol.digest(asked)
        config = config_of(
            options, protocol, n=n, digest=digest, left_out=left_out, style=style, verifier=verifier, reward=reward
        )
        config |= {"base_url": model.address, "completions": model.digest}
        callers = _callers(options, verifier)
        run = Run(
            evaluator=Evaluator(protocol=protocol, verifier=verifier, reward=reward), spec=spec, seed=options.seed
        )
        count = _Count()
        with Results(options.out, config, seen=count.add) as results:
            with _Progress(sum(each.values()), results.done, options.model) as bar:

                def on_records(records: Sequence[dict[str, Any]]) -> None:
                    new = [record for record in records if (record["problem_id"], record["sample"]) not in results.done]
                    results.write(new)
                    bar.take(new)

                _play(samples, run, model, done=results.done, evaluators=callers, sink=RecordSink(on_records))
            return _summarised(results.path, config, protocol, options.k, asked, count), results.path


def _play(
    samples: Iterator[SampleRequest],
    run: Run,
    model: Model | ServedModel,
    *,
    done: Done,
    evaluators: int,
    sink: RecordSink,
) -> None:
    gc.freeze()  # problems and code stay: the collector need not scan them again and again
    if isinstance(model, ServedModel):
        missing = (sample for sample in samples if sample.key not in done)
        request_all(missing, run, model=model, evaluators=evaluators, sink=sink)
        return
    with contextlib.ExitStack() as stack:
        executor = None
        if model.at_once:
            executor = ThreadPoolExecutor(evaluators)
            stack.callback(executor.shutdown, wait=False, cancel_futures=True)
        batches = batches_of(samples, model.batch, done)
        play = partial(run.play, model=model, evaluators=executor)
        work_through(batches, play, threads=model.at_once + evaluators, sink=sink)


def rescore(options: argparse.Namespace) -> tuple[dict[str, Any], Path]:
    config = read_config(options.rescore)
    reward_name = options.reward or config["reward"]
    # Only the command may name a function to load; a results folder must not run code.
    reward = RewardSpec.of(options.reward) if options.reward else RewardSpec.preset(reward_name)
    with (
        open_verifier(
            options.verifier, workers=options.workers, sandbox=options.sandbox, inside=options.inside
        ) as verifier,
        Results(options.rescore, config, keep_faults=True) as results,
    ):
        before = read_summary(results.path)["k"] if (results.path / "summary.json").exists() else None
        protocol = open_protocol(config.get("protocol"), config["problems"], config["limit"], verifier)
        problems = protocol.problems
        if lost := sorted(set(results.done.problems) - problems.by_id.keys()):
            raise ConfigError(f"{config['problems']} no longer has the problem {lost[0]!r}")
        kept = [problem for problem in problems if problem.id not in config["left_out"]]
        count = _Count()
        records = read_samples(options.rescore)
        rescorer = Rescorer(evaluator=Evaluator(protocol=protocol, verifier=verifier, reward=reward))
        with _Progress(len(results.done), None, f"again: {config['model']}") as bar, results.replacing() as write:

            def on_records(records: Sequence[dict[str, Any]]) -> None:
                write(records)
                for record in records:
                    count.add(record)
                bar.take(records)

            work_through(
                iter(lambda: list(islice(records, AT_A_TIME)), []),
                rescorer.again,
                threads=_callers(options, verifier),
                # Records without an answer were faults before.
                sink=RecordSink(on_records, failed=lambda record: bool(record["fault"] and record["turns"])),
            )
        config |= {"reward": reward_name, "digest": protocol.digest(kept), "versions": versions_of(verifier, reward)}
        write_json(results.path / "config.json", config)
        return _summarised(results.path, config, protocol, options.k or before, kept, count), results.path


def _callers(options: argparse.Namespace, verifier: AnyVerifier) -> int:
    """Number of threads to keep a verifier busy: a remote one needs several for each worker."""
    return verifier.workers * (1 if options.verifier == "local" else 4)


class _Count:
    """Counts samples as they are written, so that the summary need not read them again."""

    def __init__(self) -> None:
        self.tally, self.aggregates = Tally(), Aggregates()

    def add(self, record: Mapping[str, Any]) -> None:
        self.tally.add(record)
        self.aggregates.add(record)


def _summarised(
    path: Path,
    config: Mapping[str, Any],
    protocol: Protocol,
    k: Sequence[int] | None,
    problems: Sequence[Problem],
    count: _Count,
) -> dict[str, Any]:
    k = k or [number for number in _K if number <= config["n"]]
    summary = count.tally.summary(config=config, k=k, problems=[problem.id for problem in problems])
    if protocol.name is not None:
        summary["protocol"] = protocol.summarise(read_samples(path), k=k, problems=list(summary["by_problem"]))
    write_json(path / "summary.json", summary)
    count.aggregates.settle()
    write_report(path, summary=summary, problems=problems, aggregates=count.aggregates)
    return summary


class _Progress:
    """A progress bar on a terminal, with the running pass@1 and the faults; silent in a file or a pipe."""

    def __init__(self, total: int, done: Done | None, title: str) -> None:
        self._passed, self._there, self._faults = (done.passed, len(done), 0) if done is not None else (0, 0, 0)
        self._bar = tqdm(total=total, initial=self._there, desc=title[:40], unit=" samples", leave=False, disable=None)

    def take(self, records: Sequence[Mapping[str, Any]]) -> None:
        for record in records:
            if record["fault"]:
                self._faults += 1
            else:
                self._there += 1
                self._passed += record["passed"]
        text = f"pass@1 {self._passed / self._there:.1%}" if self._there else ""
        self._bar.set_postfix_str(text + (f", {self._faults} faults" if self._faults else ""), refresh=False)
        self._bar.update(len(records))

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()
