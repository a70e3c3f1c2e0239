"""README and documentation are true: code prints the shown output, commands work, counts are right."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from ocaml_env import load_problems
from ocaml_env.commands.cli import main
from ocaml_env.problems.importers import KNOWN_FORMATS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = {path.stem: path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").glob("*.md"))}
EVERYTHING = {"README": README, **PAGES}
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")

# The output has a longer fence than the program if it holds one itself.
_PROGRAM = re.compile(r"```python\n([^`]*(?:`+[^`]+)*?)```\n\n(?P<fence>````?)text\n(.*?)(?P=fence)", re.DOTALL)
PROGRAMS = list(
    dict.fromkeys((code, output) for text in EVERYTHING.values() for code, _, output in _PROGRAM.findall(text))
)
_COMMAND = re.compile(r"^\.venv/bin/ocaml-env ((?:doctor|problems|verify|import|audit)\b.*?) *#", re.MULTILINE)
COMMANDS = sorted({command for text in EVERYTHING.values() for command in _COMMAND.findall(text)})
TREE = re.findall(r"```text\n(ocaml_env/.*?)```", PAGES["architecture"], re.DOTALL)[0]


def test_the_readme_is_short() -> None:
    assert len(README.split()) <= 1_200


def test_the_quickstart_is_ten_lines_at_most() -> None:
    code, *_ = _PROGRAM.findall(README)[0]
    assert "gymnasium.make" in code
    assert len(code.strip().splitlines()) <= 10


@pytest.mark.usefixtures("verifier")
@pytest.mark.parametrize(("code", "output"), PROGRAMS, ids=("quickstart", "episode", "library"))
def test_a_program_prints_the_shown_output(code: str, output: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, cwd=tmp_path, timeout=120
    )
    assert (done.stderr, done.stdout) == ("", output)


@pytest.mark.usefixtures("verifier")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_works(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "answer.ml").write_text("let snake_case name = name\n")
    (tmp_path / "data.csv").write_text('id,prompt,tests\nf,"(** Succ. *)\nlet f (x : int) : int =",assert (f 1 = 2)\n')
    monkeypatch.chdir(tmp_path)
    arguments = shlex.split(command)
    if arguments[0] == "audit":
        arguments += ["--limit", "20"]  # tests/problems/test_bundled.py audits all of them
    assert main(arguments) == (1 if arguments[0] == "verify" else 0)
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("verifier")
def test_the_reason_for_a_reward_is_printed_as_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pattern = r"ocaml-env (verify [^\n`]*)\n```\n\n```text\n(.*?)```"
    command, shown = re.findall(pattern, PAGES["reward"], re.DOTALL)[0]
    monkeypatch.chdir(ROOT)
    assert main(shlex.split(command)) == 1
    assert capsys.readouterr().out.endswith(shown)


def test_the_readme_counts_the_bundled_problems() -> None:
    shown = {
        int(level): int(count) for level, count in re.findall(r"^\| ([1-6]) \|.*\| (\d+) \|$", README, re.MULTILINE)
    }
    assert shown == Counter(problem.level for problem in load_problems("bundled"))


def test_the_tree_names_files_that_exist() -> None:
    folders: list[str] = []
    for line in TREE.splitlines():
        name = line.split()[0]
        depth = (len(line) - len(line.lstrip())) // 2
        folders[depth:] = [name]
        assert (ROOT / "".join(folders)).exists(), line


def test_the_tree_names_every_room() -> None:
    named = set(re.findall(r"^  (\w+)(?:\.py|/)", TREE, re.MULTILINE))
    there = {path.stem for path in (ROOT / "ocaml_env").iterdir() if path.suffix in ("", ".py")}
    assert named == {name for name in there if not name.startswith(("_", "."))}


def test_the_page_on_own_data_has_the_columns_of_every_format() -> None:
    sections = dict(re.findall(r"^### (.+?)\n(.*?)(?=^###|\Z)", PAGES["own-data"], re.MULTILINE | re.DOTALL))
    assert list(sections) == [form.name for form in KNOWN_FORMATS]
    for form in KNOWN_FORMATS:
        rows = [
            f"| {', '.join(f'`{name}`' for name in column.names)}{' (needed)' if column.needed else ''} "
            f"| {column.meaning} |"
            for column in form.columns
        ]
        assert re.findall(r"^\| `.*$", sections[form.name], re.MULTILINE) == rows
        assert form.about[1:] in sections[form.name]


@pytest.mark.usefixtures("verifier")
def test_the_commands_on_own_data_work_as_they_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first three commands; the others need a model."""
    lines = "".join(
        f'f{n},"(** Multiplies a number by {n}. *) let f{n} (n : int) : int =","assert (f{n} 2 = {2 * n})\n'
        f'assert (f{n} 5 = {5 * n})\nassert (f{n} (-3) = {-3 * n})"\n'
        for n in range(2, 12)
    )
    (tmp_path / "data.csv").write_text(f"id,prompt,tests\n{lines}")
    monkeypatch.chdir(tmp_path)
    first = re.findall(r"```sh\n(.*?)```", PAGES["own-data"], re.DOTALL)[0]
    ours = [line.removeprefix(".venv/bin/ocaml-env ") for line in first.splitlines() if "evaluate" not in line]
    commands = [shlex.split(line) for line in ours if line.startswith(("import", "audit", "problems"))]
    assert [main(command) for command in commands] == [0, 0, 0]
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "2 of 2 problems in good.jsonl?holdout=0.2&seed=0"


def test_every_page_is_in_the_index() -> None:
    assert set(PAGES) - {"index"} == set(re.findall(r"\(([\w-]+)\.md\)", PAGES["index"]))


def test_every_make_target_that_is_named_exists() -> None:
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    text = "\n".join([contributing, *EVERYTHING.values()])
    named = set(re.findall(r"`make ([a-z0-9-]+)`|^make ([a-z0-9-]+)", text, re.MULTILINE))
    targets = set(re.findall(r"^([a-z0-9-]+):", MAKEFILE, re.MULTILINE))
    assert {first or second for first, second in named} <= targets


def test_every_file_that_is_linked_exists() -> None:
    for link in re.findall(r"\]\(((?!http)[^)#]+)", README):
        assert (ROOT / link).exists(), link
