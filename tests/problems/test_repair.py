"""Repair problems: their sources, the place of each fault, and the intended failure in the engine."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ocaml_env.episode import evaluate_many
from ocaml_env.errors import ConfigError
from ocaml_env.extract import extract
from ocaml_env.feedback import MAX_LENGTH
from ocaml_env.problem import Limits, Problem
from ocaml_env.problems import ProblemSet, load_problems, to_jsonl
from ocaml_env.problems.repair import EDITION, FAULTS, KINDS, MAX_ATTEMPT, cuts, repair_of_id
from ocaml_env.problems.repair.code import Code
from ocaml_env.problems.repair.draw import Draws, draw_repairs
from ocaml_env.problems.repair.planted import _tidied, why_not
from ocaml_env.problems.repair.request import parse_source
from ocaml_env.prompt import PromptSpec, PromptStyle
from ocaml_env.reward import RewardSpec, progress
from ocaml_env.verdict import Outcome
from ocaml_env.verifiers.local import Verifier

STAGED = RewardSpec.preset("staged")
COUNT = 110  # problems; slightly more than there are kinds
LOW = Limits(test_cpu_seconds=0.05, total_cpu_seconds=0.2, memory_mb=64)


@contextmanager
def few_cuts() -> Iterator[None]:
    """Verifies few cuts of each attempt: they would take most of the time, and test_repair_cuts.py covers them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cuts, "_MOST", 6)
        yield


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> ProblemSet:
    """The bundled problems with low limits, for loops in faults. So results that are kept are of no real problem."""
    path = tmp_path_factory.mktemp("sources") / "bundled.jsonl"
    to_jsonl([replace(problem, limits=LOW) for problem in load_problems("bundled")], path)
    return load_problems(path)


@pytest.fixture(scope="module")
def drawn(sources: ProblemSet, verifier: Verifier) -> ProblemSet:
    """Draws problems of nearly every kind from problems of every level."""
    with few_cuts():
        return load_problems(f"repair:{sources.name}?seed=5&n={COUNT}", verifier=verifier)


def kind_of(problem: Problem) -> str:
    return problem.id.split("/")[2]


def source_of(problem: Problem) -> str:
    return problem.id.split("/", 4)[4]


def fenced(code: str) -> str:
    return f"```ocaml\n{code}\n```"


# --- sources ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "source", "seed", "n"),
    [
        ("repair:bundled", "bundled", 0, None),
        ("repair:bundled:train?fault=type&seed=1&n=500", "bundled:train", 1, 500),
        ("repair:bundled?level=1-2&n=7", "bundled?level=1-2", 0, 7),
        ("repair:generated:lists?level=2&seed=3&n=50", "generated:lists?level=2&seed=3&n=50", 3, 50),
        ("repair:generated:lists?level=2&seed=3&n=20?seed=1&n=50", "generated:lists?level=2&seed=3&n=20", 1, 50),
        ("repair:generated:lists?n=20?", "generated:lists?n=20", 0, None),
        ("repair:bundled??n=2", "bundled", 0, 2),
        ("repair:my/problems?max=900", "my/problems", 0, None),
    ],
)
def test_a_source_separates_parameters_of_the_problems_from_those_of_the_repair(
    text: str, source: str, seed: int, n: int | None
) -> None:
    request = parse_source(text)
    assert (request.source, request.seed, request.n) == (source, seed, n)


def test_faults_are_chosen_by_class_or_kind() -> None:
    assert parse_source("repair:bundled").kinds == tuple(KINDS.values())
    assert {kind.fault for kind in parse_source("repair:bundled?fault=type,value").kinds} == {"type", "value"}
    chosen = parse_source("repair:bundled?fault=missing_rec,let_without_in").kinds
    assert [kind.name for kind in chosen] == ["missing_rec", "let_without_in"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("repair:", "repair problems are named repair:SOURCE"),
        ("repair:repair:bundled", "repair problems are named repair:SOURCE"),
        ("repair:bundled?level=1?n=1?n=2", "repair problems are named repair:SOURCE"),
        ("repair:bundled?fault=typo", "there is no fault 'typo'; did you mean 'type'?"),
        ("repair:bundled?fault=missing_rek", "did you mean 'missing_rec'?"),
        ("repair:bundled?seed=1&seed=2", "give seed once"),
        ("repair:bundled?n", "give n once, and as n=..."),
        ("repair:bundled?n=0", "n must be a whole number from 1, not '0'"),
        ("repair:bundled?seed=-1", "seed must be a whole number from 0"),
        ("repair:bundled?level=1?sead=2", "no parameter 'sead'; did you mean 'seed'?"),
        ("repair:bundled?sead=2", "there is no condition 'sead'; did you mean 'seed'?"),
        ("repair:nowhere", "no problems at 'nowhere'"),
    ],
)
def test_a_bad_source_is_refused_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(message)):
        load_problems(text)


