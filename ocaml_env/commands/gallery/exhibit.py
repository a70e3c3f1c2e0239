"""A problem with real answers and what each earns: its reference, the reference with one fault, and giving up."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ocaml_env.episode import Evaluation, evaluate, evaluate_many
from ocaml_env.kills.stubs import stubs_of
from ocaml_env.problem import Limits, Problem
from ocaml_env.prompt import PromptSpec
from ocaml_env.reward import RewardSpec
from ocaml_env.verdict import Outcome, Stage
from ocaml_env.verifiers.base import AuthoringVerifier, Mutant

__all__ = ["Answer", "Exhibit", "exhibit"]

_TRIED = 6  # mutants to compare: enough to find a near miss, few enough for hundreds of problems
_QUICK = Limits(test_cpu_seconds=0.05, total_cpu_seconds=0.5)  # while they are compared: many mutants loop


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer.

    Attributes:
        title: its kind: ``Reference``, ``One fault`` or ``Giving up``.
        what: a sentence about it; "" for none.
        evaluation: its verdict, reward and feedback.
    """

    title: str
    what: str = ""
    evaluation: Evaluation


@dataclass(frozen=True, slots=True, kw_only=True)
class Exhibit:
    """A problem of the gallery.

    Attributes:
        origin: the set that it comes from.
        problem: the problem.
        prompt: the question, as a model reads it.
        answers: the reference first; without a reference there is only ``Giving up``.
    """

    origin: str
    problem: Problem
    prompt: str
    answers: tuple[Answer, ...]


def exhibit(origin: str, problem: Problem, *, verifier: AuthoringVerifier, reward: RewardSpec) -> Exhibit:
    """Evaluates the answers to a problem. Equal arguments give the same answers.

    Raises:
        OCamlEnvError: for an infrastructure error.
    """
    answers = [*_with_reference(problem, verifier, reward), *_giving_up(problem, verifier, reward)]
    prompt = PromptSpec().text(problem)
    return Exhibit(origin=origin, problem=problem, prompt=prompt, answers=tuple(answers))


def _with_reference(problem: Problem, verifier: AuthoringVerifier, reward: RewardSpec) -> Iterator[Answer]:
    """The reference, and a mutant of it that fails."""
    if not problem.reference.strip():
        return
    right = evaluate(problem, _fenced(problem.reference), verifier=verifier, reward=reward)
    yield Answer(title="Reference", evaluation=right)
    for mutant in _near_misses(problem, verifier):
        wrong = evaluate(problem, _fenced(mutant.code), verifier=verifier, reward=reward)
        if not wrong.verdict.passed:  # one that ran out of the quick limits may pass
            what = f"The reference with one fault in line {mutant.line}, of the kind {mutant.operator}."
            yield Answer(title="One fault", what=what, evaluation=wrong)
            return


def _near_misses(problem: Problem, verifier: AuthoringVerifier) -> list[Mutant]:
    """Mutants that reach the tests and fail, those that pass the most first. Empty if no mutant does."""
    mutants = sorted(verifier.mutants(problem), key=_hash)
    quick = replace(problem, limits=_QUICK)
    for start in range(0, len(mutants), _TRIED):
        tried = mutants[start : start + _TRIED]
        verdicts = verifier.verify_many([(quick, mutant.code) for mutant in tried])
        wrong = [
            ((verdict.outcome is Outcome.TEST_FAILURE, verdict.tests_passed), mutant)
            for mutant, verdict in zip(tried, verdicts, strict=True)
            if verdict.stage is Stage.TEST and not verdict.passed
        ]
        if wrong:
            return [mutant for _, mutant in sorted(wrong, key=lambda pair: pair[0], reverse=True)]
    return []


def _hash(mutant: Mutant) -> bytes:
    """A key that mixes kinds of faults and parts of the reference."""
    return hashlib.sha256(mutant.key.encode("utf-8", "surrogatepass")).digest()


def _giving_up(problem: Problem, verifier: AuthoringVerifier, reward: RewardSpec) -> Iterator[Answer]:
    """The stub that earns most, among those that do not pass."""
    stubs = stubs_of(problem, verifier)
    pairs = [(problem, _fenced(stub.code)) for stub in stubs]
    found = evaluate_many(pairs, verifier=verifier, reward=reward)
    failed = [
        # Of equals the last one, because the first one raises for every problem.
        (evaluation.reward.total, evaluation.verdict.tests_passed, place)
        for place, evaluation in enumerate(found)
        if not evaluation.verdict.passed
    ]
    if failed:
        _, _, place = max(failed)
        what = f"The best paid of {len(stubs)} answers that ignore the question: {stubs[place].what or 'it raises'}."
        yield Answer(title="Giving up", what=what, evaluation=found[place])


def _fenced(code: str) -> str:
    return f"```ocaml\n{code}\n```"
