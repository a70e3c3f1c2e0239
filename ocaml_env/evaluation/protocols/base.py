"""How a set is evaluated: the environment's own protocol, or that of the benchmark that the set comes from.

Under a peer's protocol a completion gets two verdicts. Theirs is the sample's: it passes, fails and is counted as they
would, so that pass@1 can be put beside published figures. Ours stands beside it, in the sample's field ``protocol``,
and where the two differ the summary says why. Whatever the protocol, code runs in the environment's sandbox only.
"""

from __future__ import annotations

import typing
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

from ocaml_env.display.terminal import Colour, Paint, columns, printable
from ocaml_env.episode import EpisodeSpec, Evaluation, PendingEvaluation, evaluate_or_error
from ocaml_env.errors import OCamlEnvError
from ocaml_env.evaluation.statistics import estimate
from ocaml_env.extract import Completion
from ocaml_env.problem import Problem
from ocaml_env.problems import ProblemSet
from ocaml_env.problems.sources import digest_of
from ocaml_env.reward import RewardSpec
from ocaml_env.verdict import Outcome, Verdict
from ocaml_env.verifiers.base import AnyVerifier

__all__ = ["PeerEvaluation", "PeerProtocol", "Pending", "Protocol", "show_protocol"]


@dataclass(frozen=True, kw_only=True)
class PeerEvaluation(Evaluation):
    """An evaluation by a peer's protocol.

    Attributes:
        status: what their harness calls what became of the code.
        ours: the verdict by the environment's own tests; None where it cannot evaluate the problem.
        forged: True where it passes theirs and would pass tests that cannot be passed as well.
        lead: the text before the completion in what was evaluated whole; None where code was taken from the completion.
    """

    status: str
    ours: Verdict | None = None
    forged: bool = False
    lead: str | None = None

    @property
    def record(self) -> dict[str, Any]:
        """The field ``protocol`` of a sample."""
        ours = self.ours
        return {
            "status": self.status,
            "forged": self.forged,
            "lead": self.lead and {"lines": self.lead.count("\n"), "bytes": _bytes(self.lead.rpartition("\n")[2])},
            "ours": ours
            and {
                "passed": ours.passed,
                "outcome": ours.outcome.value,
                "tests_passed": ours.tests_passed,
                "tests_total": ours.tests_total,
            },
        }


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


class Pending(typing.Protocol):
    """A completion on its way to an evaluation, see ``ocaml_env.episode.PendingEvaluation``."""

    def verify(self) -> None: ...

    def evaluation(self) -> Evaluation | OCamlEnvError: ...


class Protocol:
    """The environment's own protocol; peers change what they do otherwise.

    Attributes:
        name: as ``--protocol`` calls it; None for ours.
        problems: that are asked.
        whole: ids of the set that they are of.
        continues: whether a model goes on with a text; otherwise it answers a question.
        stop: where a model may end its completion; each is cut again when it is evaluated.
        broken: problem id -> why no completion compiles with their tests.
        unjudged: problem id -> why ours cannot evaluate it.
        left_out: id of a row that nobody can be asked -> why; no figure counts it.
        stricter: how code can pass theirs that ends so in ours.
    """

    name: str | None = None
    continues: bool = False
    stop: tuple[str, ...] = ()
    stricter: Mapping[Outcome, str] = MappingProxyType({})

    def __init__(self, problems: ProblemSet, *, whole: Iterable[str]) -> None:
        self.problems = problems
        self.whole = frozenset(whole)
        self.broken: dict[str, str] = {}
        self.unjudged: dict[str, str] = {}
        self.left_out: dict[str, str] = {}

    def episodes(self, spec: EpisodeSpec) -> EpisodeSpec:
        """How problems are asked, of how the user would have them asked.

        Raises:
            ConfigError: where the protocol does not know such a thing.
        """
        return spec

    def digest(self, problems: Sequence[Problem]) -> str:
        """SHA-256, in hexadecimal, of all that verdicts on these problems depend on."""
        return digest_of(problems)

    def digest_of(self, problem: Problem) -> str:
        """The same of one problem."""
        return problem.digest

    def begin(self, problem: Problem, completion: Completion, *, verifier: AnyVerifier, reward: RewardSpec) -> Pending:
        """A completion on its way to an evaluation."""
        return PendingEvaluation(problem, completion, verifier=verifier, reward=reward)

    def summarise(
        self, samples: Iterable[Mapping[str, Any]], *, k: Sequence[int], problems: Sequence[str]
    ) -> dict[str, Any]:
        """The part ``protocol`` of the summary: theirs beside ours.

        Args:
            samples: records of ``samples.jsonl``.
            k: of pass@k.
            problems: ids of those that were asked.
        """
        kept = sorted((_Beside.of(record) for record in samples if not record["fault"]), key=lambda one: one.place)
        counts = {problem: [0, 0] for problem in problems if problem not in self.unjudged}
        differ: dict[tuple[str, str, str], list[_Beside]] = {}
        for one in kept:
            if one.ours is None:
                continue
            count = counts[one.problem]
            count[0] += 1
            count[1] += one.ours_passed
            if one.ours_passed != one.passed:
                differ.setdefault((one.status, one.ours, self._why(one)), []).append(one)
        found = {number: estimate([(n, passed) for n, passed in counts.values()], number) for number in k}
        asked = {one.problem for one in kept}
        return {
            "name": self.name,
            "ours": {
                **{f"pass@{number}": None if rate is None else asdict(rate) for number, rate in found.items()},
                "problems": len(counts),
            },
            "by_status": dict(Counter(one.status for one in kept).most_common()),
            "forged": sum(one.forged for one in kept),
            "disagreements": [
                {
                    "theirs": theirs,
                    "ours": ours,
                    "why": why,
                    "count": len(where),
                    "example": {"problem_id": where[0].problem, "sample": where[0].sample},
                }
                for (theirs, ours, why), where in sorted(differ.items(), key=lambda item: (-len(item[1]), item[0]))
            ],
            "broken": _told(self.broken, asked),
            "unjudged": _told(self.unjudged, asked),
            "left_out": _told(self.left_out, self.left_out.keys()),
        }

    def _why(self, one: _Beside) -> str:
        """Why the verdicts on a sample differ; "" where nobody knows without looking."""
        if one.forged:
            return "it would pass any tests of theirs"
        if one.passed and one.ours is not None:
            return self.stricter.get(Outcome(one.ours), "")
        return "no completion compiles with their tests" if one.problem in self.broken else ""


