"""Downloads OCaml's own testsuite, and splits its programs into phrases."""

from __future__ import annotations

import re
import subprocess
import tarfile
from pathlib import Path

from ocaml_env import ConfigError

__all__ = ["fetch", "files", "phrases"]

_KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
_MIRROR = "http://deb.debian.org/debian"

# Expected output of the toplevel, and headers for the test runner: not parts of a program.
_EXPECTED = re.compile(r"\[%%expect\w*\s*\{(\w*)\|.*?\|\1\}(?:\s*,\s*Principal\s*\{(\w*)\|.*?\|\2\})?\s*\]", re.DOTALL)
_HEADER = re.compile(r"\A\s*\(\*\s*TEST.*?\*\)", re.DOTALL)


def fetch(into: Path) -> Path:
    """Returns the folder of the testsuite, from the source package of Debian's OCaml; downloads it on the first call.

    The folder has package lists of its own, so that the machine's lists stay unchanged.

    Raises:
        ConfigError: if the machine does not run Debian, or the package cannot be downloaded.
    """
    tests = into / "tests"
    if tests.is_dir():
        return tests
    release = re.search(r"^VERSION_CODENAME=(\w+)", Path("/etc/os-release").read_text(), re.MULTILINE)
    if release is None or not _KEYRING.exists():
        raise ConfigError("OCaml's testsuite is downloaded on Debian only: give its folder with --testsuite")
    (into / "lists" / "partial").mkdir(parents=True, exist_ok=True)
    sources = into / "sources.list"
    sources.write_text(f"deb-src [signed-by={_KEYRING}] {_MIRROR} {release[1]} main\n")
    options = [f"Dir::Etc::sourcelist={sources.resolve()}", "Dir::Etc::sourceparts=-"]
    options += [f"Dir::State::lists={(into / 'lists').resolve()}", "APT::Sandbox::User=root"]
    apt = ["apt-get", "-q", *(word for option in options for word in ("-o", option))]
    said = ""
    for command in (["update"], ["source", "--download-only", "ocaml"]):
        said += subprocess.run([*apt, *command], cwd=into, capture_output=True, text=True, check=False).stderr
    # The package's other files are Debian's own changes, without any programs.
    archive = next(into.glob("ocaml_*.orig.tar.?z"), None)
    if archive is None:
        raise ConfigError(f"OCaml's source cannot be had, give a folder with --testsuite: {said[-500:]}")
    with tarfile.open(archive) as tar:
        members = [member for member in tar.getmembers() if "/testsuite/tests/" in member.name and member.isfile()]
        for member in members:
            member.name = member.name.split("/testsuite/", 1)[1]
        tar.extractall(into, members=members, filter="data")
    return tests


def files(folder: Path) -> list[Path]:
    """Returns the programs of a folder in a fixed order.

    Raises:
        ConfigError: if there are none.
    """
    found = sorted(folder.rglob("*.ml"))
    if not found:
        raise ConfigError(f"{folder} holds no program of OCaml")
    return found


def phrases(text: str) -> list[str]:
    """Splits a program into phrases at ``;;``, or at blank lines if it has no ``;;``."""
    text = _EXPECTED.sub("", _HEADER.sub("", text))
    parts = text.split(";;") if ";;" in text else re.split(r"\n\s*\n", text)
    return [part.strip() for part in parts if part.strip()]
