"""The wheel has the whole library, typed, and nothing else; the set-up installs pinned packages only."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=120)
    return next(folder.glob("*.whl"))


def shipped(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def test_the_wheel_ships_the_library_alone(wheel: Path) -> None:
    assert {name.split("/")[0] for name in shipped(wheel)} == {"ocaml_env"}


def test_the_wheel_ships_every_source_and_problem(wheel: Path) -> None:
    suffixes = {".py", ".ml", ".mli", ".c", ".h", ".md", ".typed"}
    paths = [path for path in (ROOT / "ocaml_env").rglob("*") if path.suffix in suffixes]
    assert suffixes == {path.suffix for path in paths}
    assert {path.relative_to(ROOT).as_posix() for path in paths} <= shipped(wheel)


def test_the_wheel_ships_no_build_products(wheel: Path) -> None:
    built = {".pyc", ".o", ".cmi", ".cmo", ".cmx", ".cma", ".a", ".so"}
    assert {name for name in shipped(wheel) if Path(name).suffix in built} == set()


@pytest.mark.usefixtures("verifier")
def test_the_wheel_alone_can_evaluate(wheel: Path, tmp_path: Path) -> None:
    """The wheel is unpacked with its own cache, so that the engine is built from the shipped sources."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import ocaml_env.commands.cli\n"
        "assert ocaml_env.__file__.startswith(sys.argv[1]), ocaml_env.__file__\n"
        "sys.exit(ocaml_env.commands.cli.main(['verify', 'snake_case', '--sandbox', 'best-effort']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "site")],
        input="let snake_case name = name",
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")},
        timeout=300,
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert "TEST_FAILURE" in done.stdout


def test_the_citation_names_the_version_and_the_licence() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert (citation["version"], citation["license"]) == (PROJECT["version"], PROJECT["license"])


def test_every_package_of_the_setup_is_pinned() -> None:
    assert _needed([*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dev"]]) - _pins() == set()


def test_every_extra_is_pinned() -> None:
    extras = {Requirement(line).name for lines in PROJECT["optional-dependencies"].values() for line in lines}
    venvs = (ROOT / "tests" / "integrations" / "venvs").glob("*.txt")
    pinned = _pins().union(*map(_pins, venvs))
    assert {canonicalize_name(name) for name in extras} - pinned == set()


def _pins(file: Path = ROOT / "constraints.txt") -> set[str]:
    lines = file.read_text(encoding="utf-8").splitlines()
    return {canonicalize_name(line.split("==")[0]) for line in lines if re.match(r"[\w.-]+==", line)}


def _needed(requirements: list[str]) -> set[str]:
    """Returns the names of the required packages and their own requirements, unless a marker excludes them."""
    names: set[str] = set()
    waiting = [Requirement(line) for line in requirements]
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        if name in names or (requirement.marker and not requirement.marker.evaluate({"extra": ""})):
            continue
        names.add(name)
        waiting += [Requirement(line) for line in distribution(requirement.name).requires or ()]
    return names
