"""Importing a clone of Exercism's OCaml track."""

from __future__ import annotations

from pathlib import Path

import pytest

from ocaml_env.errors import ConfigError
from ocaml_env.problems import load_problems
from ocaml_env.problems.importers import Imported, Reason, import_problems
from ocaml_env.problems.importers.ounit import read_ounit
from ocaml_env.verifiers.local import Verifier
from tests.problems.importers.exercises import write_track


@pytest.fixture
def track(tmp_path: Path) -> Path:
    write_track(tmp_path)
    return tmp_path


def imported(track: Path, verifier: Verifier) -> dict[str, Imported]:
    return {row.id: row for row in import_problems(f"exercism:{track}", verifier=verifier)}


def test_exercises_become_problems_that_their_examples_solve(track: Path, verifier: Verifier) -> None:
    rows = imported(track, verifier)
    problems = [row.problem for row in rows.values() if row.problem is not None]
    assert [problem.id for problem in problems] == ["price-tag", "turnstile"]
    for problem in problems:
        assert verifier.verify(problem, problem.reference).passed
        assert problem.statement.endswith(f"Solve {problem.id}.\n\n\n## For OCaml\n\nMind the types.")
        assert problem.source == "exercism/ocaml"
    assert problems[0].signature.startswith("(** The price")
    assert not verifier.verify(problems[0], 'let price_tag _ = Error "negative"').passed
    assert not verifier.verify(problems[1], problems[1].reference.replace("raise Locked", "0")).passed


def test_a_case_is_a_value_where_its_form_is_known(track: Path, verifier: Verifier) -> None:
    rows = imported(track, verifier)
    price, gate = rows["price-tag"].problem, rows["turnstile"].problem
    assert price is not None
    assert gate is not None
    assert [(test.name, test.code) for test in price.tests] == [
        ("free", '(price_tag 0) = (Ok "0 EUR")'),
        ("free (2)", '(price_tag (-1)) = (Error "negative")'),
    ]
    assert "Sexp" not in price.prelude
    assert verifier.inside(price) == {}
    assert [*verifier.inside(gate)] == ["often"]


def test_an_exercise_with_other_libraries_is_refused(track: Path, verifier: Verifier) -> None:
    row = imported(track, verifier)["chat-room"]
    assert (row.reason, row.error) == (
        Reason.TESTS,
        "row chat-room, id 'chat-room': it needs the libraries lwt",
    )


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("price_tag.mli", None, "it has 0 interfaces (.mli), and needs one"),
        ("other.mli", b"val x : int", "it has 2 interfaces (.mli), and needs one"),
        ("price_tag.mli", b"val price_tag : nat -> string", "Unbound type constructor nat"),
        ("test.ml", b"open OUnit2\n", "its test.ml has no cases of OUnit"),
        ("test.ml", b'let tests = ["\xff" >:: f]', "the field 'ounit' is not UTF-8 text"),
        (".docs/instructions.md", b"", "no error: the appendix is left"),
    ],
)
def test_a_bad_exercise_leaves_the_others(
    file: str, content: bytes | None, message: str, track: Path, verifier: Verifier
) -> None:
    path = track / "exercises" / "practice" / "price-tag" / file
    path.unlink() if content is None else path.write_bytes(content)
    rows = imported(track, verifier)
    assert rows["turnstile"].problem is not None
    if message.startswith("no error"):
        assert rows["price-tag"].problem is not None
    else:
        assert message in rows["price-tag"].error


def test_the_track_is_a_source_of_problems(track: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert len(load_problems(f"exercism:{track}", skip_bad=True)) == 2
    empty = tmp_path_factory.mktemp("empty")
    with pytest.raises(ConfigError, match=r"holds no exercises/practice/\*/test\.ml: give a clone of Exercism's"):
        load_problems(f"exercism:{empty}")


@pytest.mark.parametrize(
    ("source", "codes"),
    [
        ('let tests = ["a" >:: (fun _ -> assert_equal 2 (f 1))]', ["(f 1) = 2"]),
        ('let tests = ["a" >:: fun _ -> assert_equal (f 1) 2]', ["(f 1) = 2"]),
        ('let ae a b _ = assert_equal a b ~printer:show\nlet tests = ["a" >:: ae 2 (f 1)]', ["(f 1) = 2"]),
        ('let ae = assert_equal ~printer:show\nlet tests = ["a" >:: (fun _ -> ae 2 @@ f 1)]', ["(f 1) = 2"]),
        ('let tests = ["a" >:: (fun _ -> f 1 |> assert_equal 2)]', ["(f 1) = 2"]),
        (
            'let tests = ["a" >:: (fun _ -> let x = f 1 in let show = g in assert_equal ~printer:show 2 x)]',
            ["let x = f 1 in x = 2"],
        ),
        (
            'let ae a b _ = if String.(a = b) then () else failwith "no"\nlet tests = ["a" >:: ae "x" (f 1)]',
            ['(String.("x" = (f 1)))'],
        ),
        (
            "type case = { name : string; n : int }\nlet make c = c.name >:: (fun _ -> assert_equal c.n (f c.n))\n"
            'let tests = List.map make [{ name = "a"; n = 1 }; { name = "b"; n = 2 }]',
            [
                '(f { name = "a"; n = 1 }.n) = ({ name = "a"; n = 1 }.n)',
                '(f { name = "b"; n = 2 }.n) = ({ name = "b"; n = 2 }.n)',
            ],
        ),
        (
            'let tests = [(1, 2); (3, 4)] |> List.map (fun (a, b) -> "n" >:: (fun _ -> assert_equal b (f a)))',
            [],
        ),
        (
            'let tests = List.map (fun (a, b) -> "n" >:: (fun _ -> assert_equal b (f a))) [(1, 2); (3, 4)]',
            ["(f 1) = 2", "(f 3) = 4"],
        ),
        ('let tests = ["a" >:: (fun _ -> assert_bool "m" (f 1 > 0))]', ["(f 1 > 0)"]),
        (
            'let tests = ["a" >:: (fun _ -> assert_raises (Failure "x") (fun () -> f 1))]',
            ['(try ignore (f 1); false with (Failure "x") -> true)'],
        ),
        (
            'let tests = ["a" >:: (fun _ -> match f 1 with Some x -> assert_equal 2 x | None -> assert_failure "no")]',
            ["(match f 1 with | Some x -> (x = 2) | None -> (false))"],
        ),
        ('let tests = ["a" >:: (fun _ -> assert_equal ~cmp:Q.equal 2 (f 1))]', ["Q.equal 2 (f 1)"]),
        ('let tests = ["a" >:: (fun _ -> assert_equal ~cmp:(List.equal Int.equal) 2 (f 1))]', ["(f 1) = 2"]),
        (
            'let tests = ["a" >:: (fun _ -> while f 1 do () done)]',
            ["OUnit2.passes ((fun _ -> while f 1 do () done))"],
        ),
    ],
)
def test_the_forms_of_cases(source: str, codes: list[str]) -> None:
    assert [case.code for case in read_ounit(source, ["f"]).cases] == codes
