"""Each integration's example is short, is in the documentation, and runs if the library is installed."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.evaluation import fake_server
from tests.integrations import openenv_server
from tests.integrations.installed import LIBRARIES, ROOT, example, need
from tests.random_model import CHAT, make_random_model

MODEL = "Qwen/Qwen2.5-Coder-0.5B-Instruct"
SERVER = "http://localhost:8000"
SHORT = "max_steps=1, max_completion_length=16, use_cpu=True, bf16=False"


@pytest.mark.parametrize("library", LIBRARIES)
def test_an_example_is_shorter_than_ten_lines(library: str) -> None:
    assert 1 < len(example(library).splitlines()) < 10


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_documentation_has_the_example(library: str) -> None:
    assert f"```python\n{example(library)}```" in (ROOT / "docs" / "integrations.md").read_text(encoding="utf-8")


def test_the_readme_has_the_example_of_trl() -> None:
    assert f"```python\n{example('trl')}```" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.usefixtures("verifier")
@pytest.mark.parametrize("library", LIBRARIES)
def test_an_example_runs(library: str, tmp_path: Path) -> None:
    need(library)
    code, environment = example(library), {**os.environ, "PYTHONPATH": str(ROOT)}
    if MODEL in code:  # replace the model by one with random weights, and a hundred steps by one
        model = make_random_model(tmp_path / "model", chat_template=CHAT)
        code = code.replace(MODEL, str(model)).replace("max_steps=100", SHORT)
    with contextlib.ExitStack() as running:
        if SERVER in code:
            code = code.replace(SERVER, running.enter_context(openenv_server.serving("bundled:train")).url)
        if "LOCAL_BASE_URL" in code:
            model_server = running.enter_context(fake_server.serving())
            model_server.reply = lambda _body, _number: fake_server.Reply.text("let x = 1")
            environment |= {"LOCAL_BASE_URL": model_server.url, "LOCAL_API_KEY": "none"}
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, env=environment, timeout=300
        )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_packages_table_names_the_library(library: str) -> None:
    import ocaml_env.integrations

    assert re.search(rf"^    \S.* {library} ", ocaml_env.integrations.__doc__ or "", re.MULTILINE)
