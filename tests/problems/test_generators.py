"""Generated problems: every family makes valid problems of its levels, always the same, and as many as requested."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import pytest

from ocaml_env.audit.audit import audit
from ocaml_env.audit.rows import Row
from ocaml_env.commands import ExitCode
from ocaml_env.commands.cli import main
from ocaml_env.errors import ConfigError
from ocaml_env.problem.record import problem_to_record
from ocaml_env.problems import drawn, format_problem, generators, load_problems, parse_problem
from ocaml_env.problems.drawn import DrawnBefore
from ocaml_env.problems.generators import (
    Family,
    Request,
    families,
    generate,
    generate_all,
    generate_many,
    parse_source,
    problem_of_id,
)
from ocaml_env.problems.generators.chance import Chance, Unfit
from ocaml_env.problems.generators.choose import choose
from ocaml_env.problems.generators.draft import Case, Draft, case
from ocaml_env.problems.generators.family import EDITION
from ocaml_env.problems.generators.held_out import solves_held_out
from ocaml_env.problems.generators.task import Task, draft_of
from ocaml_env.problems.generators.trial import Trial
from ocaml_env.verdict import Outcome, Stage

if TYPE_CHECKING:
    from ocaml_env.problem import Problem, Test
    from ocaml_env.verifiers.local import Verifier

FAMILIES = tuple(families().values())
GOLDEN: dict[str, str] = json.loads((Path(__file__).parent / "generated.json").read_text(encoding="utf-8"))
every_family = pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)

TOPICS = {
    *("lists", "strings", "arithmetic", "recursion", "options-results", "variants-records", "pattern-matching"),
    *("trees", "polymorphism", "higher-order", "folds", "maps-sets-hashtables", "modules-functors", "gadts"),
    *("laziness-seq", "exceptions", "mutable-arrays", "sorting-searching", "dynamic-programming", "graphs"),
    *("parsing-interpreters", "simulation", "programs"),
}


# --- the families -----------------------------------------------------------------------------------------------------


def test_the_families_cover_the_topics() -> None:
    assert len(FAMILIES) >= 80
    assert {topic for family in FAMILIES for topic in family.topics} == TOPICS
    assert sum({1, 2} <= set(family.levels) for family in FAMILIES) >= 45
    assert sum({3, 4, 5} <= set(family.levels) for family in FAMILIES) >= 68


@every_family
def test_a_family_is_in_the_file_of_its_name(family: Family) -> None:
    if family.make:
        assert family.make.__module__.rpartition(".")[2] == family.name.replace(".", "_")


def test_families_that_share_a_vocabulary_are_in_one_split() -> None:
    """The vocabulary ``ints`` (numbers and comparisons) may be in both splits."""
    own = ("steps", "letters", "automaton", "lines", "shapes", "streams", "worlds")
    sides: dict[str, set[str]] = {}
    for family in FAMILIES:
        if family.make:
            text = Path(str(sys.modules[family.make.__module__].__file__)).read_text(encoding="utf-8")
            for name in own:
                if f"generators.{name} import" in text:
                    sides.setdefault(name, set()).add(family.split)
    assert {name: len(found) for name, found in sides.items()} == dict.fromkeys(own, 1)
    assert {family.split for family in FAMILIES} == {"train", "eval"}


# --- levels -----------------------------------------------------------------------------------------------------------


# Levels 3 and 4 should have medians of at most 100 and 150 words, but have 120 and 160, so their words are not checked.
@pytest.mark.parametrize(("level", "words", "lines"), [(1, 35, 2), (2, 60, 6), (3, None, 14), (4, None, 25)])
def test_drafts_of_a_level_are_as_short_as_promised(level: int, words: int | None, lines: int) -> None:
    drafts = [draft for family in FAMILIES if level in family.levels for draft in islice(drafts_of(family, level), 6)]
    assert words is None or median(len(draft.statement.split()) for draft in drafts) <= words
    assert median(len(draft.reference.split("\n")) for draft in drafts) <= lines


def drafts_of(family: Family, level: int) -> Iterator[Draft]:
    for number in range(400):
        with suppress(Unfit):
            yield family.draft(Chance(f"{family.name}/{level}/{number}"), level)


@every_family
def test_small_tasks_differ_in_more_than_numbers(family: Family) -> None:
    for level in {1, 2} & {*family.levels}:
        drafts = islice(drafts_of(family, level), 200)
        shapes = {re.sub(r"\d+", "0", draft.reference.replace(draft.name or "-", "f")) for draft in drafts}
        assert len(shapes) >= 12, (family.name, level)


# --- each problem -----------------------------------------------------------------------------------------------------


@every_family
def test_the_reference_of_each_small_task_answers(family: Family) -> None:
    for task in family.tasks:
        draft = draft_of([task], Chance(family.name), task.level)
        answers = Trial(draft, [*islice(draft.cases, 60)]).answers
        assert sum(kind != "unknown" for kind, _ in answers) > 40, task.names


@every_family
def test_problems_are_complete_and_hard_to_guess(family: Family) -> None:
    for problem in samples(family):
        names = re.findall(r"^\s*val\s+([a-z_][\w']*)", problem.signature, re.MULTILINE)
        statement = problem.statement
        used = problem.prelude + "\n".join(test.code for test in problem.tests)
        assert [name for name in names if not re.search(rf"\b{name}\b", statement)] == []
        assert [name for name in names if not re.search(rf"\b{name}\b", used)] == []
        assert (len(problem.public_tests), 10 <= len(problem.hidden_tests) <= 50) == (3, True)
        assert len({question(test) for test in problem.tests}) == len(problem.tests)
        [(_, most)] = Counter(map(answer, problem.hidden_tests)).most_common(1)
        assert 5 * most <= len(problem.hidden_tests), problem.id
        assert all(group.baseline <= 0.2 * len(group.tests) for group in problem.groups), problem.id
        assert (problem.split, problem.source, problem.topics) == (family.split, "generated", family.topics)
        assert parse_problem(format_problem(problem)) == problem


def stub(problem: Problem, verifier: Verifier) -> str:
    """Returns code that raises in every function."""
    return verifier.stubs(problem)[0].code if problem.kind == "function" else 'let () = failwith "stub"'


@every_family
def test_the_reference_passes_in_both_orders_and_a_stub_passes_nothing(family: Family, verifier: Verifier) -> None:
    for problem in samples(family):
        verdict = verifier.verify(problem, problem.reference)
        wrong = [(test.name, test.outcome, test.detail) for test in verdict.tests if not test.passed]
        assert (problem.id, wrong, verdict.diagnostics) == (problem.id, [], ())
        assert verdict.outcome is Outcome.PASSED
        if problem.level == 4:  # only one level, because the tests are compiled again
            backward = replace(problem, tests=problem.tests[::-1], baseline=())
            assert verifier.verify(backward, problem.reference).outcome is Outcome.PASSED, problem.id
        verdict = verifier.verify(problem, stub(problem, verifier))
        assert (problem.id, [test.name for test in verdict.tests if test.passed]) == (problem.id, [])
        assert (verdict.diagnostics, verdict.stage) == ((), Stage.TEST)


def test_an_audit_finds_nothing_in_two_levels_of_each_family(verifier: Verifier) -> None:
    places = [(f.name, f.levels[(i + step) % len(f.levels)]) for i, f in enumerate(FAMILIES) for step in (0, 1)]
    problems = [sample(name, level) for name, level in places]
    found = audit("a sample", (Row(name=p.id, problem=p) for p in problems), verifier=verifier, mutants=False)
    # A reference's speed depends on the machine.
    assert [finding for finding in found.findings if finding.check != "reference-slow"] == []


# --- tests are chosen by the wrong variants that they kill ------------------------------------------------------------


def drafted(reference: str, cases: Iterator[Case], **more: Any) -> Draft:
    return Draft(name="f", statement="", signature="val f : int -> int", reference=reference, cases=cases, **more)


def squares() -> Iterator[Case]:
    for n in range(300):
        yield case("f", [str(n)], str(n * n if n < 200 else 7 * n))


def test_the_only_case_that_reveals_a_wrong_boundary_is_kept() -> None:
    chosen = choose(drafted("let f n = if n < 200 then n * n else 7 * n", islice(squares(), 150, None)))
    assert chosen is not None
    codes = [test.code for test in chosen.tests if not test.public]
    assert {"f 199 = 39601", "f 200 = 1400"} <= {*codes}


def test_a_draft_with_a_dead_rule_is_refused() -> None:
    reference = "let f n = if n < 0 then 0 else if n < 200 then n * n else 7 * n"
    assert choose(drafted(reference, squares())) is None
    tolerated = choose(drafted(reference, squares()), most_idle=5)
    assert tolerated is not None
    assert tolerated.idle >= 1


def test_missing_answers_are_computed_by_the_reference() -> None:
    cases = (Case(f"f {n}", "", "", arguments=(str(n),)) for n in range(100))
    chosen = choose(drafted("let f n = n * n", cases))
    assert chosen is not None
    assert {"f 0 = 0", "f 1 = 1"}.isdisjoint(test.code for test in chosen.tests if test.public)  # f n = n passes them
    singles = [test.code for test in chosen.tests if test.code.count("f ") == 1]
    assert all(eval(code.replace("f ", "").replace(" = ", " ** 2 == ")) for code in singles)


def test_calls_of_a_function_with_two_answers_are_bundled() -> None:
    cases = (Case(f"f {n}", "", "", group="f", arguments=(str(n),)) for n in Chance("f").shuffled(range(100)))
    chosen = choose(drafted("let f n = n mod 3 = 0", cases))
    assert chosen is not None
    assert {test.code.count("f ") for test in chosen.tests if test.public} == {1}
    assert min(test.code.count("f ") for test in chosen.tests if not test.public) == 4


def test_constants_and_returned_arguments_pass_at_most_a_fifth() -> None:
    def cases() -> Iterator[Case]:
        for n in range(90):
            yield case("f", [str(n)], "0" if n % 3 == 1 else str(n) if n % 3 == 2 else str(n * n))
            yield case("g", [str(n)], "[]" if n % 2 else f"[{n}]")

    chosen = choose(drafted("let f = unknown", cases(), hidden=16, groups=("f", "g")))
    assert chosen is not None
    hidden = [test.code for test in chosen.tests if not test.public]
    for name in "fg":
        counts = Counter(code.partition(" = ")[2] for code in hidden if code[0] == name)
        assert 5 * max(counts.values()) <= counts.total()
    assert 5 * sum(re.fullmatch(r"f (\d+) = \1", code) is not None for code in hidden) <= len(hidden)


def test_hidden_tests_make_forty_calls_test_edges_and_sweep_the_rest() -> None:
    cases = [case("f", [str(n)], str(n + 1)) for n in range(200)]
    edge = case("f", ["7000"], "7001")._replace(edge=True)
    chosen = choose(drafted("let f n = n + 1", iter([*cases[:150], edge, *cases[150:]])))
    assert chosen is not None
    hidden = [test.code for test in chosen.tests if not test.public]
    assert [code.count("f ") for code in hidden] == [1] * 40 + [*[23] * 3, *[22] * 4]
    assert "f 7000 = 7001" in hidden
    assert len({*re.findall(r"f \d+", " ".join(test.code for test in chosen.tests))}) == 200


def test_no_degenerate_answer_passes_a_sweep() -> None:
    cases = (case("f", [str(n)], "0" if n > 90 or n % 2 else str(n * n)) for n in range(200))
    chosen = choose(drafted("let f = unknown", cases))
    assert chosen is not None
    sweeps = [answer(test) for test in chosen.tests if test.code.count("f ") > 1]
    assert sweeps
    assert all(set(re.findall(r"\d+", values)) > {"0"} for values in sweeps)


def test_a_polymorphic_function_is_tested_on_strings_too(verifier: Verifier) -> None:
    drawn = load_problems("generated:recursion.lists?level=1&seed=6&n=60")
    asked = [problem for problem in drawn if "'a -> 'a list -> bool" in problem.signature]
    physical = {"=": "==", "<>": "!="}
    same_in_memory = [
        (problem, re.sub("(?<=[a-z]) (=|<>) (?=[a-z])", lambda sign: f" {physical[sign[1]]} ", problem.reference))
        for problem in asked
    ]
    wrong = [(problem, code) for problem, code in same_in_memory if code != problem.reference]
    assert wrong
    assert not any(verifier.verify(problem, code).passed for problem, code in wrong)


def test_a_function_with_many_answers_leaves_room_for_one_with_few() -> None:
    family = families()["parsing.fields"]
    drafts = [family.draft(Chance(f"room/{number}"), 5) for number in range(6)]
    assert sum(choose(draft, most_idle=40) is not None for draft in drafts) >= 4


def test_a_copy_fails_if_an_array_is_to_be_changed_in_place(verifier: Verifier) -> None:
    for index in range(6):
        problem = generate("arrays.edits", level=2, index=index, seed=4)
        if "in place" not in problem.statement:
            continue
        [name] = re.findall(r"val (\w+)", problem.signature)
        copying = f"{problem.reference}\nlet {name} a = {name} (Array.copy a)\n"
        assert verifier.verify(problem, problem.reference).passed
        assert verifier.verify(problem, copying).outcome == Outcome.TEST_FAILURE, problem.id


def samples(family: Family) -> list[Problem]:
    """Returns a problem of each level."""
    return [sample(family.name, level) for level in family.levels]


@cache
def sample(name: str, level: int) -> Problem:
    """Draws a problem, or reads it from the cache folder if another test process has drawn it."""
    [problem] = load_problems(f"generated:{name}?level={level}&seed=2&n=1")
    return problem


def question(test: Test) -> str:
    return test.code if test.stdin is None else test.stdin


def answer(test: Test) -> str:
    """Returns the expected answer: the text after the last ``=`` outside brackets and strings."""
    if test.stdout is not None:
        return test.stdout
    bare = re.sub(r'"(?:[^"\\]|\\.)*"', lambda found: "." * len(found[0]), test.code)
    depth, place = 0, -1
    for i, character in enumerate(bare):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(character, 0)
        if depth == 0 and bare.startswith(" = ", i):
            place = i
    return test.code[place + 3 :]


# --- reproducibility --------------------------------------------------------------------------------------------------


@every_family
def test_a_family_draws_the_recorded_problems(family: Family) -> None:
    """Record the digest of a new family, or of one changed on purpose: CONTRIBUTING.md has the command."""
    assert digest(family) == GOLDEN.get(family.name)


def digest(family: Family) -> str:
    """Returns one digest of the problems of all levels."""
    problems = samples(family)
    # Only fields that the generators fill in count, so that new fields of problems do not change the digests.
    others = {"solve_rate", "attempt", "attempt_verdict", "attempt_kept", "complete_examples"}
    records = [{k: v for k, v in problem_to_record(p).items() if k not in others} for p in problems]
    text = json.dumps(records, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def test_problems_do_not_depend_on_hash_seeds_or_earlier_problems() -> None:
    code = (
        "from ocaml_env.problems.generators import generate_many; import hashlib; "
        "ps = list(generate_many(levels=(2, 5), seed=3, n=16)); "
        "print(hashlib.sha256(repr(ps).encode()).hexdigest())"
    )
    made = [
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
            env={"PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    ]
    problems = list(generate_many(levels=(2, 5), seed=3, n=16))
    here = hashlib.sha256(repr(problems).encode()).hexdigest()
    assert {text.strip() for text in made} == {here}
    assert all(problem_of_id(problem.id) == problem for problem in problems[::5])


def test_only_chance_uses_random_numbers() -> None:
    folder = Path(generators.__file__).parent
    impure = re.compile(r"^(?:import|from) (?:random|secrets|time|datetime|os|uuid|numpy)\b", re.MULTILINE)
    assert [path.name for path in folder.rglob("*.py") if impure.search(path.read_text())] == ["chance.py"]
    assert set(re.findall(r"random\.(\w+)", (folder / "chance.py").read_text())) == {"Random"}


def test_chance_draws_the_recorded_values() -> None:
    chance = Chance("a text")
    made = (chance.ints(6, 0, 99), chance.shuffled("abcdef"), chance.between(-5, 5), chance.happens(0.5))
    assert made == ([47, 44, 40, 19, 37, 32], ["f", "c", "a", "e", "d", "b"], 3, True)


# --- any number of problems -------------------------------------------------------------------------------------------


@every_family
def test_half_of_many_drafts_of_the_easiest_level_are_distinct(family: Family) -> None:
    """Drafts have no tests yet, whose choice takes nearly all the time of a problem."""
    level = family.levels[0]
    wanted = 30 if level < 3 else 8
    seen: set[str] = set()
    distinct = 0
    for draft in islice(drafts_of(family, level), 2 * wanted + 4):
        keys = {draft.statement, draft.reference.replace(draft.name, "f") if draft.name else draft.reference}
        distinct += seen.isdisjoint(keys)
        seen |= keys
    assert distinct >= wanted


@every_family
def test_problems_of_the_easiest_level_are_distinct(family: Family) -> None:
    problems = load_problems(f"generated:{family.name}?level={family.levels[0]}&seed=2&n=4")
    assert len({problem.statement for problem in problems}) == len({problem.digest for problem in problems}) == 4
    assert int(problems[-1].id.rpartition("/")[2]) < 12  # few indices were skipped


def test_a_family_without_new_problems_repeats_old_ones() -> None:
    tasks = (Task(level=1, says=("`f x` is twice `x`.",), signature="int -> int", code="let $f x = 2 * x"),)
    poor = Family(name="poor.one", topics=("arithmetic",), description="one problem", tasks=tasks)
    problems = list(generate_all(Request(families=(poor,), levels=(1,), n=3)))
    assert len({problem.id for problem in problems}) == 3
    assert len({problem.statement for problem in problems}) == 1
    assert len({problem.tests for problem in problems}) == 3


def test_no_training_family_draws_a_bundled_problem_for_evaluation() -> None:
    [asked] = [problem for problem in load_problems("bundled:eval") if problem.id == "sum_of_squares"]
    known = Draft(name="f", statement="", signature=asked.signature, reference=asked.reference, cases=())
    assert solves_held_out(known)
    assert not solves_held_out(replace(known, reference="let sum_of_squares l = List.length l"))


def test_a_held_out_problem_is_recognised_under_exchanged_names() -> None:
    names = re.compile(r"val (\w+) : (.*)\nval (\w+) : (.*)")
    [asked, *_] = [problem for problem in load_problems("bundled:eval") if names.fullmatch(problem.signature.strip())]
    first, first_type, second, second_type = names.fullmatch(asked.signature.strip()).groups()  # type: ignore[union-attr]
    exchanged = f"{asked.reference}\nlet {first} = {second} and {second} = {first}"
    signature = f"val {second} : {first_type}\nval {first} : {second_type}"
    known = Draft(name=second, statement="", signature=signature, reference=exchanged, cases=())
    assert solves_held_out(known)
    assert not solves_held_out(replace(known, reference=asked.reference))


def test_a_slow_solution_of_a_held_out_problem_is_recognised() -> None:
    """Some tests exceed the interpreter's step limit; the other tests decide."""
    slow = "let divisors n = List.length (List.filter (fun i -> n mod i = 0) (List.init n (fun i -> i + 1)))"
    draft = Draft(name="divisors", statement="", signature="val divisors : int -> int", reference=slow, cases=())
    assert solves_held_out(draft)
    assert not solves_held_out(replace(draft, reference=slow.replace("init n", "init (n - 1)")))


