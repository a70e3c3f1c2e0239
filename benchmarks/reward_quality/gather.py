"""Makes and evaluates every answer of the study, once for all presets."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tqdm import tqdm

from benchmarks.exploits.attack import Attack, attacks
from benchmarks.exploits.evaluate import Evaluator
from benchmarks.reward_quality.faults import Faulty, faulty
from benchmarks.reward_quality.ladder import LIMITS, Answer, answers, evaluated, evaluated_many, ladder, stubs, stuffed
from benchmarks.reward_quality.laws import Material, forms, sample_forms, small_answers
from benchmarks.reward_quality.partial import Partial, partials
from benchmarks.reward_quality.policies import GROUP, POLICIES, Policy
from benchmarks.reward_quality.strategies import play
from ocaml_env.errors import EngineError
from ocaml_env.extract import Completion, extract
from ocaml_env.problem import Problem
from ocaml_env.verifiers.local import Verifier

__all__ = ["Gathered", "gather"]

_DRAWS = 25


@dataclass(frozen=True, kw_only=True)
class Gathered:
    """All evaluated answers.

    Attributes:
        material: answers for the laws.
        groups: groups of 8 answers, by policy.
        strategies: the answer of each strategy of giving up, by problem and name.
        partial: answers with some right functions.
        faulty: right programs with type errors.
        ocaml_version: OCaml version of the engine.
    """

    material: Material
    groups: Mapping[str, Sequence[Sequence[Answer]]]
    strategies: Mapping[str, Mapping[str, Answer]]
    partial: Sequence[Partial]
    faulty: Sequence[Faulty]
    ocaml_version: str


def gather(problems: Sequence[Problem], *, seed: int = 0, workers: int = 2, family: str = "") -> Gathered:
    """Makes and evaluates every answer. Equal arguments give equal results.

    Args:
        problems: problems with references.
        seed: seed of all random choices.
        workers: workers of the verifier.
        family: use only the attacks of this family; default: all.

    Raises:
        OCamlEnvError: if the engine cannot evaluate.
    """
    chosen = [attack for attack in attacks(family=family) if not attack.stable and not attack.outcomes]
    found: list[Answer] = []
    empty: list[Answer] = []
    formed = []
    strategies: dict[str, dict[str, Answer]] = {}
    partial: list[Partial] = []
    faults: list[Faulty] = []
    with tqdm(total=len(problems) + len(chosen), unit="", disable=None, leave=False) as bar:
        with Verifier(workers=workers, limits=LIMITS) as verifier:
            for problem in problems:
                bar.set_description(problem.id[:24].ljust(24))
                rng = random.Random(f"{seed}/{problem.id}")
                mine = answers(problem, verifier, rng)
                found += mine
                formed += [forms(answer, verifier) for answer in sample_forms(mine, rng)]
                empty += _stubs(problem, verifier)
                strategies[problem.id] = play(problem, verifier)
                partial += partials(problem, verifier, rng)
                faults += faulty(problem, verifier, rng)
                bar.update()
            formed += [forms(answer, verifier) for answer in small_answers(verifier)]
            version = verifier.ocaml_version
        again = _again(found, random.Random(seed))
        bar.set_description("attacks".ljust(24))
        with Evaluator(workers=workers) as evaluator:
            attacked = _attacked(chosen, evaluator, bar)
    material = Material(answers=found, stubs=empty, forms=formed, again=again, attacks=attacked)
    return Gathered(
        material=material,
        groups=_groups(found, random.Random(seed)),
        strategies=strategies,
        partial=partial,
        faulty=faults,
        ocaml_version=version,
    )


def _stubs(problem: Problem, verifier: Verifier) -> list[Answer]:
    """Evaluates each stub as it is, and in the form that the seed's rules pay best."""
    texts = []
    for kind, code in stubs(problem, verifier):
        texts += [(kind, Completion(code), None), (f"{kind}, stuffed", stuffed(code), None)]
    return evaluated_many(problem, texts, verifier)


def _again(found: Sequence[Answer], rng: random.Random) -> list[tuple[Answer, Answer]]:
    chosen = rng.sample(found, min(len(found), 100))
    with Verifier(workers=1, cache_size=0, limits=LIMITS) as other:
        return [(answer, evaluated(answer.problem, answer.kind, answer.text, other)) for answer in chosen]


def _groups(found: Sequence[Answer], rng: random.Random) -> dict[str, list[list[Answer]]]:
    """Draws groups of 8 answers to one problem, by policy. Severities without an answer there are not drawn."""
    groups: dict[str, list[list[Answer]]] = {}
    for policy in POLICIES:
        groups[policy.name] = []
        for table in ladder(found).values():
            present = [severity for severity in table if policy.shares[severity] > 0]
            weights = [policy.shares[severity] for severity in present]
            for _ in range(_DRAWS if present else 0):
                drawn = rng.choices(present, weights, k=GROUP)
                groups[policy.name].append([rng.choice(_writes(policy, table[severity])) for severity in drawn])
    return groups


def _writes(policy: Policy, level: Sequence[Answer]) -> Sequence[Answer]:
    """Returns the answers of a severity that a policy would give."""
    return [answer for answer in level if answer.kind == policy.spam] or level


def _attacked(
    chosen: Sequence[Attack], evaluator: Evaluator, bar: tqdm[Any]
) -> list[tuple[Attack, Answer, Answer, Answer]]:
    """Evaluates attacks; returns each with its answer, the raising stub, and its baseline."""
    effortless: dict[tuple[str, str], Answer] = {}

    def plain(attack: Attack, baseline: str) -> Answer:
        target = attack.target
        key = (target.problem.id, baseline)
        if key not in effortless:
            text = target.wrong if baseline == "wrong" else target.raising
            made = Answer(
                problem=target.problem,
                kind=baseline,
                text=Completion(text),
                extraction=extract(text, wanted=target.problem.wanted, kind=target.problem.kind),
                verdict=evaluator.verdict(target.problem, text),
            )
            effortless[key] = made
        return effortless[key]

    found = []
    for finding in evaluator.evaluate_all(chosen):
        bar.update()
        attack = finding.attack
        if finding.verdict is None:
            raise EngineError(f"attack {attack.name}: {finding.fault}")
        raising = plain(attack, "raising")
        answer = replace(
            raising,
            kind=attack.name,
            text=Completion(attack.text),
            extraction=extract(attack.text, wanted=attack.target.problem.wanted, kind=attack.target.problem.kind),
            verdict=finding.verdict,
        )
        found.append((attack, answer, raising, plain(attack, attack.baseline)))
    return found
