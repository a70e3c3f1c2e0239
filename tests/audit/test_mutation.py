"""The mutation score of a problem's tests, its list of equivalent mutants, and the program that prints it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ocaml_env import load_problems
from ocaml_env.audit.mutation import equivalents_path, main, read_equivalents
from ocaml_env.errors import ConfigError, ProblemError
from ocaml_env.kills.mutants import MutationScore, measure, measure_many
from ocaml_env.problem import Problem, Test
from ocaml_env.problems import format_problem
from ocaml_env.verifiers.local import Verifier

BOUNDED = Problem(
    id="bounded",
    statement="`bounded n` is n, but at least 0 and at most 9.",
    signature="val bounded : int -> int",
    tests=(Test("bounded 4 = 4", public=True), "bounded 12 = 9", "bounded (-3) = 0"),
    reference="let bounded n =\n  if n < 0 then 0 else if n > 9 then 9 else n",
)
# At the bound, both versions give the same result.
AT_ZERO = "2:5 comparison: n < 0 -> n <= 0"
AT_NINE = "2:26 comparison: n > 9 -> n >= 9"
SHIFTED = ["2:9 constant: 0 -> 1", "2:9 constant: 0 -> -1", "2:30 constant: 9 -> 10", "2:30 constant: 9 -> 8"]


def keys(score: MutationScore) -> set[str]:
    return {mutant.key for mutant in score.survivors}


def with_tests(*tests: str) -> Problem:
    return Problem(
        id="bounded",
        statement=BOUNDED.statement,
        signature=BOUNDED.signature,
        tests=(*BOUNDED.tests, *tests),
        reference=BOUNDED.reference,
    )


def test_tests_that_miss_the_bounds_leave_survivors(verifier: Verifier) -> None:
    score = measure(BOUNDED, verifier=verifier)
    assert {AT_ZERO, AT_NINE} < keys(score) <= {AT_ZERO, AT_NINE, *SHIFTED}
    assert score.total == score.killed + len(score.survivors)
    assert score.found == score.total + score.stillborn + score.proven
    assert score.score == score.killed / score.total < 1


def test_more_tests_kill_more(verifier: Verifier) -> None:
    better = measure(
        with_tests("bounded 10 = 9", "bounded 9 = 9", "bounded 8 = 8", "bounded (-1) = 0"), verifier=verifier
    )
    assert keys(better) == {AT_ZERO, AT_NINE, "2:9 constant: 0 -> 1", "2:30 constant: 9 -> 8"}
    # A bound moved inwards by one still maps 0 to 0 and 9 to 9.
    assert better.score > measure(BOUNDED, verifier=verifier).score


def test_mutants_listed_as_equivalent_do_not_count(verifier: Verifier) -> None:
    plain = measure(BOUNDED, verifier=verifier)
    score = measure(BOUNDED, verifier=verifier, equivalent={AT_ZERO: "n is 0 then, and so is the answer"})
    assert keys(score) == keys(plain) - {AT_ZERO}
    assert score.total == plain.total - 1
    [entry] = score.equivalent
    assert (entry.mutant.key, entry.reason) == (AT_ZERO, "n is 0 then, and so is the answer")
    assert score.stale == score.refuted == ()


def test_a_listed_mutant_that_a_test_kills_is_refuted_and_counts(verifier: Verifier) -> None:
    killed = "2:5 comparison: n < 0 -> n >= 0"
    score = measure(BOUNDED, verifier=verifier, equivalent={killed: "no reason"})
    assert score.refuted == (killed,)
    assert score.total == measure(BOUNDED, verifier=verifier).total


def test_a_key_that_no_mutant_has_is_stale(verifier: Verifier) -> None:
    score = measure(BOUNDED, verifier=verifier, equivalent={"9:5 comparison: n < 0 -> n <= 0": "of an older text"})
    assert score.stale == ("9:5 comparison: n < 0 -> n <= 0",)


def test_mutants_that_do_not_compile_do_not_count(verifier: Verifier) -> None:
    problem = Problem(
        id="pairs",
        statement="`f a b` is the pair of them.",
        signature="val f : int -> string -> int * string",
        tests=('f 1 "a" = (1, "a")',),
        reference='let pair a b = (a + 0, b ^ String.concat "" [])\nlet f a b = pair a b',
    )
    score = measure(problem, verifier=verifier)
    assert score.stillborn > 0
    assert score.found == score.total + score.stillborn + score.proven


def test_mutants_with_the_bytecode_of_the_reference_do_not_count(verifier: Verifier) -> None:
    problem = Problem(
        id="sign",
        statement="`f b` is 1 for true and 2 for false.",
        signature="val f : bool -> int",
        tests=("f true = 1", "f false = 2"),
        reference="let f = function true -> 1 | false -> 2 | _ -> 2",
    )
    score = measure(problem, verifier=verifier)
    assert score.proven >= 1
    assert all("case: _" not in mutant.key for mutant in score.survivors)


def test_a_mutant_that_never_ends_is_killed(verifier: Verifier) -> None:
    problem = Problem(
        id="down",
        statement="`f n` counts down from n to 0, and gives 0.",
        signature="val f : int -> int",
        tests=("f 3 = 0", "f 0 = 0"),
        reference="let rec f n = if n = 0 then 0 else f (n - 1)",
    )
    score = measure(problem, verifier=verifier)
    assert not any(" arithmetic: n - 1" in mutant.key for mutant in score.survivors)


def test_no_more_than_the_cap_is_run_and_always_the_same(verifier: Verifier) -> None:
    problem = load_problems("bundled").get("first_true")
    whole = measure(problem, verifier=verifier, cap=1000)
    some = measure(problem, verifier=verifier, cap=20)
    assert some.total + some.proven == 20 < whole.total
    assert keys(some) <= keys(whole)
    assert measure(problem, verifier=verifier, cap=20) == some
    assert some.found == whole.found


def test_equivalents_do_not_change_which_mutants_are_run(verifier: Verifier) -> None:
    plain = measure(BOUNDED, verifier=verifier, cap=12)
    listed = measure(BOUNDED, verifier=verifier, cap=12, equivalent=dict.fromkeys(keys(plain), "said to be"))
    assert listed.total == plain.total - len(plain.survivors) == listed.killed


def test_a_cap_that_runs_nothing_is_refused(verifier: Verifier) -> None:
    with pytest.raises(ConfigError, match="at least 1"):
        measure(BOUNDED, verifier=verifier, cap=0)


def test_a_program_is_measured_too(verifier: Verifier, total: Problem) -> None:
    score = measure(total, verifier=verifier)
    assert score.total >= 4
    assert score.score == 1


def test_a_problem_without_mutants_has_nothing_to_kill(verifier: Verifier) -> None:
    problem = Problem(id="x", statement="x", signature="val x : unit", tests=["x = ()"], reference="let x = ()")
    assert measure(problem, verifier=verifier) == MutationScore(problem_id="x", found=0, killed=0)
    assert measure(problem, verifier=verifier).score == 1


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("", "has no reference"),
        ("let bounded n = n", r"its reference does not pass: TEST_FAILURE \(test 'test 2'\)"),
        ("let bounded n = ", "its reference does not pass: SYNTAX_ERROR"),
    ],
)
def test_a_reference_that_cannot_be_used_is_an_error(verifier: Verifier, reference: str, message: str) -> None:
    problem = Problem(
        id="bounded",
        statement="x",
        signature=BOUNDED.signature,
        tests=BOUNDED.tests,
        reference=reference,
    )
    with pytest.raises(ProblemError, match=message) as raised:
        measure(problem, verifier=verifier)
    assert raised.value.problem_id == "bounded"


def test_one_bad_problem_leaves_the_others_alone(add: Problem, last: Problem) -> None:
    bad = Problem(id="bad", statement="x", signature="val x : int", tests=["x = 1"], reference="let x = 2")
    with Verifier(workers=2) as verifier:
        first, second, third = measure_many([(add, {}), (bad, {}), (last, {})], verifier=verifier)
    assert isinstance(first, MutationScore)
    assert first.problem_id == "add"
    assert isinstance(second, ProblemError)
    assert isinstance(third, MutationScore)
    assert third.problem_id == "last"


def test_several_workers_find_what_one_finds(verifier: Verifier) -> None:
    problems: list[tuple[Problem, dict[str, str]]] = [(problem, {}) for problem in load_problems("bundled")[::60]]
    with Verifier(workers=2) as two:
        assert measure_many(problems, verifier=two, cap=10) == measure_many(problems, verifier=verifier, cap=10)


# --- the list of equivalents ------------------------------------------------------------------------------------------


def listing(folder: Path, text: str) -> Path:
    problem = folder / "bounded.md"
    equivalents_path(problem).write_text(text, encoding="utf-8")
    return problem


def test_equivalents_stand_beside_the_problem(tmp_path: Path) -> None:
    problem = listing(tmp_path, f'[equivalent]\n"{AT_ZERO}" = "n is 0 then"\n')
    assert equivalents_path(problem) == tmp_path / "bounded.mutants.toml"
    assert read_equivalents(problem) == {AT_ZERO: "n is 0 then"}


def test_no_list_is_an_empty_one(tmp_path: Path) -> None:
    assert read_equivalents(tmp_path / "bounded.md") == {}
    assert read_equivalents(listing(tmp_path, "")) == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[equivalent]\n'a' = ''", "'a' needs its reason"),
        ("[equivalent]\n'a' = 3", "'a' needs its reason"),
        ("[equivalents]\n'a' = 'b'", r"the table \[equivalent\] and nothing else"),
        ("equivalent = 3", r"the table \[equivalent\] and nothing else"),
        ("[equivalent", "not TOML"),
    ],
)
def test_a_bad_list_is_an_error_that_names_the_file(tmp_path: Path, text: str, message: str) -> None:
    problem = listing(tmp_path, text)
    with pytest.raises(ProblemError, match=message) as raised:
        read_equivalents(problem)
    assert "bounded.mutants.toml" in str(raised.value)


def test_a_list_that_is_not_utf8_is_an_error(tmp_path: Path) -> None:
    equivalents_path(tmp_path / "bounded.md").write_bytes(b'[equivalent]\n"\xff" = "a"')
    with pytest.raises(ProblemError, match="not UTF-8"):
        read_equivalents(tmp_path / "bounded.md")


# --- the program ------------------------------------------------------------------------------------------------------


@pytest.fixture
def bounded_md(tmp_path: Path) -> Path:
    path = tmp_path / "bounded.md"
    path.write_text(format_problem(BOUNDED), encoding="utf-8")
    return path


def test_the_program_prints_survivors_with_their_lines(
    verifier: Verifier, bounded_md: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(bounded_md), "--workers", "1"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("bounded: ")
    assert lines[0].endswith("BELOW 85%")
    at = lines.index(f'  survivor "{AT_ZERO}"')
    assert lines[at + 1] == "       2 |   if n < 0 then 0 else if n > 9 then 9 else n"


def test_printed_survivors_can_be_pasted_into_the_list(
    verifier: Verifier, bounded_md: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main([str(bounded_md), "--workers", "1"])
    quoted = [line.split(maxsplit=1)[1] for line in capsys.readouterr().out.splitlines() if "  survivor" in line]
    listing(bounded_md.parent, "[equivalent]\n" + "".join(f'{key} = "a reason"\n' for key in quoted))
    assert main([str(bounded_md), "--workers", "1", "--json"]) == 0
    [row] = json.loads(capsys.readouterr().out)
    assert row["score"] == 1
    assert row["survivors"] == []
    assert len(row["equivalent"]) == len(quoted) > 0


def test_the_program_fails_on_stale_and_refuted_entries(
    verifier: Verifier, tmp_path: Path, last: Problem, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "last.md"
    path.write_text(format_problem(last), encoding="utf-8")
    assert main([str(path), "--workers", "1"]) == 0
    killed = "1:24 case: [] -> None -> (nothing)"
    equivalents_path(path).write_text(f'[equivalent]\n"{killed}" = "a"\n"1:1 old" = "b"\n', encoding="utf-8")
    assert main([str(path), "--workers", "1"]) == 1
    out = capsys.readouterr().out
    assert "stale (listed, but no mutant has this key): 1:1 old" in out
    assert f"refuted (listed as equivalent, but a test kills it): {killed}" in out


def test_the_program_goes_on_after_a_bad_file(
    verifier: Verifier, bounded_md: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.md").write_text("nothing", encoding="utf-8")
    files = [str(tmp_path / "bad.md"), str(bounded_md), str(tmp_path / "none.md")]
    assert main([*files, "--workers", "1"]) == 2
    captured = capsys.readouterr()
    assert captured.out.startswith("bounded: ")
    assert "bad.md" in captured.err
    assert "none.md" in captured.err


def test_the_module_runs_as_a_program(verifier: Verifier) -> None:
    command = [sys.executable, "-W", "error", "-m", "ocaml_env.audit.mutation", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])
    assert (done.returncode, done.stderr) == (0, "")
    assert "FILE.md" in done.stdout