def test_150_problems_are_distinct() -> None:
    problems = load_problems("generated:lists.pipeline?level=1&seed=9&n=150")
    assert len(problems) == len({problem.statement for problem in problems}) == 150
    assert len({tuple(map(question, problem.tests)) for problem in problems}) == 150


def test_more_problems_begin_with_the_same_ones() -> None:
    few, many = (list(generate_many("graphs", levels=(1, 4), seed=8, n=n)) for n in (4, 10))
    assert many[:4] == few


# --- sources ----------------------------------------------------------------------------------------------------------


def test_a_source_names_families_topics_levels_a_seed_and_a_number() -> None:
    problems = load_problems("generated:trees.paths, gadts?level=2-3&seed=7&n=5")
    assert [problem.id for problem in problems] == [
        "generated/2/gadts.evaluator/3/7/0",
        "generated/2/gadts.evaluator/3/7/1",
        "generated/2/trees.paths/2/7/0",
        "generated/2/trees.paths/2/7/1",
        "generated/2/trees.paths/3/7/0",
    ]
    assert problems.name == "generated:trees.paths, gadts?level=2-3&seed=7&n=5"
    assert {problem.level for problem in problems} == {2, 3}
    assert problems.get("generated/2/trees.paths/3/7/0") == generate("trees.paths", level=3, seed=7)