# --- the kinds --------------------------------------------------------------------------------------------------------


def test_there_are_many_kinds_each_with_a_description() -> None:
    planted = [kind for kind in KINDS.values() if kind.fault != "value"]
    assert len(planted) >= 25
    for kind in KINDS.values():
        assert re.fullmatch("[a-z_]+", kind.name)
        assert kind.description.endswith(".")
        assert (kind.plant is None) == bool(kind.operator)


@pytest.mark.parametrize(
    ("kind", "before", "after"),
    [
        ("let_without_in", "let f x = let y = x in y", "let f x = let y = x y"),
        ("missing_with", "let f x = match x with A -> 1", "let f x = match x A -> 1"),
        ("missing_equals", "let f x = x", "let f x x"),
        ("unclosed_parenthesis", "let f x = g (x + 1) 2", "let f x = g (x + 1 2"),
        ("single_quotes", 'let f = "abc"', "let f = 'abc'"),
        ("fat_arrow", "let f = fun x -> x", "let f = fun x => x"),
        ("function_of_two", "let f = fun x y -> x", "let f = function x y -> x"),
        ("and_for_both", "let f x y = x && y", "let f x y = x and y"),
        (
            "elif_for_else_if",
            "let f x = if x then 1 else if y then 2 else 3",
            "let f x = if x then 1 elif y then 2 else 3",
        ),
        ("commas_in_record", "let f = { a = g [1; 2]; b = 2 }", "let f = { a = g [1; 2], b = 2 }"),
        ("type_without_of", "type t = A of int", "type t = A int"),
        ("int_operator_on_floats", "let f x = x +. 1.", "let f x = x + 1."),
        ("float_for_int", "let f x = x + 1", "let f x = x + 1.0"),
        ("missing_rec", "let rec f x = f x", "let f x = f x"),
        ("missing_bang", "let f r = !r + 1", "let f r = r + 1"),
        ("plus_equals", "let f r = r := !r + 1", "let f r = r += 1"),
        ("invented_function", "let f x = List.length x", "let f x = List.size x"),
        ("small_module", "let f x = List.length x", "let f x = list.length x"),
        ("bang_for_not", "let f x = not x", "let f x = !x"),
        ("missing_conversion", 'let f x = "a" ^ string_of_int x', 'let f x = "a" ^ x'),
        ("swapped_arguments", "let f x = List.map g x", "let f x = List.map x g"),
        ("missing_argument", "let f x = g (h x) ~by:2", "let f x = g ~by:2"),
        ("arguments_in_tuple", "let f x = g x 1", "let f x = g (x, 1)"),
        ("parameters_in_tuple", "let f x y = x", "let f (x, y) = x"),
        ("method_call", "let f x = String.length x", "let f x = x.length"),
        ("square_index", "let f a = a.(0)", "let f a = a[0]"),
        ("commas_in_list", "let f = [1; g (2; 3)]", "let f = [1, g (2; 3)]"),
        ("semicolon_in_tuple", "let f x = (x, [1; 2])", "let f x = (x; [1; 2])"),
        ("constructor_without_argument", "let f x = Some (x + 1)", "let f x = Some"),
        ("exception_without_text", 'let f x = invalid_arg "f"', "let f x = raise Invalid_argument"),
        ("return_keyword", "let f x = if x then 1 else 2", "let f x = if x then return 1 else 2"),
        ("if_without_else", "let f x = g (if x then 1 else h 2) 3", "let f x = g (if x then 1) 3"),
        (
            "nested_match",
            "let f x = match x with A -> (match y with B -> 1) | C -> 2",
            "let f x = match x with A -> match y with B -> 1 | C -> 2",
        ),
        ("physical_equality", 'let f x = if x = "a" then 1 else 2', 'let f x = if x == "a" then 1 else 2'),
    ],
)
def test_a_kind_plants_its_fault(kind: str, before: str, after: str) -> None:
    plant = KINDS[kind].plant
    assert plant is not None
    assert after in list(plant(Code(before), ""))


