"""The command from end to end: directories, resumed runs, faults, and output."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from ocaml_env import EngineError, Problem, Verdict, Verifier
from ocaml_env.commands.evaluate import main
from ocaml_env.evaluation.models.agents import STUBS
from ocaml_env.problems import to_jsonl
from ocaml_env.verifiers.giving_up import SAMPLES_IN_A_ROW
from tests.evaluation.fake_server import FakeServer, Reply

ROOT = Path(__file__).parents[2]
KEY = "sk-test-0123456789abcdef"
RIGHT = "let add a b = a + b\nlet negate a = -a"


@pytest.fixture(autouse=True)
def _engine(verifier: Verifier, monkeypatch: pytest.MonkeyPatch) -> None:
    """Skips the tests without OCaml."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


@pytest.fixture
def suite(tmp_path: Path, add: Problem, last: Problem) -> str:
    path = tmp_path / "suite.jsonl"
    to_jsonl([add, last], path)
    return str(path)


@pytest.fixture
def one(tmp_path: Path, add: Problem) -> str:
    path = tmp_path / "one.jsonl"
    to_jsonl([add], path)
    return str(path)


def evaluate(out: Path, model: str, problems: str, *more: str) -> int:
    return main(["--model", model, "--problems", problems, "--out", str(out), "--workers", "1", *more])


def summary_of(out: Path) -> dict[str, Any]:
    value = json.loads((out / "summary.json").read_text())
    assert isinstance(value, dict)
    return value


def samples_of(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "samples.jsonl").read_text().splitlines()]


def without_times(out: Path) -> list[dict[str, Any]]:
    """Returns the samples in order, without their durations."""
    samples = [sample | {"latency": None} for sample in samples_of(out)]
    for sample in samples:
        sample["turns"] = [turn | {"latency": None} for turn in sample["turns"]]
    return sorted(samples, key=lambda sample: (sample["problem_id"], sample["sample"]))


def files_of(out: Path) -> set[str]:
    return {path.name for path in out.iterdir()}


def test_the_references_pass_and_the_stubs_do_not(
    tmp_path: Path, suite: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert evaluate(tmp_path / "reference", "agent:reference", suite, "--n", "2", "--k", "1,2,3") == 0
    assert "100.0%" in capsys.readouterr().out
    found = summary_of(tmp_path / "reference")
    # Both of two problems: the exact interval begins at the square root of 2.5%.
    assert found["pass@1"] == found["pass@2"] == {"estimate": 1.0, "low": pytest.approx(0.025**0.5), "high": 1.0}
    assert found["pass@3"] is None
    assert found["by_problem"] == {"add": {"n": 2, "passed": 2}, "last": {"n": 2, "passed": 2}}
    assert evaluate(tmp_path / "stub", "agent:stub", suite, "--n", "1") == 0
    found = summary_of(tmp_path / "stub")
    assert found["pass@1"]["estimate"] == 0
    assert found["funnel"] == {"extracted": 1, "parsed": 1, "typechecked": 1, "compiled": 1, "passed": 0}
    assert files_of(tmp_path / "stub") == {"config.json", "samples.jsonl", "summary.json", "report.html"}


def test_agents_that_give_up_solve_nothing_and_earn_little(tmp_path: Path) -> None:
    answers = set()
    for name in STUBS:
        out = tmp_path / name
        assert evaluate(out, f"agent:{name}", "bundled:eval", "--n", "1", "--limit", "8") == 0
        found = summary_of(out)
        assert found["pass@1"]["estimate"] == 0
        assert found["reward"]["mean"] <= 0.25
        answers.add(tuple(sample["completion"] for sample in samples_of(out)))
    assert len(answers) == len(STUBS)


def test_a_sample_records_its_turns_answers_and_outcomes(tmp_path: Path, one: str) -> None:
    assert evaluate(tmp_path / "out", "tests.evaluation.agents_of_others:Learner", one, "--n", "1", "--turns", "3") == 0
    [sample] = samples_of(tmp_path / "out")
    assert sample["schema_version"] == 1
    assert (sample["problem_id"], sample["sample"], sample["passed"], sample["solved_at"]) == ("add", 0, True, 2)
    assert [turn["outcome"] for turn in sample["turns"]] == ["TYPE_ERROR", "PASSED"]
    assert sample["completion"] == RIGHT
    assert sum(sample["parts"].values()) == pytest.approx(sample["total"]) == pytest.approx(1.0)
    assert [test["outcome"] for test in sample["tests"]] == ["PASSED"] * 6
    assert summary_of(tmp_path / "out")["turns"] == {"solved_by": [0.0, 1.0, 1.0], "mean_turns_to_solve": 2.0}


@pytest.mark.parametrize("agent", ["Coin", "plain", "makes_a_coin"])
def test_an_agent_may_be_a_class_a_function_or_a_factory(tmp_path: Path, one: str, agent: str) -> None:
    assert evaluate(tmp_path / "out", f"tests.evaluation.agents_of_others:{agent}", one, "--n", "1") == 0
    assert summary_of(tmp_path / "out")["pass@1"]["estimate"] == 1


def test_completions_may_name_their_problem_in_either_field(tmp_path: Path, suite: str) -> None:
    lines = [
        {"task_id": "add", "completion": RIGHT},
        {"problem_id": "add", "completion": "let add a b = a +"},
        {"task_id": "last", "completion": "let rec last = function", "truncated": True},
    ]
    file = tmp_path / "answers.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)) + "\n")
    assert evaluate(tmp_path / "out", f"completions:{file}", suite) == 0
    found = summary_of(tmp_path / "out")
    assert found["by_problem"] == {"add": {"n": 2, "passed": 1}, "last": {"n": 1, "passed": 0}}
    assert found["pass@1"]["estimate"] == 0.25
    assert found["truncated"] == pytest.approx(1 / 3)
    assert found["by_outcome"] == {"SYNTAX_ERROR": 2, "PASSED": 1}


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('{"task_id": "ad", "completion": ""}', "no problem 'ad'"),
        ('{"task_id": "add"}', "needs a `completion`"),
        ('{"completion": ""}', "needs a `task_id`"),
        ("{", "not JSON"),
    ],
)
def test_a_bad_line_of_a_completions_file_is_named(
    tmp_path: Path, suite: str, capsys: pytest.CaptureFixture[str], line: str, says: str
) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text('{"task_id": "add", "completion": ""}\n' + line + "\n")
    assert evaluate(tmp_path / "out", f"completions:{file}", suite) == 2
    err = capsys.readouterr().err
    assert says in err
    assert "answers.jsonl:2" in err


