"""MultiPL-E's protocol: the cut of a completion, both verdicts, and their summary."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocaml_env import Completion, ConfigError, Outcome, RewardSpec, Stage, Verdict, Verifier
from ocaml_env.commands.evaluate import main
from ocaml_env.commands.report import main as write_again
from ocaml_env.evaluation.directory import read_samples
from ocaml_env.evaluation.protocols.multipl_e import MultiPLE, cut, exits, status_of
from ocaml_env.evaluation.report.excerpt import of_sample
from ocaml_env.prompt import Prompt
from tests.evaluation.fake_server import FakeServer, Reply

ROWS = Path(__file__).parent / "multipl_e.jsonl"
STOP = ("\n\n", "\n(*", "\ntype", "\nlet")

HONEST = {
    "Own_0_total": " List.fold_left ( + ) 0 numbers\n\nlet () = print_int 3",
    "Own_1_tallest": "\n  match heights with\n  | [] -> None\n  | _ -> Some (List.fold_left max min_int heights)\n(*",
    "Own_2_shout": ' print_endline word; String.uppercase_ascii word ^ "!"\nlet x = (',
    "Own_3_below": " b - a",
    "Own_4_debts": " List.filter (fun x -> x < 0) accounts",
    "Own_5_tally": " []",
    "Own_6_halves": " List.map (fun x -> x /. 2.) numbers",
    "Own_7_is_square": "\n  let rec go i = i * i = n || (i * i < n && go (i + 1)) in\n  go 0\ntype t",
    "Own_8_echo": ' String.concat " " (List.init times (fun _ -> text))',
    "Own_9_swap": " (snd pair, fst pair);;\n\n",
}
BROKEN = ["Own_3_below", "Own_4_debts", "Own_5_tally", "Own_6_halves"]
UNJUDGED = ["Own_5_tally", "Own_6_halves"]


@pytest.fixture(autouse=True)
def _engine(verifier: Verifier) -> None:
    """Skips the tests without OCaml."""


@pytest.fixture(scope="module")
def protocol(verifier: Verifier) -> MultiPLE:
    return MultiPLE(str(ROWS), 0, verifier)


def verdicts(protocol: MultiPLE, verifier: Verifier, name: str, completion: str) -> tuple[str, str, bool]:
    """Returns their status, our outcome, and if the pass is forged."""
    problem = protocol.problems.by_id[name]
    found = protocol.evaluate(problem, Completion(completion), verifier=verifier, reward=RewardSpec.preset("staged"))
    assert found.verdict.passed == (found.status == "OK")
    return found.status, found.ours.outcome.value if found.ours else "", found.forged


def answers(path: Path, *completions: tuple[str, str]) -> str:
    path.write_text("".join(json.dumps({"task_id": name, "completion": text}) + "\n" for name, text in completions))
    return f"completions:{path}"


def evaluate(out: Path, model: str, *more: str, problems: Path = ROWS) -> int:
    options = ["--model", model, "--problems", str(problems), "--protocol", "multipl-e", "--out", str(out)]
    return main([*options, "--workers", "1", *more])


def summary_of(out: Path) -> dict[str, Any]:
    value = json.loads((out / "summary.json").read_text())
    assert isinstance(value, dict)
    return value


# --- the cut ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("completion", "kept"),
    [
        (" x + y", " x + y"),
        (" x + y\n\nlet z = 1", " x + y"),
        ("\n  let a = 1 in\n  a\nlet z = 1\n\n", "\n  let a = 1 in\n  a"),
        (" x\n(* why *)", " x"),
        (" x\ntype t = int", " x"),
        (" x\n \n", " x\n \n"),
        ("\nlet", ""),
        ("\n\n", ""),
        (" x\r\n\r\nlet y", " x\r\n\r"),
        ("", ""),
    ],
)
def test_a_completion_ends_at_its_first_stop_token(completion: str, kept: str) -> None:
    assert cut(completion, STOP) == kept


@given(st.text("\n (*letypx"))
def test_the_kept_part_is_a_prefix_without_stop_tokens(completion: str) -> None:
    kept = cut(completion, STOP)
    assert completion.startswith(kept)
    assert not any(token in kept for token in STOP)
    assert kept == completion or any(completion[len(kept) :].startswith(token) for token in STOP)
    assert cut(kept, STOP) == kept


def test_an_answer_with_a_stop_token_does_not_count_as_truncated(protocol: MultiPLE, verifier: Verifier) -> None:
    problem, reward = protocol.problems.by_id["Own_3_below"], RewardSpec.preset("staged")
    for text, truncated in ((" b - a\n\nlet x =", False), (" b - ", True)):
        found = protocol.evaluate(problem, Completion(text, truncated=True), verifier=verifier, reward=reward)
        assert (found.completion, found.completion.truncated) == (text, truncated)


# --- verdicts ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_completion_passes_both_if_the_tests_are_sound(
    name: str, protocol: MultiPLE, verifier: Verifier
) -> None:
    theirs, ours, forged = verdicts(protocol, verifier, name, HONEST[name])
    assert (theirs == "OK") == (name not in BROKEN)
    assert ours == ("" if name in UNJUDGED else "PASSED")
    assert not forged


@pytest.mark.parametrize(
    ("name", "completion", "theirs", "ours"),
    [
        ("Own_0_total", " 0", "AssertionError", "TEST_FAILURE"),
        ("Own_0_total", ' failwith "Assertion failed"', "Exception", "RUNTIME_ERROR"),
        ("Own_0_total", ' "', "Exception", "SYNTAX_ERROR"),
        ("Own_0_total", " (", "SyntaxError", "SYNTAX_ERROR"),
        ("Own_0_total", " numbers", "Exception", "TYPE_ERROR"),
        ("Own_0_total", " exit 1", "Exception", "FORBIDDEN"),
        ("Own_0_total", " Obj.magic numbers", "Withheld", "FORBIDDEN"),
        ("Own_0_total", ' Sys.command "true"', "Withheld", "FORBIDDEN"),
        ("Own_0_total", " 0 \ud800", "Exception", "SYNTAX_ERROR"),
        ("Own_0_total", " let rec f n = 1 + f n in f 0", "Exception", "RUNTIME_ERROR"),
        ("Own_0_total", " read_int ()", "Exception", "FORBIDDEN"),
        ("Own_2_shout", ' ignore (Str.regexp "a"); String.uppercase_ascii word ^ "!"', "Exception", "PASSED"),
        ("Own_3_below", " a - b", "SyntaxError", "TEST_FAILURE"),
    ],
)
def test_a_failure_has_their_name(
    name: str, completion: str, theirs: str, ours: str, protocol: MultiPLE, verifier: Verifier
) -> None:
    assert verdicts(protocol, verifier, name, completion) == (theirs, ours, False)


@pytest.mark.parametrize(
    "completion",
    [
        " exit 0",
        " 0 let () = exit 0",
        " 0 let (=) _ _ = true",
        " 0 module Stdlib = struct let compare = 0 end let (=) _ _ = not false",
        " let () = at_exit (fun () -> exit 0) in exit 3",
    ],
)
def test_a_forged_pass_counts_for_theirs_marked_as_forged_but_not_for_ours(
    completion: str, protocol: MultiPLE, verifier: Verifier
) -> None:
    theirs, ours, forged = verdicts(protocol, verifier, "Own_0_total", completion)
    assert (theirs, forged) == ("OK", True)
    assert ours != "PASSED"


def test_an_endless_loop_is_their_timeout() -> None:
    assert status_of(Verdict(outcome=Outcome.TIMEOUT, stage=Stage.TEST)) == "Timeout"


TRUSTED = [
    "let () = ()",
    'let () = print_endline "a line"; prerr_endline "another"',
    "let () = assert (1 = 2)",
    "let f x = match x with 1 -> 2\nlet () = assert (f 1 = 2)",
    "let () = assert (",
    "let x : int = true",
    'let () = failwith "Assertion failed"',
    "let () = exit 0\nlet () = assert false",
    "let () = exit 3",
    'exception Mine of string\nlet () = raise (Mine "now")',
    'let () = print_int (Str.search_forward (Str.regexp "b") "abc" 0)',
    "module Str = struct let regexp = 1 end\nlet () = assert (Str.regexp = 1)",
    "let rec f n = 1 + f (n + 1)\nlet _ = f 0",
    "let f x = x + 1;;\n\nlet () = assert (f 1 = 2)",
    "let r = ref []\nlet () = assert (!r = [])",
    "let () = ignore (read_line ())",
    "let () = assert (~1 = 1)",
    'let x = 1 (* " *)',
    "open List\nlet () = assert (length [ 1 ] = 1)\nlet _ = unbound",
]


DIFFERENT = [
    ("let () = exit 0;;\nlet x : int = true", "OK", "Exception"),
    ("let () = at_exit (fun () -> exit 0)\nlet () = assert false", "OK", "AssertionError"),
    ('#load "str.cma";;\nlet () = ignore (Str.regexp "a")', "OK", "SyntaxError"),
    ("let () = assert (Obj.magic 1 = 1)", "OK", "Withheld"),
]


def toplevel(program: str, folder: Path) -> str:
    """Runs a trusted program in OCaml's toplevel and returns its status by their names."""
    file = folder / "program.ml"
    file.write_text(program)
    done = subprocess.run(["ocaml", file], stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=folder)
    if done.returncode == 0:
        return "OK"
    names = {"Assert_failure": "AssertionError", "Syntax error": "SyntaxError"}
    return next((name for text, name in names.items() if text in done.stderr), "Exception")