@pytest.mark.parametrize(
    ("mutant", "tidied"),
    [
        ("let f x = (g (x + 1))", "let f x = g (x + 1)"),
        ("let f x = ((x) - (1)) * 2", "let f x = (x - 1) * 2"),
        ("let f x = g (x", "let f x = g (x"),
    ],
)
def test_parentheses_do_not_reveal_the_place_of_a_mutant(mutant: str, tidied: str) -> None:
    assert _tidied(mutant, "let f x = x * 2") == tidied


HOSTILE = [
    "",
    "(* let x = 1 in",
    'let x = "a (* b" ^ {|(|} (* "*) *)',
    "let f = ((((",
    "))) end done in",
    "let let let in in",
    "type t = A of (int",
    "'a' 'b \"",
    "let f x = x.",
    "if then else",
    "~ ? ! . ..",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_is_too_odd_for_a_rule(text: str) -> None:
    code = Code(text)
    for kind in KINDS.values():
        if kind.plant is not None:
            assert all(isinstance(planted, str) for planted in kind.plant(code, "val f : int"))


def test_an_equals_sign_of_a_comparison_differs_from_that_of_a_definition() -> None:
    code = Code("let f ?(x = 1) (a, b) = let r = { c = a = b } in for i = 1 to 2 do g (i = x) done; r.c = b")
    assert [code.word(place - 1) + code.word(place + 1) for place in code.comparisons()] == ["ix", "cb"]


def test_comments_and_strings_are_left_alone() -> None:
    code = Code('let f x = "in (* )" (* in ) *)')
    assert [token.text for token in code.tokens] == ["let", "f", "x", "=", '"in (* )"']


# --- drawn problems ---------------------------------------------------------------------------------------------------


def test_a_set_has_every_fault_and_level_and_nearly_every_kind(drawn: ProblemSet) -> None:
    assert len(drawn) == COUNT
    assert {KINDS[kind_of(problem)].fault for problem in drawn} == set(FAULTS)
    assert {problem.level for problem in drawn} == {1, 2, 3, 4, 5, 6}
    assert len({kind_of(problem) for problem in drawn}) > len(KINDS) * 0.9


def test_each_fault_fails_as_intended_and_the_verdict_is_stored(drawn: ProblemSet, verifier: Verifier) -> None:
    verdicts = verifier.verify_many([(problem, problem.attempt) for problem in drawn])
    for problem, verdict in zip(drawn, verdicts, strict=True):
        assert why_not(problem, KINDS[kind_of(problem)], verdict) == ""
        stored = problem.attempt_verdict
        assert stored == replace(verdict, sandbox=())


def test_a_value_fault_fails_an_example_and_leaves_progress_to_make(drawn: ProblemSet) -> None:
    for problem in drawn:
        verdict = problem.attempt_verdict
        assert verdict is not None
        if KINDS[kind_of(problem)].fault == "value":
            assert verdict.outcome in (Outcome.TEST_FAILURE, Outcome.RUNTIME_ERROR)
            assert any(test.public and not test.passed for test in verdict.tests)
            assert progress(problem, verdict) <= 0.7


def test_the_attempt_earns_nothing_the_reference_all_and_a_stub_nothing(drawn: ProblemSet, verifier: Verifier) -> None:
    def paid(answers: Sequence[tuple[Problem, str]]) -> set[float]:
        found = evaluate_many([(problem, fenced(code)) for problem, code in answers], verifier=verifier, reward=STAGED)
        return {evaluation.reward.total for evaluation in found}

    assert paid([(problem, problem.attempt) for problem in drawn]) == {0.0}
    assert paid([(problem, problem.reference) for problem in drawn]) == {1.0}
    functions = [problem for problem in drawn if problem.kind == "function"]
    assert paid([(problem, verifier.stubs(problem)[0].code) for problem in functions]) == {0.0}


def test_an_attempt_given_back_is_extracted_unchanged(drawn: ProblemSet) -> None:
    for problem in drawn:
        found = extract(fenced(problem.attempt), wanted=problem.wanted, kind=problem.kind)
        assert found.code == problem.attempt
        assert problem.attempt != problem.reference.strip()


def test_the_length_of_a_prompt_is_bounded(drawn: ProblemSet, sources: ProblemSet, verifier: Verifier) -> None:
    for style in PromptStyle:
        prompts = PromptSpec(style=style)
        for problem in drawn:
            added = len(prompts.text(problem)) - len(prompts.question(problem))
            assert 0 < added <= MAX_ATTEMPT + MAX_LENGTH + 200
    short = load_problems(f"repair:{sources.name}?fault=type&seed=5&n=5&max=150", verifier=verifier)
    assert max(len(problem.attempt) for problem in short) <= 150


def test_an_id_determines_its_problem(drawn: ProblemSet, sources: ProblemSet, verifier: Verifier) -> None:
    find = sources.get
    for problem in drawn[:: COUNT // 4]:
        assert problem.id == f"repair/{EDITION}/{kind_of(problem)}/5/{source_of(problem)}"
        with few_cuts():
            assert repair_of_id(problem.id, find, verifier) == problem
        assert problem.level == find(source_of(problem)).level


@pytest.mark.parametrize(
    ("problem_id", "message"),
    [
        ("repair/0/missing_rec/0/is_prime", "is of edition 0 of the faults"),
        ("repair/1/missing_rec/00/is_prime", "is no id of a repair problem"),
        ("repair/1/missing_wreck/0/is_prime", "did you mean 'missing_rec'?"),
        ("repair/1/missing_rec/0/is_pirme", "did you mean 'is_prime'?"),
        ("repair/1/missing_done/0/halfway", "no place for the fault"),
    ],
)
def test_an_id_without_a_problem_is_refused(verifier: Verifier, problem_id: str, message: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(message)):
        repair_of_id(problem_id, load_problems("bundled").get, verifier)


def test_an_id_of_a_repair_of_a_repair_is_refused(drawn: ProblemSet, verifier: Verifier) -> None:
    with pytest.raises(ConfigError, match="has an attempt already"):
        repair_of_id(f"repair/1/missing_rec/0/{drawn[0].id}", drawn.get, verifier)


@few_cuts()
def test_a_source_is_deterministic_and_depends_on_its_seed(sources: ProblemSet, verifier: Verifier) -> None:
    problems = sources.filter(level=(1, 2))

    def draw(seed: int) -> Draws:
        return draw_repairs(problems, parse_source(f"repair:x?fault=type&seed={seed}&n=12"), verifier, keep=False)

    first = draw(1)
    assert first == draw(1)
    assert {source_of(p) for p in first.problems} != {source_of(p) for p in draw(2).problems}


@few_cuts()
def test_more_problems_begin_with_the_same_ones(sources: ProblemSet, verifier: Verifier) -> None:
    problems = sources.filter(level=(1, 2))
    few, more = (
        draw_repairs(problems, parse_source(f"repair:x?fault=syntax&n={n}"), verifier, keep=False) for n in (12, 30)
    )
    assert more.problems[:12] == few.problems


@pytest.mark.parametrize("source", ["bundled:{}", "generated:lists?level=1&split={}"])
def test_training_and_evaluation_share_no_source(verifier: Verifier, source: str) -> None:
    split = {}
    for name in ("train", "eval"):
        text = source.format(name)
        own = "&" if "?" in text else "?"
        split[name] = load_problems(f"repair:{text}{own}fault=type&n=6", verifier=verifier)
        assert {problem.split for problem in split[name]} == {name}
    assert {source_of(problem) for problem in split["train"]}.isdisjoint(
        source_of(problem) for problem in split["eval"]
    )
    assert {problem.reference for problem in split["train"]}.isdisjoint(problem.reference for problem in split["eval"])


@pytest.fixture
def suite(tmp_path: Path, add: Problem) -> str:
    path = tmp_path / "suite.jsonl"
    to_jsonl([add, replace(add, id="wrong", reference="let add a b = a\nlet negate a = -a")], path)
    return str(path)


def test_failed_draws_such_as_a_wrong_reference_are_counted(verifier: Verifier, suite: str) -> None:
    found = load_problems(f"repair:{suite}?fault=type", verifier=verifier)
    assert 0 < len(found) < 100
    assert {source_of(problem) for problem in found} == {"add"}
    assert re.search(r"\d+ draws failed: .*its reference does not pass \(\d+\)", found.note)
    assert len({problem.attempt for problem in found}) == len(found)


def test_a_reference_that_does_not_parse_is_no_error(verifier: Verifier, add: Problem) -> None:
    odd = replace(add, id="odd", reference="let add a b = (a + b\nlet negate a = -a")
    found = draw_repairs([odd, add], parse_source("repair:x"), verifier, keep=False)
    assert {source_of(problem) for problem in found.problems} == {"add"}
    assert ("missing_equals", "its reference does not pass") in found.failed


def test_a_draw_whose_id_would_be_too_long_fails(verifier: Verifier, add: Problem) -> None:
    long = replace(add, id="x" * 180)
    found = draw_repairs([long, add], parse_source("repair:x?fault=syntax"), verifier, keep=False)
    assert {source_of(problem) for problem in found.problems} <= {"add", long.id}
    assert {reason for _, reason in found.failed} >= {"its id would be too long"}


def test_asking_for_too_many_problems_is_refused_with_their_number(verifier: Verifier, suite: str) -> None:
    count = len(load_problems(f"repair:{suite}?fault=type", verifier=verifier))
    with pytest.raises(ConfigError, match=rf"2 problems gave {count} repair problems, and n is {count + 1}: ask for"):
        load_problems(f"repair:{suite}?fault=type&n={count + 1}", verifier=verifier)


def test_without_references_there_is_nothing_to_plant_in(tmp_path: Path, add: Problem) -> None:
    path = tmp_path / "bare.jsonl"
    to_jsonl([replace(add, reference="")], path)
    with pytest.raises(ConfigError, match="has a reference in which to plant a fault"):
        load_problems(f"repair:{path}")


def test_problems_survive_a_file(drawn: ProblemSet, tmp_path: Path) -> None:
    to_jsonl(drawn, tmp_path / "repairs.jsonl")
    read = load_problems(tmp_path / "repairs.jsonl")
    assert read == drawn
    assert [problem.digest for problem in read] == [problem.digest for problem in drawn]


class Asleep:
    """A verifier that refuses to evaluate."""

    def __init__(self, ocaml_version: str) -> None:
        self.ocaml_version = ocaml_version

    def verify_many(self, pairs: Sequence[Any]) -> list[Any]:
        assert not pairs, "it was verified again"
        return []

    def mutants(self, problem: Problem) -> Iterator[Any]:
        raise AssertionError("mutants were made again")


@few_cuts()
def test_cached_repairs_are_not_planted_again(sources: ProblemSet, verifier: Verifier) -> None:
    problems = sources.filter(level=2)
    request = parse_source("repair:x?seed=77&n=24")
    first = draw_repairs(problems, request, verifier)
    asleep: Any = Asleep(verifier.ocaml_version)
    assert draw_repairs(problems, request, asleep) == first


def tables() -> str:
    """Returns the tables of kinds in docs/repair.md."""
    titles = {"type": "Faults of type", "syntax": "Faults of syntax", "value": "Faults of value"}
    parts = []
    for fault, title in titles.items():
        rows = [
            f"| `{kind.name}` | " + kind.description.replace("``", "`").replace("|", "\\|") + " |"
            for kind in KINDS.values()
            if kind.fault == fault
        ]
        parts.append("\n".join([f"### {title}", "", "| kind | what is wrong |", "| --- | --- |", *rows]))
    return "\n\n".join(parts)


def test_the_documentation_lists_every_kind() -> None:
    page = (Path(__file__).parents[2] / "docs" / "repair.md").read_text(encoding="utf-8")
    assert page.partition("## The kinds\n\n")[2].strip() == tables()
