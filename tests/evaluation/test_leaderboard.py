"""The leaderboard: its ranking, its forms, and its copy in the documentation."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from ocaml_env import Verifier
from ocaml_env.commands.leaderboard import main
from ocaml_env.display.terminal import Paint
from ocaml_env.evaluation.leaderboard.runs import find_runs, tables_of
from ocaml_env.evaluation.leaderboard.text import markdown, show
from ocaml_env.evaluation.models.base import short_name
from tests.browser import Browser
from tests.evaluation.small_evaluations import STRONG, WEAK, evaluate, suite_of
from tests.pages import HOSTILE, assert_alone, assert_fits

ROOT = Path(__file__).parents[2]
BEGIN, END = "<!-- leaderboard -->", "<!-- /leaderboard -->"


@pytest.fixture(scope="module")
def results(verifier: Verifier, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Makes six runs without samples: four on one suite (one nested), one on a part of it, one with two turns."""
    del verifier
    folder = tmp_path_factory.mktemp("leaderboard") / "results"
    folder.mkdir()
    suite = suite_of(folder)
    evaluate(folder / "weak", WEAK, suite, "--k", "1,3")
    evaluate(folder / "strong", STRONG, suite, "--k", "1,3")
    (folder / "deep" / "er").mkdir(parents=True)
    evaluate(folder / "deep" / "er" / "reference", "agent:reference", suite, "--n", "1")
    evaluate(folder / "stub", "agent:stub", suite, "--n", "1")
    evaluate(folder / "few", "agent:reference", suite, "--n", "1", "--limit", "3")
    evaluate(folder / "turns", "agent:reference", suite, "--n", "1", "--turns", "2")
    for name in ("samples.jsonl", "report.html"):
        for file in folder.rglob(name):
            file.unlink()
    (folder / "strong" / "report.html").write_text("<!doctype html><title>strong</title>")
    return folder


def change(folder: Path, **values: Any) -> None:
    file = folder / "summary.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | values))


def test_runs_with_the_same_problems_and_turns_are_ranked_by_pass_at_1(results: Path) -> None:
    runs, left_out = find_runs(results)
    assert left_out == []
    names = [[run.name for run in table.runs] for table in tables_of(runs)]
    assert names == [["deep/er/reference", "strong", "weak", "stub"], ["turns"], ["few"]]


def test_every_form_has_the_figures_of_the_summaries(results: Path) -> None:
    tables = tables_of(find_runs(results)[0])
    summary = json.loads((results / "strong" / "summary.json").read_text())
    rate = summary["pass@1"]
    for text in (show(tables, Paint(False)), markdown(tables, results)):
        [line] = [line for line in text.splitlines() if "strong" in line]
        for figure in (
            f"{rate['estimate']:.1%}",
            f"{100 * rate['low']:.1f} to {100 * rate['high']:.1f}",
            f"{summary['pass@3']['estimate']:.1%}",
            f"{summary['funnel']['compiled']:.1%}",
            f"{summary['reward']['mean']:.3f}",
            summary["versions"]["ocaml"],
        ):
            assert figure in line


def test_a_run_without_pass_at_1_is_last_with_a_dash(results: Path, tmp_path: Path) -> None:
    shutil.copytree(results, tmp_path / "results")
    faults = {"count": 3, "example": "server: gone"}
    change(tmp_path / "results" / "strong", **{"pass@1": None, "faults": faults})
    first, *_ = tables_of(find_runs(tmp_path / "results")[0])
    assert [run.name for run in first.runs][-1] == "strong"
    header, *rows = [line.split("|") for line in markdown([first], tmp_path).splitlines() if line.startswith("|")]
    last = {title.strip(): cell.strip() for title, cell in zip(header, rows[-1], strict=True)}
    assert (last["pass@1"], last["95% interval"], last["faults"]) == ("-", "-", "3")


def test_settings_that_differ_between_ranked_runs_are_shown(results: Path, tmp_path: Path) -> None:
    shutil.copytree(results, tmp_path / "results")
    settings = json.loads((results / "weak" / "summary.json").read_text())["settings"]
    change(tmp_path / "results" / "weak", settings=settings | {"prompt_style": "brief", "temperature": 0.2})
    first, *_ = tables_of(find_runs(tmp_path / "results")[0])
    rows = {line.split()[0]: line for line in show([first], Paint(False)).splitlines()[2:] if line}
    assert "prompt_style brief" in rows["completions:weak.jsonl"]
    assert "prompt_style text" in rows["completions:strong.jsonl"]
    assert " 0.2 " in rows["completions:weak.jsonl"]


@pytest.mark.parametrize("width", [40, 80, 250])
def test_a_narrow_terminal_shows_fewer_columns_and_names_the_missing_ones(results: Path, width: int) -> None:
    tables = tables_of(find_runs(results)[0])
    lines = show(tables, Paint(False), width=width).splitlines()
    assert max(map(len, lines)) <= width
    assert any("pass@1" in line for line in lines)
    assert any("no room for" in line for line in lines) == (width < 250)


