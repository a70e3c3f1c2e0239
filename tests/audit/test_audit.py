"""The audit finds each planted defect and reports nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from ocaml_env import load_problems
from ocaml_env.audit.audit import Audit, audit
from ocaml_env.audit.finding import CHECKS
from ocaml_env.audit.page import page
from ocaml_env.audit.rows import Row, read_rows
from ocaml_env.audit.rules import LARGE, Rules
from ocaml_env.commands.cli import main
from ocaml_env.errors import EngineError, WorkerCrashed
from ocaml_env.problem import Limits, Problem, Test
from ocaml_env.problems import format_problem, to_jsonl
from ocaml_env.problems.similar import similar_pairs
from ocaml_env.verifiers.local import Verifier
from tests.browser import Browser
from tests.pages import HOSTILE, assert_fits

CLAMP = Problem(
    id="clamp",
    statement="`clamp low high n` is the number nearest to `n` that is at least `low` and at most `high`. If `low` is "
    "above `high`, it is `low`.",
    level=1,
    topics=("arithmetic",),
    signature="val clamp : int -> int -> int -> int",
    tests=(
        Test("clamp 0 9 4 = 4", public=True),
        Test("clamp 0 9 12 = 9", public=True),
        "List.map (clamp 0 9) [-3; 0; 9; 4] = [0; 0; 9; 4]",
        "List.map (clamp (-5) (-2)) [7; -9; -3] = [-2; -5; -3]",
        "(List.map (clamp 7 3) [5; 9; 1; 7], clamp 0 1 5) = ([7; 7; 7; 7], 1)",
        "List.map (clamp 2 4) [1; 2; 3; 4; 5] = [2; 2; 3; 4; 4]",
        "(clamp 1 8 3, clamp 1 8 20) = (3, 8)",
        "[clamp 10 20 15; clamp 10 20 9; clamp 10 20 21] = [15; 10; 20]",
        "(clamp 3 3 1, clamp (-1) 1 0) = (3, 0)",
        "List.init 4 (clamp 1 2) = [1; 1; 2; 2]",
    ),
    reference="let clamp low high n = max low (min high n)",
    source="original",
    split="train",
)


def with_tests(*more: str, tests: tuple[Test, ...] = CLAMP.tests, reference: str = CLAMP.reference) -> Problem:
    """Returns ``CLAMP`` with other tests, or with more of them."""
    return replace(CLAMP, reference=reference, tests=(*tests, *map(Test, more)))


def audited(
    problems: Iterable[Problem],
    verifier: Verifier,
    *,
    mutants: bool = False,
    rules: Rules | None = None,
    against: Iterable[Problem] = (),
) -> Audit:
    rows = [Row(name=problem.id, problem=problem) for problem in problems]
    others = [("others", problem) for problem in against]
    return audit("test", rows, verifier=verifier, mutants=mutants, rules=rules, against=others)


def checks(found: Audit) -> set[str]:
    return {finding.check for finding in found.findings}


def test_a_good_problem_is_clean(verifier: Verifier) -> None:
    found = audited([CLAMP], verifier, mutants=True)
    assert found.findings == ()
    assert found.clean
    assert found.mutation_score == 1.0


DEFECTS = {
    "does-not-compile": with_tests('clamp 1 2 "3" = 2'),
    "cut-off": replace(CLAMP, statement=CLAMP.statement[:105]),
    "reference-fails": replace(CLAMP, reference="let clamp low high n = min high (max low n)"),
    "reference-slow": replace(
        CLAMP,
        reference=f"{CLAMP.reference}\nlet () = for i = 1 to 3_000_000 do ignore (Sys.opaque_identity i) done",
        limits=Limits(test_cpu_seconds=0.3, total_cpu_seconds=3.0),
        tests=(*CLAMP.tests, Test("(for i = 1 to 2_000_000 do ignore (clamp i i i) done; clamp 1 2 3) = 2")),
    ),
    "short-statement": replace(CLAMP, statement="Write `clamp`."),
    "no-reference": replace(CLAMP, reference=""),
    "contradiction": with_tests("clamp 0 9  4 = 5 + 0", reference=""),
    "repeated-test": with_tests("List.init 4  (clamp 1 2) = [1; 1; 2; 2]"),
    "stub-passes": with_tests("1 + 1 = 2"),
    "stub-answers": with_tests("(match clamp 0 9 12 with n -> n | exception _ -> 0) = 9"),
    "vacuous-test": with_tests("clamp 1 2 3 = clamp 1 2 3"),
    "guessable": with_tests(*(f"clamp 0 9 ({-n}) = 0" for n in range(1, 9)), tests=CLAMP.tests[:2]),
    "lopsided": Problem(
        id="is_even",
        statement="`is_even n` says if `n` is a multiple of two. Negative numbers count, and so does zero.",
        signature="val is_even : int -> bool",
        reference="let is_even n = n mod 2 = 0",
        tests=(*(f"is_even {2 * n}" for n in range(9)), "not (is_even 3)"),
    ),
    "not-complete": replace(CLAMP, complete_examples=True),
    "order": replace(
        with_tests("count 10 = (9, 1)", "count 20 = (9, 2)"),
        prelude="let calls = ref 0\nlet count n = incr calls; (clamp 0 9 n, !calls)",
    ),
    "weak-tests": with_tests(
        *(f"List.map (clamp 0 9) [{n + 9}; {n}; 10] = [9; {n}; 9]" for n in range(2, 9)),
        reference="let clamp low high n =\n  if n < low || high < low then low else if n > high then high else n",
        tests=CLAMP.tests[:2],
    ),
}


@pytest.mark.parametrize("check", DEFECTS)
def test_each_defect_is_found(verifier: Verifier, check: str) -> None:
    found = audited([DEFECTS[check]], verifier, mutants=check == "weak-tests")
    assert check in checks(found)
    # A defect may show in several ways, but no unrelated check may report it.
    related = {
        "contradiction": {"no-reference"},
        "stub-passes": {"vacuous-test"},
        "order": set(),
        "weak-tests": {"guessable"},
    }
    assert checks(found) <= {check} | related.get(check, set()) | ({"reference-fails"} if check == "order" else set())
    notes = ("short-statement", "no-reference", "repeated-test", "stub-answers", "guessable", "lopsided", "weak-tests")
    assert found.clean == (check in notes)


def test_a_failing_reference_is_found_although_baselines_are_stored(verifier: Verifier) -> None:
    wrong = DEFECTS["reference-fails"]
    assert checks(audited([replace(wrong, baseline=(0,) * len(wrong.groups))], verifier)) == {"reference-fails"}


def test_tests_that_differ_in_spaces_within_a_string_are_two(verifier: Verifier) -> None:
    tests = (Test('String.length "a b" = clamp 0 9 3'), Test('String.length "a  b" = clamp 0 9 4'))
    alike = (Test("clamp 0 9 3  = 3"), Test("clamp 0 9\n3 = 3"))
    assert checks(audited([replace(CLAMP, tests=(*CLAMP.tests, *tests))], verifier)) == set()
    assert checks(audited([replace(CLAMP, tests=(*CLAMP.tests, *alike))], verifier)) == {"repeated-test"}


def test_every_check_has_a_meaning_and_every_finding_a_check(verifier: Verifier) -> None:
    found = audited([replace(problem, id=f"p{number}") for number, problem in enumerate(DEFECTS.values())], verifier)
    assert checks(found) <= CHECKS.keys()


def test_all_tests_that_do_not_compile_are_named(verifier: Verifier) -> None:
    bad = replace(CLAMP, tests=(*CLAMP.tests, Test("clamp = 3", name="one"), Test("unknown 4", name="two")))
    found = audited([bad], verifier)
    assert [finding.test for finding in found.findings] == ["one", "two"]


def test_equal_values_written_differently_do_not_contradict(verifier: Verifier) -> None:
    same = with_tests("clamp 0 9 4 = 2 + 2", reference="")
    assert "contradiction" not in checks(audited([same], verifier))


def test_programs_are_audited_too(verifier: Verifier) -> None:
    pairs = [("1 2\n", "3\n"), ("5 5\n", "10\n"), ("0 7\n", "7\n"), ("-1 1\n", "0\n"), ("-4 -5\n", "-9\n")]
    sums = Problem(
        id="sums",
        kind="program",
        statement="Read two integers from one line and print their sum.",
        tests=tuple(Test(stdin=given, stdout=wanted) for given, wanted in pairs),
        reference='let () = Scanf.scanf " %d %d" (fun a b -> Printf.printf "%d\\n" (a + b))',
    )
    assert audited([sums], verifier, mutants=True).findings == ()
    silent = replace(sums, tests=tuple(Test(stdin=given, stdout="") for given, _ in pairs), reference="let () = ()")
    assert checks(audited([silent], verifier)) == {"guessable"}


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("clamp 0 9 4 = 4", "clamp 0 (9)  4 = 5"),
        ("clamp 0 9 4 = 4", "5 = clamp 0 9 4"),
        ("is_low 0 9", "not (is_low 0 (9))"),
        ("is_low 0 9 = true", "is_low 0 9 = false"),
        ("try_it 0 9 4 = 4", "clamp 0 9 4 = 5"),
    ],
)
def test_tests_that_disagree_are_found_in_any_form(verifier: Verifier, earlier: str, later: str) -> None:
    problem = replace(
        CLAMP,
        tests=(Test(earlier), Test(later)),
        signature=f"{CLAMP.signature}\nval is_low : int -> int -> bool",
        prelude="let try_it = clamp",
        reference="",
    )
    assert [finding.test for finding in audited([problem], verifier).findings if finding.check == "contradiction"] == [
        "test 2"
    ]


def test_answers_that_change_from_call_to_call_do_not_contradict(verifier: Verifier) -> None:
    problem = replace(
        CLAMP,
        signature="val next : unit -> int",
        tests=tuple(map(Test, ("next () = 1", "next () = 2", "next () = 3"))),
        reference="let last = ref 0\nlet next () = incr last; !last",
    )
    assert "order" in checks(audited([problem], verifier))
    assert "contradiction" not in checks(audited([problem], verifier))
    assert "contradiction" in checks(audited([replace(problem, reference="let next () = 1")], verifier))


def test_labels_tell_calls_apart(verifier: Verifier) -> None:
    tests = (Test("f ~by:1 ~of_:2 = 3"), Test("f ~of_:1 ~by:2 = 4"))
    problem = replace(CLAMP, signature="val f : by:int -> of_:int -> int", tests=tests, reference="")
    assert checks(audited([problem], verifier)) == {"no-reference"}


def test_a_program_that_must_answer_one_input_in_two_ways_contradicts_itself(verifier: Verifier) -> None:
    tests = (Test(stdin="1", stdout="2"), Test(stdin="1", stdout="3"), Test(stdin="4", stdout="5"))
    problem = Problem(id="next", kind="program", statement="Print the number after the one given.", tests=tests)
    assert "contradiction" in checks(audited([problem], verifier))


def test_a_constant_is_named_by_its_value(verifier: Verifier) -> None:
    [finding] = audited([DEFECTS["guessable"]], verifier).findings
    assert finding.message == "always 0 passes 8 of 8 hidden tests; up to 3 are usual"
    [finding] = audited([DEFECTS["lopsided"]], verifier).findings
    assert finding.message == "always true passes 9 of 10 hidden tests; up to 6 are usual"


def test_three_assertions_are_enough_for_a_row(verifier: Verifier) -> None:
    few = replace(CLAMP, tests=tuple(map(Test, ("clamp 0 9 4 = 4", "clamp 0 9 12 = 9", "clamp 2 9 (-1) = 2"))))
    found = audited([few], verifier, mutants=True)
    assert found.clean
    assert found.rows[0].usable is not None


def test_a_domain_that_the_examples_cover_is_declared(verifier: Verifier) -> None:
    tests = [Test(f"flip {a} = {b}", public=True) for a, b in (("true", "false"), ("false", "true"))]
    flip = replace(
        CLAMP,
        statement="`flip b` is the other boolean than `b`, of the two that there are.",
        signature="val flip : bool -> bool",
        reference="let flip b = not b",
        tests=(
            *tests,
            *(Test(f"List.map flip {a} = {b}") for a, b in (("[true]", "[false]"), ("[false; true]", "[true; false]"))),
        ),
    )
    given = audited([flip], verifier)
    [finding] = given.findings
    assert "a table of the examples passes 2 of 2" in finding.message
    assert "declare complete_examples" in finding.message
    declared = audited([replace(flip, complete_examples=True)], verifier)
    assert declared.findings == ()
    assert (given.groups["baseline"], declared.groups["baseline"]) == (2, 1)  # the table, and always false


def test_groups_baselines_and_tests_inside_are_counted(verifier: Verifier) -> None:
    found = audited(
        [CLAMP, replace(with_tests("List.map (clamp 0) [1] == []"), id="other", statement="Another text.")], verifier
    )
    assert found.groups["groups"] == 1
    assert found.groups["tests"] == 8
    assert sum(found.inside.values()) == 1
    assert found.as_json()["groups"] == found.groups


# --- rules ------------------------------------------------------------------------------------------------------------


def test_the_size_of_a_set_sets_the_defaults() -> None:
    small, large = (Rules().for_rows(count) for count in (LARGE - 1, LARGE))
    assert [rules.severity("weak-tests") for rules in (small, large)] == ["note", "error"]
    assert [rules.threshold("set-killed") for rules in (small, large)] == [0, 0.95]
    assert Rules(size="large").for_rows(1).severity("weak-tests") == "error"


def test_severities_and_thresholds_can_be_chosen(verifier: Verifier) -> None:
    guessable = DEFECTS["guessable"]
    strict = audited([guessable], verifier, rules=Rules(severities={"guessable": "error"}))
    assert not strict.clean
    assert strict.rows[0].usable is None
    assert audited([guessable], verifier, rules=Rules(severities={"guessable": "off"})).findings == ()
    assert audited([guessable], verifier, rules=Rules(thresholds={"guessed": 1})).findings == ()


@pytest.mark.parametrize(
    "arguments",
    [
        ["--severity", "guesable=note"],
        ["--severity", "guessable=warning"],
        ["--severity", "guessable"],
        ["--threshold", "kiled=1"],
        ["--threshold", "killed=much"],
        ["--threshold", "killed=-1"],
        ["--against", "nowhere.jsonl"],
    ],
)
def test_wrong_rules_exit_with_2(arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "clamp.md").write_text(format_problem(CLAMP))
    assert main(["audit", str(tmp_path), "--no-mutation", *arguments]) == 2
    assert capsys.readouterr().err.startswith("ocaml-env: ")


# --- likeness ---------------------------------------------------------------------------------------------------------


def test_copies_and_near_copies_are_found_also_across_splits(verifier: Verifier) -> None:
    copy = replace(CLAMP, id="copy")
    near = replace(
        CLAMP, id="near", split="eval", statement=CLAMP.statement.replace("nearest", "closest"), tests=CLAMP.tests[:-2]
    )
    other = replace(load_problems("bundled").get("settle"), id="other", split="eval")
    found = audited([CLAMP, copy, near, other], verifier)
    by_problem = {(finding.problem_id, finding.check) for finding in found.findings}
    assert {("copy", "duplicate"), ("near", "near-duplicate"), ("near", "across-splits")} <= by_problem
    assert not any(name in ("clamp", "other") for name, _ in by_problem)


def test_a_few_equal_tests_do_not_make_problems_alike(verifier: Verifier) -> None:
    tests = ("{} 0 = 0", "{} 1 = 1", "{} 2 = 4")
    square, power = (
        replace(
            CLAMP,
            id=name,
            statement=statement,
            signature=f"val {name} : int -> int",
            tests=tuple(Test(test.format(name)) for test in tests),
            reference=f"let {name} n = n * n",
        )
        for name, statement in (("square", "The square of a number."), ("moves", "How many moves a queen has there."))
    )
    assert checks(audited([square, power], verifier)) == {"guessable"}


OTHER = replace(
    CLAMP,
    id="bounded",
    statement="Keep a value between two bounds.",
    signature="val bounded : int -> int -> int -> int",
    tests=(Test("bounded 1 2 3 = 2"),),
    reference="let bounded lowest highest value =\n  if lowest > highest then lowest\n  else if value < lowest\n"
    "  then lowest\n  else if value > highest then highest\n  else value",
)


@pytest.mark.parametrize(
    ("other", "what"),
    [
        (
            replace(OTHER, statement=f"Write this function. {CLAMP.statement}".replace("clamp", "bounded")),
            "100% of the st",
        ),
        (
            replace(OTHER, tests=tuple(Test(test.code.replace("clamp", "bounded")) for test in CLAMP.tests[2:])),
            "100% of the tests",
        ),
        (
            replace(
                OTHER,
                reference=OTHER.reference.replace("  ", " ").replace("value", "(x : int)", 1).replace("value", "x"),
            ),
            "the reference",
        ),
    ],
)
def test_a_problem_of_another_set_is_found(verifier: Verifier, other: Problem, what: str) -> None:
    mine = replace(CLAMP, reference=OTHER.reference.replace("bounded", "clamp").replace("lowest", "low"))
    [finding] = audited([mine], verifier, against=[other, load_problems("bundled").get("settle")]).findings
    assert finding.check == "contaminated"
    assert finding.message.startswith(what)
    assert finding.message.endswith("as in 'bounded' of others")


def test_the_bundled_problems_are_unlike_each_other() -> None:
    assert similar_pairs(load_problems("bundled")) == []


def test_rows_that_share_an_id_are_reported(verifier: Verifier) -> None:
    other = replace(load_problems("bundled").get("settle"), id="clamp")
    assert "duplicate" in checks(audited([CLAMP, other], verifier))


def test_an_endless_reference_is_told_without_a_second_run(verifier: Verifier) -> None:
    endless = replace(CLAMP, reference="let clamp low high n = while true do () done; low + high + n")
    [finding] = [finding for finding in audited([endless], verifier).findings if finding.check == "reference-fails"]
    assert finding.message == "TIMEOUT: a test takes over 2 s, or all of them over 8 s of CPU time"
    assert finding.test


# --- reading, writing, the command ------------------------------------------------------------------------------------


def test_a_bad_file_leaves_the_others_readable(tmp_path: Path, verifier: Verifier) -> None:
    (tmp_path / "clamp.md").write_text(format_problem(CLAMP))
    (tmp_path / "bad.md").write_text("no problem at all")
    (tmp_path / "latin.md").write_bytes(b'+++\nid = "\xff"\n+++\n')
    rows = list(read_rows(str(tmp_path), verifier=verifier))
    assert [row.problem is not None for row in rows] == [False, True, False]
    found = audit("folder", rows, verifier=verifier, mutants=False)
    assert [finding.check for finding in found.findings] == ["unusable", "unusable"]
    assert [finding.problem_id for finding in found.findings] == ["bad.md", "latin.md"]


def test_the_command_writes_the_requested_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "set.jsonl"
    to_jsonl([CLAMP, replace(DEFECTS["stub-passes"], id="bad", statement=f"{CLAMP.statement} <b>&amp;</b>")], source)
    clean, report, html = tmp_path / "clean.jsonl", tmp_path / "report.json", tmp_path / "report.html"
    command = ["audit", str(source), "--no-mutation", "--write", str(clean), "--json", str(report), "--html", str(html)]
    assert main(command) == 1
    out = capsys.readouterr().out
    assert "stub-passes" in out
    assert "is not clean" in out
    assert [problem.id for problem in load_problems(clean)] == ["clamp"]
    rejected = [json.loads(line) for line in (tmp_path / "clean.rejected.jsonl").read_text().splitlines()]
    assert [record["problem_id"] for record in rejected] == ["bad"]
    assert f"{clean}: 1 of 2 rows, 0 with greater limits\n  1 not: stub-passes, such as bad: code that raises" in out
    data = json.loads(report.read_text())
    assert (data["rows"], data["clean_rows"], data["clean"]) == (2, 1, False)
    assert "&lt;b&gt;&amp;amp;&lt;/b&gt;" in html.read_text()


def test_the_page_fits_a_phone_despite_hostile_statements(tmp_path: Path, browser: Browser) -> None:
    source, html = tmp_path / "set.jsonl", tmp_path / "report.html"
    to_jsonl([replace(DEFECTS["stub-passes"], statement=f"{CLAMP.statement} {HOSTILE} {'wide' * 200}")], source)
    assert main(["audit", str(source), "--no-mutation", "--html", str(html)]) == 1
    assert "default-src 'none'" in html.read_text()
    assert_fits(browser, html)
    assert browser.run("document.getElementById('count').textContent") == "1 of 1 problems"


def test_a_clean_set_exits_with_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "clamp.md").write_text(format_problem(CLAMP))
    assert main(["audit", str(tmp_path)]) == 0
    assert "is clean" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        ["nowhere.jsonl"],
        ["bundled:nothing"],
        ["bundled", "--limit", "0"],
        ["bundled", "--html", "/no/such/folder/x.html"],
    ],
)
def test_wrong_usage_exits_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", *arguments, "--no-mutation"]) == 2
    assert capsys.readouterr().err.startswith("ocaml-env: ")


def test_an_empty_audit_has_a_page() -> None:
    assert page(Audit(source="none", rows=(), ocaml_version="4.13.1", seconds=0.0)).endswith("</html>\n")


# --- infrastructure errors --------------------------------------------------------------------------------------------


class Failing(Verifier):
    """Fails on problems whose id starts with "bad"."""

    def check(self, problem: Problem) -> None:
        if problem.id.startswith("bad"):
            raise WorkerCrashed("killed")
        super().check(problem)


def test_an_engine_error_is_reported_and_the_other_problems_are_audited() -> None:
    problems = [replace(CLAMP, id=name) for name in ("a", "bad", "b")]
    with Failing(workers=1, sandbox="best-effort") as failing:
        found = audited(problems, failing)
    assert [(row.row.name, row.failed) for row in found.rows] == [("a", False), ("bad", True), ("b", False)]
    assert "killed" in next(finding.message for finding in found.findings if finding.check == "not-audited")


def test_an_audit_ends_after_five_failures_in_a_row() -> None:
    problems = [replace(CLAMP, id=f"bad-{n}") for n in range(9)]
    with Failing(workers=1, sandbox="best-effort") as failing, pytest.raises(EngineError, match="5 problems in a row"):
        audited(problems, failing)
