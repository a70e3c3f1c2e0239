"""Every bundled problem is complete and fair; its reference passes and stubs do not."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import ocaml_env.problems
from ocaml_env.audit.checks import examine
from ocaml_env.audit.mutation import read_equivalents
from ocaml_env.episode import evaluate
from ocaml_env.kills.mutants import measure
from ocaml_env.problems import format_problem, load_problems, parse_problem
from ocaml_env.reward import RewardSpec

if TYPE_CHECKING:
    from ocaml_env.problem import Problem
    from ocaml_env.verifiers.local import Verifier

TOPICS_TEXT = """
lists strings arithmetic recursion options-results variants-records pattern-matching trees polymorphism higher-order
folds maps-sets-hashtables modules-functors gadts laziness-seq exceptions mutable-arrays sorting-searching
dynamic-programming graphs parsing-interpreters simulation programs
"""
TOPICS = set(TOPICS_TEXT.split())
FOLDER = Path(ocaml_env.problems.__file__).parent / "bundled"
PROBLEMS = load_problems("bundled")
every_problem = pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.id)


# --- the suite --------------------------------------------------------------------------------------------------------


def test_the_suite_has_the_promised_size_and_splits() -> None:
    assert len(PROBLEMS) >= 300
    assert len(PROBLEMS.split("eval")) >= 150
    assert len(PROBLEMS.split("train")) + len(PROBLEMS.split("eval")) == len(PROBLEMS)


def test_the_suite_covers_topics_levels_and_kinds() -> None:
    assert {problem.topics[0] for problem in PROBLEMS} == TOPICS
    assert set(PROBLEMS.topics) == TOPICS
    assert {problem.level for problem in PROBLEMS} >= {4, 5, 6}
    assert {problem.kind for problem in PROBLEMS} == {"function", "program"}


def test_files_are_named_after_their_problem_in_the_folder_of_its_first_topic() -> None:
    files = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.md"))
    assert files == sorted(f"{problem.topics[0]}/{problem.id}.md" for problem in PROBLEMS)


# --- each problem -----------------------------------------------------------------------------------------------------


@every_problem
def test_a_problem_has_enough_tests(problem: Problem) -> None:
    assert len(problem.public_tests) >= 3
    assert len(problem.hidden_tests) >= 10


@every_problem
def test_no_hidden_test_repeats_an_example(problem: Problem) -> None:
    examples = {(test.code, test.stdin) for test in problem.public_tests}
    assert examples.isdisjoint((test.code, test.stdin) for test in problem.hidden_tests)


@every_problem
def test_code_that_raises_earns_a_quarter_at_most(problem: Problem, verifier: Verifier) -> None:
    code = verifier.stubs(problem)[0].code if problem.kind == "function" else 'let () = failwith "stub"'
    evaluation = evaluate(problem, code, verifier=verifier, reward=RewardSpec.preset("staged"))
    assert evaluation.verdict.tests_passed == 0
    assert evaluation.reward.total <= 0.25


@every_problem
def test_a_problem_names_its_source(problem: Problem) -> None:
    assert problem.source


@every_problem
def test_the_statement_names_every_function_of_the_signature(problem: Problem) -> None:
    names = re.findall(r"^\s*val\s+([a-z_][\w']*)", problem.signature, re.MULTILINE)
    assert [name for name in names if not re.search(rf"\b{re.escape(name)}\b", problem.statement)] == []


@every_problem
def test_the_tests_use_every_function_of_the_signature(problem: Problem) -> None:
    names = re.findall(r"^\s*val\s+([a-z_][\w']*)", problem.signature, re.MULTILINE)
    code = problem.prelude + "\n".join(test.code for test in problem.tests)
    assert [name for name in names if not re.search(rf"\b{re.escape(name)}\b", code)] == []


@every_problem
def test_a_problem_survives_being_written_and_read(problem: Problem) -> None:
    assert parse_problem(format_problem(problem)) == problem


@every_problem
def test_the_audit_finds_nothing_wrong_with_a_problem(problem: Problem, verifier: Verifier) -> None:
    """Among other checks: the reference passes in three orders of the tests; stubs and guesses do not."""
    # Tests measure no time; `make audit` reports slow references.
    assert [finding for finding in examine(problem, verifier).findings if finding.check != "reference-slow"] == []


@every_problem
def test_the_examples_need_no_prelude(problem: Problem, verifier: Verifier) -> None:
    """The prompt shows the examples but not the prelude."""
    shown = replace(problem, prelude="", tests=problem.public_tests, baseline=())
    assert verifier.verify(shown, problem.reference).passed


@pytest.mark.parametrize("problem", PROBLEMS[::12], ids=lambda problem: problem.id)
def test_mutants_of_the_reference_are_killed(problem: Problem, verifier: Verifier) -> None:
    """Checks a sample; `make audit` measures all problems."""
    path = FOLDER / problem.topics[0] / f"{problem.id}.md"
    score = measure(problem, verifier=verifier, equivalent=read_equivalents(path))
    assert score.score >= 0.95, [mutant.key for mutant in score.survivors]
    assert (score.stale, score.refuted) == ((), ())


@every_problem
def test_the_reference_earns_everything(problem: Problem, verifier: Verifier) -> None:
    from ocaml_env.extract import extract
    from ocaml_env.reward import RewardSpec

    completion = f"```ocaml\n{problem.reference}\n```"
    verdict = verifier.verify(problem, problem.reference)
    assert RewardSpec.preset("staged")(problem, extract(completion, kind=problem.kind), verdict).total == pytest.approx(
        1.0
    )
