"""Full or read-only folders and a missing OCaml: the engine works, or gives one clear reason."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ocaml_env.engine import build_engine
from tests.engine.another_python import run, start

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes through /proc"),
    pytest.mark.usefixtures("verifier"),  # builds the engine once, or skips
]


def can_mount() -> bool:
    """Says if a process may mount file systems: it must be root, and not below a chroot."""
    unshare = shutil.which("unshare")
    return unshare is not None and subprocess.run([unshare, "-m", "true"], capture_output=True).returncode == 0


needs_mounts = pytest.mark.skipif(not can_mount(), reason="needs root, to mount")

TELL = """
    try:
        with Verifier(workers=1) as verifier:
            say(verifier.verify(problem, right).passed)
    except OCamlEnvError as error:
        say(type(error).__name__, str(error).replace("\\n", " "))
"""


def bin_without(name: str, folder: Path) -> str:
    """Makes a search path with every program except one."""
    folder.mkdir()
    for place in os.environ["PATH"].split(":"):
        for program in Path(place).glob("*") if Path(place).is_dir() else ():
            if program.name != name and not (folder / program.name).exists():
                (folder / program.name).symlink_to(program)
    return str(folder)


def test_without_ocaml_there_is_one_clear_message(tmp_path: Path) -> None:
    (message,) = run(TELL, PATH=bin_without("ocamlfind", tmp_path / "bin"))
    assert message.startswith("ToolchainError")
    assert "ocamlfind" in message
    assert "apt-get install" in message


def test_an_unwritable_cache_folder_is_replaced_by_a_private_one(tmp_path: Path) -> None:
    engine = build_engine()
    (tmp_path / "file").touch()
    private = tmp_path / f"ocaml-env-{os.getuid()}"
    shutil.copytree(engine.folder, private / engine.folder.name)
    assert run(TELL, OCAML_ENV_CACHE=str(tmp_path / "file" / "cache"), TMPDIR=str(tmp_path)) == ["True"]


def test_without_a_writable_folder_there_is_one_clear_message(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    nowhere = tmp_path / "file" / "folder"
    (tmp_path / f"ocaml-env-{os.getuid()}").touch()
    (message,) = run(TELL, OCAML_ENV_CACHE=str(nowhere), TMPDIR=str(tmp_path))
    assert message.startswith("ToolchainError")
    assert "OCAML_ENV_CACHE" in message
    assert str(nowhere) in message


@needs_mounts
def test_a_read_only_cache_folder_with_a_built_engine_works(tmp_path: Path) -> None:
    engine = build_engine()
    shutil.copytree(engine.folder, tmp_path / engine.folder.name)
    script = """
    import subprocess
    subprocess.run(["mount", "--bind", os.environ["OCAML_ENV_CACHE"], os.environ["OCAML_ENV_CACHE"]], check=True)
    subprocess.run(["mount", "-o", "remount,ro,bind", os.environ["OCAML_ENV_CACHE"]], check=True)
    """
    assert run(script + TELL, command=("unshare", "-m"), OCAML_ENV_CACHE=str(tmp_path)) == ["True"]


FILL = """
    import subprocess
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=SIZE", "none", os.environ["TMPDIR"]], check=True)
"""


@needs_mounts
def test_a_full_temporary_folder_does_not_matter_once_the_engine_is_built(tmp_path: Path) -> None:
    fill = (
        FILL.replace("SIZE", "16k")
        + """
    try:
        with open(os.environ["TMPDIR"] + "/full", "wb") as file:
            file.write(bytes(1_000_000))
    except OSError:
        pass
    """
    )
    engine = build_engine()
    assert run(
        fill + TELL, command=("unshare", "-m"), TMPDIR=str(tmp_path), OCAML_ENV_CACHE=str(engine.folder.parent)
    ) == ["True"]


@needs_mounts
@pytest.mark.parametrize("size", ["64k", "512k"])
def test_building_into_a_full_folder_is_one_clear_message(tmp_path: Path, size: str) -> None:
    """The first size is too small for the sources, the second for the compiled engine."""
    command = ("unshare", "-m")
    (message,) = run(
        FILL.replace("SIZE", size) + TELL,
        command=command,
        TMPDIR=str(tmp_path),
        OCAML_ENV_CACHE=str(tmp_path / "cache"),
    )
    assert message.startswith("ToolchainError")
    assert "No space left" in message


HIDE = """
    import subprocess
    folder = subprocess.check_output(["ocamlfind", "ocamlc", "-where"], text=True).strip()
    def remove_ocaml():
        subprocess.run(["mount", "-t", "tmpfs", "none", folder], check=True)
        os.environ["PATH"] = "/nowhere"
"""


@needs_mounts
def test_ocaml_may_be_removed_while_the_engine_is_warm() -> None:
    script = (
        HIDE
        + """
    with Verifier(workers=1) as verifier:
        verifier.verify(problem, right)
        remove_ocaml()
        uses = "module M = Map.Make (Int) let s = Str.regexp {|a|} let b = Bigarray.int let p = Scanf.sscanf\\n"
        uses += "let l = Lexing.from_string let c = Complex.one let f = Filename.basename\\n"
        say(verifier.verify(problem, uses + right).outcome)
        say(verifier.verify(problem, "let add a b = Obj.magic a").outcome)
        tests = ("f 1 = f 1", "Str.(string_match (regexp {|a|}) {|a|} 0)")
        other = Problem(id="o", statement="s", signature="val f : int -> int Map.Make(Int).t", tests=tests)
        say(verifier.verify(other, "let f _ = let module M = Map.Make (Int) in M.empty").outcome)
    """
    )
    assert run(script, command=("unshare", "-m")) == ["PASSED", "FORBIDDEN", "PASSED"]


@needs_mounts
def test_a_new_worker_without_ocaml_is_one_clear_error() -> None:
    script = (
        HIDE
        + """
    with Verifier(workers=1) as verifier:
        verifier.verify(problem, right)
        remove_ocaml()
        for pid in descendants(os.getpid()):
            os.kill(pid, signal.SIGKILL)
        try:
            say(verifier.verify(problem, right + " ").outcome)
        except OCamlEnvError as error:
            say(type(error).__name__)
        say(len(children(os.getpid())))
    """
    )
    assert run(script, command=("unshare", "-m")) == ["ToolchainError", "0"]


def test_two_processes_that_build_at_the_same_time_both_get_a_whole_engine(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    both = [start(TELL, OCAML_ENV_CACHE=str(cache), TMPDIR=str(tmp_path)) for _ in range(2)]
    answers = [process.communicate(timeout=500) for process in both]
    assert answers == [("True\n", "")] * 2
    left = {path.name for path in cache.iterdir()}
    key = build_engine().folder.name
    assert left == {key, f"{key}.lock"}
    assert {path.name for path in (cache / key).iterdir()} == {"checker", "runner"}
