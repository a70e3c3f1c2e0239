"""Every bundled problem is complete and fair; its reference passes and stubs do not.

All problems are checked in one loop a rule, because ten thousand small tests take longer than their work.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import ocaml_env.problems
from ocaml_env.audit.checks import examine
from ocaml_env.audit.mutation import read_equivalents
from ocaml_env.episode import evaluate_many
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
STAGED = RewardSpec.preset("staged")
every_topic = pytest.mark.parametrize("topic", sorted(TOPICS))


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


def of_topic(topic: str) -> list[Problem]:
    return [problem for problem in PROBLEMS if problem.topics[0] == topic]


def functions_of(problem: Problem) -> list[str]:
    return re.findall(r"^\s*val\s+([a-z_][\w']*)", problem.signature, re.MULTILINE)


def test_files_are_named_after_their_problem_in_the_folder_of_its_first_topic() -> None:
    files = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.md"))
    assert files == sorted(f"{problem.topics[0]}/{problem.id}.md" for problem in PROBLEMS)


# --- each problem -----------------------------------------------------------------------------------------------------


def test_a_problem_has_enough_tests() -> None:
    assert [problem.id for problem in PROBLEMS if len(problem.public_tests) < 3 or len(problem.hidden_tests) < 10] == []


def test_no_hidden_test_repeats_an_example() -> None:
    for problem in PROBLEMS:
        examples = {(test.code, test.stdin) for test in problem.public_tests}
        assert examples.isdisjoint((test.code, test.stdin) for test in problem.hidden_tests), problem.id


def test_a_problem_names_its_source() -> None:
    assert [problem.id for problem in PROBLEMS if not problem.source] == []


def test_the_statement_and_the_tests_name_every_function_of_the_signature() -> None:
    for problem in PROBLEMS:
        code = problem.prelude + "\n".join(test.code for test in problem.tests)
        for name in functions_of(problem):
            word = re.compile(rf"\b{re.escape(name)}\b")
            assert word.search(problem.statement), (problem.id, name)
            assert word.search(code), (problem.id, name)


def test_a_problem_survives_being_written_and_read() -> None:
    for problem in PROBLEMS:
        assert parse_problem(format_problem(problem)) == problem


@every_topic
def test_the_audit_finds_nothing_wrong_and_no_higher_baseline(topic: str, verifier: Verifier) -> None:
    """Among other checks: the reference passes in three orders of the tests; stubs and guesses do not."""
    for problem in of_topic(topic):
        examined = examine(problem, verifier)
        # Tests measure no time; `make audit` reports slow references.
        assert [finding for finding in examined.findings if finding.check != "reference-slow"] == []
        for found, stored in zip(examined.baselines, problem.groups, strict=True):
            assert found.group.baseline <= stored.baseline, (problem.id, stored.items, found.what)


def test_the_examples_need_no_prelude(verifier: Verifier) -> None:
    """The prompt shows the examples but not the prelude."""
    with_prelude = [problem for problem in PROBLEMS if problem.prelude]
    shown = [replace(problem, prelude="", tests=problem.public_tests, baseline=()) for problem in with_prelude]
    verdicts = verifier.verify_many([(problem, problem.reference) for problem in shown])
    assert [problem.id for problem, verdict in zip(shown, verdicts, strict=True) if not verdict.passed] == []


@pytest.mark.parametrize("problem", PROBLEMS[::12], ids=lambda problem: problem.id)
def test_mutants_of_the_reference_are_killed(problem: Problem, verifier: Verifier) -> None:
    """Checks a sample; `make audit` measures all problems."""
    path = FOLDER / problem.topics[0] / f"{problem.id}.md"
    score = measure(problem, verifier=verifier, equivalent=read_equivalents(path))
    assert score.score >= 0.95, [mutant.key for mutant in score.survivors]
    assert (score.stale, score.refuted) == ((), ())


def test_the_reference_earns_everything(verifier: Verifier) -> None:
    """Checks a sample, because the audit has verified all references."""
    pairs = [(problem, f"```ocaml\n{problem.reference}\n```") for problem in PROBLEMS[::6]]
    evaluated = evaluate_many(pairs, verifier=verifier, reward=STAGED)
    assert [evaluation.reward.total for evaluation in evaluated] == pytest.approx([1.0] * len(pairs))


def test_code_that_raises_passes_nothing_and_earns_a_quarter_at_most(verifier: Verifier) -> None:
    """Checks a sample, because the audit has verified the baselines of all problems."""
    pairs = [
        (problem, verifier.stubs(problem)[0].code if problem.kind == "function" else 'let () = failwith "stub"')
        for problem in PROBLEMS[::4]
    ]
    for (problem, _), evaluation in zip(pairs, evaluate_many(pairs, verifier=verifier, reward=STAGED), strict=True):
        assert evaluation.verdict.tests_passed == 0, problem.id
        assert evaluation.reward.total <= 0.25, problem.id