@pytest.mark.parametrize(
    ("model", "says"),
    [
        ("reference", "KIND:NAME"),
        ("agent:refrence", "reference"),
        ("no_such_module:Agent", "no module"),
        ("tests.evaluation.agents_of_others:Nobody", "no 'Nobody'"),
        ("tests.evaluation.agents_of_others:not_an_agent", "no method `act`"),
        ("tests.evaluation.agents_of_others:Wrong", "0 answers to 1 observations"),
        ("tests.evaluation.agents_of_others:Demanding", "Demanding needs arguments"),
        ("tests.evaluation.agents_of_others:gives_no_agent", "gives_no_agent gave an int"),
        ("tests.evaluation.agents_of_others:answers_each", "answers_each needs arguments"),
        ("tests.evaluation.agents_of_others:one_text", "the agent gave a str, not a list"),
        ("tests.evaluation.agents_of_others:lazily", "the agent gave a generator, not a list"),
        ("tests.evaluation.agents_of_others:numbers", "the agent gave an int for an answer"),
        ("vllm:some/model", "vLLM is not installed"),
        ("hf:/no/such/folder", "no model"),
    ],
)
def test_an_unusable_model_is_wrong_usage_with_the_reason(
    tmp_path: Path, one: str, capsys: pytest.CaptureFixture[str], model: str, says: str
) -> None:
    if model.startswith("hf:"):
        pytest.importorskip("torch")
    assert evaluate(tmp_path / "out", model, one, "--n", "1") == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--model", "openai:m"], "--endpoint completions"),
        (["--model", "agent:reference"], "agent:reference is none"),
        (["--model", "openai:m", "--endpoint", "completions", "--turns", "0"], "--turns"),
    ],
)
def test_a_prefilled_answer_needs_a_model_that_continues_text(
    tmp_path: Path, one: str, capsys: pytest.CaptureFixture[str], more: list[str], says: str
) -> None:
    with contextlib.suppress(SystemExit):
        assert main(["--problems", one, "--out", str(tmp_path / "out"), "--prefill", *more]) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize(("endpoint", "warned"), [("chat", True), ("completions", False)])
