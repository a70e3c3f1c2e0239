"""``summary.json`` of an evaluation: every figure, from its samples and settings alone.

Samples are taken in the order of problems and numbers, whatever the order in which they came, so the same samples give
the same summary, byte for byte. Of a sample only what is counted is kept.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from benchmarks.pass_at_k import estimate
from ocaml_env import Outcome, Stage
from ocaml_env.terminal import Colour, Paint, columns, printable

__all__ = ["error_of", "show", "summarise"]

_DIAGNOSTICS = 20
_PLACE = re.compile(r"[0-9]+:[0-9]+")
_SHARES = ("extracted", "parsed", "typechecked", "compiled", "passed")


@dataclass(frozen=True, slots=True)
class _Kept:
    """What is counted of a sample that there is."""

    problem: str
    sample: int
    passed: bool
    outcome: str
    stage: str
    total: float
    truncated: bool
    tokens: int | None
    latency: float | None
    solved_at: int | None
    topics: tuple[str, ...]
    difficulty: str


def summarise(
    samples: Iterable[Mapping[str, Any]], *, config: Mapping[str, Any], k: Sequence[int], problems: Sequence[str]
) -> dict[str, Any]:
    """The summary.

    Args:
        samples: records of ``samples.jsonl``.
        config: the settings of the run.
        k: of pass@k.
        problems: ids of the problems that were asked, in the order of the suite.
    """
    kept: list[_Kept] = []
    faults, fault_example = 0, ""
    diagnostics: Counter[tuple[str, str]] = Counter()
    examples: dict[tuple[str, str], tuple[str, int, str]] = {}
    for record in samples:
        if record["fault"]:
            faults += 1
            fault_example = max(fault_example, record["fault"])
            continue
        kept.append(_keep(record))
        here = {error_of(found): found for found in reversed(record["diagnostics"]) if not found["cascade"]}
        for key, found in here.items():
            diagnostics[key] += 1
            example = (record["problem_id"], record["sample"], found["message"])
            examples[key] = min(examples.get(key, example), example)
    kept.sort(key=lambda one: (one.problem, one.sample))
    by_problem: dict[str, list[_Kept]] = {problem: [] for problem in problems}
    for one in kept:
        by_problem[one.problem].append(one)
    counts = [(len(ones), sum(one.passed for one in ones)) for ones in by_problem.values()]
    suite = {"name": config["problems"], "digest": config["digest"], "problems": len(problems)}
    return {
        "model": config["model"],
        "problems": len(problems),
        "n": config["n"],
        "k": list(k),
        "samples": len(kept),
        **{f"pass@{number}": _estimate(counts, number) for number in k},
        "reward": {"preset": config["reward"], "mean": _mean([one.total for one in kept])},
        "funnel": _funnel(kept),
        "by_outcome": dict(Counter(one.outcome for one in kept).most_common()),
        "by_difficulty": _groups(kept, lambda one: (one.difficulty,)),
        "by_topic": _groups(kept, lambda one: one.topics or ("none",)),
        "diagnostics": [
            {
                "kind": kind,
                "name": name,
                "count": count,
                "example": dict(zip(("problem_id", "sample", "message"), examples[kind, name], strict=True)),
            }
            for (kind, name), count in sorted(diagnostics.items(), key=lambda item: (-item[1], item[0]))[:_DIAGNOSTICS]
        ],
        "tokens": _tokens(kept),
        "tokens_per_second": _speed(kept),
        "turns": _turns(kept, config["turns"]),
        "faults": {"count": faults, "example": fault_example},
        "truncated": _mean([one.truncated for one in kept]),
        "suite": suite,
        "seeds": {"seed": config["seed"]},
        "versions": config["versions"],
        "settings": {name: value for name, value in config.items() if name != "versions"},
        "by_problem": {name: {"n": n, "passed": passed} for name, (n, passed) in zip(by_problem, counts, strict=True)},
    }


def error_of(diagnostic: Mapping[str, Any]) -> tuple[str, str]:
    """The kind and the name by which diagnostics of different samples are the same error.

    A name that is a place in the code, which tells errors of one sample apart, is none here.
    """
    name = diagnostic["name"]
    return diagnostic["kind"], "" if _PLACE.fullmatch(name) else name


def show(summary: Mapping[str, Any], paint: Paint, *, width: int | None = None) -> str:
    """The summary for a person at a terminal."""
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
    rows = [["difficulty", "problems", "pass@1"]]
    order = {"easy": 0, "medium": 1, "hard": 2}
    by_difficulty = sorted(summary["by_difficulty"].items(), key=lambda item: (order.get(item[0], 3), item[0]))
    by_topic = sorted(summary["by_topic"].items(), key=lambda item: (item[1]["pass@1"], item[0]))
    for name, group in by_difficulty:
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


def _keep(record: Mapping[str, Any]) -> _Kept:
    return _Kept(
        problem=record["problem_id"],
        sample=record["sample"],
        passed=record["passed"],
        outcome=record["outcome"],
        stage=record["stage"],
        total=record["total"],
        truncated=record["truncated"],
        tokens=record["tokens"],
        latency=record["latency"],
        solved_at=record["solved_at"],
        topics=tuple(record["topics"]),
        difficulty=record["difficulty"],
    )


def _estimate(counts: Sequence[tuple[int, int]], k: int) -> dict[str, float] | None:
    found = estimate(counts, k)
    return None if found is None else asdict(found)


def _funnel(kept: Sequence[_Kept]) -> dict[str, float]:
    """The shares of samples that came at least so far. Code without a binding parses, and is no answer."""
    if not kept:
        return {}
    reached = [Stage[one.stage] if one.outcome != Outcome.NO_CODE else Stage.EXTRACT for one in kept]
    shares = [sum(stage >= least for stage in reached) / len(kept) for least in Stage if least is not Stage.EXTRACT]
    return dict(zip(_SHARES, [*shares, sum(one.passed for one in kept) / len(kept)], strict=True))


def _groups(kept: Sequence[_Kept], names: Any) -> dict[str, Any]:
    """pass@1 of the problems of each name; a problem may have several."""
    rates: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for one in kept:
        for name in names(one):
            rates[name][one.problem].append(one.passed)
    return {
        name: {
            "problems": len(group),
            "samples": sum(map(len, group.values())),
            "passed": sum(map(sum, group.values())),
            "pass@1": math.fsum(sum(passes) / len(passes) for passes in group.values()) / len(group),
        }
        for name, group in sorted(rates.items())
    }


def _tokens(kept: Sequence[_Kept]) -> dict[str, float | None]:
    """Of the samples whose tokens somebody counted."""
    counted = [one.tokens for one in kept if one.tokens is not None]
    return {"mean": _mean(counted), "total": sum(counted) if counted else None}


def _speed(kept: Sequence[_Kept]) -> float | None:
    """Tokens of a second of generation: of one request of a server, of a whole batch of a model in this process."""
    timed = [(one.tokens, one.latency) for one in kept if one.tokens is not None and one.latency]
    seconds = math.fsum(latency for _, latency in timed)
    return sum(tokens for tokens, _ in timed) / seconds if seconds else None


def _turns(kept: Sequence[_Kept], most: int) -> dict[str, Any]:
    solved = [one.solved_at for one in kept if one.solved_at is not None]
    by = [sum(at <= turn for at in solved) / len(kept) for turn in range(1, most + 1)] if kept else []
    return {"solved_by": by, "mean_turns_to_solve": _mean(solved)}


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None
