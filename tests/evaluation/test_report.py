"""The page of an evaluation in a real browser, with ordinary and hostile samples."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocaml_env import Outcome, Problem, Stage, Verifier, load_problems
from ocaml_env.commands.evaluate import main as evaluate
from ocaml_env.commands.report import main as report
from ocaml_env.evaluation.directory import read_samples
from ocaml_env.evaluation.record import Record
from ocaml_env.evaluation.report.aggregates import Key, aggregate
from ocaml_env.evaluation.report.choice import Shelf, in_order
from ocaml_env.evaluation.report.excerpt import cut, of_problem, of_sample
from ocaml_env.problems import to_jsonl
from ocaml_env.rollout import Rollout
from ocaml_env.verdict import Diagnostic
from tests.browser import Browser

HOSTILE = (
    "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
    "</pre><!-- ' \" & &lt; \u202e \u200b \x00 \x1b[2J \u2028 ]]>"
)
PROBLEMS = ("snake_case", "align_marks", "bar_chart", "avl_by_type")
HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def completions_of(problem: Problem) -> list[str]:
    """Returns the same eight completions for each problem; their outcomes are known."""
    right = problem.reference
    return [
        right,
        f"Here it is.\n\n```ocaml\n{right}\n```\n\nIt works because it recurses.",
        f'let fine = 1\nlet oops = 1 + "a"\n{right}',
        "1. Indented:\n\n   ```ocaml\n   let fine = 1\n   let oops = missing fine\n   let other = 2\n   ```\n",
        right + "\nlet rec = (",
        "```python\nprint(1)\n```",
        f"let hostile = {{|{HOSTILE}|}}\n{right}",
        "(* " + "long " * 20_000 + "*)\n" + right,
    ]


@dataclass(frozen=True)
class Evaluated:
    """A results directory and its samples."""

    path: Path
    samples: list[dict[str, Any]]

    @property
    def page(self) -> Path:
        return self.path / "report.html"

    def named(self, fits: Callable[[dict[str, Any]], bool]) -> list[str]:
        """Returns the page's names of the samples that fit."""
        ordered = sorted(
            self.samples, key=lambda sample: (PROBLEMS_IN_ORDER.index(sample["problem_id"]), sample["sample"])
        )
        return [f"{sample['problem_id']}/{sample['sample']}" for sample in ordered if fits(sample)]


PROBLEMS_IN_ORDER = [problem.id for problem in load_problems("bundled:eval") if problem.id in PROBLEMS]


