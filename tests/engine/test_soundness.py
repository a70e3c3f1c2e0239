"""Unsound programs that OCaml's type checker accepts: each is refused, but its nearest honest program is not.

In `soundness/ISSUE_FORM.unsound.ml`, `conv` turns the integer 5 into a value of another type. ISSUE is the number at
ocaml/ocaml, and the first comment names the affected versions. `ISSUE_FORM.honest.ml` is the similar honest program;
its `conv` returns the number's text.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from ocaml_env.engine import find_toolchain
from ocaml_env.verdict import Outcome
from ocaml_env.verifiers.local import Verifier
from tests.engine.cases import function

HERE = Path(__file__).parent / "soundness"
UNSOUND = sorted(path.name.removesuffix(".unsound.ml") for path in HERE.glob("*.unsound.ml"))

# The engine names included and opened modules before typing (14982); then these programs do not typecheck.
CLOSED_BY_NAMES = {"13765_include", "13765_open"}

SHOW = 'let () = print_string (if Obj.is_int (Obj.repr (conv 5)) then "confused" else "sound")'
ANY = function("val conv : int -> string", 'conv 5 = "5"')


def is_open(name: str, version: str) -> bool:
    """Says if this version of the compiler accepts the program and confuses types."""
    first = (HERE / f"{name}.unsound.ml").read_text().splitlines()[0]
    versions = re.fullmatch(r"\(\* (all|below (\d+)\.(\d+)) \*\)", first)
    assert versions is not None, f"the first comment of {name} must name its versions"
    major, minor = (int(part) for part in version.split(".")[:2])
    return versions[1] == "all" or (major, minor) < (int(versions[2]), int(versions[3]))


@pytest.mark.parametrize("name", UNSOUND)
def test_an_unsound_program_is_refused(name: str, verifier: Verifier, tmp_path: Path) -> None:
    code = (HERE / f"{name}.unsound.ml").read_text()
    toolchain = find_toolchain()
    if not is_open(name, toolchain.version):
        pytest.skip(f"OCaml {toolchain.version} has no such hole")
    (tmp_path / "program.ml").write_text(code + SHOW)
    command = [toolchain.ocamlfind, "ocamlc", "-w", "-a", "program.ml", "-o", "program"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    ran = subprocess.run([tmp_path / "program"], capture_output=True, check=False)
    assert ran.stdout == b"confused" or ran.returncode < 0, "the reproduction does not reproduce"
    # This signature has no `string`: if `conv` returns floats, that would be another type error.
    verdict = verifier.verify(function("val add : int -> int", "add 1 = 2"), code + "let add n = n + 1")
    assert verdict.outcome is Outcome.TYPE_ERROR
    if name not in CLOSED_BY_NAMES:
        (diagnostic,) = verdict.diagnostics
        assert diagnostic.message.startswith("This is refused because it is unsound: ")


@pytest.mark.parametrize("name", UNSOUND)
def test_the_similar_honest_program_passes(name: str, verifier: Verifier) -> None:
    verdict = verifier.verify(ANY, (HERE / f"{name}.honest.ml").read_text())
    assert verdict.passed, verdict.diagnostics