def test_a_completion_style_prompt_to_a_chat_gets_a_warning(
    tmp_path: Path, one: str, server: FakeServer, capsys: pytest.CaptureFixture[str], endpoint: str, warned: bool
) -> None:
    server.reply = lambda body, number: Reply(
        body=json.dumps({"choices": [{"message": {"content": RIGHT}, "text": RIGHT, "finish_reason": "stop"}]}).encode()
    )
    more = ["--n", "1", "--base-url", server.url, "--endpoint", endpoint, "--prompt-style", "completion"]
    assert evaluate(tmp_path / "out", "openai:some-model", one, *more) == 0
    assert ("begin a file" in capsys.readouterr().err) == warned
    assert server.asked[0].get("stop") == (None if warned else ["\n(*\n", "\n```", "\n#"])


def test_a_run_resumes_where_it_stopped_and_asks_faults_again(tmp_path: Path, suite: str) -> None:
    out = tmp_path / "out"
    assert evaluate(out, "agent:reference", suite, "--n", "3") == 0
    whole, unbroken = samples_of(out), (out / "summary.json").read_bytes()
    kept = [json.dumps(sample) for sample in whole]
    fault = json.dumps(whole[1] | {"fault": "server: gone", "passed": None, "outcome": None})
    (out / "samples.jsonl").write_text("\n".join([kept[0], fault, kept[2]]) + "\n" + kept[3][:40])
    assert evaluate(out, "agent:reference", suite, "--n", "3") == 0
    assert without_times(out) == sorted(whole, key=lambda sample: (sample["problem_id"], sample["sample"]))
    assert samples_of(out)[:2] == [whole[0], whole[2]]
    assert (out / "summary.json").read_bytes() == unbroken