def test_unfinished_and_broken_runs_are_left_out_and_named(
    results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(results, tmp_path / "results")
    stub, weak, few = (tmp_path / "results" / name for name in ("stub", "weak", "few"))
    (stub / "summary.json").unlink()
    (stub / "samples.jsonl").write_text("")
    (weak / "summary.json").write_text("{")
    change(few, by_level="none")
    change(tmp_path / "results" / "turns", reward={"preset": "staged", "mean": "high"})
    assert main([str(tmp_path / "results")]) == 0
    shown = capsys.readouterr()
    assert "agent:stub is not finished" in shown.err
    assert f"{weak / 'summary.json'}: not JSON" in shown.err
    assert shown.err.count("not the summary of an evaluation") == 2
    assert "completions:strong.jsonl" in shown.out
    assert main([str(tmp_path / "nowhere")]) == 2
    assert "no such directory" in capsys.readouterr().err


def test_update_replaces_only_the_text_between_the_markers(
    results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "docs" / "README.md"
    file.parent.mkdir()
    file.write_text(f"# Über\r\n\n{BEGIN}\nold\n{END}\n\nafter | it", newline="")
    update = [str(results), "--update", str(file)]
    assert main([*update, "--check"]) == 1
    assert "old" in file.read_text()
    assert main(update) == 0
    assert main([*update, "--check"]) == 0
    with file.open(newline="", encoding="utf-8") as stream:
        text = stream.read()
    assert text.startswith(f"# Über\r\n\n{BEGIN}\n**suite.jsonl")
    assert text.endswith(f"|\n{END}\n\nafter | it")
    [link] = re.findall(r"\]\(([^)]+)\)", text)
    assert (file.parent / unquote(link)).resolve() == results / "strong" / "report.html"
    assert main(update) == 0
    assert file.read_text().count(BEGIN) == 1
    assert [path.name for path in file.parent.iterdir()] == ["README.md"]
    capsys.readouterr()
    for bad in ("nothing", f"{END}\n{BEGIN}", f"{BEGIN}{END}{BEGIN}"):
        file.write_text(bad)
        assert main(update) == 2
        assert BEGIN in capsys.readouterr().err
        assert file.read_text() == bad
    assert main([str(results), "--update", str(tmp_path / "none.md")]) == 2


def test_no_evaluations_are_no_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "README.md"
    file.write_text(f"{BEGIN}\n{END}\n")
    assert main([str(tmp_path)]) == 0
    assert "no finished evaluation" in capsys.readouterr().out
    assert main([str(tmp_path), "--update", str(file), "--html", str(tmp_path / "page.html")]) == 0
    assert "No evaluations are kept yet." in file.read_text()
    assert_alone((tmp_path / "page.html").read_text())
    with pytest.raises(SystemExit) as caught:
        main([str(tmp_path), "--check"])
    assert caught.value.code == 2


def test_the_page_links_to_existing_reports_and_fits_a_phone(results: Path, tmp_path: Path, browser: Browser) -> None:
    drawn = tmp_path / "page.html"
    assert main([str(results), "--html", str(drawn)]) == 0
    text = drawn.read_text()
    assert text.count("<svg") == 3
    addresses = set(re.findall(r'href="([^"]*)"', text))
    assert {(tmp_path / unquote(address)).resolve() for address in addresses} == {results / "strong" / "report.html"}
    assert_alone(text, script=True)
    assert_fits(browser, drawn)


def test_a_click_on_a_head_sorts_a_table(results: Path, tmp_path: Path, browser: Browser) -> None:
    drawn = tmp_path / "page.html"
    assert main([str(results), "--html", str(drawn)]) == 0
    browser.open(drawn)
    runs = "[...document.querySelector('table').tBodies[0].rows].map(row => row.cells[1].textContent)"
    click = "[...document.querySelectorAll('th button')].find(button => button.textContent === 'reward').click()"
    browser.run(click)
    falling = browser.run(runs)
    browser.run(click)
    assert falling[0] == "deep/er/reference"
    assert browser.run(runs) == falling[::-1]
    assert browser.run("document.querySelector('th[aria-sort]').textContent") == "reward"


def test_hostile_names_stay_text(
    results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], browser: Browser
) -> None:
    folder = tmp_path / "results" / HOSTILE / "javascript:alert(1)"
    shutil.copytree(results / "strong", folder)
    shutil.copytree(results / "weak", tmp_path / "results" / "weak")
    settings = json.loads((folder / "summary.json").read_text())["settings"] | {"problems": HOSTILE}
    change(tmp_path / "results" / "weak", settings=settings, versions={"ocaml": HOSTILE})
    hostile = settings | {"model": f"hf:{HOSTILE}\n\n# owned {END}"}
    change(folder, settings=hostile, versions={"ocaml": HOSTILE})
    drawn = tmp_path / "page.html"
    assert main([str(tmp_path / "results"), "--html", str(drawn)]) == 0
    printed = capsys.readouterr().out
    assert "\x1b" not in printed
    assert "\u202e" not in printed
    assert_alone(drawn.read_text(), script=True)
    assert_fits(browser, drawn)
    text = markdown(tables_of(find_runs(tmp_path / "results")[0]), tmp_path)
    assert END not in text
    assert "<img" not in text
    assert "\n#" not in text
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len({len(re.findall(r"(?<!\\)\|", row)) for row in rows}) == 1
    assert len(re.findall(r"(?<!\\)\]\(", text)) == 1


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("hf:Qwen/Qwen2.5-Coder-0.5B", "hf:Qwen/Qwen2.5-Coder-0.5B"),
        ("hf:/home/me/models/mine/", "hf:mine"),
        ("hf:./mine", "hf:mine"),
        ("completions:/data/of/mine.jsonl", "completions:mine.jsonl"),
        ("bundled:eval", "bundled:eval"),
        ("/data/suite.jsonl", "suite.jsonl"),
        ("/x/y.jsonl+bundled:eval", "y.jsonl+bundled:eval"),
        ("agent:tiny", "agent:tiny"),
        ("package.module:Agent", "package.module:Agent"),
    ],
)
def test_a_path_is_shown_by_its_last_part(text: str, short: str) -> None:
    assert short_name(text) == short


def test_the_leaderboard_of_the_readme_is_current() -> None:
    assert (
        main([str(ROOT / "benchmarks" / "results"), "--update", str(ROOT / "docs" / "evaluation.md"), "--check"]) == 0
    )
