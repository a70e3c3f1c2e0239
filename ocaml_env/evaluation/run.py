"""Runs an evaluation: draws, verifies and writes the missing samples, then summarises all of them."""

from __future__ import annotations

import argparse
import contextlib
import gc
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from tqdm import tqdm

from ocaml_env.errors import ConfigError
from ocaml_env.evaluation.config import RunConfig
from ocaml_env.evaluation.directory import (
    Done,
    Results,
    check_samples,
    read_config,
    read_samples,
    read_summary,
    write_json,
)
from ocaml_env.evaluation.models.base import Answer, Model, ThreadModel
from ocaml_env.evaluation.models.completions import Completions
from ocaml_env.evaluation.protocols.base import Protocol
from ocaml_env.evaluation.protocols.choose import open_protocol
from ocaml_env.evaluation.record import Record
from ocaml_env.evaluation.report import write_report
from ocaml_env.evaluation.report.aggregates import Aggregates
from ocaml_env.evaluation.runner import in_batches, run
from ocaml_env.evaluation.sample import NewSample, RecordedSample, Rules
from ocaml_env.evaluation.settings import config_of, episodes, open_model, say_if_spoiled, versions_of
from ocaml_env.evaluation.summary import Summary
from ocaml_env.evaluation.tally import Tally
from ocaml_env.problem import Problem
from ocaml_env.reward import RewardSpec
from ocaml_env.verifiers.base import AnyVerifier
from ocaml_env.verifiers.choose import open_verifier

__all__ = ["evaluate", "rescore"]

_K = (1, 5, 10)
_N = 10


@dataclass(frozen=True, kw_only=True)
class _Plan:
    """The samples of a run.

    Attributes:
        problems: the problems to sample.
        n: samples of each problem; of a file of completions, the most.
        each: problem id -> samples.
        left_out: ids of problems without a completion in the file.
    """

    problems: list[Problem]
    n: int
    each: dict[str, int]
    left_out: list[str]

    @classmethod
    def of(cls, problems: Iterable[Problem], model: Model, n: int | None) -> Self:
        problems = list(problems)
        if not isinstance(model, Completions):
            n = n or _N
            return cls(problems=problems, n=n, each={problem.id: n for problem in problems}, left_out=[])
        counts, n = model.counts, n or max(model.counts.values())
        return cls(
            problems=[problem for problem in problems if problem.id in counts],
            n=n,
            each={name: min(n, count) for name, count in counts.items()},
            left_out=[problem.id for problem in problems if problem.id not in counts],
        )


def evaluate(options: argparse.Namespace) -> tuple[Summary, Path]:
    reward = RewardSpec.of(options.reward or "staged")
    with contextlib.ExitStack() as stack:
        bar = stack.enter_context(_Progress(options.model))
        verifier = stack.enter_context(
            open_verifier(options.verifier, workers=options.workers, sandbox=options.sandbox, inside=options.inside)
        )
        protocol = open_protocol(options.protocol, options.problems, options.limit, verifier)
        spec = protocol.episodes(episodes(options))
        if protocol.problems.note:
            bar.say(f"evaluate: {protocol.problems.note}")
        model = open_model(options, protocol, spec.prompts, verifier)
        stack.callback(model.close)
        if spoiled := say_if_spoiled(model, spec.prompts):
            bar.say(f"evaluate: {spoiled}")
        if isinstance(model, Completions) and spec.max_turns > 1:
            raise ConfigError("a file of completions has one turn: --turns must be 1")
        plan = _Plan.of(protocol.problems, model, options.n)
        if plan.left_out and options.benchmark:
            raise ConfigError(
                f"--benchmark {options.benchmark} needs an answer to each problem, and {len(plan.left_out)} have none, "
                f"such as {plan.left_out[0]!r}"
            )
        if plan.left_out:
            bar.say(
                f"evaluate: {len(plan.left_out)} of {len(protocol.problems)} problems have no completion, and are left "
                "out of every figure"
            )
        style = str(spec.prompts.style)
        digest = protocol.digest(plan.problems)
        config = config_of(
            options,
            protocol,
            n=plan.n,
            digest=digest,
            left_out=plan.left_out,
            style=style,
            verifier=verifier,
            reward=reward,
            base_url=model.address,
            completions=model.digest,
        )
        rules = Rules(protocol=protocol, verifier=verifier, reward=reward)
        count = _Count()
        if isinstance(model, ThreadModel):
            model.on_progress = bar.on_progress
        with Results(options.out, config, seen=count.add) as results:
            bar.begin(sum(plan.each.values()), results.done)

            def new_batches() -> Iterator[list[NewSample]]:
                """Cuts the whole list, done or not, so that a resumed run has the batches of an unbroken one."""
                numbered = ((problem, number) for problem in plan.problems for number in range(plan.each[problem.id]))
                for batch in in_batches(numbered, model.batch):
                    if any((problem.id, number) not in results.done for problem, number in batch):
                        yield [NewSample(*it, rules, spec=spec, seed=options.seed) for it in batch]

            def on_end(sample: NewSample) -> None:
                if (sample.problem.id, sample.number) not in results.done:
                    record = sample.record()
                    results.write(record)
                    bar.take(record)

            gc.freeze()  # problems and code stay: the collector need not scan them again and again
            run(
                new_batches(),
                generate=lambda batch: model.generate([sample.request() for sample in batch]),
                on_end=on_end,
                close=model.disconnect,
                at_once=model.at_once,
                threads=_threads(options, verifier),
            )
            return _summarised(results.path, config, protocol, options.k, plan.problems, count), results.path


