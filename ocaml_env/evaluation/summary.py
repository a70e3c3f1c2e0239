"""The summary of an evaluation, as ``summary.json`` holds it. ``tally`` makes it, and ``text`` prints it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from ocaml_env.errors import ConfigError
from ocaml_env.evaluation.config import BenchmarkRun, RunConfig
from ocaml_env.evaluation.record import PeerStatus
from ocaml_env.evaluation.statistics import Estimate
from ocaml_env.verdict import Outcome

__all__ = [
    "BenchmarkScore",
    "Counts",
    "Disagreement",
    "ErrorCount",
    "ErrorExample",
    "Faults",
    "Group",
    "PeerRates",
    "PeerSummary",
    "Rates",
    "SampleId",
    "Summary",
    "Tokens",
    "Turns",
]

Rates = Mapping[int, Estimate | None]
"""k -> pass@k; None if a problem has fewer than k samples."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """The samples of one problem, and how many of them passed."""

    n: int
    passed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The results on the problems of one level or topic; ``rate`` is pass@1."""

    problems: int
    samples: int
    passed: int
    rate: Estimate

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        rate = _estimate({"estimate": value["pass@1"], "low": value["low"], "high": value["high"]})
        return cls(problems=value["problems"], samples=value["samples"], passed=value["passed"], rate=rate)

    def to_json(self) -> dict[str, Any]:
        counts = {"problems": self.problems, "samples": self.samples, "passed": self.passed}
        return {**counts, "pass@1": self.rate.estimate, "low": self.rate.low, "high": self.rate.high}


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleId:
    """The place of a sample."""

    problem_id: str
    sample: int

    def __str__(self) -> str:
        return f"{self.problem_id}/{self.sample}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorExample(SampleId):
    """A sample with an error, and the checker's message."""

    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorCount:
    """An error, see ``tally.error_of``, and the number of samples that have it."""

    kind: str
    name: str
    count: int
    example: ErrorExample


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """Generated tokens of a sample, and tokens of thinking among them; None if the model reported none."""

    mean: float | None
    total: int | None
    thinking: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Turns:
    """The share of samples that are solved by turn 1, 2, and so on; and the mean turns of those that are solved."""

    solved_by: Sequence[float]
    mean_turns_to_solve: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Faults:
    """Samples without a result, because of infrastructure errors, and the message of one."""

    count: int
    example: str


@dataclass(frozen=True, kw_only=True)
class BenchmarkScore(BenchmarkRun):
    """The result of a run of the benchmark.

    Attributes:
        score: the mean of pass@1 over levels.
        standard_error: its standard error.
        by_level: level -> pass@1.
        half_solved: the level at which half is solved, in words.
        cut_off: share of answers cut off at the token limit.
        too_many_cut_off: True if the budget decides the score, too.
    """

    score: Estimate
    standard_error: float
    by_level: Mapping[str, float]
    half_solved: str
    cut_off: float
    too_many_cut_off: bool

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        return cls(**{**value, "score": _estimate(value["score"])})


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """Samples with the same two verdicts that differ; ``why`` is "" if only a look at them can tell."""

    theirs: PeerStatus
    ours: Outcome
    why: str
    count: int
    example: SampleId


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerRates:
    """pass@k over so many problems."""

    rates: Rates
    problems: int

    @classmethod
    def from_json(cls, value: Mapping[str, Any], k: Sequence[int]) -> Self:
        return cls(rates=_rates(value, k), problems=value["problems"])

    def to_json(self) -> dict[str, Any]:
        return {**_rates_to_json(self.rates), "problems": self.problems}


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerSummary:
    """The results by another benchmark's protocol beside those by the environment's own tests.

    Attributes:
        name: name of the protocol.
        ours: by the environment's own tests, over the problems that these can evaluate.
        theirs_without_broken: by theirs, over the problems with sound tests; None in older files.
        by_status: their status -> samples.
        forged: number of samples that pass theirs, and would pass any tests of theirs.
        disagreements: the different verdicts, the commonest first.
        broken: problem id -> the reason why no completion compiles with their tests.
        mended: problem id -> what ours reads otherwise than they do.
        unjudged: problem id -> the reason why ours cannot evaluate it.
        left_out: id of an unusable row -> the reason.
    """

    name: str
    ours: PeerRates
    theirs_without_broken: PeerRates | None
    by_status: Mapping[PeerStatus, int]
    forged: int
    disagreements: Sequence[Disagreement]
    broken: Mapping[str, str]
    mended: Mapping[str, str]
    unjudged: Mapping[str, str]
    left_out: Mapping[str, str]

    @classmethod
    def from_json(cls, value: Mapping[str, Any], k: Sequence[int]) -> Self:
        sound = value.get("theirs_without_broken")
        return cls(
            name=value["name"],
            ours=PeerRates.from_json(value["ours"], k),
            theirs_without_broken=PeerRates.from_json(sound, k) if sound else None,
            by_status={PeerStatus(name): count for name, count in value["by_status"].items()},
            forged=value["forged"],
            disagreements=[
                Disagreement(
                    theirs=PeerStatus(found["theirs"]),
                    ours=Outcome(found["ours"]),
                    why=found["why"],
                    count=found["count"],
                    example=SampleId(**found["example"]),
                )
                for found in value["disagreements"]
            ],
            **{
                name: {problem["problem_id"]: problem["reason"] for problem in value.get(name, ())}
                for name in _REASONS  # older files lack some
            },
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "ours": self.ours.to_json(),
            **({"theirs_without_broken": sound.to_json()} if (sound := self.theirs_without_broken) else {}),
            "by_status": self.by_status,
            "forged": self.forged,
            "disagreements": [asdict(found) for found in self.disagreements],
            **{
                name: [{"problem_id": problem, "reason": reason} for problem, reason in getattr(self, name).items()]
                for name in _REASONS
            },
        }