def test_resuming_with_other_settings_is_refused_and_the_difference_named(
    tmp_path: Path, suite: str, one: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert evaluate(out, "agent:reference", suite, "--n", "1") == 0
    before = (out / "samples.jsonl").read_bytes()
    assert evaluate(out, "agent:reference", suite, "--n", "1", "--reward", "binary") == 2
    assert "reward was 'staged' and is 'binary'" in capsys.readouterr().err
    assert evaluate(out, "agent:reference", one, "--n", "1") == 2
    assert "digest was" in capsys.readouterr().err
    assert (out / "samples.jsonl").read_bytes() == before


def _with_ctrl_c() -> None:
    """Restores the default of SIGINT: a shell's background jobs and their children ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start(out: Path, problems: str, *more: str, **environment: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "benchmarks.evaluate", "--model", "tests.evaluation.agents_of_others:Slow"]
    command += ["--problems", problems, "--n", "40", "--out", str(out), "--workers", "1", "--batch", "3", *more]
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command,
        cwd=ROOT,
        env=os.environ | environment,
        stdout=pipe,
        stderr=pipe,
        text=True,
        preexec_fn=_with_ctrl_c,
    )


def wait_for_samples(out: Path, count: int, process: subprocess.Popen[str]) -> None:
    file = out / "samples.jsonl"
    while process.poll() is None and not (file.exists() and file.read_bytes().count(b"\n") >= count):
        time.sleep(0.005)


def test_a_run_that_is_killed_five_times_ends_as_an_unbroken_one(tmp_path: Path, suite: str) -> None:
    model = "tests.evaluation.agents_of_others:Slow"
    assert evaluate(tmp_path / "unbroken", model, suite, "--n", "40", "--batch", "3") == 0
    out, chance = tmp_path / "out", random.Random(7)
    ended = []
    for count in range(0, 60, 12):
        process = start(out, suite, SLOW_SECONDS="0.05")
        wait_for_samples(out, count, process)
        time.sleep(chance.random() * (0.06 if count else 0.6))  # the first run is killed before it writes
        process.send_signal(signal.SIGKILL)
        process.communicate()
        ended.append(process.returncode)
    assert ended.count(-signal.SIGKILL) >= 4  # on a loaded machine the last kills may come too late
    assert evaluate(out, model, suite, "--n", "40", "--batch", "3") == 0
    assert without_times(out) == without_times(tmp_path / "unbroken")
    assert (out / "summary.json").read_bytes() == (tmp_path / "unbroken" / "summary.json").read_bytes()


def test_ctrl_c_leaves_one_line_and_a_resumable_directory_that_only_one_run_may_write(
    tmp_path: Path, suite: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    process = start(out, suite, SLOW_SECONDS="0.3")
    wait_for_samples(out, 3, process)
    model = "tests.evaluation.agents_of_others:Slow"
    assert evaluate(out, model, suite, "--n", "40", "--batch", "3") == 2
    assert "another run is writing there" in capsys.readouterr().err
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert (process.returncode, err.count("\n")) == (130, 1), err
    assert "the same command goes on" in err
    assert evaluate(out, model, suite, "--n", "40", "--batch", "3") == 0
    assert len(samples_of(out)) == 80


def test_without_a_terminal_lines_tell_the_progress(
    tmp_path: Path, suite: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("ocaml_env.evaluation.run._LINE_EVERY_S", 0.0)
    assert evaluate(tmp_path / "out", "agent:reference", suite, "--n", "2") == 0
    lines = [line for line in capsys.readouterr().err.splitlines() if "samples" in line]
    total = summary_of(tmp_path / "out")["samples"]
    assert lines[-1].startswith(f"{total} of {total} samples, pass@1 100.0%, 00:0")


def test_rescoring_gives_the_same_bytes_with_any_number_of_workers_and_can_change_the_reward(
    tmp_path: Path, suite: str
) -> None:
    out = tmp_path / "out"
    assert evaluate(out, "tests.evaluation.agents_of_others:Coin", suite, "--n", "8") == 0
    before = (out / "summary.json").read_bytes()
    for workers in ("1", "2"):
        assert main(["--rescore", str(out), "--workers", workers]) == 0
        assert (out / "summary.json").read_bytes() == before
    assert main(["--rescore", str(out), "--reward", "binary"]) == 0
    found = summary_of(out)
    assert found["reward"] == {"preset": "binary", "mean": 0.5}
    assert found["pass@1"] == json.loads(before)["pass@1"]
    assert main(["--rescore", str(tmp_path)]) == 2
    kept = {name: (out / name).read_bytes() for name in ("config.json", "summary.json")}
    (out / "samples.jsonl").rename(tmp_path / "samples.jsonl")
    assert main(["--rescore", str(out)]) == 2, "only figures were kept"
    assert {path.name: path.read_bytes() for path in out.glob("*.json*")} == kept
    (tmp_path / "samples.jsonl").rename(out / "samples.jsonl")


def test_rescoring_keeps_the_requested_k(tmp_path: Path, suite: str) -> None:
    out = tmp_path / "out"
    assert evaluate(out, "tests.evaluation.agents_of_others:Coin", suite, "--n", "8", "--k", "2,7") == 0
    before = (out / "summary.json").read_bytes()
    assert main(["--rescore", str(out)]) == 0
    assert (out / "summary.json").read_bytes() == before
    assert main(["--rescore", str(out), "--k", "3"]) == 0
    assert summary_of(out)["k"] == [3]


def test_a_rescored_unfinished_run_stays_unfinished_and_can_be_resumed(tmp_path: Path, suite: str) -> None:
    out = tmp_path / "out"
    assert evaluate(out, "agent:reference", suite, "--n", "2") == 0
    unbroken = (out / "summary.json").read_bytes()
    lines = (out / "samples.jsonl").read_text().splitlines(keepends=True)
    (out / "samples.jsonl").write_text("".join(line for line in lines if json.loads(line)["problem_id"] == "add"))
    assert main(["--rescore", str(out)]) == 0
    assert summary_of(out)["by_problem"]["last"] == {"n": 0, "passed": 0}
    assert summary_of(out)["pass@1"] is None
    assert evaluate(out, "agent:reference", suite, "--n", "2") == 0
    assert (out / "summary.json").read_bytes() == unbroken


def test_problems_without_a_completion_are_left_out_with_a_warning(
    tmp_path: Path, suite: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text(json.dumps({"task_id": "add", "completion": RIGHT}) + "\n")
    assert evaluate(tmp_path / "out", f"completions:{file}", suite) == 0
    assert "1 of 2 problems have no completion" in capsys.readouterr().err
    assert summary_of(tmp_path / "out")["settings"]["left_out"] == ["last"]
    file.unlink()
    assert main(["--rescore", str(tmp_path / "out")]) == 0
    assert summary_of(tmp_path / "out")["pass@1"]["estimate"] == 1


def test_a_changed_completions_file_is_refused(tmp_path: Path, one: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text(json.dumps({"task_id": "add", "completion": "let add = 0"}) + "\n")
    assert evaluate(tmp_path / "out", f"completions:{file}", one) == 0
    file.write_text(json.dumps({"task_id": "add", "completion": RIGHT}) + "\n")
    assert evaluate(tmp_path / "out", f"completions:{file}", one) == 2
    assert "completions was" in capsys.readouterr().err


@pytest.mark.parametrize("odd", ["\u2028", "\x85", "é", "\ud800"])
def test_a_sample_is_one_line_to_every_reader_despite_odd_characters(tmp_path: Path, one: str, odd: str) -> None:
    file, out = tmp_path / "answers.jsonl", tmp_path / "out"
    file.write_text(json.dumps({"task_id": "add", "completion": f"{RIGHT}\n(* {odd} *)"}) + "\n")
    assert evaluate(out, f"completions:{file}", one) == 0
    [line] = (out / "samples.jsonl").read_text(encoding="ascii").splitlines()
    assert odd in json.loads(line)["completion"]


def test_completions_beyond_the_limit_are_ignored(tmp_path: Path, suite: str) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text("".join(json.dumps({"task_id": name, "completion": RIGHT}) + "\n" for name in ("add", "last")))
    assert evaluate(tmp_path / "out", f"completions:{file}", suite, "--limit", "1") == 0
    assert list(summary_of(tmp_path / "out")["by_problem"]) == ["add"]


def test_completions_that_failed_to_rescore_are_rescored_next_time(
    tmp_path: Path, suite: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert evaluate(out, "agent:reference", suite, "--n", "2") == 0
    before, summary = without_times(out), (out / "summary.json").read_bytes()
    with monkeypatch.context() as patch:

        def fail(verifier: Verifier, problem: Problem, code: str) -> Verdict:
            raise EngineError("a bad day")

        patch.setattr(Verifier, "verify", fail)
        assert main(["--rescore", str(out)]) == 3
    assert "evaluates those that have completions again" in capsys.readouterr().err
    assert {sample["fault"] for sample in samples_of(out)} == {"verification: a bad day"}
    assert main(["--rescore", str(out)]) == 0
    assert without_times(out) == before
    assert (out / "summary.json").read_bytes() == summary


def test_a_run_that_gave_up_can_be_rescored(tmp_path: Path, one: str, server: FakeServer) -> None:
    server.reply = lambda body, number: Reply.text(RIGHT) if number == 1 else Reply.error(400, "gone")
    out = tmp_path / "out"
    more = ["--n", "100", "--concurrency", "1", "--base-url", server.url]
    assert evaluate(out, "openai:m", one, *more) == 3
    samples = samples_of(out)
    faults = sum(bool(sample["fault"]) for sample in samples)
    assert faults >= SAMPLES_IN_A_ROW
    assert main(["--rescore", str(out)]) == 3
    found = summary_of(out)
    assert (found["samples"], found["faults"]["count"]) == (len(samples) - faults, faults)


def test_a_bad_server_is_asked_until_all_samples_are_there_and_the_key_is_in_no_file(
    tmp_path: Path, suite: str, server: FakeServer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = [
        Reply.error(429, Retry_After="0.05"),
        Reply.error(500, f"key {KEY}"),
        Reply.stream("let", cut=10),
        Reply(body=b"{"),
        Reply(wait=1.5),
    ]

    def reply(body: dict[str, Any], number: int) -> Reply:
        return bad[number // 2 % len(bad)] if number % 2 else Reply.stream(RIGHT, tokens=11)

    server.reply = reply
    out = tmp_path / "out"
    more = ["--n", "10", "--base-url", server.url, "--timeout", "1", "--stream", "--concurrency", "8"]
    while (code := evaluate(out, "openai:some-model", suite, *more, "--retries", "2")) == 3:
        pass
    assert code == 0
    found = summary_of(out)
    assert found["by_problem"] == {"add": {"n": 10, "passed": 10}, "last": {"n": 10, "passed": 0}}
    assert found["tokens"] == {"mean": 11, "total": 220, "thinking": None}
    assert found["faults"]["count"] == 0
    shown = capsys.readouterr()
    assert KEY not in shown.out + shown.err + "".join(path.read_text() for path in out.iterdir())


def test_a_run_may_resume_at_another_address_and_secrets_in_addresses_are_not_kept(
    tmp_path: Path, one: str, server: FakeServer
) -> None:
    server.reply = lambda body, number: Reply.text(RIGHT)
    out, secret = tmp_path / "out", server.url.replace("http://", "http://me:hush@") + "?token=hush"
    assert evaluate(out, "openai:m", one, "--n", "1", "--base-url", secret) == 0
    assert server.paths == ["/v1/chat/completions?token=hush"]
    assert summary_of(out)["settings"]["base_url"] == server.url
    assert "hush" not in "".join(path.read_text() for path in out.iterdir())
    (out / "samples.jsonl").write_text("")
    elsewhere = server.url.replace("127.0.0.1", "localhost")
    assert evaluate(out, "openai:m", one, "--n", "1", "--base-url", elsewhere) == 0
    assert json.loads((out / "config.json").read_text())["base_url"] == elsewhere


def test_faults_are_counted_separately_and_exit_with_3(
    tmp_path: Path, suite: str, server: FakeServer, capsys: pytest.CaptureFixture[str]
) -> None:
    def reply(body: dict[str, Any], number: int) -> Reply:
        return Reply.text(RIGHT) if "negate" in body["messages"][0]["content"] else Reply.error(400, f"not this, {KEY}")

    server.reply = reply
    out = tmp_path / "out"
    assert evaluate(out, "openai:m", suite, "--n", "2", "--base-url", server.url) == 3
    found = summary_of(out)
    assert found["by_problem"] == {"add": {"n": 2, "passed": 2}, "last": {"n": 0, "passed": 0}}
    assert found["pass@1"] is None
    assert found["faults"]["count"] == 2
    assert [sample["outcome"] for sample in samples_of(out) if sample["fault"]] == [None, None]
    shown = capsys.readouterr()
    assert "2 samples could not be had" in shown.out
    assert "requests them again" in shown.err
    assert KEY not in shown.out + shown.err + "".join(path.read_text() for path in out.iterdir())


def test_a_lost_server_ends_the_run_early(
    tmp_path: Path, one: str, server: FakeServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.reply = lambda body, number: Reply.error(400, "gone")
    more = ["--n", "500", "--base-url", server.url]
    assert evaluate(tmp_path / "out", "openai:m", one, *more) == 3
    assert "in a row could not be had" in capsys.readouterr().err
    assert len(server.asked) < 500


def test_answers_are_evaluated_while_others_are_generated(tmp_path: Path, one: str, server: FakeServer) -> None:
    asked_when_written: list[int] = []
    server.reply = lambda body, number: Reply(body=Reply.text(RIGHT).body, wait=0.05)
    done = threading.Event()

    def watch() -> None:
        file = tmp_path / "out" / "samples.jsonl"
        while not done.wait(0.01):
            if file.exists() and file.stat().st_size:
                asked_when_written.append(len(server.asked))
                return

    watching = threading.Thread(target=watch)
    watching.start()
    assert evaluate(tmp_path / "out", "openai:m", one, "--n", "60", "--base-url", server.url, "--concurrency", "4") == 0
    done.set()
    watching.join()
    assert server.at_once == 4
    assert asked_when_written[0] < 60


def test_a_resumed_run_of_the_tiny_policy_draws_the_same_samples(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    import agents  # noqa: F401 - registers agent:tiny

    more = ["--n", "2", "--batch", "4", "--max-tokens", "120", "--turns", "2"]
    problems = "tiny:held_out?n=6"
    assert evaluate(tmp_path / "unbroken", "agent:tiny", problems, *more) == 0
    out = tmp_path / "out"
    shutil.copytree(tmp_path / "unbroken", out)
    lines = (out / "samples.jsonl").read_text().splitlines(keepends=True)
    (out / "samples.jsonl").write_text("".join(lines[:5] + lines[9:]))
    assert evaluate(out, "agent:tiny", problems, *more) == 0
    assert without_times(out) == without_times(tmp_path / "unbroken")
    assert summary_of(out)["tokens"]["total"] > 0


def test_wrong_options_are_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    for options in (
        ["--model", "agent:stub"],
        ["--n", "0"],
        ["--k", "1,x"],
        ["--reward", "none"],
        ["--rescore", "x", "--out", "y"],
        ["--rescore", "x", "--n", "7"],
        ["--rescore", "x", "--seed", "9"],
    ):
        with pytest.raises(SystemExit) as caught:
            main(options)
        assert caught.value.code == 2
