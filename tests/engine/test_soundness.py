"""Programs that OCaml's type checker accepts and should not: each is refused, and its nearest honest program is not.

`soundness/ISSUE_FORM.unsound.ml` makes a value of another type of the 5 that `conv` is given, on the versions that its
first comment names (the number is of ocaml/ocaml's issues). `ISSUE_FORM.honest.ml` is the honest program beside it,
whose `conv` gives the number's text.
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

# Modules that are included or opened get names before they are typed (14982), and then these do not typecheck.
CLOSED_BY_NAMES = {"13765_include", "13765_open"}

SHOW = 'let () = print_string (if Obj.is_int (Obj.repr (conv 5)) then "confused" else "sound")'
ANY = function("val conv : int -> string", 'conv 5 = "5"')


def is_open(name: str, version: str) -> bool:
    """Does this version of the compiler accept the program and confuse types?"""
    first = (HERE / f"{name}.unsound.ml").read_text().splitlines()[0]
    said = re.fullmatch(r"\(\* (all|below (\d+)\.(\d+)) \*\)", first)
    assert said is not None, f"{name} does not say which versions it is for"
    major, minor = (int(part) for part in version.split(".")[:2])
    return said[1] == "all" or (major, minor) < (int(said[2]), int(said[3]))


@pytest.mark.parametrize("name", UNSOUND)
def test_what_confuses_types_is_refused(name: str, verifier: Verifier, tmp_path: Path) -> None:
    code = (HERE / f"{name}.unsound.ml").read_text()
    toolchain = find_toolchain()
    if not is_open(name, toolchain.version):
        pytest.skip(f"OCaml {toolchain.version} has no such hole")
    (tmp_path / "program.ml").write_text(code + SHOW)
    command = [toolchain.ocamlfind, "ocamlc", "-w", "-a", "program.ml", "-o", "program"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    ran = subprocess.run([tmp_path / "program"], capture_output=True, check=False)
    assert ran.stdout == b"confused" or ran.returncode < 0, "the reproduction does not reproduce"
    # Without the signature's `string`: that of floats would be a type error of its own.
    verdict = verifier.verify(function("val add : int -> int", "add 1 = 2"), code + "let add n = n + 1")
    assert verdict.outcome is Outcome.TYPE_ERROR
    if name not in CLOSED_BY_NAMES:
        (diagnostic,) = verdict.diagnostics
        assert diagnostic.message.startswith("This is refused because it is unsound: ")


@pytest.mark.parametrize("name", UNSOUND)
def test_its_honest_neighbour_is_not(name: str, verifier: Verifier) -> None:
    verdict = verifier.verify(ANY, (HERE / f"{name}.honest.ml").read_text())
    assert verdict.passed, verdict.diagnostics