_REASONS = ("broken", "mended", "unjudged", "left_out")


@dataclass(frozen=True, kw_only=True)
class Summary:
    """The figures of an evaluation. None: there is no sample to compute it from, or the model does not report it.

    Attributes:
        config: settings of the run.
        samples: number of finished samples.
        rates: pass@k.
        reward: mean reward.
        funnel: stage -> the share of samples that reached it; empty without samples.
        by_outcome: outcome -> samples, the commonest first.
        by_level: name of a level -> results.
        by_topic: topic -> results; a problem may have several.
        diagnostics: the commonest errors.
        tokens: generated tokens.
        tokens_per_second: of one request to a server, or of a whole batch of a model in this process.
        turns: solved samples by turn.
        faults: samples that could not be had; they count nowhere else.
        truncated: share of samples cut off at the token limit.
        note: a remark on the set of problems.
        by_problem: problem id -> its samples, of all problems of the run in the order of the suite.
        benchmark: the score; None unless the run is one of the benchmark.
        protocol: the results by another benchmark's protocol.
    """

    config: RunConfig
    samples: int
    rates: Rates
    reward: float | None
    funnel: Mapping[str, float]
    by_outcome: Mapping[Outcome, int]
    by_level: Mapping[str, Group]
    by_topic: Mapping[str, Group]
    diagnostics: Sequence[ErrorCount]
    tokens: Tokens
    tokens_per_second: float | None
    turns: Turns
    faults: Faults
    truncated: float | None
    by_problem: Mapping[str, Counts]
    note: str = ""
    benchmark: BenchmarkScore | None = None
    protocol: PeerSummary | None = None

    @property
    def problems(self) -> int:
        """Number of problems of the run."""
        return len(self.by_problem)

    @classmethod
    def from_json(cls, value: Mapping[str, Any], file: Path) -> Self:
        """Reads the object of a file.

        Raises:
            ConfigError: if it is not a summary.
        """
        try:
            config = RunConfig.from_json({**value["settings"], "versions": value["versions"]}, file)
            benchmark, protocol = value.get("benchmark"), value.get("protocol")
            return cls(
                config=config,
                samples=int(value["samples"]),
                rates=_rates(value, value["k"]),
                reward=_number(value["reward"]["mean"]),
                funnel={name: float(share) for name, share in value["funnel"].items()},
                by_outcome={Outcome(name): count for name, count in value["by_outcome"].items()},
                by_level={name: Group.from_json(group) for name, group in value["by_level"].items()},
                by_topic={name: Group.from_json(group) for name, group in value["by_topic"].items()},
                diagnostics=[
                    ErrorCount(**{**found, "example": ErrorExample(**found["example"])})
                    for found in value["diagnostics"]
                ],
                tokens=Tokens(**value["tokens"]),
                tokens_per_second=_number(value["tokens_per_second"]),
                turns=Turns(**value["turns"]),
                faults=Faults(**value["faults"]),
                truncated=_number(value["truncated"]),
                by_problem={name: Counts(**counts) for name, counts in value["by_problem"].items()},
                note=value["suite"].get("note", ""),
                benchmark=BenchmarkScore.from_json(benchmark) if benchmark else None,
                protocol=PeerSummary.from_json(protocol, value["k"]) if protocol else None,
            )
        except ConfigError:
            raise
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ConfigError(f"{file}: not the summary of an evaluation: {error!r}") from None

    def to_json(self) -> dict[str, Any]:
        """Returns the object for the file; it repeats some settings for other readers."""
        config, benchmark = self.config, self.benchmark
        return {
            "model": config.model,
            "problems": self.problems,
            "n": config.n,
            "k": list(self.rates),
            "samples": self.samples,
            **_rates_to_json(self.rates),
            "reward": {"preset": config.reward, "mean": self.reward},
            "funnel": self.funnel,
            "by_outcome": self.by_outcome,
            "by_level": {name: group.to_json() for name, group in self.by_level.items()},
            "by_topic": {name: group.to_json() for name, group in self.by_topic.items()},
            "diagnostics": [asdict(found) for found in self.diagnostics],
            "tokens": asdict(self.tokens),
            "tokens_per_second": self.tokens_per_second,
            "turns": asdict(self.turns),
            "faults": asdict(self.faults),
            "truncated": self.truncated,
            "suite": {
                "name": config.problems,
                "digest": config.digest,
                "problems": self.problems,
                **({"note": self.note} if self.note else {}),
            },
            "seeds": {"seed": config.seed},
            "versions": config.versions,
            "settings": config.settings(),
            "by_problem": {name: asdict(counts) for name, counts in self.by_problem.items()},
            **({"benchmark": benchmark and asdict(benchmark)} if config.benchmark else {}),
            **({"protocol": self.protocol.to_json()} if self.protocol else {}),
        }


def _rates(value: Mapping[str, Any], k: Sequence[int]) -> Rates:
    found = {number: value[f"pass@{number}"] for number in k}
    return {number: rate and _estimate(rate) for number, rate in found.items()}


def _rates_to_json(rates: Rates) -> dict[str, Any]:
    return {f"pass@{k}": rate and asdict(rate) for k, rate in rates.items()}


def _estimate(rate: Mapping[str, float]) -> Estimate:
    return Estimate(**{name: float(share) for name, share in rate.items()})


def _number(value: Any) -> float | None:
    return None if value is None else float(value)
