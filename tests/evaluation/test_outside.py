"""Benchmarks of others by ``--benchmark``: their protocol and sampling, and what a summary tells of their faults."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ocaml_env import Verifier
from ocaml_env.commands import evaluate, leaderboard, submit
from tests.evaluation.fake_server import FakeServer, Reply
from tests.evaluation.test_livecodebench import ROW, answers
from tests.problems.importers.exercises import write_track

ROWS = Path(__file__).parent / "multipl_e.jsonl"
TOTAL = " List.fold_left ( + ) 0 numbers"


@pytest.fixture(autouse=True)
def _engine(verifier: Verifier) -> None:
    """Skips the tests without OCaml."""


def run(out: Path, benchmark: str, model: str, *more: object) -> int:
    options = ["--benchmark", benchmark, "--model", model, "--out", str(out), "--workers", "1"]
    return evaluate.main([*options, *map(str, more)])


def summary_of(out: Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((out / "summary.json").read_text())
    return value


def completions(path: Path, **texts: str) -> str:
    path.write_text("".join(json.dumps({"task_id": name, "completion": text}) + "\n" for name, text in texts.items()))
    return f"completions:{path}"


def test_multipl_e_asks_as_its_scripts_do(tmp_path: Path, server: FakeServer) -> None:
    answer = {"index": 0, "finish_reason": "stop", "text": TOTAL}
    server.reply = lambda body, number: Reply(body=json.dumps({"choices": [answer]}).encode())
    more = ("--problems", ROWS, "--base-url", server.url, "--n", 2)
    assert run(tmp_path / "out", "multipl-e:humaneval", "openai:base", *more) == 0
    asked = server.asked[0]
    assert (asked["temperature"], asked["top_p"], asked["max_tokens"]) == (0.2, 0.95, 512)
    assert "let" in asked["prompt"]
    found = summary_of(tmp_path / "out")
    assert found["settings"]["benchmark"] == {"name": "multipl-e:humaneval", "version": None, "weights": None}
    assert found["settings"]["protocol"] == "multipl-e"
    assert found["protocol"]["ours"]["pass@1"]["estimate"] == 1 / 8


def test_multipl_e_names_tests_that_compile_with_nothing_and_those_that_ours_mends(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [json.loads(row)["name"] for row in ROWS.read_text().splitlines()]
    texts = dict.fromkeys(names, " x") | {"Own_0_total": TOTAL, "Own_3_below": " b - a"}
    model = completions(tmp_path / "answers.jsonl", **texts)
    out = tmp_path / "out"
    assert run(out, "multipl-e:mbpp", model, "--problems", ROWS) == 0
    found = summary_of(out)
    section = found["protocol"]
    broken = ["Own_3_below", "Own_4_debts", "Own_5_tally", "Own_6_halves"]
    assert [entry["problem_id"] for entry in section["broken"]] == broken
    assert section["mended"] == [
        {"problem_id": "Own_3_below", "reason": "numbers written ~1 and read as -1: 2"},
        {"problem_id": "Own_4_debts", "reason": "numbers written ~1 and read as -1: 8"},
    ]
    assert found["pass@1"]["estimate"] == 1 / 10
    assert section["ours"]["pass@1"]["estimate"] == 2 / 8
    assert section["theirs_without_broken"]["pass@1"]["estimate"] == pytest.approx(1 / 6)
    printed = capsys.readouterr().out
    assert "theirs, without broken tests" in printed
    assert "2 of 10 problems: ours mends their tests" in printed
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "Ours mends their tests: 2 problems" in page
    before = (out / "summary.json").read_bytes()
    assert evaluate.main(["--rescore", str(out), "--workers", "1"]) == 0
    assert (out / "summary.json").read_bytes() == before
    assert leaderboard.main([str(tmp_path), "--markdown"]) == 0
    shown = capsys.readouterr().out
    assert "**multipl-e:mbpp: 10 problems" in shown
    assert "| 10.0% |" in shown
    assert "| 20.0% |" not in shown
    assert "| pass@1, ours | broken |" in shown
    assert "| 25.0% | 4 |" in shown
    assert submit.main([str(out)]) == 2
    assert "not a run of the benchmark" in capsys.readouterr().err


def test_sound_rows_have_no_figure_without_broken_tests(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text(next(row for row in ROWS.read_text().splitlines(keepends=True) if "Own_0_total" in row))
    model = completions(tmp_path / "answers.jsonl", Own_0_total=TOTAL)
    assert run(tmp_path / "out", "multipl-e:humaneval", model, "--problems", rows) == 0
    assert "without broken" not in capsys.readouterr().out
    assert "without broken" not in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_published_completions_must_answer_each_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = completions(tmp_path / "answers.jsonl", Own_0_total=TOTAL)
    assert run(tmp_path / "out", "multipl-e:humaneval", model, "--problems", ROWS) == 2
    assert "needs an answer to each problem, and 9 have none" in capsys.readouterr().err


def test_a_set_of_stdin_and_stdout_is_compared_as_livecodebench_does(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps(ROW) + "\n")
    model = answers(tmp_path / "answers.jsonl", r"%.2f\n%03d", r"%.1f\n%d\n", r"%.1f %d")
    assert run(tmp_path / "out", f"livecodebench:{rows}", model) == 0
    found = summary_of(tmp_path / "out")
    assert found["pass@1"]["estimate"] == pytest.approx(2 / 3)
    assert found["protocol"]["ours"]["pass@1"]["estimate"] == pytest.approx(1 / 3)
    assert found["settings"]["problems"] == str(rows)


def test_exercism_has_its_tests_and_tells_which_exercises_it_leaves_out(tmp_path: Path) -> None:
    write_track(tmp_path / "track")
    benchmark, out = f"exercism:{tmp_path / 'track'}", tmp_path / "out"
    assert run(out, benchmark, "agent:reference") == 0
    found = summary_of(out)
    assert (found["pass@1"]["estimate"], found["problems"], found["n"]) == (1.0, 2, 1)
    assert "kept 2 of 3 rows" in found["suite"]["note"]
    assert "chat-room" in found["suite"]["note"]
    assert "it needs the libraries lwt" in found["suite"]["note"]
    assert "benchmark" not in found or found["benchmark"] is None
    before = (out / "summary.json").read_bytes()
    assert evaluate.main(["--rescore", str(out), "--workers", "1"]) == 0
    assert (out / "summary.json").read_bytes() == before


@pytest.mark.parametrize(
    ("benchmark", "more", "says"),
    [
        ("multipl-e:humaneval", ["--temperature", "0.8"], "--benchmark multipl-e:humaneval fixes it at 0.2"),
        ("multipl-e:humaneval", ["--limit", "5"], "allows none"),
        ("multipl-e:humaneval", ["--prompt-style", "text"], "--prompt-style cannot be given"),
        ("multipl-e:humaneval", ["--protocol", "livecodebench"], "fixes it at multipl-e"),
        ("livecodebench:a.jsonl", ["--problems", "b.jsonl"], "fixes it at a.jsonl"),
        ("exercism:track", ["--protocol", "multipl-e"], "allows none"),
    ],
)
def test_options_that_contradict_a_benchmark_of_others_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], benchmark: str, more: list[str], says: str
) -> None:
    with pytest.raises(SystemExit) as caught:
        run(tmp_path / "out", benchmark, "agent:stub", *more)
    assert caught.value.code == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize("name", ["multipl-e:humanevil", "exercism:", "ocamlcode-2"])
def test_an_unknown_benchmark_is_refused(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path / "out", name, "agent:stub") == 2
    assert f"there is no benchmark {name!r}" in capsys.readouterr().err
