"""Problems of standard input and output from end to end, by our own protocol and by LiveCodeBench's beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocaml_env import Problem, Verifier
from ocaml_env.commands.evaluate import main
from ocaml_env.engine.output import same_output
from ocaml_env.evaluation.protocols.livecodebench import same_lines
from ocaml_env.problems import to_jsonl
from tests.evaluation.fake_server import FakeServer, Reply

STATEMENT = (
    "A line holds the number of boxes, the next one their weights. Print the mean weight, then the heaviest box.\n\n"
    "Input\n\nn, then n whole numbers with blanks between.\n\nOutput\n\nTwo lines."
)
ROW = {
    "id": "boxes",
    "question": STATEMENT,
    "input_output": json.dumps({"inputs": ["2\n3 4\n", "1\n7\n"], "outputs": ["3.5\n4\n", "7.0\n7\n"]}),
}
ONE_TEST = json.dumps({"inputs": ["1\n7\n"], "outputs": ["7.0\n7\n"]})
PROGRAM = (
    'let () = Scanf.sscanf (read_line ()) " %d" (fun n ->\n'
    "  let weights = List.map int_of_string (String.split_on_char ' ' (read_line ())) in\n"
    "  let sum = List.fold_left ( + ) 0 weights and most = List.fold_left max 0 weights in\n"
    '  Printf.printf "FORMAT" (float_of_int sum /. float_of_int n) most)'
)


@pytest.fixture(autouse=True)
def _engine(verifier: Verifier) -> None:
    """Skips the tests without OCaml."""


@pytest.fixture
def rows(tmp_path: Path) -> str:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(ROW) + "\n")
    return str(path)


def answers(path: Path, *formats: str) -> str:
    texts = [f"Here it is.\n```ocaml\n{PROGRAM.replace('FORMAT', form)}\n```\n" for form in formats]
    path.write_text("".join(json.dumps({"task_id": "boxes", "completion": text}) + "\n" for text in texts))
    return f"completions:{path}"


def evaluate(out: Path, model: str, problems: str, *more: str) -> int:
    return main(["--model", model, "--problems", problems, "--out", str(out), "--workers", "1", *more])


def summary_of(out: Path) -> dict[str, Any]:
    value = json.loads((out / "summary.json").read_text())
    assert isinstance(value, dict)
    return value


def test_the_whole_statement_is_asked_and_hidden_tests_decide(tmp_path: Path, rows: str, server: FakeServer) -> None:
    server.reply = lambda body, number: Reply.text(
        f"```ocaml\n{PROGRAM.replace('FORMAT', '%.1f ' + chr(92) + 'n%d')}\n```"
    )
    assert evaluate(tmp_path / "out", "openai:m", rows, "--n", "1", "--base-url", server.url) == 0
    [asked] = server.asked
    [message] = asked["messages"]
    assert STATEMENT in message["content"]
    assert "3.5" not in message["content"]
    assert summary_of(tmp_path / "out")["pass@1"]["estimate"] == 1


def test_missing_references_are_wrong_usage(tmp_path: Path, rows: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluate(tmp_path / "out", "agent:reference", rows, "--n", "1") == 2
    assert "1 of 1 problems have no reference, such as 'boxes'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("form", "theirs", "ours"),
    [
        (r"%.1f\n%d\n", "OK", "PASSED"),
        (r"%.1f \n%d", "OK", "PASSED"),
        (r"\n  %.1f\n %d\n\n", "OK", "TEST_FAILURE"),
        (r"%.2f\n%03d", "OK", "TEST_FAILURE"),
        (r"%.1f %d", "Wrong Answer", "TEST_FAILURE"),
        (r"%.0f\n%d", "Wrong Answer", "TEST_FAILURE"),
        (r"%s\n%d", "Compile Error", "TYPE_ERROR"),
    ],
)
def test_a_sample_has_both_verdicts(tmp_path: Path, rows: str, form: str, theirs: str, ours: str) -> None:
    out = tmp_path / "out"
    model = answers(tmp_path / "answers.jsonl", form)
    assert evaluate(out, model, rows, "--protocol", "livecodebench") == 0
    sample = json.loads((out / "samples.jsonl").read_text())
    assert (sample["protocol"]["status"], sample["protocol"]["ours"]["outcome"]) == (theirs, ours)
    assert sample["passed"] == (theirs == "OK")
    section = summary_of(out)["protocol"]
    assert [disagreement["why"] for disagreement in section["disagreements"]] == (
        ["ours takes blanks or numbers to the letter"] if sample["passed"] != (ours == "PASSED") else []
    )
    before = (out / "summary.json").read_bytes()
    assert main(["--rescore", str(out), "--workers", "1"]) == 0
    assert (out / "summary.json").read_bytes() == before


def test_a_slow_program_may_pass_theirs_but_not_ours(tmp_path: Path, rows: str) -> None:
    slow = "let rec wait n = if n > 0 then wait (n - 1)\nlet () = wait 80_000_000\n" + PROGRAM
    (tmp_path / "rows.jsonl").write_text(json.dumps(ROW | {"input_output": ONE_TEST}) + "\n")
    path = tmp_path / "answers.jsonl"
    path.write_text(json.dumps({"task_id": "boxes", "completion": slow.replace("FORMAT", r"%.1f\n%d")}) + "\n")
    assert evaluate(tmp_path / "out", f"completions:{path}", rows, "--protocol", "livecodebench") == 0
    [found] = summary_of(tmp_path / "out")["protocol"]["disagreements"]
    assert (found["theirs"], found["ours"], found["why"]) == ("OK", "TIMEOUT", "ours allows less time")


def test_function_problems_are_refused(tmp_path: Path, add: Problem, capsys: pytest.CaptureFixture[str]) -> None:
    to_jsonl([add], tmp_path / "add.jsonl")
    options = ["--n", "1", "--protocol", "livecodebench"]
    assert evaluate(tmp_path / "out", "agent:stub", str(tmp_path / "add.jsonl"), *options) == 2
    assert "'add' is a function" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("printed", "expected", "same"),
    [
        ("1 2\n", "1 2", True),
        ("  yes \n", "yes\n\n", True),
        ("\n\nyes", "yes", True),
        ("1.0 2e0", "1 2", True),
        ("1.0 x", "1 x", False),
        ("1  x", "1 x", False),
        ("a\nb", "a b", False),
        ("9007199254740993", "9007199254740992", False),
        ("nan", "nan", True),
        ("NaN 1", "nan 1", False),
        ("sNaN 1", "1 1", False),
        ("", "", True),
        ("\n", "", True),
        ("1", "", False),
    ],
)
def test_lines_are_compared_as_livecodebench_does(printed: str, expected: str, same: bool) -> None:
    assert same_lines(printed.encode(), expected) is same


def test_output_that_is_no_text_matches_nothing() -> None:
    assert not same_lines(b"\xff", "\udcff")


@given(st.text("1 .a\n"), st.text("1 .a\n"))
def test_output_equal_by_our_rule_is_equal_by_theirs(printed: str, expected: str) -> None:
    assert same_lines(printed.encode(), expected) or not same_output(printed.encode(), expected)
