"""Finding OCaml and building the engine: versions, messages, and the key of the cache."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ocaml_env.engine import toolchain
from ocaml_env.engine.toolchain import build_engine, find_toolchain
from ocaml_env.errors import ToolchainError
from ocaml_env.verifiers.local import Verifier


@pytest.fixture(autouse=True)
def _forget_what_was_found() -> Iterator[None]:
    find_toolchain.cache_clear()
    toolchain.sources_digest.cache_clear()
    yield
    find_toolchain.cache_clear()
    toolchain.sources_digest.cache_clear()


@pytest.fixture
def fake_ocaml(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Puts an ``ocamlfind`` on the path; a test writes its script."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "ocamlfind"
    program.touch(mode=0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    monkeypatch.setenv("OCAML_ENV_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # the real one may hold an engine built earlier
    return program


def answer(program: Path, script: str) -> None:
    program.write_text(f"#!/bin/sh\n{script}\n")


@pytest.mark.parametrize(
    ("version", "family"),
    [
        ("4.13.0", "ocaml4"),
        ("4.13.1", "ocaml4"),
        ("4.14.2", "ocaml4"),
        ("5.3.0", "ocaml5"),
        ("5.4.0~beta1", "ocaml5"),
        ("6.0.0", "ocaml5"),
        ("4.14.1+flambda", "ocaml4"),
    ],
)
def test_supported_versions_have_their_family(fake_ocaml: Path, version: str, family: str) -> None:
    answer(fake_ocaml, f"echo {version}")
    found = find_toolchain()
    assert (found.version, found.family, found.ocamlfind) == (version, family, str(fake_ocaml))


@pytest.mark.parametrize("version", ["3.12.1", "4.02.3", "4.12.1", "5.0.0", "5.1.1", "5.2.1"])
def test_other_versions_are_refused_with_the_supported_ones(fake_ocaml: Path, version: str) -> None:
    answer(fake_ocaml, f"echo {version}")
    with pytest.raises(ToolchainError, match="4.13, 4.14, or 5.3") as raised:
        find_toolchain()
    assert version in str(raised.value)


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("echo oops >&2; exit 3", "oops"),
        ("echo not a version", "ocamlopt -version"),
        ("exit 1", "exit code 1"),
        ("exit 0", "failed"),
    ],
)
def test_a_broken_ocamlfind_is_one_clear_message(fake_ocaml: Path, script: str, message: str) -> None:
    answer(fake_ocaml, script)
    with pytest.raises(ToolchainError, match=message) as raised:
        find_toolchain()
    assert "apt-get install" in str(raised.value)


def test_an_ocamlfind_that_cannot_be_run_is_one_clear_message(fake_ocaml: Path) -> None:
    fake_ocaml.write_text("#!/no/such/interpreter\n")
    with pytest.raises(ToolchainError, match="cannot be run"):
        find_toolchain()


def test_no_ocamlfind_is_one_clear_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolchainError, match="not on the search path.*apt-get.*brew.*opam"):
        find_toolchain()


def test_no_c_compiler_is_one_clear_message(fake_ocaml: Path) -> None:
    answer(fake_ocaml, '[ "$2" = -version ] && echo 4.13.1 && exit 0\necho there-is-no-such-gcc -O2')
    with pytest.raises(ToolchainError, match="C compiler `there-is-no-such-gcc`.*apt-get install gcc.*xcode-select"):
        build_engine()


def test_a_failed_build_shows_the_compilers_message_and_leaves_nothing(fake_ocaml: Path, tmp_path: Path) -> None:
    answer(fake_ocaml, '[ "$2" = -version ] && echo 4.13.1 && exit 0\necho "Error: no such thing" >&2\nexit 2')
    with pytest.raises(ToolchainError, match="does not build.*no such thing"):
        build_engine()
    assert [path.suffix for path in (tmp_path / "cache").iterdir()] == [".lock"]


def test_after_a_failed_build_the_next_one_tries_again(
    fake_ocaml: Path, tmp_path: Path, verifier: Verifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(fake_ocaml, '[ "$2" = -version ] && echo 4.13.1 && exit 0\nexit 2')
    with pytest.raises(ToolchainError):
        build_engine()
    real = shutil.which("ocamlfind", path=os.environ["PATH"].partition(":")[2])
    assert real
    find_toolchain.cache_clear()
    answer(fake_ocaml, f'exec {real} "$@"')
    engine = build_engine()
    assert engine.folder.parent == tmp_path / "cache"
    assert os.access(engine.checker, os.X_OK)
    assert os.access(engine.runner, os.X_OK)


def test_a_built_engine_is_used_again(verifier: Verifier) -> None:
    first = build_engine()
    stamps = [(path.stat().st_mtime_ns, path.stat().st_ino) for path in (first.checker, first.runner)]
    assert build_engine() == first
    assert [(path.stat().st_mtime_ns, path.stat().st_ino) for path in (first.checker, first.runner)] == stamps


def test_the_cache_key_depends_on_version_and_sources(
    fake_ocaml: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build_log: list[str] = []

    def built_for(version: str) -> str:
        find_toolchain.cache_clear()
        toolchain.sources_digest.cache_clear()
        answer(fake_ocaml, f'[ "$2" = -version ] && echo {version} && exit 0\nexit 2')
        with pytest.raises(ToolchainError):
            build_engine()
        new = {path.stem for path in (tmp_path / "cache").iterdir()} - set(build_log)
        build_log.extend(new)
        return new.pop() if new else ""

    first, other = built_for("4.13.1"), built_for("4.14.0")
    assert first.startswith("4.13.1-")
    assert other.startswith("4.14.0-")
    assert built_for("4.13.1") == ""

    copy = tmp_path / "sources"
    shutil.copytree(toolchain.SOURCES, copy)
    monkeypatch.setattr(toolchain, "SOURCES", copy)
    assert built_for("4.13.1") == "", "equal sources in another place are the same sources"
    with (copy / "policy.ml").open("a") as file:
        file.write("\n(* changed *)\n")
    assert built_for("4.13.1").startswith("4.13.1-")
    (copy / "policy.ml").rename(copy / "rules.ml")
    assert built_for("4.13.1").startswith("4.13.1-")
    (copy / "notes.txt").write_text("not a source")
    assert built_for("4.13.1") == ""
