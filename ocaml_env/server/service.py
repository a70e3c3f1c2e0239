"""What the service does with a candidate: finds its problem, evaluates it, writes the answer. Knows nothing of HTTP."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache, partial
from typing import Any

from ocaml_env.episode import evaluate
from ocaml_env.errors import ConfigError, EngineError, OCamlEnvError, ProblemError, SandboxUnavailable
from ocaml_env.extract import Completion
from ocaml_env.problem import Limits, Problem
from ocaml_env.problem.record import nearest, problem_from_record
from ocaml_env.problems import ProblemSet
from ocaml_env.prompt import PromptSpec
from ocaml_env.reward import RewardSpec
from ocaml_env.server.queue import Job
from ocaml_env.verdict import Verdict
from ocaml_env.verifiers.base import AnyVerifier
from ocaml_env.verifiers.remote import wire

__all__ = ["Candidate", "InlineRefused", "OtherProblem", "Service", "UnknownProblem", "fault_to_json"]

# What a request may ask for beyond a problem's own limits.
_MOST = Limits(test_cpu_seconds=60.0, total_cpu_seconds=60.0, memory_mb=4096, output_kb=16_384)

_NAMED = 3  # problems that a message names


class UnknownProblem(ConfigError):
    """No problem of that name is served here.

    Attributes:
        problems: the names.
    """

    def __init__(self, message: str, problems: Sequence[str]) -> None:
        super().__init__(message)
        self.problems = problems


class OtherProblem(UnknownProblem):
    """A problem of that name is served here, and it is another one: its digest differs."""


class InlineRefused(ConfigError):
    """A request brought problems of its own, and may not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """What a request asks about.

    Attributes:
        problem: the name of a problem.
        digest: that it must have, with the limits below; "" where the caller does not care.
        limits: by name, used instead of the problem's own; those that are missing are the problem's.
    """

    problem: str
    digest: str = ""
    limits: Mapping[str, Any] | None = None


class Service:
    """Problems that can be named, and a verifier that evaluates. Its methods may be called from several threads.

    Args:
        problems: what is served.
        verifier: evaluates; it stays open.
        allow_inline: whether requests may bring problems.
        evaluated: told the verdict of each candidate.
        failed: told the name of each error that is one candidate's answer.
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

    # --- which problem is meant ---------------------------------------------------------------------------------------

    def find(self, candidates: Iterable[Candidate], inline: Iterable[Mapping[str, Any]] = ()) -> list[Problem]:
        """The problem of each candidate: one that the request brought or one that is served, with the limits asked for.

        Raises:
            InlineRefused: where the request brought problems and may not.
            UnknownProblem: for names that are not served, all of them.
            OtherProblem: for problems whose digest is another, all of them.
            ProblemError: if a problem that was brought cannot be used.
            ConfigError: for limits that cannot be used.
        """
        found = self.find_each(candidates, inline)
        wrong = [one for one in found if isinstance(one, UnknownProblem)]
        for kind, refuse in ((UnknownProblem, self._unknown), (OtherProblem, self._other)):
            names = dict.fromkeys(name for one in wrong if type(one) is kind for name in one.problems)
            if names:
                raise refuse(list(names))
        return [one for one in found if isinstance(one, Problem)]

    def find_each(
        self, candidates: Iterable[Candidate], inline: Iterable[Mapping[str, Any]] = ()
    ) -> list[Problem | UnknownProblem]:
        """The same, with the ``UnknownProblem`` or ``OtherProblem`` of a candidate in the place of its problem.

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
        """The problems of a request by their digests, and by their names."""
        records = list(inline)
        if records and not self.allow_inline:
            raise InlineRefused(
                "the service takes problems by name only: their tests would run outside the sandbox. Where its callers "
                "may run code on it, start it with --allow-inline-problems"
            )
        read = [problem_from_record(record, where=f"problems[{n}]") for n, record in enumerate(records)]
        return {problem.id: problem for problem in read} | {problem.digest: problem for problem in read}

    # --- evaluating ---------------------------------------------------------------------------------------------------

    def verifying(self, problem: Problem, code: str) -> Job:
        """A job that answers with the verdict of ``code``."""
        return partial(self._verify, problem, code)

    def rewarding(self, problem: Problem, completion: Completion, reward: RewardSpec) -> Job:
        """A job that answers with what a whole completion earns."""
        return partial(self._reward, problem, completion, reward)

    def each(self, job: Job) -> Job:
        """The job as one of a batch: a failure that concerns its candidate alone is its answer."""
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
        """A job that compiles a problem's tests."""
        return partial(self._check, problem)

    def _verify(self, problem: Problem, code: str) -> bytes:
        verdict = self.verifier.verify(problem, code)
        self._evaluated(verdict)
        return wire.encode(wire.verdict_to_json(verdict))

    def _reward(self, problem: Problem, completion: Completion, reward: RewardSpec) -> bytes:
        evaluation = evaluate(problem, completion, verifier=self.verifier, reward=reward)
        self._evaluated(evaluation.verdict)
        return wire.encode(
            {
                "total": evaluation.reward.total,
                "parts": evaluation.reward.parts,
                "code": evaluation.extraction.code,
                "reason": evaluation.reason,
                "truncated": evaluation.extraction.truncated,
                "feedback": evaluation.feedback,
                "verdict": wire.verdict_to_json(evaluation.verdict),
            }
        )

    def _check(self, problem: Problem) -> bytes:
        self.verifier.check(problem)
        return wire.encode({"problem": problem.id, "digest": problem.digest})

    # --- what is served -----------------------------------------------------------------------------------------------

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
            ConfigError: if no problem could.
        """
        chosen = self.problems.filter(split=split, level=level or None, topics=topic or None, kind=kind)
        text = search.casefold()
        return [one for one in chosen if any(text in part.casefold() for part in (one.id, one.statement, *one.topics))]

    def summary(self, problem: Problem) -> dict[str, Any]:
        """What a list says of a problem."""
        return {
            "id": problem.id,
            "digest": problem.digest,
            "split": problem.split,
            "level": problem.level,
            "label": problem.label,
            "kind": problem.kind,
            "topics": problem.topics,
            "tests": len(problem.tests),
            "hidden_tests": len(problem.hidden_tests),
        }

    def describe(self, name: str) -> dict[str, Any]:
        """All that a model may know of a problem, its prompt included: no hidden test, no reference.

        Raises:
            UnknownProblem: where there is none of that name.
        """
        [problem] = self.find([Candidate(problem=name)])
        prompts = PromptSpec()
        return self.summary(problem) | {
            "statement": problem.statement,
            "signature": problem.signature,
            "attempt": problem.attempt,
            "limits": asdict(problem.limits),
            "examples": [
                {"name": test.name, "code": test.code, "stdin": test.stdin, "stdout": test.stdout}
                for test in problem.public_tests
            ],
            "prompt": prompts.text(problem),
            "messages": prompts.messages(problem),
        }


def fault_to_json(fault: OCamlEnvError) -> dict[str, Any]:
    """An error as an answer, with the problems that are meant."""
    more = {"problems": fault.problems} if isinstance(fault, UnknownProblem) else {}
    return wire.fault_to_json(fault, **more)


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