@pytest.mark.parametrize(("source", "least"), [("all?level=1-5&n=40", 6), ("lists?level=1-5&n=20", 3)])
def test_any_number_of_problems_covers_all_levels_of_a_range(source: str, least: int) -> None:
    levels = Counter(problem.id.split("/")[3] for problem in load_problems(f"generated:{source}"))
    assert set(levels) == set("12345")
    assert min(levels.values()) >= least


def test_parameters_have_defaults() -> None:
    problems = load_problems("generated:arithmetic.choices")
    assert len(problems) == 100
    assert {problem.id.split("/")[3:5] == ["1", "0"] for problem in problems} == {True}
    assert {problem.level for problem in load_problems("generated:gadts?n=1")} == {3}  # the easiest level of gadts


def test_a_source_can_be_filtered_and_all_means_every_family() -> None:
    problems = load_problems(f"generated:all?level=1&n={len(FAMILIES)}")
    assert len({problem.id.split("/")[2] for problem in problems}) == sum(1 in family.levels for family in FAMILIES)
    assert {problem.kind for problem in problems} == {"function", "program"}
    assert set(load_problems("generated:all?n=90", topics="graphs").topics) >= {"graphs"}


def test_the_splits_have_different_families() -> None:
    train, held_out = (load_problems(f"generated:all?split={split}&level=1&n=60") for split in ("train", "eval"))
    names = [{problem.id.split("/")[2] for problem in problems} for problems in (train, held_out)]
    assert names[0].isdisjoint(names[1])
    assert {problem.split for problem in held_out} == {"eval"}