class PeerProtocol(Protocol, ABC):
    """A protocol of a peer."""

    @abstractmethod
    def evaluate(
        self, problem: Problem, completion: Completion, *, verifier: AnyVerifier, reward: RewardSpec
    ) -> PeerEvaluation:
        """Evaluates one completion, by their rule and by ours.

        Raises:
            OCamlEnvError: where we failed, not the candidate.
        """

    def begin(self, problem: Problem, completion: Completion, *, verifier: AnyVerifier, reward: RewardSpec) -> Pending:
        return _AtOnce(
            partial(evaluate_or_error, problem, completion, verifier=verifier, reward=reward, by=self.evaluate)
        )


class _AtOnce:
    """A completion that is evaluated in one step."""

    def __init__(self, evaluate: Callable[[], Evaluation | OCamlEnvError]) -> None:
        self._evaluate = evaluate

    def verify(self) -> None:
        self._evaluation = self._evaluate()

    def evaluation(self) -> Evaluation | OCamlEnvError:
        return self._evaluation


@dataclass(frozen=True, slots=True, kw_only=True)
class _Beside:
    """What is counted of a sample."""

    problem: str
    sample: int
    passed: bool
    status: str
    forged: bool
    ours: str | None
    ours_passed: bool

    @property
    def place(self) -> tuple[str, int]:
        return self.problem, self.sample

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> _Beside:
        beside = record["protocol"]
        ours = beside["ours"] or {"outcome": None, "passed": False}
        return cls(
            problem=record["problem_id"],
            sample=record["sample"],
            passed=record["passed"],
            status=beside["status"],
            forged=beside["forged"],
            ours=ours["outcome"],
            ours_passed=ours["passed"],
        )


def _told(reasons: Mapping[str, str], asked: Collection[str]) -> list[dict[str, str]]:
    return [{"problem_id": name, "reason": reason} for name, reason in sorted(reasons.items()) if name in asked]


def show_protocol(summary: Mapping[str, Any], paint: Paint, *, width: int | None = None) -> str:
    """Theirs beside ours, for a person at a terminal."""
    section = summary["protocol"]
    lines = ["", paint(f"protocol {section['name']}", Colour.BOLD)]
    rows = [["", "theirs", "ours"]]
    for k in summary["k"]:
        rows.append([f"pass@{k}", _share(summary[f"pass@{k}"]), _share(section["ours"][f"pass@{k}"])])
    rows.append(["problems", str(summary["problems"]), str(section["ours"]["problems"])])
    lines += columns(rows, right={1, 2}, indent="  ", width=width)
    statuses = ", ".join(f"{count} {name}" for name, count in section["by_status"].items())
    lines += [f"  theirs: {statuses}" + (f"; {section['forged']} forged" if section["forged"] else "")]
    of_all = f"of {summary['problems']} problems"
    for name, head in (
        ("broken", f"{of_all}: no completion compiles with their tests"),
        ("unjudged", f"{of_all}: ours cannot evaluate them"),
        ("left_out", "rows are left out of every figure"),
    ):
        if found := section.get(name):
            lines.append("  " + paint(f"{len(found)} {head}", Colour.YELLOW))
            shown = [[one["problem_id"], printable(one["reason"])] for one in found[:_SHOWN]]
            lines += columns(shown, indent="    ", width=width or 160)
            if (more := len(found) - _SHOWN) > 0:
                lines.append(f"    and {more} more, in summary.json")
    if section["disagreements"]:
        count = sum(one["count"] for one in section["disagreements"])
        lines.append(f"  {count} samples with different verdicts")
        shown = [
            [str(one["count"]), one["theirs"], one["ours"], one["why"] or f"see {_place(one['example'])}"]
            for one in section["disagreements"]
        ]
        lines += columns([["", "theirs", "ours", ""], *shown], right={0}, indent="    ", width=width or 160)
    return "\n".join(lines)


_SHOWN = 10


def _share(rate: Mapping[str, float] | None) -> str:
    return "-" if rate is None else f"{rate['estimate']:.1%}"


def _place(example: Mapping[str, Any]) -> str:
    return f"{example['problem_id']}, sample {example['sample']}"
