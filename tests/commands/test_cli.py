"""The command line: its output and its exit codes."""

from __future__ import annotations

import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ocaml_env.commands import ExitCode
from ocaml_env.commands.cli import main
from ocaml_env.errors import SandboxUnavailable, ToolchainError
from ocaml_env.problems import load_problems

pytestmark = pytest.mark.usefixtures("verifier")

SNAKE_CASE = load_problems("bundled").get("snake_case")

PROBLEM = """\
+++
id = "double"
level = 1
topics = ["numbers"]
+++

`double n` is twice `n`.

## Signature
```ocaml
val double : int -> int
```

## Examples
```ocaml
double 2 = 4
```

## Tests
```ocaml
double 0 = 0
double (-3) = -6
```
"""


@pytest.fixture
def problem(tmp_path: Path) -> str:
    path = tmp_path / "double.md"
    path.write_text(PROBLEM)
    return str(path)


@pytest.fixture
def answer(tmp_path: Path) -> Any:
    """Returns a function to write an answer to a file; it gives the path."""

    def write(text: str | bytes) -> str:
        path = tmp_path / "answer.ml"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return str(path)

    return write


def run(*arguments: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Runs the command as a shell does."""
    return subprocess.run(
        [sys.executable, "-m", "ocaml_env", *arguments],
        input=stdin,
        capture_output=True,
        env={**os.environ, **environment},
        timeout=120,
        check=False,
    )


# --- verify -----------------------------------------------------------------------------------------------------------


def test_a_right_answer_exits_with_0(problem: str, answer: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", problem, answer("let double n = 2 * n")]) == ExitCode.PASSED
    assert "PASSED  reward 1.000" in capsys.readouterr().out


def test_a_wrong_answer_exits_with_1_and_shows_the_test(
    problem: str, answer: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", problem, answer("let double n = n * n")]) == ExitCode.NOT_PASSED
    out = capsys.readouterr().out
    assert "2 of 3 tests passed" in out
    assert "double (-3) = -6" in out
    assert "2 hidden tests, 1 passed, a degenerate answer passes 0; 0 examples failed\nprogress 0.500" in out


def test_an_answer_comes_from_a_file_of_samples(
    problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    right = {"problem_id": "double", "sample": 0, "completion": "let double n = 2 * n"}
    others = ({**right, "sample": 1, "truncated": True}, {"task_id": "other", "completion": ""}, right)
    samples = tmp_path / "samples.jsonl"
    samples.write_text("".join(json.dumps(record) + "\n" for record in others))
    assert main(["verify", problem, str(samples)]) == ExitCode.PASSED
    assert main(["verify", problem, str(samples), "--sample", "1"]) == ExitCode.PASSED
    shown = capsys.readouterr().out
    assert "reward 1.000" in shown
    assert "reward 0.950" in shown  # it was cut off
    assert main(["verify", problem, str(samples), "--sample", "2"]) == ExitCode.USAGE
    assert "it answers double 2 times" in capsys.readouterr().err


def test_a_type_error_is_shown_at_its_place(problem: str, answer: Any, capsys: pytest.CaptureFixture[str]) -> None:
    code = "let two = 2\nlet double n = two * m"
    assert main(["verify", problem, answer(code)]) == ExitCode.NOT_PASSED
    lines = capsys.readouterr().out.splitlines()
    shown = lines.index("   2 | let double n = two * m")
    assert "Unbound value m" in lines[shown - 1]
    assert lines[shown + 1] == "     |                      ^"


def test_json_output_has_the_same_facts(problem: str, answer: Any, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["verify", problem, answer("let double n = n * n"), "--json", "--reward", "binary"])
    record = json.loads(capsys.readouterr().out)
    assert code == ExitCode.NOT_PASSED
    assert (record["problem_id"], record["outcome"], record["passed"]) == ("double", "TEST_FAILURE", False)
    assert (record["tests_passed"], record["tests_total"]) == (2, 3)
    assert [test["outcome"] for test in record["tests"]] == ["PASSED", "PASSED", "TEST_FAILURE"]
    assert record["reward"]["preset"] == "binary"
    assert record["reward"]["total"] == 0
    [group] = record["groups"]
    assert group["tests"] >= group["passed"] >= 0
    assert record["progress"] == pytest.approx(
        max(0, group["passed"] - group["baseline"])
        * group["tests"]
        / (group["tests"] + group["failed_examples"])
        / (group["tests"] - group["baseline"])
    )


@pytest.mark.parametrize("file", [[], ["-"]])
def test_an_answer_comes_from_standard_input_too(
    problem: str, file: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    completion = "Twice:\n```ocaml\nlet double n = n + n\n```\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(completion.encode())))
    assert main(["verify", problem, *file]) == ExitCode.PASSED


def test_a_bundled_problem_is_named_by_its_id(answer: Any) -> None:
    assert main(["verify", "snake_case", answer(SNAKE_CASE.reference)]) == ExitCode.PASSED


def test_an_answer_without_code_says_why(problem: str, answer: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", problem, answer("```python\nprint(1)\n```")]) == ExitCode.NOT_PASSED
    assert "NO_CODE  no code block is OCaml" in capsys.readouterr().out


@pytest.mark.parametrize("data", [b"", b"\x00", b"\xff\xfe let x = 1", b"\xed\xa0\x80", b"let x = \x1b[31m"])
def test_odd_bytes_are_an_answer_that_does_not_pass(problem: str, data: bytes) -> None:
    done = run("verify", problem, stdin=data)
    assert (done.returncode, done.stderr) == (ExitCode.NOT_PASSED, b"")
    assert b"\x1b" not in done.stdout


# --- wrong usage: 2, with one helpful line ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["verify", "snake_cases", "-"], "did you mean 'snake_case'?"),
        (["verify", "nowhere.md", "-"], "nowhere.md"),
        (["verify", "snake_case", "nowhere.ml"], "nowhere.ml"),
        (["verify", "snake_case", "."], "."),
        (["verify", "snake_case", "-", "--reward", "stagged"], "staged"),
        (["problems", "--level", "easy"], "give 1 to 6"),
        (["problems", "bundled:evil"], "did you mean 'eval'?"),
        (["problems", "nowhere/"], "nowhere/"),
        (["problems", "snake_case", "settle"], "one"),
        (["problems", "show"], "one"),
        (["verify", ".", "-"], "is a folder"),
        (["problems", "snake_case", "--topic", "strings"], "for a set"),
        (["problems", "--solution"], "for one problem"),
    ],
)
def test_wrong_usage_exits_with_2_and_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert main(arguments) == ExitCode.USAGE
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("ocaml-env: ")
    assert message in err


def test_a_broken_problem_file_exits_with_2_and_names_the_line(
    problem: str, capsys: pytest.CaptureFixture[str], answer: Any
) -> None:
    Path(problem).write_text(PROBLEM.replace("## Tests", "## Test"))
    assert main(["verify", problem, answer("let double n = 2 * n")]) == ExitCode.USAGE
    assert "double.md:" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["verify"], ["sing"], ["verify", "a", "b", "c"], ["--colour"]])
def test_arguments_that_cannot_be_parsed_exit_with_2(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as error:
        main(arguments)
    assert error.value.code == ExitCode.USAGE


# --- an infrastructure error: 3 ---------------------------------------------------------------------------------------


def test_a_missing_ocaml_exits_with_3_and_one_line(problem: str, tmp_path: Path) -> None:
    done = run("verify", problem, stdin=b"let double n = n", PATH=str(tmp_path))
    assert (done.returncode, done.stdout) == (ExitCode.INFRASTRUCTURE, b"")
    assert done.stderr.count(b"\n") == 1
    assert b"ocamlfind" in done.stderr


def test_doctor_without_ocaml_says_so_and_exits_with_3(tmp_path: Path) -> None:
    done = run("doctor", PATH=str(tmp_path))
    assert (done.returncode, done.stderr) == (ExitCode.INFRASTRUCTURE, b"")
    assert b"not ready" in done.stdout
    assert b"ocamlfind" in done.stdout


@pytest.mark.parametrize("error", [ToolchainError, SandboxUnavailable])
def test_debug_shows_the_traceback(
    error: type[Exception], problem: str, answer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error("on purpose")

    monkeypatch.setattr("ocaml_env.commands.verify.evaluate", fail)
    arguments = ["verify", problem, answer("let double n = n")]
    assert main(arguments) == ExitCode.INFRASTRUCTURE
    with pytest.raises(error, match="on purpose"):
        main(["--debug", *arguments])


# --- problems ---------------------------------------------------------------------------------------------------------


def listed(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    assert main(["problems", *arguments, "--json"]) == ExitCode.PASSED
    records: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    return records


def test_problems_lists_every_bundled_one(capsys: pytest.CaptureFixture[str]) -> None:
    ids = [problem.id for problem in load_problems("bundled")]
    assert [record["id"] for record in listed(capsys)] == ids
    assert main(["problems"]) == ExitCode.PASSED
    out = capsys.readouterr().out
    assert all(problem_id in out for problem_id in ids)
    assert f"{len(ids)} of {len(ids)} problems" in out


def test_filters_work_together(capsys: pytest.CaptureFixture[str]) -> None:
    records = listed(capsys, "bundled:eval", "--topic", "strings", "--level", "5", "--search", "SNAKE")
    assert [record["id"] for record in records] == ["snake_case"]


def test_several_topics_are_alternatives(capsys: pytest.CaptureFixture[str]) -> None:
    both = listed(capsys, "--topic", "strings", "--topic", "recursion")
    assert {"snake_case", "balanced_ternary"} <= {record["id"] for record in both}


def test_a_filter_without_matches_names_the_topics(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["problems", "--topic", "cooking"]) == ExitCode.PASSED
    out = capsys.readouterr().out
    assert out.startswith("0 of ")
    assert "strings" in out


@pytest.mark.parametrize("words", [["snake_case"], ["show", "snake_case"]])
def test_a_problem_is_shown_without_its_solution(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["problems", *words]) == ExitCode.PASSED
    out = capsys.readouterr().out
    assert SNAKE_CASE.statement in out
    assert SNAKE_CASE.signature in out
    assert SNAKE_CASE.public_tests[0].code in out
    assert SNAKE_CASE.hidden_tests[0].code not in out
    assert "Reference" not in out


def test_a_problem_is_shown_with_its_solution_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["problems", "snake_case", "--solution"]) == ExitCode.PASSED
    out = capsys.readouterr().out
    assert SNAKE_CASE.hidden_tests[0].code in out
    assert SNAKE_CASE.reference.splitlines()[0] in out


def test_a_folder_is_listed_and_a_file_is_shown(problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert [record["id"] for record in listed(capsys, str(Path(problem).parent))] == ["double"]
    assert main(["problems", problem]) == ExitCode.PASSED
    assert "`double n` is twice `n`." in capsys.readouterr().out


# --- doctor, build, help ----------------------------------------------------------------------------------------------


def test_doctor_finds_this_machine_ready(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json"]) == ExitCode.PASSED
    health = json.loads(capsys.readouterr().out)
    assert health["ready"] is True
    assert set(health["sandbox"]) == {"rlimits", "descriptors", "seccomp", "landlock", "uid"}
    assert [test["outcome"] for test in health["self_test"]] == [test["expected"] for test in health["self_test"]]
    assert main(["doctor"]) == ExitCode.PASSED
    assert capsys.readouterr().out.endswith("\nready\n")


def test_build_says_where_the_engine_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build"]) == ExitCode.PASSED
    folder = capsys.readouterr().out.strip().split(": ")[1]
    assert Path(folder).is_dir()


@pytest.mark.parametrize("command", [[], ["doctor"], ["problems"], ["verify"], ["build"]])
def test_help_tells_what_the_command_does(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as done:
        main([*command, "--help"])
    assert done.value.code == 0
    assert "usage: ocaml-env" in capsys.readouterr().out


# --- output -----------------------------------------------------------------------------------------------------------


def test_a_pipe_gets_no_colours_and_a_terminal_does() -> None:
    assert b"\x1b[" not in run("problems", TERM="xterm").stdout
    assert b"\x1b[" in _on_a_terminal("problems", TERM="xterm", NO_COLOR="")
    assert b"\x1b[" not in _on_a_terminal("problems", TERM="xterm", NO_COLOR="1")


def test_a_closed_pipe_ends_it_quietly_with_an_error_code() -> None:
    command = f"{sys.executable} -m ocaml_env problems --json | head -c 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_a_closed_stream_counts_as_empty(closed: str) -> None:
    command = f"{sys.executable} -m ocaml_env verify snake_case {closed}"
    done = subprocess.run(["bash", "-c", command], input=b"", capture_output=True, timeout=120, check=False)
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr


def test_a_terminal_without_unicode_is_no_error(problem: str) -> None:
    Path(problem).write_text(PROBLEM.replace("twice", "2\u00d7"), encoding="utf-8")
    done = run("problems", problem, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert rb"2\xd7" in done.stdout


def _on_a_terminal(*arguments: str, **environment: str) -> bytes:
    try:
        ours, theirs = pty.openpty()
    except OSError as error:
        pytest.skip(f"no pseudo-terminal is available: {error}")
    command = [sys.executable, "-m", "ocaml_env", *arguments]
    process = subprocess.Popen(command, stdout=theirs, env={**os.environ, **environment})
    os.close(theirs)
    chunks = []
    while True:
        try:
            chunk = os.read(ours, 65536)
        except OSError:  # Linux reports so that the other end is closed
            break
        if not chunk:
            break
        chunks.append(chunk)
    os.close(ours)
    assert process.wait(timeout=60) == 0
    return b"".join(chunks)


def test_options_may_stand_between_the_arguments(problem: str, answer: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", problem, "--json", answer("let double n = 2 * n")]) == ExitCode.PASSED
    assert json.loads(capsys.readouterr().out)["passed"] is True


def test_an_unknown_option_shows_the_usage_of_its_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as done:
        main(["verify", "snake_case", "--jsn"])
    assert done.value.code == ExitCode.USAGE
    assert "usage: ocaml-env verify" in capsys.readouterr().err
