"""The command that freezes the benchmark: the secret of a release."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from pathlib import Path

import pytest

from benchmarks import freeze
from ocaml_env.evaluation.benchmark.manifest import PATH


@pytest.fixture
def manifest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    copy = tmp_path / "manifest.json"
    shutil.copyfile(PATH, copy)
    monkeypatch.setattr(freeze, "PATH", copy)
    return copy


def test_a_release_draws_a_secret_and_commits_to_it_once(
    manifest: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, file = json.loads(manifest.read_text()), tmp_path / "secret"
    assert freeze.main(["--release", "1.0", "--secret", str(file)]) == 0
    secret = file.read_text().strip()
    assert re.fullmatch("[0-9a-f]{64}", secret)
    assert file.stat().st_mode & 0o077 == 0
    committed = {"1.0": hashlib.sha256(secret.encode()).hexdigest()}
    assert json.loads(manifest.read_text()) == {**before, "fresh_secrets": {**before["fresh_secrets"], **committed}}
    assert freeze.main(["--release", "1.0", "--secret", str(tmp_path / "another")]) == 2
    assert "1.0 has committed to a secret before" in capsys.readouterr().err
    assert not (tmp_path / "another").exists()


def test_a_secret_that_could_be_guessed_is_refused(
    manifest: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, file = manifest.read_bytes(), tmp_path / "secret"
    file.write_text("swordfish\n")
    assert freeze.main(["--release", "1.0", "--secret", str(file)]) == 2
    assert "could be guessed" in capsys.readouterr().err
    assert manifest.read_bytes() == before
