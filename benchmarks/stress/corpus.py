"""Collects all programs of the checkout for the soak: right, wrong, erroneous, honest and hostile ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.exploits.attack import attacks
from benchmarks.tour import PLAYS
from ocaml_env import OCamlEnvError, Problem, Verifier, extract, load_problems

__all__ = ["Case", "corpus"]


@dataclass(frozen=True, kw_only=True)
class Case:
    """A candidate for a problem.

    Attributes:
        name: unique, with its origin.
        problem: the problem that it answers.
        code: the candidate's code.
        filtered: False for an attack evaluated with the capability filter off.
    """

    name: str
    problem: Problem
    code: str
    filtered: bool = True


def corpus() -> list[Case]:
    """Returns the cases in a fixed order.

    Raises:
        OCamlEnvError: if a part of them cannot be read.
    """
    try:
        golden = list(_golden())
    except ImportError as error:
        raise OCamlEnvError(f"the programs under tests/ cannot be read ({error}): run `make setup`") from None
    cases = [*golden, *_plays(), *_attacks()]
    repeated = sorted({case.name for case in cases if sum(other.name == case.name for other in cases) > 1})
    if repeated:
        raise OCamlEnvError(f"the corpus names these twice: {', '.join(repeated)}")
    return cases


def _golden() -> Iterator[Case]:
    """Yields references, stubs, and the golden programs of the tests, by the tests' own readers.

    The readers need pytest, so they are imported late.
    """
    from tests.engine.test_error_counts import CASES
    from tests.engine.test_honest import HONEST, read_candidate, read_problem

    with Verifier(workers=1, cache_size=0) as verifier:
        for problem in load_problems("bundled"):
            yield Case(name=f"reference/{problem.id}", problem=problem, code=problem.reference)
            stub = verifier.stubs(problem)[0].code if problem.kind == "function" else 'let () = failwith "stub"'
            yield Case(name=f"stub/{problem.id}", problem=problem, code=stub)
    for case in CASES:
        yield Case(name=f"error/{case.problem.id}", problem=case.problem, code=case.code)
    for path in HONEST:
        yield Case(name=f"honest/{path.stem}", problem=read_problem(path), code=read_candidate(path))


def _plays() -> Iterator[Case]:
    problems = load_problems("bundled")
    for play in PLAYS:
        problem = problems.get(play.problem_id)
        code = extract(play.completion, wanted=problem.wanted, kind=problem.kind).code if play.completion else None
        if code is not None:
            yield Case(name=f"demo/{play.kind}", problem=problem, code=code)


def _attacks() -> Iterator[Case]:
    for attack in attacks():
        problem = attack.target.problem
        code = extract(attack.text, wanted=problem.wanted, kind=problem.kind).code
        if code is not None:
            yield Case(name=f"attack/{attack.name}", problem=problem, code=code, filtered=attack.filter)
