"""``ocaml-env gallery``: its answers earn what they should, and its page works in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from ocaml_env import Problem, Verifier, load_problems
from ocaml_env.commands.cli import main
from ocaml_env.commands.gallery import choose, one_of_each
from ocaml_env.commands.gallery.exhibit import Exhibit, exhibit
from ocaml_env.problems import to_jsonl
from ocaml_env.problems.generators import parse_source
from ocaml_env.reward import RewardSpec
from tests.browser import Browser
from tests.pages import HOSTILE

STAGED = RewardSpec.preset("staged")
BUNDLED = [load_problems("bundled").by_id[name] for name in ("snake_case", "add_durations", "ledger")]


@pytest.fixture(scope="module")
def exhibits(verifier: Verifier) -> list[Exhibit]:
    return [exhibit("bundled", problem, verifier=verifier, reward=STAGED) for problem in BUNDLED]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory, verifier: Verifier, problems: Iterable[Problem]) -> Path:
    """Three small problems, one of them with a hostile statement, and two bundled ones, in two sets."""
    folder = tmp_path_factory.mktemp("gallery")
    total, add, last = problems
    add = replace(add, statement=f"{add.statement}\n\n{HOSTILE} {'endless' * 100}", level=2, topics=("lists", "folds"))
    to_jsonl([add, replace(last, level=1, topics=("lists",)), total], folder / "mine.jsonl")
    to_jsonl(BUNDLED[:2], folder / "theirs.jsonl")
    out = folder / "page.html"
    sets = [str(folder / name) for name in ("mine.jsonl", "theirs.jsonl")]
    assert main(["gallery", *sets, "--out", str(out), "--workers", "1"]) == 0
    return out


def filtered(browser: Browser, **filters: str) -> list[str]:
    """Chooses in the menus and the field, and returns the names of the problems that are left."""
    for name, value in filters.items():
        browser.run(
            f"{{ const field = document.getElementById({name!r}); field.value = {value!r};"
            "field.dispatchEvent(new Event(field.tagName === 'INPUT' ? 'input' : 'change')) }"
        )
    left = browser.run("[...document.querySelectorAll('#problems > :not([hidden]) summary b')].map(b => b.innerText)")
    assert browser.run("document.getElementById('count').textContent") == f"{len(left)} of 5 problems"
    return list(left)


# --- the answers ------------------------------------------------------------------------------------------------------


def test_the_reference_earns_1_and_a_wrong_answer_less(exhibits: list[Exhibit]) -> None:
    for shown in exhibits:
        reference, fault, giving_up = shown.answers
        assert [answer.title for answer in shown.answers] == ["Reference", "One fault", "Giving up"]
        assert reference.evaluation.reward.total == 1
        assert not fault.evaluation.verdict.passed
        assert fault.evaluation.verdict.tests  # it typechecks
        assert fault.evaluation.extraction.code != reference.evaluation.extraction.code
        assert giving_up.evaluation.reward.total <= 0.25 <= fault.evaluation.reward.total < 1


def test_the_answers_are_the_same_again(exhibits: list[Exhibit], verifier: Verifier) -> None:
    again = exhibit("bundled", BUNDLED[0], verifier=verifier, reward=STAGED)
    assert [answer.evaluation.completion for answer in again.answers] == [
        answer.evaluation.completion for answer in exhibits[0].answers
    ]


def test_a_problem_without_a_reference_shows_giving_up_alone(add: Problem, verifier: Verifier) -> None:
    shown = exhibit("mine", replace(add, reference=""), verifier=verifier, reward=STAGED)
    assert [answer.title for answer in shown.answers] == ["Giving up"]


# --- the problems -----------------------------------------------------------------------------------------------------


def test_the_usual_choice_has_a_generated_problem_of_each_family_and_level() -> None:
    request = parse_source(one_of_each(7))
    assert request.seed == 7
    assert request.n == len(request.places) == sum(len(family.levels) for family in request.families)


def test_a_limit_takes_problems_of_all_levels() -> None:
    assert {problem.level for _, problem in choose(["bundled:eval"], limit=12)} == {1, 2, 3, 4, 5, 6}
    assert len(choose(["bundled:eval"], limit=10_000)) == len(load_problems("bundled:eval"))


def test_a_missing_folder_is_said_before_the_work(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gallery", "--out", str(tmp_path / "none" / "page.html")]) == 2
    assert "there is no folder" in capsys.readouterr().err


# --- the page ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "dark"), [(360, True), (1280, False)])
def test_the_page_fits_its_window_with_all_folds_open_and_requests_nothing(
    page: Path, browser: Browser, width: int, dark: bool
) -> None:
    browser.open(page, width=width, dark=dark)
    browser.run("document.querySelectorAll('details').forEach(fold => { fold.open = true })")
    assert browser.run("[innerWidth, document.documentElement.scrollWidth]") == [width, width]
    assert browser.run("document.querySelectorAll('section').length") == 15
    assert browser.run("document.title") == "Gallery of problems"
    assert browser.run("document.images.length") == 0
    assert (browser.complaints, browser.requests) == ([], [])


def test_menus_and_words_filter_the_problems(page: Path, browser: Browser) -> None:
    browser.open(page)
    assert set(filtered(browser)) == {"last", "snake_case", "add", "add_durations", "total"}
    assert filtered(browser, level="2", topic="folds") == ["add"]
    assert filtered(browser, level="", topic="lists") == ["last", "add"]
    assert filtered(browser, topic="", kind="program") == ["total"]
    theirs = str(page.parent / "theirs.jsonl")
    assert set(filtered(browser, kind="function", origin=theirs)) == {"snake_case", "add_durations"}
    assert filtered(browser, kind="", origin="", search="CHANGES the sign") == ["add"]
    assert filtered(browser, search="nowhere to be found") == []
    assert len(filtered(browser, search="")) == 5
    assert browser.complaints == []


def test_an_open_problem_shows_its_prompt_the_fault_and_the_feedback(page: Path, browser: Browser) -> None:
    browser.open(page)
    browser.run("document.querySelectorAll('details').forEach(fold => { fold.open = true })")
    told = browser.run(
        "[...document.querySelectorAll('details')].find(f => f.innerText.includes('snake_case')).innerText"
    )
    assert isinstance(told, str)
    assert "val snake_case : string -> string" in told
    assert re.search(r"^- .*\n\+ ", told, re.MULTILINE)
    assert "The model is told:" in told
    assert re.search(r"\d+ of 23 tests pass\.", told)