def rescore(options: argparse.Namespace) -> tuple[Summary, Path]:
    config = read_config(options.rescore)
    if options.reward and config.benchmark:
        raise ConfigError(f"{options.rescore} is a run of {config.benchmark.name}, which fixes the reward")
    check_samples(options.rescore)
    reward_name = options.reward or config.reward
    # Only the command may name a function to load; a results folder must not run code.
    reward = RewardSpec.of(options.reward) if options.reward else RewardSpec.preset(reward_name)
    with (
        open_verifier(
            options.verifier, workers=options.workers, sandbox=options.sandbox, inside=options.inside
        ) as verifier,
        Results(options.rescore, config, keep_faults=True) as results,
    ):
        before = list(read_summary(results.path).rates) if (results.path / "summary.json").exists() else None
        protocol = open_protocol(config.protocol, config.problems, config.limit, verifier)
        problems = protocol.problems
        if lost := sorted(set(results.done.problems) - problems.by_id.keys()):
            raise ConfigError(f"{config.problems} no longer has the problem {lost[0]!r}")
        kept = [problem for problem in problems if problem.id not in config.left_out]
        count = _Count()
        rules = Rules(protocol=protocol, verifier=verifier, reward=reward)
        with _Progress(f"again: {config.model}") as bar, results.replacing() as write:
            bar.begin(len(results.done))

            def on_end(sample: RecordedSample) -> None:
                record = sample.record()
                write(record)
                count.add(record)
                bar.take(record)

            async def answers(batch: Sequence[RecordedSample]) -> list[Answer]:
                return [sample.answer() for sample in batch]

            run(
                in_batches((RecordedSample(record, rules) for record in read_samples(options.rescore)), 1),
                generate=answers,
                on_end=on_end,
                at_once=1,
                threads=_threads(options, verifier),
            )
        config = replace(
            config,
            reward=reward_name,
            digest=protocol.digest(kept),
            sandbox=options.sandbox,
            versions=versions_of(verifier, reward),
        )
        write_json(results.path / "config.json", config.to_json())
        return _summarised(results.path, config, protocol, options.k or before, kept, count), results.path


def _threads(options: argparse.Namespace, verifier: AnyVerifier) -> int:
    """Number of threads to keep a verifier busy: a remote one needs several for each worker."""
    return verifier.workers * (1 if options.verifier == "local" else 4)


class _Count:
    """Counts samples as they are written, so that the summary need not read them again."""

    def __init__(self) -> None:
        self.tally, self.aggregates = Tally(), Aggregates()

    def add(self, record: Record) -> None:
        self.tally.add(record)
        self.aggregates.add(record)


def _summarised(
    path: Path,
    config: RunConfig,
    protocol: Protocol,
    k: Sequence[int] | None,
    problems: Sequence[Problem],
    count: _Count,
) -> Summary:
    k = k or [number for number in _K if number <= config.n]
    summary = count.tally.summary(config=config, k=k, problems=[problem.id for problem in problems])
    summary = replace(summary, note=protocol.problems.note)
    if protocol.name is not None:
        found = protocol.summarise(read_samples(path), k=k, problems=list(summary.by_problem))
        summary = replace(summary, protocol=found)
    write_json(path / "summary.json", summary.to_json())
    count.aggregates.settle()
    write_report(path, summary=summary, problems=problems, aggregates=count.aggregates)
    return summary


_LINE_EVERY_S = 30.0  # without a terminal


class _Progress:
    """A progress bar on a terminal, with the running pass@1 and the faults; elsewhere a line now and then.

    The bar is there from the first second, before problems and model are loaded.
    """

    def __init__(self, title: str) -> None:
        self._passed = self._there = self._faults = self._total = 0
        self._began = self._told = time.monotonic()
        self._bar = tqdm(desc=title[:40], unit=" samples", leave=False, disable=None)
        self._bar.set_postfix_str("loading")

    def begin(self, total: int, done: Done | None = None) -> None:
        """Counts from the samples that are done to ``total``."""
        if done is not None:
            self._passed, self._there = done.passed, len(done)
        self._total = total
        self._bar.reset(total)
        self._bar.update(self._there)
        self._tell()

    def take(self, record: Record) -> None:
        if record.fault:
            self._faults += 1
        else:
            self._there += 1
            self._passed += record.passed
        self._tell()
        self._bar.update()

    def say(self, text: str) -> None:
        """Writes a line to standard error, above the bar."""
        self._bar.write(text, file=sys.stderr)

    def on_progress(self, words: str) -> None:
        """Tells of a batch in progress."""
        self._tell(words)
        self._bar.update(0)

    def _tell(self, more: str = "") -> None:
        rate = f"pass@1 {self._passed / self._there:.1%}" if self._there else ""
        faults = f"{self._faults} faults" if self._faults else ""
        figures = ", ".join(filter(None, (rate, faults, more)))
        self._bar.set_postfix_str(figures, refresh=False)
        if self._bar.disable and time.monotonic() - self._told >= _LINE_EVERY_S:
            self._told = time.monotonic()
            gone = tqdm.format_interval(self._told - self._began)
            self.say(f"{self._there} of {self._total} samples, {figures or 'loading'}, {gone} gone")

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()
