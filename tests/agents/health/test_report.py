"""The page of the diagnostics: its contents, hostile text, and a real browser."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from agents.health import diagnose, find_profile, read_run
from agents.health.records import GroupKind
from agents.health.report import report
from agents.health.samples import Samples, find_problem, kind_of, read_samples
from ocaml_env import load_problems
from ocaml_env.display.charts import Line, lines
from ocaml_env.problem.record import problem_to_record
from ocaml_env.rollout import Rollout
from ocaml_env.verdict import Diagnostic, Outcome
from tests.agents.health.simulator import Illness, Simulation
from tests.browser import Browser

DEFAULT = find_profile("default")
HOSTILE = (
    "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
    "</pre></details>--><!-- ' \" & &lt; \u202e \x00 \x1b[2J \ud800 ]]>"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Simulation(Illness.COLLAPSE, 3).write(tmp_path_factory.mktemp("runs") / "run")


@pytest.fixture(scope="module")
def page(folder: Path) -> str:
    return report(diagnose(read_run(folder), DEFAULT))


class Tags(HTMLParser):
    """Counts elements, and fails on an unclosed element."""

    EMPTY = frozenset({"meta", "input", "img"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.count: Counter[str] = Counter()
        self.open: list[str] = []
        self.attributes: set[str] = set()
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.count[tag] += 1
        self.attributes |= {name for name, _ in attrs}
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def rollout(**changed: object) -> Rollout:
    (sample, *_), *_ = Simulation(Illness.NONE, 1).steps
    return replace(sample, **changed)  # type: ignore[arg-type]


def hostile_run(folder: Path) -> Path:
    simulation = Simulation(Illness.NONE, 1)
    simulation.steps = [
        [
            replace(
                sample,
                completion=HOSTILE + sample.completion,
                problem_id=HOSTILE,
                outcome=Outcome.TYPE_ERROR,
                passed=False,
                parts={HOSTILE: 0.1},
                diagnostics=(Diagnostic(kind=HOSTILE, message=HOSTILE, name=HOSTILE, line=1, column=3),),
            )
            for sample in samples
        ]
        for samples in simulation.steps[:5]
    ]
    simulation.write(folder)
    with (folder / "metrics.jsonl").open("a") as file:
        file.write(json.dumps({"step": 999, HOSTILE: HOSTILE, "outcomes": {HOSTILE: 3}, "groups": {HOSTILE: 1}}) + "\n")
    with (folder / "config.yaml").open("a") as file:
        file.write(f"temperature: {HOSTILE!r}\n")
    return folder


def test_the_page_holds_the_verdict_the_plots_and_groups(page: str) -> None:
    for title in (
        "Struggling: requires intervention",
        "Reward, and where it started",
        "Pass rate",
        "Outcomes",
        "Rewards",
        "Groups by kind",
        "Entropy",
        "Truncated; gibberish; degenerate",
        "Most frequent OCaml errors",
        "Outcomes by topic",
        "Outcomes by level",
        "export GRPO_TEMPERATURE=1.1",
        "Unbound value List.foldl",
        "dynamic-programming",
        "Red flags",
    ):
        assert title in page, title


def test_what_a_curriculum_asked_is_plotted(tmp_path: Path) -> None:
    (tmp_path / "metrics.jsonl").write_text(
        "".join(
            json.dumps(
                {"step": step, "reward": 0.1, "level": 1 + step / 10, "degenerate": 0.05}
                | {"pass_rate/level_1": step / 10, **({"pass_rate/level_2": 0.25} if step % 2 else {})}
            )
            + "\n"
            for step in range(1, 10)
        )
    )
    shown = report(diagnose(read_run(tmp_path), DEFAULT))
    Tags(shown)
    for title, legend in (
        ("Pass rate by level", ["1 90%", "2 25%"]),
        ("Mean level of the problems", ["level 1.90"]),
        ("Truncated; gibberish; degenerate", ["degenerate 5%"]),
    ):
        (figure,) = [part for part in shown.split("<figure")[1:] if f">{title}<" in part]
        assert all(f"{text}</span>" in figure for text in legend)


def test_the_page_is_well_formed_and_asks_nothing_of_the_network(page: str) -> None:
    tags = Tags(page)
    assert tags.count["svg"] >= 12
    assert tags.count["script"] == 1
    assert not {name for name in tags.attributes if name.startswith("on") or name in ("src", "href")}
    assert "default-src 'none'" in page
    assert not re.search(r"https?://|url\(|@import", page)


def test_the_groups_that_are_shown_are_spread_over_the_run_and_over_the_kinds(folder: Path) -> None:
    samples = read_samples(folder / "reward_logs" / "completions.jsonl", groups=20)
    assert len(samples.groups) == 20
    kinds = Counter(group.kind for group in samples.groups)
    assert kinds[GroupKind.IDENTICAL] >= 5
    assert kinds[GroupKind.VARIED] >= 5
    steps = [group.step for group in samples.groups]
    assert steps == sorted(steps)
    assert max(steps) - min(steps) > 60


def test_the_sums_over_completions_are_those_of_the_log(folder: Path) -> None:
    samples = read_samples(folder / "reward_logs" / "completions.jsonl")
    for record in read_run(folder).records:
        assert samples.outcomes[record.step or 0] == record.outcomes
    assert samples.count == sum(sum(counts.values()) for counts in samples.topics.values())
    assert set(samples.levels) == {"2", "5", "6", "unknown"}


def test_a_repair_has_the_level_and_the_topic_of_its_source() -> None:
    problem = load_problems("bundled:train")[0]
    assert find_problem(f"repair/1/missing_rec/0/{problem.id}") == problem
    samples = Samples()
    samples.add(rollout(problem_id=f"repair/1/missing_rec/0/{problem.id}"))
    assert set(samples.levels) == {problem.level_name}
    assert set(samples.topics) == {problem.topics[0]}
    assert find_problem("repair/1") is None


def test_problems_of_a_users_own_file_have_their_topics_levels_and_statements(tmp_path: Path) -> None:
    own = replace(
        load_problems("bundled:train")[0], id="mine", topics=("brewing",), level=3, statement="Brew some tea."
    )
    (tmp_path / "mine.jsonl").write_text(json.dumps(problem_to_record(own)) + "\n")
    (tmp_path / "metrics.jsonl").write_text('{"step": 1, "loss": 0.5, "reward": 0.5}\n')
    (tmp_path / "reward_logs").mkdir()
    completions = tmp_path / "reward_logs" / "completions.jsonl"
    completions.write_text(rollout(problem_id="mine").to_json() + "\n")
    samples = read_samples(completions, source=f"bundled:train + {tmp_path / 'mine.jsonl'}?split=train&holdout=0.2")
    assert (set(samples.topics), set(samples.levels)) == ({"brewing"}, {"3"})
    (tmp_path / "config.yaml").write_text(f"problems: {tmp_path / 'mine.jsonl'}\n")
    assert "Brew some tea." in report(diagnose(read_run(tmp_path), DEFAULT))
    (tmp_path / "mine.jsonl").unlink()
    gone = read_samples(completions, source=str(tmp_path / "mine.jsonl"))
    assert (set(gone.topics), len(gone.notes)) == ({"unknown"}, 1)


def test_hostile_text_stays_text_wherever_it_comes_from(tmp_path: Path) -> None:
    page = report(diagnose(read_run(hostile_run(tmp_path / "</title><script>run")), DEFAULT))
    tags = Tags(page)
    assert tags.count["script"] == 1
    assert tags.count["img"] == 0
    assert "<script>document" not in page
    for character in ("\x00", "\x1b", "\u202e", "\ud800"):
        assert character not in page
    page.encode("utf-8")


def test_a_large_run_makes_a_page_below_five_megabytes(tmp_path: Path) -> None:
    path = tmp_path / "run"
    simulation = Simulation(Illness.NONE, 5)
    simulation.steps = [
        [replace(sample, completion=sample.completion + "<&>" * 20_000) for sample in samples]
        for samples in simulation.steps[:40]
    ]
    page = report(diagnose(read_run(simulation.write(path)), DEFAULT), groups=400)
    assert len(page.encode()) < 5_000_000
    assert "were too long for this page" in page


def test_lines_that_are_no_rollouts_are_told_and_the_others_are_shown(folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "run"
    shutil.copytree(folder, copy)
    path = copy / "reward_logs" / "completions.jsonl"
    path.write_text("not json\n" + path.read_text())
    page = report(diagnose(read_run(copy), DEFAULT))
    assert "completions.jsonl:1: not JSON" in page
    assert "Outcomes by topic" in page


def test_a_log_alone_makes_a_page_too() -> None:
    page = report(diagnose(read_run(Path(__file__).parent / "seed.log"), find_profile("seed")))
    Tags(page)
    assert "line of the log" in page
    assert "Groups without variance" in page


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ([{"total": 0.1}, {"total": 0.2}], "varied"),
        ([{"total": 0.1}], "varied"),
        ([{"total": 0.0, "completion": "a"}, {"total": 0.0, "completion": "a"}], "identical"),
        ([{"total": 1.0, "passed": True}, {"total": 1.0, "passed": True, "completion": "b"}], "all_passed"),
        ([{"total": 0.0, "passed": False}, {"total": 0.0, "passed": False, "completion": "b"}], "all_failed"),
        ([{"total": 0.25, "passed": False}, {"total": 0.25, "passed": False, "completion": "b"}], "tied"),
    ],
)
def test_the_kind_of_a_group_is_told_from_its_texts_and_totals(changes: list[dict[str, object]], kind: str) -> None:
    assert kind_of([rollout(**{"outcome": Outcome.TEST_FAILURE} | change) for change in changes]) == kind


def test_a_line_without_a_finite_point_is_not_drawn() -> None:
    assert lines("t", [Line(name="a", look="a", points=[(1, float("nan"))])]) == ""
    assert "<circle" in lines("t", [Line(name="a", look="a", points=[(1, 2.0)])])
    assert "nan" not in lines("t", [Line(name="a", look="a", points=[(1, 0.0), (2, 0.0)])])


# --- in a browser -----------------------------------------------------------------------------------------------------


def count_of(browser: Browser) -> list[int]:
    """Returns the counts of the page: groups shown, groups, answers shown, answers."""
    said = browser.run("document.getElementById('count').textContent")
    match = re.fullmatch(r"(\d+) of (\d+) groups, (\d+) of (\d+) answers", said)
    assert match, said
    return [int(number) for number in match.groups()]


def choose(browser: Browser, name: str, value: str) -> None:
    menu = f"document.getElementById('{name}')"
    browser.run(f"{menu}.value = '{value}'; {menu}.dispatchEvent(new Event('change'))")


def shown(browser: Browser, selector: str, name: str) -> set[str]:
    """Returns the values of a data attribute of the visible elements."""
    found = browser.run(
        f"[...document.querySelectorAll('#groups > details:not([hidden]) {selector}')].map(one => one.dataset.{name})"
    )
    return set(found)


def test_a_browser_runs_the_filters_and_shows_all_groups(browser: Browser, page: str, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(page, encoding="utf-8")
    browser.open(path, width=390)
    groups, of_groups, answers, of_answers = count_of(browser)
    assert (groups, answers) == (of_groups, of_answers) == (40, answers)
    choose(browser, "kind", "identical")
    assert shown(browser, "", "kind") == {"identical"}
    choose(browser, "kind", "")
    for name, value in (("outcome", "SYNTAX_ERROR"), ("cut", "yes"), ("cut", "no")):
        choose(browser, name, value)
        assert shown(browser, ".sample:not([hidden])", name) == {value}
        assert 0 < count_of(browser)[2] < of_answers
        choose(browser, name, "")
    choose(browser, "level", "5")
    assert shown(browser, "", "level") == {"5"}
    assert 0 < count_of(browser)[0] < 40
    choose(browser, "outcome", "SYNTAX_ERROR")  # filters work together
    assert shown(browser, "", "level") <= {"5"}
    assert shown(browser, ".sample:not([hidden])", "outcome") <= {"SYNTAX_ERROR"}
    choose(browser, "outcome", "")
    choose(browser, "level", "")
    assert count_of(browser)[0] == 40
    assert browser.run("document.documentElement.scrollWidth") == 390
    assert (browser.complaints, browser.requests) == ([], [])


def test_a_browser_runs_nothing_that_a_completion_says(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(report(diagnose(read_run(hostile_run(tmp_path / "run")), DEFAULT)), encoding="utf-8")
    browser.open(path)
    assert browser.run("document.title").startswith("Training health of")
    assert browser.run("document.images.length") == 0
    assert count_of(browser)[0] > 0
    assert (browser.complaints, browser.requests) == ([], [])
