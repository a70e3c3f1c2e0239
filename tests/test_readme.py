"""The README is correct: its code prints the shown output, its commands work, and its tree exists."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from ocaml_env.commands.cli import main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")

CODE_AND_OUTPUT = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", README, re.DOTALL)
TREE = re.findall(r"```text\n(ocaml_env/.*?)```", README, re.DOTALL)[0]
COMMANDS = re.findall(r"^\.venv/bin/ocaml-env (.*?) *#", README, re.MULTILINE)


def test_the_quickstart_is_ten_lines_at_most() -> None:
    code = CODE_AND_OUTPUT[0][0]
    assert "gymnasium.make" in code
    assert len(code.strip().splitlines()) <= 10


@pytest.mark.usefixtures("verifier")
@pytest.mark.parametrize(("code", "output"), CODE_AND_OUTPUT, ids=["quickstart", "library"])
def test_the_code_prints_the_shown_output(code: str, output: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, cwd=tmp_path, timeout=120
    )
    assert (done.stderr, done.stdout) == ("", output)


@pytest.mark.usefixtures("verifier")
@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_work(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "answer.ml").write_text("let snake_case name = name\n")
    (tmp_path / "data.csv").write_text('id,prompt,tests\nf,"(** Succ. *)\nlet f (x : int) : int =",assert (f 1 = 2)\n')
    monkeypatch.chdir(tmp_path)
    arguments = shlex.split(command)
    assert main(arguments) == (1 if arguments[0] == "verify" else 0)
    assert capsys.readouterr().err == ""


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


def test_every_named_make_target_exists() -> None:
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`make ([a-z0-9-]+)`|^make ([a-z0-9-]+)", README + contributing, re.MULTILINE))
    targets = set(re.findall(r"^([a-z0-9-]+):", MAKEFILE, re.MULTILINE))
    assert {first or second for first, second in named} <= targets
