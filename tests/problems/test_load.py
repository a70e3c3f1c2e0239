"""Loading problems: every kind of source, errors, and the behaviour of problem sets."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocaml_env.errors import ConfigError, ProblemError
from ocaml_env.problem import Limits, Problem, Test
from ocaml_env.problems import ProblemSet, format_problem, load_problems, to_jsonl


def problem(name: str, **fields: object) -> Problem:
    given = dict(id=name, statement="Do it.", signature="val f : int -> int", tests=["f 1 = 1"], topics=["numbers"])
    return Problem(**given | fields)  # type: ignore[arg-type]


ECHO = Problem(
    id="echo", kind="program", statement="s", topics=["programs", "strings"], tests=[Test(stdin="a", stdout="a\r\n")]
)
ADD = problem("add", level=1, split="train", limits=Limits(memory_mb=64), float_tolerance=0.5)
SORT = problem("sort", level=6, split="eval", topics=["lists", "numbers"], tests=[Test("f 2 = 2", public=True)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "z.md").write_text(format_problem(ADD))
    (tmp_path / "deep" / "er" / "a.md").write_text(format_problem(SORT))
    (tmp_path / "README.md").write_text("These are problems.")
    (tmp_path / "notes.txt").write_text("not a problem")
    return tmp_path


# --- sources ----------------------------------------------------------------------------------------------------------


def test_the_bundled_splits_make_up_the_bundled_set() -> None:
    everything, train, evaluation = (load_problems(name) for name in ("bundled", "bundled:train", "bundled:eval"))
    assert {*train, *evaluation} == {*everything}
    assert len(train) + len(evaluation) == len(everything)
    assert (train.name, {entry.split for entry in train}) == ("bundled:train", {"train"})
    assert (evaluation.name, {entry.split for entry in evaluation}) == ("bundled:eval", {"eval"})


def test_a_folder_is_searched_at_any_depth_and_ordered_by_id(folder: Path) -> None:
    assert list(load_problems(folder)) == [ADD, SORT]
    assert list(load_problems(str(folder))) == [ADD, SORT]


def test_one_file_is_a_set_of_one(folder: Path) -> None:
    assert list(load_problems(folder / "z.md")) == [ADD]


def test_jsonl_keeps_problems_that_do_not_fit_markdown(tmp_path: Path) -> None:
    path = tmp_path / "problems.jsonl"
    odd = problem("odd", statement="\n lone \ud800, \x00 and \u2028 ", tests=[Test(" f 1 =\n1", name="a *) b")])
    to_jsonl([SORT, ECHO, odd, ADD], path)
    assert list(load_problems(path)) == [ADD, ECHO, odd, SORT]
    assert len(path.read_bytes().splitlines()) == 4


def test_jsonl_written_by_hand_may_leave_out_defaults(tmp_path: Path) -> None:
    path = tmp_path / "problems.jsonl"
    row = dict(
        id="a", statement="s", signature="val f : int -> int", tests=["f 1 = 1", dict(code="f 2 = 2", public=True)]
    )
    path.write_text("\n" + json.dumps(row) + "\n\n")
    assert load_problems(path)[0].tests == (
        Test("f 1 = 1", name="test 1"),
        Test("f 2 = 2", name="example 2", public=True),
    )


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("{", "it is not JSON"),
        ("[1]", "it must be an object with named fields"),
        ('{"id": "a", "statement": "s"}', "the field 'tests' is missing"),
        ('{"id": "a", "statement": "s", "test": []}', "unknown field 'test'; did you mean 'tests'?"),
        ('{"id": "a", "statement": "s", "tests": "f 1 = 1"}', "tests must be a list, not str"),
        ('{"id": "a", "statement": "s", "tests": [1]}', "a test must be a string or an object"),
        (
            '{"id": "a", "statement": "s", "tests": [{"cod": "x"}]}',
            "unknown field of a test 'cod'; did you mean 'code'?",
        ),
        ('{"id": "a", "statement": "s", "tests": [{"code": "x", "public": 1}]}', "its public true or false"),
        ('{"id": "a", "statement": "s", "tests": ["x"], "limits": 3}', "limits must be a table"),
        ('{"id": "a", "statement": "s", "tests": ["x"], "float_tolerance": "no"}', "float_tolerance must be a number"),
        ('{"id": "a", "statement": "s", "tests": ["x"], "float_tolerance": NaN}', "float_tolerance must be"),
        ('{"id": "a", "statement": "s", "tests": ["x"]}', "needs a signature"),
    ],
)
def test_a_bad_row_is_reported_with_its_file_and_place(row: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "problems.jsonl"
    to_jsonl([ADD], path)
    path.write_text(path.read_text() + row + "\n")
    with pytest.raises(ProblemError) as caught:
        load_problems(path)
    assert str(caught.value).startswith(f"{path}: row 2")
    assert message in str(caught.value)


def test_two_files_with_one_id_are_refused(folder: Path) -> None:
    (folder / "copy.md").write_text(format_problem(ADD))
    with pytest.raises(ProblemError, match="two problems have the id 'add'") as caught:
        load_problems(folder)
    assert caught.value.problem_id == "add"


def test_a_bad_file_in_a_folder_is_named(folder: Path) -> None:
    (folder / "bad.md").write_text("+++\nid = 3\n")
    with pytest.raises(ProblemError, match=r"bad\.md:1: the front matter is never closed"):
        load_problems(folder)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("bundled:trian", "no split 'trian'; did you mean 'train'?"),
        ("", "no problems at ''"),
        ("x" * 5000, '"bundled:train"'),
        (__file__, "cannot tell how to read problems"),
    ],
)
def test_an_unknown_source_is_refused_with_what_is_supported(source: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_problems(source)
    assert message in str(caught.value)


def test_an_empty_source_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds no problems"):
        load_problems(tmp_path)


def test_conditions_without_a_match_are_refused_with_the_existing_topics(folder: Path) -> None:
    with pytest.raises(ConfigError, match="has topics='graphs'; its topics are lists, numbers"):
        load_problems(folder, topics="graphs")
    assert list(load_problems(folder, topics=["graphs", "lists"], level="5-6", kind="function")) == [SORT]


# --- sets -------------------------------------------------------------------------------------------------------------


@given(st.permutations([ECHO, ADD, SORT]))
def test_the_order_given_makes_no_difference(given_order: list[Problem]) -> None:
    problems = ProblemSet(given_order)
    assert [entry.id for entry in problems] == ["add", "echo", "sort"]
    assert problems == ProblemSet([ADD, ECHO, SORT])
    assert hash(problems) == hash(ProblemSet([ADD, ECHO, SORT]))


def test_a_set_is_a_sequence() -> None:
    problems = ProblemSet([SORT, ECHO, ADD], name="mine")
    assert (len(problems), problems[0], problems[-1], problems.index(ECHO)) == (3, ADD, SORT, 1)
    assert ECHO in problems
    assert problems[1:] == ProblemSet([ECHO, SORT])
    assert repr(problems[1:]) == "<ProblemSet 'mine': 2 problems>"


@pytest.mark.parametrize(
    ("conditions", "ids"),
    [
        ({}, ["add", "echo", "sort"]),
        ({"level": 1}, ["add"]),
        ({"level": ["1-3", 6]}, ["add", "sort"]),
        ({"topics": "numbers"}, ["add", "sort"]),
        ({"topics": ("lists", "strings")}, ["echo", "sort"]),
        ({"kind": "program"}, ["echo"]),
        ({"split": "train"}, ["add"]),
        ({"topics": "numbers", "split": "eval"}, ["sort"]),
        ({"topics": []}, []),
        ({"topics": "numbers", "kind": "program"}, []),
    ],
)
def test_a_filter_keeps_problems_that_meet_every_condition(conditions: dict[str, Any], ids: list[str]) -> None:
    assert [entry.id for entry in ProblemSet([ADD, ECHO, SORT]).filter(**conditions)] == ids


@pytest.mark.parametrize(
    "conditions", [{"level": "easy"}, {"level": 7}, {"level": "3-9"}, {"kind": "functions"}, {"split": "test"}]
)
def test_an_impossible_value_is_refused(conditions: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="there is no"):
        ProblemSet([ADD]).filter(**conditions)


def test_a_split_is_named_after_its_set() -> None:
    problems = ProblemSet([ADD, ECHO, SORT], name="mine")
    assert list(problems.split("eval")) == [SORT]
    assert problems.split("eval").name == "mine:eval"


def test_a_problem_is_found_by_its_id_and_a_typo_is_pointed_out() -> None:
    problems = ProblemSet([ADD, ECHO, SORT], name="mine")
    assert problems.get("echo") is problems.by_id["echo"] is ECHO
    with pytest.raises(ConfigError, match=r"mine has no problem 'sorte'; did you mean 'sort'\?"):
        problems.get("sorte")


def test_a_set_cannot_be_changed() -> None:
    problems = ProblemSet([ADD])
    with pytest.raises(TypeError):
        problems.by_id["echo"] = ECHO  # type: ignore[index]
    with pytest.raises(TypeError):
        problems[0] = ECHO  # type: ignore[index]


def test_a_set_survives_pickling() -> None:
    problems = ProblemSet([ADD, ECHO], name="mine")
    copy = pickle.loads(pickle.dumps(problems))
    assert (copy, copy.name) == (problems, "mine")
    assert copy.get("add") == ADD
