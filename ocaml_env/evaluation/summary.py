"""``summary.json`` of an evaluation: every figure, from its samples and settings alone.

Samples are counted one by one, so memory does not grow with them. Sums are exact: the same samples give the same
summary, byte for byte, in any order.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, TypeVar

from ocaml_env.display.terminal import Colour, Paint, columns, printable
from ocaml_env.evaluation.benchmark.score import score, show_score
from ocaml_env.evaluation.config import RunConfig
from ocaml_env.evaluation.record import Record
from ocaml_env.evaluation.statistics import Mean, estimate
from ocaml_env.verdict import Diagnostic, Outcome, Stage, subject

__all__ = ["Tally", "error_of", "show", "summarise"]

T = TypeVar("T", str, tuple[str, str])

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
    outcomes: Counter[str] = field(default_factory=Counter)
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
        self.reached[last.stage if last.outcome is not Outcome.NO_CODE else Stage.EXTRACT] += 1
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

    def summary(self, *, config: RunConfig, k: Sequence[int], problems: Sequence[str]) -> dict[str, Any]:
        """Returns the summary of the counts; arguments as in ``summarise``."""
        found = [self.problems.get(problem) for problem in problems]
        counts = [(problem.samples, problem.passed) if problem else (0, 0) for problem in found]
        suite = {"name": config.problems, "digest": config.digest, "problems": len(problems)}
        summary = {
            "model": config.model,
            "problems": len(problems),
            "n": config.n,
            "k": list(k),
            "samples": self.samples,
            **{f"pass@{number}": _estimate(counts, number) for number in k},
            "reward": {"preset": config.reward, "mean": self.reward.value},
            "funnel": _funnel(self),
            "by_outcome": dict(_commonest(self.outcomes)),
            "by_level": _groups(found, lambda problem: (problem.level,)),
            "by_topic": _groups(found, lambda problem: problem.topics or ("none",)),
            "diagnostics": [
                {
                    "kind": kind,
                    "name": name,
                    "count": count,
                    "example": dict(zip(("problem_id", "sample", "message"), self.examples[kind, name], strict=True)),
                }
                for (kind, name), count in _commonest(self.diagnostics)[:_DIAGNOSTICS]
            ],
            "tokens": {
                "mean": self.tokens.value,
                "total": int(self.tokens.sum) if self.tokens.count else None,
                "thinking": self.thinking.value,
            },
            "tokens_per_second": _speed(self),
            "turns": _turns(self, config.turns),
            "faults": {"count": self.faults, "example": self.fault_example},
            "truncated": self.truncated.value,
            "suite": suite,
            "seeds": {"seed": config.seed},
            "versions": config.versions,
            "settings": config.settings(),
            "by_problem": {
                name: {"n": n, "passed": passed} for name, (n, passed) in zip(problems, counts, strict=True)
            },
        }
        if config.benchmark:
            summary["benchmark"] = score(summary)
        return summary


def summarise(
    samples: Iterable[Record], *, config: RunConfig, k: Sequence[int], problems: Sequence[str]
) -> dict[str, Any]:
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


def show(summary: Mapping[str, Any], paint: Paint, *, width: int | None = None) -> str:
    """Formats the summary for a terminal."""
    settings = summary["settings"]
    drawn = "" if settings["temperature"] is None else f"temperature {settings['temperature']:g}, "
    head = paint(printable(summary["model"]), Colour.BOLD)
    lines = [
        f"{head} on {summary['suite']['name']}",
        paint(
            f"{summary['problems']} problems, {summary['samples']} samples, {drawn}reward {settings['reward']}",
            Colour.DIM,
        ),
        "",
    ]
    if summary.get("benchmark"):
        lines += [*show_score(summary["benchmark"], paint), ""]
    rows = []
    for k in summary["k"]:
        rate = summary[f"pass@{k}"]
        if rate is None:
            rows.append([f"pass@{k}", "", "-", paint(f"needs {k} samples of each problem", Colour.DIM)])
            continue
        interval = f"{rate['low']:.1%} to {rate['high']:.1%}"
        rows.append([f"pass@{k}", _bar(rate["estimate"]), f"{rate['estimate']:.1%}", paint(interval, Colour.DIM)])
    lines += [*columns(rows, right={2}, indent="  ", width=width), ""]
    if summary["samples"]:
        rows = [[name, _bar(share), f"{share:.1%}"] for name, share in summary["funnel"].items()]
        lines += [*columns(rows, right={2}, indent="  ", width=width), ""]
        lines += [*columns(_table(summary), right={1, 2}, indent="  ", width=width), ""]
        if settings["turns"] > 1:
            solved = " ".join(f"{share:.1%}" for share in summary["turns"]["solved_by"])
            lines.append(f"  solved by turn 1, 2, ...: {solved}")
        outcomes = ", ".join(f"{count} {name}" for name, count in summary["by_outcome"].items())
        lines.append(f"  {outcomes}")
        for found in summary["diagnostics"][:3]:
            text = printable(found["example"]["message"])
            lines += columns([[f"{found['count']} samples:", text]], indent="  ", width=width or 160)
        lines.append(f"  reward {summary['reward']['mean']:.3f}; {_generated(summary)}")
    if summary["faults"]["count"]:
        text = f"{summary['faults']['count']} samples could not be had, and count nowhere: "
        lines.append("  " + paint(text, Colour.YELLOW) + printable(summary["faults"]["example"]))
    return "\n".join(lines)


def _table(summary: Mapping[str, Any]) -> list[list[str]]:
    rows = [["level", "problems", "pass@1"]]
    by_level = sorted(summary["by_level"].items())
    by_topic = sorted(summary["by_topic"].items(), key=lambda item: (item[1]["pass@1"], item[0]))
    for name, group in by_level:
        rows.append([name, str(group["problems"]), f"{group['pass@1']:.1%}", _bar(group["pass@1"])])
    rows.append(["topic, hardest first"])
    for name, group in by_topic[:8]:
        rows.append([name, str(group["problems"]), f"{group['pass@1']:.1%}", _bar(group["pass@1"])])
    return rows


def _generated(summary: Mapping[str, Any]) -> str:
    tokens = summary["tokens"]
    if tokens["mean"] is None:
        return f"{summary['truncated']:.1%} cut off"
    speed = summary["tokens_per_second"]
    fast = f", {speed:.0f} a second of a request" if speed is not None else ""
    return f"{tokens['mean']:.0f} tokens a sample{fast}; {summary['truncated']:.1%} cut off"


def _bar(share: float, width: int = 24) -> str:
    full = round(share * width)
    return "█" * full + "·" * (width - full)


def _estimate(counts: Sequence[tuple[int, int]], k: int) -> dict[str, float] | None:
    found = estimate(counts, k)
    return None if found is None else asdict(found)


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


def _groups(found: Iterable[_Problem | None], names: Callable[[_Problem], Sequence[str]]) -> dict[str, Any]:
    """pass@1 by group; a problem may be in several groups. The interval depends on the order of the problems."""
    groups: dict[str, list[_Problem]] = defaultdict(list)
    for problem in filter(None, found):
        for name in names(problem):
            groups[name].append(problem)
    return {name: _group(group) for name, group in sorted(groups.items())}


def _group(group: Sequence[_Problem]) -> dict[str, Any]:
    rate = estimate([(problem.samples, problem.passed) for problem in group], 1)
    assert rate is not None, "a problem is counted with its first sample"
    return {
        "problems": len(group),
        "samples": sum(problem.samples for problem in group),
        "passed": sum(problem.passed for problem in group),
        "pass@1": rate.estimate,
        "low": rate.low,
        "high": rate.high,
    }


def _speed(tally: Tally) -> float | None:
    """Tokens per second of generation: of one request to a server, or of a whole batch of a model in this process."""
    seconds = float(tally.timed.sum)
    return tally.timed_tokens / seconds if seconds else None


def _turns(tally: Tally, most: int) -> dict[str, Any]:
    def solved_by(turn: int) -> int:
        return sum(count for at, count in tally.solved_at.items() if at <= turn)

    solved = solved_by(most)
    turns = sum(at * count for at, count in tally.solved_at.items())
    return {
        "solved_by": [solved_by(turn) / tally.samples for turn in range(1, most + 1)] if tally.samples else [],
        "mean_turns_to_solve": turns / solved if solved else None,
    }