@pytest.mark.parametrize("program", TRUSTED)
def test_our_status_agrees_with_the_toplevel(program: str, verifier: Verifier, tmp_path: Path) -> None:
    assert status_of(exits(program, verifier)) == toplevel(program, tmp_path)


@pytest.mark.parametrize(("program", "there", "here"), DIFFERENT)
def test_the_toplevel_differs_in_the_documented_cases(
    program: str, there: str, here: str, verifier: Verifier, tmp_path: Path
) -> None:
    assert (toplevel(program, tmp_path), status_of(exits(program, verifier))) == (there, here)


# --- the command ------------------------------------------------------------------------------------------------------


def test_the_summary_shows_both_verdicts_and_why_they_differ(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = answers(
        tmp_path / "answers.jsonl",
        *HONEST.items(),
        ("Own_0_total", " exit 0"),
        ("Own_0_total", " 1"),
        ("Own_2_shout", ' Str.(ignore (regexp "a")); String.uppercase_ascii word ^ "!"'),
    )
    assert evaluate(tmp_path / "out", model) == 0
    found = summary_of(tmp_path / "out")
    section = found["protocol"]
    assert found["pass@1"]["estimate"] == pytest.approx((2 / 3 + 1 + 0.5 + 3) / 10)
    assert section["ours"]["pass@1"]["estimate"] == pytest.approx((1 / 3 + 7) / 8)
    assert section["ours"]["problems"] == 8
    assert section["by_status"] == {"OK": 7, "Exception": 3, "SyntaxError": 2, "AssertionError": 1}
    assert section["forged"] == 1
    assert [(entry["theirs"], entry["ours"], entry["why"], entry["count"]) for entry in section["disagreements"]] == [
        ("SyntaxError", "PASSED", "no completion compiles with their tests", 2),
        ("Exception", "PASSED", "", 1),
        ("OK", "FORBIDDEN", "it would pass any tests of theirs", 1),
    ]
    assert section["disagreements"][1]["example"] == {"problem_id": "Own_2_shout", "sample": 1}
    assert [entry["problem_id"] for entry in section["broken"]] == BROKEN
    assert section["broken"][0]["reason"] == "Syntax error: operator expected: `(assert ((candidate 5 2) = (~3)));`"
    assert "expects 1 argument(s)" in section["broken"][2]["reason"]
    assert [entry["problem_id"] for entry in section["unjudged"]] == UNJUDGED
    assert "test 'test 3': it does not typecheck" in section["unjudged"][1]["reason"]
    out = capsys.readouterr().out
    for text in (
        "protocol multipl-e",
        "4 of 10 problems: no completion compiles with their tests",
        "1 forged",
        "see Own_2_shout",
    ):
        assert text in out
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "By multipl-e, and by ours" in page
    assert "The problems have changed" not in page
    assert "pass@1, theirs" in page
    assert 'href="#sample=Own_2_shout%2F1"' in page
    assert "No completion compiles with their tests: 4 problems" in page


def test_the_page_can_be_rewritten_and_marks_lines_of_the_completion(tmp_path: Path) -> None:
    broken = " let unused = 0 in\n  unused + nombers"
    model, out = answers(tmp_path / "answers.jsonl", *HONEST.items(), ("Own_0_total", broken)), tmp_path / "out"
    assert evaluate(out, model) == 0
    page = (out / "report.html").read_bytes()
    [record] = [record for record in read_samples(out) if record.last.completion == broken]
    [found] = of_sample(record, None)["turns"][0]["diagnostics"]
    assert (found["name"], found["line"], found["column"]) == ("nombers", 2, len("  unused + "))
    assert write_again([str(out)]) == 0
    assert (out / "report.html").read_bytes() == page


@pytest.mark.parametrize("field", ["prompt", "tests"])
def test_a_row_with_broken_text_is_left_out_and_named_and_the_others_are_evaluated(
    field: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [json.loads(line) for line in ROWS.read_text(encoding="utf-8").splitlines()]
    [broken] = [row for row in rows if row["name"] == "Own_1_tallest"]
    broken[field] += "(* \0 *)"
    problems = tmp_path / "rows.jsonl"
    problems.write_text("".join(json.dumps(row) + "\n" for row in rows))
    model, out = answers(tmp_path / "answers.jsonl", *HONEST.items()), tmp_path / "out"
    assert evaluate(out, model, problems=problems) == 0
    found = summary_of(out)
    assert found["problems"] == 9
    reason = f"the field '{field}' has a NUL byte"
    assert found["protocol"]["left_out"] == [{"problem_id": "Own_1_tallest", "reason": reason}]
    assert "1 rows are left out of every figure" in capsys.readouterr().out
    assert "Rows that are left out of every figure: 1 problems" in (out / "report.html").read_text(encoding="utf-8")
    before = (out / "summary.json").read_bytes()
    assert main(["--rescore", str(out), "--workers", "1"]) == 0
    assert (out / "summary.json").read_bytes() == before


def test_a_problem_without_samples_leaves_pass_at_k_undefined_in_both_protocols(protocol: MultiPLE) -> None:
    ids = [problem.id for problem in protocol.problems]
    assert protocol.summarise([], k=[1], problems=ids).ours.rates == {1: None}


def test_different_rows_have_different_digests(protocol: MultiPLE) -> None:
    assert len({protocol.digest_of(problem) for problem in protocol.problems}) == len(protocol.problems)


def test_a_run_by_their_protocol_resumes_and_rescores_to_the_same_bytes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, out = answers(tmp_path / "answers.jsonl", *HONEST.items(), ("Own_0_total", " exit 0")), tmp_path / "out"
    assert evaluate(out, model) == 0
    unbroken, samples = (out / "summary.json").read_bytes(), (out / "samples.jsonl").read_text()
    (out / "samples.jsonl").write_text("".join(samples.splitlines(keepends=True)[2:7]))
    assert evaluate(out, model) == 0
    assert (out / "summary.json").read_bytes() == unbroken
    assert main(["--rescore", str(out), "--workers", "1"]) == 0
    assert (out / "summary.json").read_bytes() == unbroken
    assert sorted((out / "samples.jsonl").read_text().splitlines()) == sorted(samples.splitlines())
    options = ["--model", model, "--problems", str(ROWS), "--out", str(out)]
    assert main(options) != 0
    rows = [json.loads(line) for line in ROWS.read_text().splitlines()]
    rows[0]["tests"] = rows[0]["tests"].replace("60", "61")
    (tmp_path / "changed.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert evaluate(out, model, problems=tmp_path / "changed.jsonl") == 2
    assert "digest was" in capsys.readouterr().err


def test_a_server_gets_the_prompt_verbatim_with_the_stop_tokens(tmp_path: Path, server: FakeServer) -> None:
    text = {"index": 0, "finish_reason": "stop", "text": HONEST["Own_0_total"]}
    server.reply = lambda body, number: Reply(body=json.dumps({"choices": [text]}).encode())
    out = tmp_path / "out"
    assert evaluate(out, "openai:base", "--base-url", server.url, "--n", "1") == 0
    rows = [json.loads(line) for line in ROWS.read_text().splitlines()]
    assert sorted(asked["prompt"] for asked in server.asked) == sorted(row["prompt"] for row in rows)
    assert [asked["stop"] for asked in server.asked] == [list(STOP)] * 10
    assert set(server.paths) == {"/v1/completions"}
    found = summary_of(out)
    assert (found["settings"]["endpoint"], found["settings"]["prompt_style"]) == ("completions", "verbatim")
    [sample] = [
        record
        for line in (out / "samples.jsonl").read_text().splitlines()
        if (record := json.loads(line))["problem_id"] == "Own_0_total"
    ]
    assert sample["protocol"]["status"] == "OK"
    assert sample["completion"] == HONEST["Own_0_total"]
    assert sample["prompt_digest"] == Prompt(rows[0]["prompt"]).digest


def test_a_chat_model_continues_the_prompt_as_a_base_model_does(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from agents.tiny.model import tiny_path
    from ocaml_env.evaluation.models.hf import load_tokenizer

    shutil.copytree(tiny_path(), tmp_path / "chat")
    tokenizer = load_tokenizer("tiny")
    tokenizer.chat_template = "{% for message in messages %}User: {{ message.content }}\nYou: {% endfor %}"
    tokenizer.save_pretrained(tmp_path / "chat")
    made = []
    for number, model in enumerate(("hf:tiny", f"hf:{tmp_path / 'chat'}")):
        out = tmp_path / str(number)
        assert evaluate(out, model, "--n", "2", "--limit", "3", "--max-tokens", "40") == 0
        records = [json.loads(line) for line in (out / "samples.jsonl").read_text().splitlines()]
        made.append({(record["problem_id"], record["sample"]): record["completion"] for record in records})
    assert made[0] == made[1]
    assert any(made[0].values())


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--endpoint", "chat"], "--endpoint completions"),
        (["--turns", "2"], "no --turns"),
        (["--shots", "1"], "no --turns"),
        (["--instruction", "Be brief."], "no --turns"),
    ],
)
def test_options_unknown_to_their_protocol_are_refused(
    options: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert evaluate(tmp_path / "out", "openai:m", *options) == 2
    assert says in capsys.readouterr().err


def test_rows_of_another_kind_or_language_are_refused(tmp_path: Path, verifier: Verifier) -> None:
    row = json.loads(ROWS.read_text().splitlines()[0])
    for changed, says in (({"language": "py"}, "its language is 'py'"), ({"tests": ""}, "'tests' is empty")):
        path = tmp_path / "rows.jsonl"
        path.write_text(json.dumps(row | changed) + "\n")
        with pytest.raises(ConfigError, match=says):
            MultiPLE(str(path), 0, verifier)
    path.write_text(json.dumps(row) + "\n" + json.dumps(row) + "\n")
    with pytest.raises(ConfigError, match="row 1 has the same id"):
        MultiPLE(str(path), 0, verifier)


def test_without_the_option_the_same_rows_use_our_protocol(tmp_path: Path) -> None:
    rows = [line for line in ROWS.read_text().splitlines() if not any(name in line for name in UNJUDGED)]
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(rows) + "\n")
    answer = "```ocaml\nlet below a b = b - a\n```"
    model = answers(tmp_path / "answers.jsonl", ("Own_3_below", answer))
    assert main(["--model", model, "--problems", str(path), "--out", str(tmp_path / "out"), "--workers", "1"]) == 0
    found = summary_of(tmp_path / "out")
    assert found["pass@1"]["estimate"] == 1
    assert "protocol" not in found