def test_cached_problems_are_not_drawn_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    request = parse_source("generated:lists.numbers?n=6")
    first = DrawnBefore(tmp_path)
    problems = list(generate_all(request, draw=first.draw))
    first.save()
    with (tmp_path / "lists.numbers-1-0.jsonl").open("a") as file:
        file.write('{"index": 6, "ess')  # as if a process was killed here
    monkeypatch.setattr(drawn, "draw", None)
    assert list(generate_all(request, draw=DrawnBefore(tmp_path).draw)) == problems


def test_several_processes_draw_the_same_problems(monkeypatch: pytest.MonkeyPatch) -> None:
    source = "generated:lists.ends,strings.letters?level=1-2&seed=77&n=16"
    alone = sorted(generate_all(parse_source(source)), key=lambda problem: problem.id)
    monkeypatch.setattr(drawn, "_ALONE", 4)
    assert list(load_problems(source)) == alone


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("generated:lits", r"no family or topic 'lits' .* did you mean 'lists'\?"),
        ("generated:list.pipeline", r"did you mean 'lists.pipeline'\?"),
        ("generated:", "no family or topic '' of generated problems; topics are arithmetic, "),
        ("generated:lists,,trees", "no family or topic ''"),
        ("generated:lists?split=test", "split of generated problems must be train or eval, not 'test'"),
        ("generated:lists?lvel=2", r"no parameter 'lvel'; did you mean 'level'\?"),
        ("generated:lists?level=6", "level of generated problems must be from 1 to 5, or a range such as 1-3, not '6'"),
        ("generated:lists?level=3-1", "not '3-1'"),
        ("generated:lists?level=", "not ''"),
        ("generated:lists?seed=-1", "seed of generated problems must be a whole number, not '-1'"),
        ("generated:lists?n=0", "n, the number of generated problems, must be a whole number from 1, not 0"),
        ("generated:lists?n=1e3", "n of generated problems must be a whole number, not '1e3'"),
        ("generated:lists?n=2&n=3", "give n once"),
        ("generated:lists?n", "give n once, and as n=..."),
    ],
)
def test_a_bad_source_is_an_error_with_the_reason(source: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        load_problems(source)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"level": 0}, "level of generated problems must be from 1 to 5, not 0"),
        ({"level": True}, "not True"),
        ({"seed": -1}, "seed of generated problems must be a whole number from 0, not -1"),
        ({"seed": "1"}, "not '1'"),
        ({"index": -1}, "index of a generated problem must be a whole number from 0, not -1"),
    ],
)
def test_a_bad_argument_is_an_error_with_the_reason(arguments: dict[str, int], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        generate("lists.pipeline", **arguments)


def test_an_unknown_family_or_id_is_an_error_with_the_reason() -> None:
    with pytest.raises(ConfigError, match=r"no family 'lists.pipelin' .* did you mean 'lists.pipeline'\?"):
        generate("lists.pipelin")
    with pytest.raises(ConfigError, match="it is generated/EDITION/FAMILY/LEVEL/SEED/INDEX"):
        problem_of_id("generated/lists.pipeline/1/0/0")
    with pytest.raises(ConfigError, match=f"of edition 1 of the generators, and this is edition {EDITION}"):
        problem_of_id("generated/1/lists.pipeline/1/0/0")
    with pytest.raises(ConfigError, match=r"no family that is named has level 1: gadts.evaluator has 3, 4 and 5"):
        generate("gadts.evaluator", level=1)
    with pytest.raises(ConfigError, match="at least one family and one level"):
        list(generate_many("lists", levels=()))


def test_loading_other_problems_does_not_load_the_generators() -> None:
    code = (
        "import sys; from ocaml_env.problems import load_problems; load_problems('bundled'); "
        "import ocaml_env.commands.cli; print(any('generators' in name for name in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=Path(__file__).parents[2], timeout=60
    )
    assert (done.stdout, done.stderr) == ("False\n", "")


# --- the command ------------------------------------------------------------------------------------------------------


def test_the_command_lists_families_problems_and_one_problem(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["problems", "generated", "--topic", "gadts"]) == ExitCode.PASSED
    assert capsys.readouterr().out.splitlines()[1].split()[0] == "gadts.evaluator"
    assert main(["problems", "generated:gadts?n=2", "--json"]) == ExitCode.PASSED
    listed = json.loads(capsys.readouterr().out)
    assert [problem["id"] for problem in listed] == [
        "generated/2/gadts.evaluator/3/0/0",
        "generated/2/gadts.evaluator/3/0/1",
    ]
    assert main(["problems", listed[1]["id"]]) == ExitCode.PASSED
    assert generate("gadts.evaluator", index=1).statement in capsys.readouterr().out
    assert main(["problems", "generated", "--kind", "program"]) == ExitCode.USAGE
    assert "`generated` lists families" in capsys.readouterr().err
    assert main(["problems", "generated/nothing"]) == ExitCode.USAGE


if __name__ == "__main__":  # arguments: the families to record; without any, all
    named = sys.argv[1:]
    golden = {family.name: digest(family) for family in FAMILIES if not named or family.name in named}
    golden = dict(sorted(((GOLDEN if named else {}) | golden).items()))
    (Path(__file__).parent / "generated.json").write_text(json.dumps(golden, indent=2) + "\n", encoding="utf-8")
