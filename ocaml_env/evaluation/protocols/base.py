"""Protocols of evaluation: the environment's own, or that of the set's benchmark (a peer).

Under a peer's protocol a completion gets two verdicts. The peer's verdict counts for the sample, so that pass@1 is
comparable with published figures. Ours is recorded beside it, in the sample's field ``protocol``; the summary explains
differences. Under every protocol code runs only in the environment's sandbox.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from ocaml_env.episode import EpisodeSpec, Evaluation, evaluate
from ocaml_env.evaluation.record import Lead, Ours, PeerRecord, PeerStatus, Record
from ocaml_env.evaluation.statistics import estimate
from ocaml_env.evaluation.summary import Disagreement, PeerRates, PeerSummary, SampleId
from ocaml_env.extract import Completion
from ocaml_env.problem import Problem
from ocaml_env.problems import ProblemSet
from ocaml_env.problems.sources import digest_of
from ocaml_env.reward import RewardSpec
from ocaml_env.verdict import Outcome, Verdict
from ocaml_env.verifiers.base import AnyVerifier

__all__ = ["PeerEvaluation", "PeerProtocol", "Protocol"]


@dataclass(frozen=True, kw_only=True)
class PeerEvaluation(Evaluation):
    """An evaluation by a peer's protocol.

    Attributes:
        status: the status in the peer's terms.
        ours: the verdict by the environment's own tests; None if they cannot evaluate the problem.
        forged: True if the code passes theirs, and would also pass an impossible test.
        lead: the evaluated text before the completion; None if code was extracted from the completion.
    """

    status: PeerStatus
    ours: Verdict | None = None
    forged: bool = False
    lead: str | None = None

    @property
    def record(self) -> PeerRecord:
        """Returns the field ``protocol`` of a sample."""
        lead = self.lead and Lead(lines=self.lead.count("\n"), bytes=_bytes(self.lead.rpartition("\n")[2]))
        ours = None if self.ours is None else Ours.of(self.ours)
        return PeerRecord(status=self.status, forged=self.forged, lead=lead or None, ours=ours)


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


class Protocol:
    """The environment's own protocol; peers override their differences.

    Attributes:
        name: its name for ``--protocol``; None for ours.
        problems: problems of the run.
        whole: ids of the whole set.
        continues: True if models continue a text; otherwise they answer a question.
        stop: texts to end a completion at; the evaluation cuts it there again.
        broken: problem id -> the reason why no completion compiles with their tests.
        mended: problem id -> what ours reads otherwise than they do.
        unjudged: problem id -> the reason why ours cannot evaluate it.
        left_out: id of an unusable row -> the reason; no figure counts it.
        stricter: our outcome -> the reason why such code can pass theirs.
    """

    name: str | None = None
    continues: bool = False
    stop: tuple[str, ...] = ()
    stricter: Mapping[Outcome, str] = MappingProxyType({})

    def __init__(self, problems: ProblemSet, *, whole: Iterable[str]) -> None:
        self.problems = problems
        self.whole = frozenset(whole)
        self.broken: dict[str, str] = {}
        self.mended: dict[str, str] = {}
        self.unjudged: dict[str, str] = {}
        self.left_out: dict[str, str] = {}

    def episodes(self, spec: EpisodeSpec) -> EpisodeSpec:
        """Returns the protocol's form of the user's prompts and turns.

        Raises:
            ConfigError: if the protocol does not support a setting.
        """
        return spec

    def digest(self, problems: Sequence[Problem]) -> str:
        """Returns the SHA-256, in hexadecimal, of everything that decides verdicts on these problems."""
        return digest_of(problems)

    def digest_of(self, problem: Problem) -> str:
        """Returns the same digest of one problem."""
        return problem.digest

    def evaluate(
        self, problem: Problem, completion: Completion, *, verifier: AnyVerifier, reward: RewardSpec
    ) -> Evaluation:
        """Evaluates one completion.

        Raises:
            OCamlEnvError: if the infrastructure failed, not the candidate.
        """
        return evaluate(problem, completion, verifier=verifier, reward=reward)

    def summarise(self, samples: Iterable[Record], *, k: Sequence[int], problems: Sequence[str]) -> PeerSummary:
        """Summarises theirs beside ours.

        Args:
            samples: records of ``samples.jsonl``.
            k: values of k for pass@k.
            problems: ids of the problems of the run.
        """
        kept = sorted(_besides(samples), key=lambda beside: (beside.problem, beside.sample))
        counts = {problem: [0, 0] for problem in problems if problem not in self.unjudged}
        sound = {problem: [0, 0] for problem in problems if problem not in self.broken}
        differ: dict[tuple[PeerStatus, Outcome, str], list[SampleId]] = {}
        for beside in kept:
            if beside.problem in sound:
                _count(sound[beside.problem], beside.passed)
            ours = beside.peer.ours
            if ours is None:
                continue
            _count(counts[beside.problem], ours.passed)
            if ours.passed != beside.passed:
                why = self._why(beside, ours)
                place = SampleId(problem_id=beside.problem, sample=beside.sample)
                differ.setdefault((beside.peer.status, ours.outcome, why), []).append(place)
        asked = {beside.problem for beside in kept}
        return PeerSummary(
            name=self.name or "",
            ours=_rates(counts, k),
            theirs_without_broken=_rates(sound, k),
            by_status=dict(Counter(beside.peer.status for beside in kept).most_common()),
            forged=sum(beside.peer.forged for beside in kept),
            disagreements=[
                Disagreement(theirs=theirs, ours=ours, why=why, count=len(where), example=where[0])
                for (theirs, ours, why), where in sorted(differ.items(), key=lambda item: (-len(item[1]), item[0]))
            ],
            broken=_among(asked, self.broken),
            mended=_among(asked, self.mended),
            unjudged=_among(asked, self.unjudged),
            left_out=_among(self.left_out.keys(), self.left_out),
        )

    def _why(self, one: _Beside, ours: Ours) -> str:
        """The reason why the verdicts on a sample differ; "" if only a look at it can tell."""
        if one.peer.forged:
            return "it would pass any tests of theirs"
        if one.passed:
            return self.stricter.get(ours.outcome, "")
        return "no completion compiles with their tests" if one.problem in self.broken else ""


class PeerProtocol(Protocol, ABC):
    """A protocol of a peer."""

    @abstractmethod
    def evaluate(
        self, problem: Problem, completion: Completion, *, verifier: AnyVerifier, reward: RewardSpec
    ) -> PeerEvaluation:
        """Evaluates one completion, by their rules and by ours."""


class _Beside(NamedTuple):
    """The counted fields of a sample."""

    problem: str
    sample: int
    passed: bool
    peer: PeerRecord


def _besides(records: Iterable[Record]) -> Iterator[_Beside]:
    for record in records:
        if not record.fault and record.protocol is not None:
            yield _Beside(record.problem_id, record.sample, record.passed, record.protocol)


def _count(of_problem: list[int], passed: bool) -> None:
    of_problem[0] += 1
    of_problem[1] += passed


def _rates(counts: Mapping[str, Sequence[int]], k: Sequence[int]) -> PeerRates:
    """pass@k, from the samples of each problem and how many of them passed."""
    pairs = [(n, passed) for n, passed in counts.values()]
    return PeerRates(rates={number: estimate(pairs, number) for number in k}, problems=len(pairs))


def _among(asked: Collection[str], reasons: Mapping[str, str]) -> dict[str, str]:
    return {name: reason for name, reason in sorted(reasons.items()) if name in asked}
