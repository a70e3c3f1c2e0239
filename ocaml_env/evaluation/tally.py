"""Counts the samples of an evaluation one by one, so memory does not grow with them, and makes its summary.

Sums are exact: the same samples give the same summary, byte for byte, in any order.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from ocaml_env.evaluation.benchmark.score import score
from ocaml_env.evaluation.config import RunConfig
from ocaml_env.evaluation.record import Record
from ocaml_env.evaluation.statistics import Mean, estimate
from ocaml_env.evaluation.summary import Counts, ErrorCount, ErrorExample, Faults, Group, Summary, Tokens, Turns
from ocaml_env.verdict import Diagnostic, Outcome, Stage, subject

__all__ = ["Tally", "error_of", "summarise"]

T = TypeVar("T", Outcome, tuple[str, str])

_DIAGNOSTICS = 20
_SHARES = ("extracted", "parsed", "typechecked", "compiled", "passed")


@dataclass(slots=True)
class _Problem:
    """The counts of one problem."""

    topics: tuple[str, ...]
    level: str
    samples: int = 0
    passed: int = 0


@dataclass(slots=True)
class Tally:
    """The counts of finished samples and of faults."""

    problems: dict[str, _Problem] = field(default_factory=dict)
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    reached: Counter[Stage] = field(default_factory=Counter)
    solved_at: Counter[int] = field(default_factory=Counter)
    reward: Mean = field(default_factory=Mean)
    truncated: Mean = field(default_factory=Mean)
    tokens: Mean = field(default_factory=Mean)
    thinking: Mean = field(default_factory=Mean)
    timed_tokens: int = 0
    timed: Mean = field(default_factory=Mean)
    diagnostics: Counter[tuple[str, str]] = field(default_factory=Counter)
    examples: dict[tuple[str, str], tuple[str, int, str]] = field(default_factory=dict)
    faults: int = 0
    fault_example: str = ""

    def add(self, record: Record) -> None:
        """Counts one record of ``samples.jsonl``."""
        if record.fault:
            self.faults += 1
            self.fault_example = max(self.fault_example, record.fault)
            return
        name, last = record.problem_id, record.last
        if name not in self.problems:
            self.problems[name] = _Problem(record.topics, record.level)
        self.problems[name].samples += 1
        self.problems[name].passed += record.passed
        self.outcomes[last.outcome] += 1
        # Code without a binding parses, but is no answer.
        stage = Stage.EXTRACT if last.outcome is Outcome.NO_CODE else last.stage
        self.reached[stage or Stage.EXTRACT] += 1
        if record.solved_at is not None:
            self.solved_at[record.solved_at] += 1
        self.reward.add(last.total)
        self.truncated.add(last.truncated)
        tokens, latency = record.tokens, record.latency
        if tokens is not None:  # the model reports them
            self.tokens.add(tokens)
            if (thinking := record.thinking) is not None:
                self.thinking.add(thinking)
            if latency:
                self.timed_tokens += tokens
                self.timed.add(latency)
        self._add_diagnostics(record)

    def _add_diagnostics(self, record: Record) -> None:
        here = {error_of(found): found for found in reversed(record.last.diagnostics) if not found.cascade}
        for key, found in here.items():
            self.diagnostics[key] += 1
            example = (record.problem_id, record.sample, found.message)
            self.examples[key] = min(self.examples.get(key, example), example)

    @property
    def samples(self) -> int:
        return self.reward.count

    def summary(self, *, config: RunConfig, k: Sequence[int], problems: Sequence[str]) -> Summary:
        """Returns the summary of the counts; arguments as in ``summarise``."""
        found = [self.problems.get(problem) for problem in problems]
        counts = [(problem.samples, problem.passed) if problem else (0, 0) for problem in found]
        by_level, truncated = _groups(found, lambda problem: (problem.level,)), self.truncated.value
        return Summary(
            config=config,
            samples=self.samples,
            rates={number: estimate(counts, number) for number in k},
            reward=self.reward.value,
            funnel=_funnel(self),
            by_outcome=dict(_commonest(self.outcomes)),
            by_level=by_level,
            by_topic=_groups(found, lambda problem: problem.topics or ("none",)),
            diagnostics=[self._error(*key, count) for key, count in _commonest(self.diagnostics)[:_DIAGNOSTICS]],
            tokens=Tokens(
                mean=self.tokens.value,
                total=int(self.tokens.sum) if self.tokens.count else None,
                thinking=self.thinking.value,
            ),
            tokens_per_second=_speed(self),
            turns=_turns(self, config.turns),
            faults=Faults(count=self.faults, example=self.fault_example),
            truncated=truncated,
            by_problem={name: Counts(n=n, passed=passed) for name, (n, passed) in zip(problems, counts, strict=True)},
            benchmark=score(config.benchmark, by_level, truncated or 0.0) if config.benchmark else None,
        )

    def _error(self, kind: str, name: str, count: int) -> ErrorCount:
        problem_id, sample, message = self.examples[kind, name]
        example = ErrorExample(problem_id=problem_id, sample=sample, message=message)
        return ErrorCount(kind=kind, name=name, count=count, example=example)


def summarise(samples: Iterable[Record], *, config: RunConfig, k: Sequence[int], problems: Sequence[str]) -> Summary:
    """Summarises samples.

    Args:
        samples: records of ``samples.jsonl``.
        config: the settings of the run.
        k: values of k for pass@k.
        problems: ids of the problems of the run, in the order of the suite.
    """
    tally = Tally()
    for record in samples:
        tally.add(record)
    return tally.summary(config=config, k=k, problems=problems)


def error_of(diagnostic: Diagnostic) -> tuple[str, str]:
    """Returns the kind and the name of an error; equal for the same error in different samples."""
    return diagnostic.kind, subject(diagnostic.name)


def _commonest(counts: Counter[T]) -> list[tuple[T, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _funnel(tally: Tally) -> dict[str, float]:
    """The share of samples that reached each stage."""
    if not tally.samples:
        return {}
    stages = [least for least in Stage if least is not Stage.EXTRACT]
    reached = [sum(count for stage, count in tally.reached.items() if stage >= least) for least in stages]
    passed = sum(problem.passed for problem in tally.problems.values())
    return dict(zip(_SHARES, [count / tally.samples for count in (*reached, passed)], strict=True))


def _groups(found: Iterable[_Problem | None], names: Callable[[_Problem], Sequence[str]]) -> dict[str, Group]:
    """pass@1 by group; a problem may be in several groups. The interval depends on the order of the problems."""
    groups: dict[str, list[_Problem]] = defaultdict(list)
    for problem in filter(None, found):
        for name in names(problem):
            groups[name].append(problem)
    return {name: _group(group) for name, group in sorted(groups.items())}


def _group(group: Sequence[_Problem]) -> Group:
    counts = [(problem.samples, problem.passed) for problem in group]
    rate = estimate(counts, 1)
    assert rate is not None, "a problem is counted with its first sample"
    samples, passed = map(sum, zip(*counts, strict=True))
    return Group(problems=len(group), samples=samples, passed=passed, rate=rate)


def _speed(tally: Tally) -> float | None:
    """Tokens per second of generation."""
    seconds = float(tally.timed.sum)
    return tally.timed_tokens / seconds if seconds else None


def _turns(tally: Tally, most: int) -> Turns:
    def solved_by(turn: int) -> int:
        return sum(count for at, count in tally.solved_at.items() if at <= turn)

    solved = solved_by(most)
    turns = sum(at * count for at, count in tally.solved_at.items())
    return Turns(
        solved_by=[solved_by(turn) / tally.samples for turn in range(1, most + 1)] if tally.samples else [],
        mean_turns_to_solve=turns / solved if solved else None,
    )
