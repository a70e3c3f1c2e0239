"""Handles a candidate: finds its problem, evaluates it, and writes the answer. Knows nothing of HTTP."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache, partial
from typing import Any

from ocaml_env.episode import evaluate
from ocaml_env.errors import ConfigError, EngineError, OCamlEnvError, ProblemError, SandboxUnavailable
from ocaml_env.extract import Completion
from ocaml_env.problem import Limits, Problem
from ocaml_env.problem.record import nearest, problem_from_record, problem_summary
from ocaml_env.problems import ProblemSet
from ocaml_env.prompt import PromptSpec
from ocaml_env.reward import RewardSpec
from ocaml_env.server.queue import Job
from ocaml_env.verdict import Verdict
from ocaml_env.verifiers.base import AnyVerifier
from ocaml_env.verifiers.remote import answers, wire

__all__ = ["Candidate", "InlineRefused", "OtherProblem", "Service", "UnknownProblem", "fault_to_json"]

# The highest limits in a request, unless the problem's own limits are higher.
_MOST = Limits(test_cpu_seconds=60.0, total_cpu_seconds=60.0, memory_mb=4096, output_kb=16_384)

_NAMED = 3  # the most problems named in a message


class UnknownProblem(ConfigError):
    """The service does not have this problem.

    Attributes:
        problems: the names.
    """

    def __init__(self, message: str, problems: Sequence[str]) -> None:
        super().__init__(message)
        self.problems = problems


class OtherProblem(UnknownProblem):
    """The service has another version of the problem: its digest differs."""


class InlineRefused(ConfigError):
    """A request brought problems of its own without permission."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A candidate's problem, as a request names it.

    Attributes:
        problem: the name of a problem.
        digest: the digest it must have with the limits below; "" for any.
        limits: limits by name, in place of the problem's own; missing ones keep the problem's values.
    """

    problem: str
    digest: str = ""
    limits: Mapping[str, Any] | None = None


class Service:
    """Problems by name, and a verifier to evaluate candidates. Several threads may call its methods.

    Args:
        problems: the problems of the service.
        verifier: evaluates; it stays open.
        allow_inline: True if requests may bring problems.
        evaluated: called with the verdict of each candidate.
        failed: called with the name of each error that is one candidate's answer.
    """

    def __init__(
        self,
        problems: ProblemSet,
        verifier: AnyVerifier,
        *,
        allow_inline: bool = False,
        evaluated: Callable[[Verdict], None] = lambda verdict: None,
        failed: Callable[[str], None] = lambda name: None,
    ) -> None:
        self.problems = problems
        self.verifier = verifier
        self.allow_inline = allow_inline
        self._evaluated = evaluated
        self._failed = failed
        self._limited = lru_cache(maxsize=4096)(_limited)

    # --- finding problems ---------------------------------------------------------------------------------------------

    def find(self, candidates: Iterable[Candidate], inline: Iterable[Mapping[str, Any]] = ()) -> list[Problem]:
        """The problem of each candidate, from the request or from the service, with the requested limits.

        Raises:
            InlineRefused: if the request brought problems and may not.
            UnknownProblem: for all unknown names.
            OtherProblem: for all problems with another digest.
            ProblemError: if a problem of the request cannot be used.
            ConfigError: for limits that cannot be used.
        """
        found = self.find_each(candidates, inline)
        wrong = [problem for problem in found if isinstance(problem, UnknownProblem)]
        for kind, refuse in ((UnknownProblem, self._unknown), (OtherProblem, self._other)):
            names = dict.fromkeys(name for error in wrong if type(error) is kind for name in error.problems)
            if names:
                raise refuse(list(names))
        return [problem for problem in found if isinstance(problem, Problem)]

    def find_each(
        self, candidates: Iterable[Candidate], inline: Iterable[Mapping[str, Any]] = ()
    ) -> list[Problem | UnknownProblem]:
        """Like ``find``, but returns an ``UnknownProblem`` or ``OtherProblem`` in the place of a problem.

        Raises:
            InlineRefused: as ``find``.
            ProblemError: as ``find``.
            ConfigError: for limits that cannot be used.
        """
        brought = self._brought(inline)
        return [self._find(candidate, brought) for candidate in candidates]

    def _find(self, candidate: Candidate, brought: Mapping[str, Problem]) -> Problem | UnknownProblem:
        problem = (
            brought.get(candidate.digest)
            or brought.get(candidate.problem)
            or self.problems.by_id.get(candidate.problem)
        )
        if problem is None:
            return self._unknown([candidate.problem])
        if candidate.limits and not _has(problem.limits, candidate.limits):
            problem = self._limited(problem, tuple(sorted(candidate.limits.items())))
        if candidate.digest and candidate.digest != problem.digest:
            return self._other([problem.id])
        return problem

    def _unknown(self, names: Sequence[str]) -> UnknownProblem:
        hint = nearest(names[0], self.problems.by_id) if len(names) == 1 else ""
        return UnknownProblem(f"{self.problems.name} has no problem {_list(names)} here{hint}", names)

    def _other(self, names: Sequence[str]) -> OtherProblem:
        return OtherProblem(
            f"the digest of {_list(names)} differs: the service has another version of the problem, and would "
            "evaluate by other tests or limits",
            names,
        )

    def _brought(self, inline: Iterable[Mapping[str, Any]]) -> dict[str, Problem]:
        """The problems of a request, by digest and by name."""
        records = list(inline)
        if records and not self.allow_inline:
            raise InlineRefused(
                "the service takes problems by name only: their tests would run outside the sandbox. If its callers "
                "may run code on it, start it with --allow-inline-problems"
            )
        read = [problem_from_record(record, where=f"problems[{n}]") for n, record in enumerate(records)]
        return {problem.id: problem for problem in read} | {problem.digest: problem for problem in read}

    # --- evaluation ---------------------------------------------------------------------------------------------------

    def verifying(self, problem: Problem, code: str) -> Job:
        """Makes a job that answers with the verdict of ``code``."""
        return partial(self._verify, problem, code)

    def rewarding(self, problem: Problem, completion: Completion, reward: RewardSpec) -> Job:
        """Makes a job that answers with the reward of a whole completion."""
        return partial(self._reward, problem, completion, reward)

    def each(self, job: Job) -> Job:
        """Makes the job one of a batch: a failure of its candidate alone becomes its answer."""
        return partial(self._each, job)

    def _each(self, job: Job) -> bytes:
        try:
            return job()
        except SandboxUnavailable:
            raise
        except (EngineError, ProblemError) as fault:
            self._failed(type(fault).__name__)
            return wire.encode(wire.fault_to_json(fault))

    def checking(self, problem: Problem) -> Job:
        """Makes a job that compiles a problem's tests."""
        return partial(self._check, problem)

    def _verify(self, problem: Problem, code: str) -> bytes:
        verdict = self.verifier.verify(problem, code)
        self._evaluated(verdict)
        return wire.encode(answers.Verdict.of(verdict))

    def _reward(self, problem: Problem, completion: Completion, reward: RewardSpec) -> bytes:
        evaluation = evaluate(problem, completion, verifier=self.verifier, reward=reward)
        self._evaluated(evaluation.verdict)
        return wire.encode(
            answers.Reward(
                total=evaluation.reward.total,
                parts=evaluation.reward.parts,
                code=evaluation.extraction.code,
                reason=evaluation.reason,
                truncated=evaluation.extraction.truncated,
                feedback=evaluation.feedback,
                verdict=answers.Verdict.of(evaluation.verdict),
            )
        )

    def _check(self, problem: Problem) -> bytes:
        self.verifier.check(problem)
        return wire.encode(answers.CheckedProblem(problem=problem.id, digest=problem.digest))

    # --- descriptions of problems -------------------------------------------------------------------------------------

    def select(
        self,
        *,
        split: str | None = None,
        level: Sequence[str] = (),
        topic: Sequence[str] = (),
        kind: str | None = None,
        search: str = "",
    ) -> list[Problem]:
        """The problems that meet every condition.

        Raises:
            ConfigError: if no problem can meet a condition.
        """
        chosen = self.problems.filter(split=split, level=level or None, topics=topic or None, kind=kind)
        text = search.casefold()
        return [
            problem
            for problem in chosen
            if any(text in part.casefold() for part in (problem.id, problem.statement, *problem.topics))
        ]

    def summary(self, problem: Problem) -> answers.ProblemSummary:
        """A problem's entry in a list."""
        return answers.ProblemSummary(**_summary(problem))

    def describe(self, name: str) -> answers.ProblemPage:
        """A problem as a model may see it, its prompt included, without hidden tests and reference.

        Raises:
            UnknownProblem: if there is no such problem.
        """
        [problem] = self.find([Candidate(problem=name)])
        prompts = PromptSpec()
        return answers.ProblemPage(
            **_summary(problem),
            statement=problem.statement,
            signature=problem.signature,
            attempt=problem.attempt,
            limits=asdict(problem.limits),
            examples=[
                answers.Example(name=test.name, code=test.code, stdin=test.stdin, stdout=test.stdout)
                for test in problem.public_tests
            ],
            prompt=prompts.text(problem),
            messages=[{"role": each["role"], "content": each["content"]} for each in prompts.messages(problem)],
        )


def _summary(problem: Problem) -> dict[str, Any]:
    return {"digest": problem.digest, **problem_summary(problem)}


def fault_to_json(fault: OCamlEnvError) -> dict[str, Any]:
    """Encodes an error as an answer, with the problems in question."""
    return wire.fault_to_json(fault, problems=fault.problems if isinstance(fault, UnknownProblem) else None)


def _limited(problem: Problem, given: tuple[tuple[str, Any], ...]) -> Problem:
    limits = replace(problem.limits, **dict(given))
    for name, most in asdict(_MOST).items():
        if getattr(limits, name) > max(most, getattr(problem.limits, name)):
            raise ConfigError(f"limits: {name} may be at most {most:g} here, not {getattr(limits, name):g}")
    return replace(problem, limits=limits)


def _has(limits: Limits, given: Mapping[str, Any]) -> bool:
    return all(getattr(limits, name) == value for name, value in given.items())


def _list(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} others" if len(names) > _NAMED else ""
    return ", ".join(repr(name) for name in names[:_NAMED]) + more