def evaluated(path: Path, *options: str) -> Evaluated:
    assert evaluate(["--out", str(path), "--workers", "1", *options]) == 0
    return Evaluated(path, [json.loads(line) for line in (path / "samples.jsonl").read_text().splitlines()])


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, verifier: Verifier) -> Evaluated:
    folder = tmp_path_factory.mktemp("report")
    problems = load_problems("bundled:eval").by_id
    lines = [
        {"task_id": name, "completion": completion}
        for name in PROBLEMS
        for completion in completions_of(problems[name])
    ] + [{"task_id": "snake_case", "completion": "let snake_case = String.lowercase_ascii"}]
    (folder / "answers.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return evaluated(folder / "out", "--model", f"completions:{folder / 'answers.jsonl'}")


@pytest.fixture(scope="module")
def conversation(tmp_path_factory: pytest.TempPathFactory, verifier: Verifier, add: Problem) -> Evaluated:
    folder = tmp_path_factory.mktemp("turns")
    to_jsonl([add], folder / "one.jsonl")
    options = ["--problems", str(folder / "one.jsonl"), "--n", "2", "--turns", "3"]
    return evaluated(folder / "out", "--model", "tests.evaluation.agents_of_others:Learner", *options)


def text_of(browser: Browser, selector: str) -> str:
    text = browser.run(f"document.querySelector({json.dumps(selector)})?.innerText ?? null")
    assert isinstance(text, str), f"{selector} is not there"
    return text


def listed(browser: Browser) -> list[str]:
    names = browser.run("[...document.querySelectorAll('#list .name')].map(name => name.textContent)")
    assert isinstance(names, list)
    return names


def choose(browser: Browser, **filters: str) -> None:
    for name, value in filters.items():
        event = "input" if name == "text" else "change"
        browser.run(
            f"{{ const field = document.getElementById('{name}'); field.value = {json.dumps(value)};"
            f"field.dispatchEvent(new Event('{event}')) }}"
        )
    browser.run("new Promise(done => setTimeout(done, 200))")  # the page waits for the end of typing


# --- the page ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)])
def test_the_page_opens_from_a_file_without_console_messages_or_network_requests(
    run: Evaluated, browser: Browser, width: int, dark: bool
) -> None:
    browser.open(run.page, width=width, dark=dark)
    shown = text_of(browser, "body")
    summary = json.loads((run.path / "summary.json").read_text())
    for told in (
        "Funnel",
        "extracted",
        "typechecked",
        "TYPE_ERROR",
        "hardest first",
        "Commonest diagnostics",
        "staged",
    ):
        assert told in shown, told
    assert f"{summary['pass@1']['estimate']:.1%}" in shown
    assert f"{summary['funnel']['typechecked']:.1%}" in shown
    assert (browser.complaints, browser.requests) == ([], [])


def test_no_sample_makes_the_page_wider_than_a_phone(run: Evaluated, browser: Browser) -> None:
    browser.open(run.page, width=390)
    widths = browser.run(
        """(() => {
            const next = document.getElementById("next"), widths = new Set();
            for (;;) {
                for (const fold of document.querySelectorAll("details")) fold.open = true;
                widths.add(document.documentElement.scrollWidth);
                if (next.disabled) return [...widths];
                next.click();
            }
        })()"""
    )
    assert widths == [390]


def test_filters_show_the_samples_that_fit(run: Evaluated, browser: Browser) -> None:
    browser.open(run.page)
    everything = run.named(lambda sample: True)
    assert listed(browser) == everything
    choose(browser, outcome="TYPE_ERROR")
    assert listed(browser) == run.named(lambda sample: sample["outcome"] == "TYPE_ERROR")
    assert text_of(browser, "#count") == f"8 of {len(everything)} samples"
    choose(browser, problem="bar_chart")
    assert listed(browser) == ["bar_chart/2", "bar_chart/3"]
    choose(browser, outcome="failed", problem="", topic="strings")
    assert listed(browser) == run.named(lambda sample: not sample["passed"] and "strings" in sample["topics"])
    choose(browser, outcome="", topic="", level="6")
    assert listed(browser) == run.named(lambda sample: sample["level"] == "6")
    choose(browser, level="", text="UNBOUND missing")
    assert listed(browser) == run.named(lambda sample: sample["sample"] == 3)
    choose(browser, text="nowhere to be found")
    assert listed(browser) == []
    assert "No sample on this page fits" in text_of(browser, "#sample")
    browser.run("document.querySelector('#filters button').click()")
    assert listed(browser) == everything
    assert browser.complaints == []


def test_a_sample_opens_by_its_address_with_the_message_below_its_line(run: Evaluated, browser: Browser) -> None:
    browser.open(run.page, fragment="#sample=snake_case%2F2")
    assert text_of(browser, "#sample h3") == "snake_case sample 2"
    assert "val snake_case" in text_of(browser, "#sample")
    assert browser.run("document.activeElement.tagName") == "H3"
    place = browser.run(
        """(() => {
            const said = document.querySelector("#sample .said"), line = said.previousElementSibling;
            return [said.innerText.trim(), line.dataset.n, line.innerText.trim(), line.querySelector("mark").innerText];
        })()"""
    )
    assert place[0].endswith("This expression has type string but an expression was expected of type int")
    assert place[1:] == ["2", 'let oops = 1 + "a"', '"a"']


def test_the_code_is_marked_in_what_was_written_whether_it_is_indented_or_not(run: Evaluated, browser: Browser) -> None:
    browser.open(run.page, fragment="#sample=snake_case%2F1")
    reference = load_problems("bundled:eval").by_id["snake_case"].reference
    code = "[...document.querySelectorAll('#sample .own')].map(line => line.textContent.trimEnd()).join('\\n')"
    around = "[...document.querySelectorAll('#sample .out')].map(line => line.textContent.trim())"
    assert browser.run(code) == reference.strip()
    assert browser.run(around) == [
        "Here is it.".replace("is it", "it is"),
        "",
        "```ocaml",
        "```",
        "",
        "It works because it recurses.",
    ]
    browser.open(run.page, fragment="#sample=snake_case%2F3")
    assert browser.run(code).startswith("let fine = 1\nlet oops = missing fine\n")
    assert browser.run(around)[:3] == ["1. Indented:", "", "```ocaml"]
    assert text_of(browser, "#sample .wrong mark") == "missing"


def test_tests_are_shown_with_their_outcomes_and_failing_ones_with_their_code(run: Evaluated, browser: Browser) -> None:
    browser.open(run.page, fragment="#sample=snake_case%2F8")
    problem = load_problems("bundled:eval").by_id["snake_case"]
    [sample] = [record for record in run.samples if (record["problem_id"], record["sample"]) == ("snake_case", 8)]
    shown = text_of(browser, "#sample")
    assert f"{sample['tests_passed']} of {sample['tests_total']} pass" in shown
    assert browser.run("document.querySelectorAll('#sample .strip i').length") == len(problem.tests)
    failed = [test for test, ended in zip(problem.tests, sample["tests"], strict=True) if ended["outcome"] != "PASSED"]
    assert failed[0].code in shown
    assert failed[0].name in shown
    assert "(shown in the prompt)" in shown
    details = [ended["detail"] for ended in sample["tests"] if "detail" in ended]
    assert details
    assert all(detail in shown for detail in details)
    assert not [ended for ended in sample["tests"] if "detail" in ended and not ended["public"]]
    assert "structure 0.05, typecheck 0.20, compile 0.01" in shown
    browser.open(run.page, fragment="#sample=bar_chart%2F4")
    assert "No test was reached." in text_of(browser, "#sample")


def test_links_of_the_plots_the_map_and_the_diagnostics_lead_to_samples(run: Evaluated, browser: Browser) -> None:
    browser.open(run.page)
    browser.run("document.querySelector('.field[data-id=bar_chart]').click()")
    assert listed(browser) == run.named(lambda sample: sample["problem_id"] == "bar_chart")
    assert text_of(browser, ".field[data-id=bar_chart]") == "4"
    row = "document.querySelector('svg a[href=\"#outcome=NO_CODE\"]')"
    browser.run(f"{row}.dispatchEvent(new MouseEvent('click', {{bubbles: true}}))")
    assert listed(browser) == run.named(lambda sample: sample["outcome"] == "NO_CODE")
    browser.run("document.querySelector('.errors .count').click()")
    assert len(listed(browser)) == int(text_of(browser, ".errors .count")) == 4
    browser.run("document.querySelector('.errors li a:not(.count)').click()")
    assert text_of(browser, "#sample h3").replace(" sample ", "/") == text_of(browser, ".errors li a:not(.count)")
    assert browser.complaints == []


def test_keys_walk_through_the_samples_and_not_while_somebody_types(run: Evaluated, browser: Browser) -> None:
    browser.open(run.page)
    names = listed(browser)

    def shown() -> str:
        return text_of(browser, "#sample h3").replace(" sample ", "/")

    for key, place in (("j", 1), ("ArrowRight", 2), ("k", 1), ("ArrowLeft", 0), ("ArrowLeft", 0)):
        browser.press(key)
        assert shown() == names[place]
    browser.press("/")
    browser.press("j")
    assert browser.run("[document.activeElement.id, document.activeElement.value]") == ["text", "j"]


def test_what_can_be_used_has_a_name(run: Evaluated, browser: Browser) -> None:
    browser.open(run.page)
    nameless = browser.run(
        """[...document.querySelectorAll("a, button, input, select, [tabindex='0']")].filter(node =>
            !(node.innerText || node.textContent).trim() && !node.ariaLabel && !node.labels?.length
        ).map(node => node.outerHTML)"""
    )
    assert nameless == []
    assert browser.run("[...document.querySelectorAll('[onclick], [style*=cursor]')].length") == 0
    assert browser.run("document.documentElement.lang") == "en"


def test_hostile_completions_are_text_and_hide_nothing(run: Evaluated, browser: Browser) -> None:
    page = run.page.read_text(encoding="utf-8")
    assert not HIDDEN.search(page)
    assert page.count("<script") == 2
    browser.open(run.page, fragment="#sample=snake_case%2F6")
    assert browser.run("document.title").startswith("completions:")
    assert browser.run("document.images.length") == 0
    shown = text_of(browser, "#sample .own")
    assert "</script><script>document.title='owned'" in shown
    for spelled in ("\\u202e", "\\u200b", "\\x00", "\\x1b[2J", "\\u2028"):
        assert spelled in shown
    assert (browser.complaints, browser.requests) == ([], [])


def test_a_line_without_end_is_cut_and_the_reader_is_told(run: Evaluated, browser: Browser) -> None:
    browser.open(run.page, fragment="#sample=snake_case%2F7")
    assert len(text_of(browser, "#sample .own")) < 1_100
    assert re.search(r"9\d,\d{3} more characters of the code", text_of(browser, "#sample"))


def test_the_turns_of_an_episode_stand_below_one_another(conversation: Evaluated, browser: Browser) -> None:
    browser.open(conversation.page, width=390)
    assert "Solved by turn" in text_of(browser, "body")
    assert browser.run("[...document.querySelectorAll('#sample h4')].map(title => title.textContent)") == [
        "Turn 1",
        "Turn 2",
        "Tests",
    ]
    shown = text_of(browser, "#sample")
    assert "solved at turn 2" in shown
    assert shown.index("TYPE_ERROR") < shown.index("Turn 2")
    assert browser.run("document.documentElement.scrollWidth") == 390
    assert browser.complaints == []


# --- contents ---------------------------------------------------------------------------------------------------------


def test_the_same_samples_give_the_same_bytes_in_whatever_order_they_came(run: Evaluated, tmp_path: Path) -> None:
    before = run.page.read_bytes()
    assert report([str(run.path)]) == 0
    assert run.page.read_bytes() == before
    for name in ("config.json", "samples.jsonl"):
        (tmp_path / name).write_bytes((run.path / name).read_bytes())
    lines = (run.path / "samples.jsonl").read_bytes().splitlines(keepends=True)
    random.Random(1).shuffle(lines)
    (tmp_path / "samples.jsonl").write_bytes(b"".join(lines))
    assert report([str(tmp_path)]) == 0
    assert (tmp_path / "report.html").read_bytes() == before
    assert evaluate(["--rescore", str(tmp_path), "--workers", "2"]) == 0
    assert (tmp_path / "report.html").read_bytes() == before


def test_two_thousand_hostile_samples_stay_below_ten_megabytes(
    run: Evaluated, tmp_path: Path, browser: Browser
) -> None:
    (tmp_path / "config.json").write_bytes((run.path / "config.json").read_bytes())
    filler = "<\x00\u202e\U0001f42b" * 600
    with (tmp_path / "samples.jsonl").open("w") as file:
        for number in range(2_000):
            sample = run.samples[number % len(run.samples)] | {"sample": number}
            [turn] = sample["turns"]
            sample["turns"] = [turn | {"completion": f"(* {number} *)\n{turn['completion'][:400]}\n(* {filler} *)"}]
            file.write(json.dumps(sample) + "\n")
    assert report([str(tmp_path)]) == 0
    page = tmp_path / "report.html"
    assert 5_000_000 < page.stat().st_size < 10_000_000
    browser.open(page)
    told = re.match(r"([\d,]+) of 2,000 samples can be looked at here, failures first", text_of(browser, "#extent"))
    assert told is not None
    assert len(listed(browser)) == int(told[1].replace(",", ""))
    assert browser.complaints == []


def test_fewer_samples_are_failures_first_and_those_of_the_diagnostics(run: Evaluated, browser: Browser) -> None:
    try:
        assert report([str(run.path), "--samples", "7"]) == 0
        browser.open(run.page)
        assert "7 of 33 samples can be looked at here" in text_of(browser, "#extent")
        assert len(listed(browser)) == 7
        browser.run("document.querySelector('.errors li a:not(.count)').click()")
        assert "not on this page" not in text_of(browser, "#sample")
        browser.open(run.page, fragment="#sample=snake_case%2F1")
        assert "snake_case/1 is not on this page" in text_of(browser, "#sample")
    finally:
        assert report([str(run.path)]) == 0


def test_faults_are_shown_separately(run: Evaluated, tmp_path: Path) -> None:
    for name in ("config.json", "samples.jsonl"):
        (tmp_path / name).write_bytes((run.path / name).read_bytes())
    fault = run.samples[0] | {
        "sample": 99,
        "fault": "server: gone <b>",
        "passed": None,
        "turns": [],
        "completion": None,
    }
    with (tmp_path / "samples.jsonl").open("a") as file:
        file.write(json.dumps(fault) + "\n")
    assert report([str(tmp_path)]) == 0
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "1 sample: server: gone &lt;b&gt;" in page
    assert "33 samples" in page


def test_a_page_without_its_problems_says_so(conversation: Evaluated, tmp_path: Path, browser: Browser) -> None:
    config = json.loads((conversation.path / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(config | {"problems": str(tmp_path / "gone.jsonl")}))
    (tmp_path / "samples.jsonl").write_bytes((conversation.path / "samples.jsonl").read_bytes())
    assert report([str(tmp_path)]) == 0
    browser.open(tmp_path / "report.html")
    assert "Statements and tests are left out" in text_of(browser, "body")
    assert "problem set could not be read" in text_of(browser, "#sample")
    assert browser.complaints == []


def test_a_directory_without_a_run_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert report([str(tmp_path)]) == 2
    assert "this is no results directory" in capsys.readouterr().err
    with pytest.raises(SystemExit) as caught:
        report([str(tmp_path), "--samples", "-1"])
    assert caught.value.code == 2


def test_equal_errors_at_different_positions_are_counted_together(run: Evaluated) -> None:
    found = json.loads((run.path / "summary.json").read_text())["diagnostics"]
    assert [diagnostic["count"] for diagnostic in found if diagnostic["kind"] == "type-clash"] == [4]


KEYS = st.lists(
    st.builds(
        lambda problem, sample, outcome: Key(f"p{problem}", sample, outcome, outcome == "PASSED"),
        st.integers(0, 4),
        st.integers(0, 9),
        st.sampled_from(["PASSED", "TYPE_ERROR", "NO_CODE"]),
    ),
    unique_by=lambda key: (key.problem, key.sample),
)


@given(KEYS, st.randoms())
def test_the_order_of_choice_has_every_sample_once_and_does_not_depend_on_the_input_order(
    keys: list[Key], chance: random.Random
) -> None:
    order = in_order(keys, [("p0", 0)])
    assert sorted(order) == sorted((key.problem, key.sample) for key in keys)
    chance.shuffle(keys)
    assert in_order(keys, [("p0", 0)]) == order


@given(KEYS)
def test_every_problem_comes_once_before_any_comes_twice(keys: list[Key]) -> None:
    order = [name for name, _ in in_order([key for key in keys if not key.passed])]
    different = len(set(order))
    assert len(set(order[:different])) == different


@given(st.lists(st.binary(min_size=1, max_size=9), max_size=12), st.integers(0, 60), st.randoms())
def test_a_shelf_keeps_the_first_fitting_texts_in_any_order_of_arrival(
    texts: list[bytes], room: int, chance: random.Random
) -> None:
    shelf, pairs = Shelf(room), list(enumerate(texts))
    fitting: list[tuple[int, bytes]] = []
    for rank, text in pairs:
        if sum(len(kept) for _, kept in fitting) + len(text) > room:
            break
        fitting.append((rank, text))
    chance.shuffle(pairs)
    for rank, text in pairs:
        shelf.put(rank, text)
    assert shelf.by_rank() == fitting
    assert shelf.room == room - sum(len(text) for _, text in fitting)


@given(st.text(), st.integers(1, 50))
def test_a_cut_text_has_no_invisible_characters_and_a_bounded_length(text: str, limit: int) -> None:
    shown = cut(text, limit)
    assert not HIDDEN.search(shown)
    assert len(shown) < 20 * limit + 200
    if text.isascii() and text.isprintable() and len(text) <= limit:
        assert shown == text


def record_of(completion: str, line: int, column: int) -> Record:
    turn = Rollout(
        step=0,
        epoch=0.0,
        problem_id="p",
        group=0,
        turn=1,
        prompt_digest="",
        completion=completion,
        truncated=False,
        outcome=Outcome.SYNTAX_ERROR,
        stage=Stage.PARSE,
        errors=0,
        diagnostics=(Diagnostic(kind="syntax", name="1:1", message="no", line=line, column=column),),
        parts={},
        total=0.0,
        tests_passed=0,
        tests_passed_inside=0,
        tests_total=0,
        tokens=None,
        passed=False,
    )
    return Record(
        problem_id="p",
        sample=0,
        problem_digest="",
        kind="function",
        topics=(),
        level="1",
        prompt_digest="",
        turns=(turn,),
        tests=(),
        seed=0,
    )


@given(st.text(), st.integers(-1, 5), st.integers(-1, 100))
def test_any_completion_with_a_diagnostic_anywhere_can_be_shown(completion: str, line: int, column: int) -> None:
    shown = of_sample(record_of(completion, line, column), None)
    text = json.dumps(shown, ensure_ascii=False)
    assert not HIDDEN.search(text)
    text.encode("utf-8")


def test_a_diagnostic_beyond_the_cut_has_a_code_frame() -> None:
    code = "let x = 1\n" * 900 + "let y = ("
    [turn] = of_sample(record_of(code, 901, 8), None)["turns"]
    [found] = turn["diagnostics"]
    assert "at" not in found
    assert found["frame"].splitlines()[0] == " 901 | let y = ("


def test_a_problems_statement_and_tests_are_all_there(total: Problem) -> None:
    shown = of_problem(total)
    assert shown["statement"] == {"text": total.statement}
    assert [test["public"] for test in shown["tests"]] == [True, False, False]
    assert shown["tests"][0]["stdin"] == {"text": "1\n2\n"}


def test_aggregates_count_every_sample(run: Evaluated) -> None:
    aggregates = aggregate(read_samples(run.path))
    assert len(aggregates.keys) == len(run.samples)
    assert sum(sum(counts.values()) for counts in aggregates.by_characters.values()) == len(run.samples)
    assert not aggregates.tokens
