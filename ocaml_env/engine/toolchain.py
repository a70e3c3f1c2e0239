"""Finds OCaml and builds the engine with it: once for each OCaml version and digest of the shipped sources.

A build is made in a scratch folder and renamed into place, so the engine's folder is always complete. A lock lets one
process build at a time. Nothing is written outside the cache folder: ``$OCAML_ENV_CACHE``, else ``ocaml-env`` in the
user's cache folder, else (if that cannot be written) a private folder among the temporary files.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ocaml_env.errors import ToolchainError

__all__ = ["Engine", "Toolchain", "build_engine", "cache_roots", "find_toolchain"]

SOURCES = Path(__file__).parent / "ocaml"

# Runtime functions that the runner replaces: see ocaml/runner/runtime.c.
WRAPPED = (
    "caml_raise_out_of_memory",
    "caml_fatal_error",
    "caml_sys_random_seed",
    "caml_sys_time",
    "caml_sys_time_include_children",
    "caml_sys_getenv",
    "caml_sys_executable_name",
    "caml_gc_compaction",
    "caml_gc_stat",
    "caml_gc_quick_stat",
    "caml_gc_counters",
    "caml_gc_minor_words",
    "caml_get_minor_free",
    "caml_create_bytes",
    "caml_create_string",
    "caml_floatarray_create",
    "caml_make_float_vect",
    "caml_ba_create",
    "caml_hash",
    "caml_format_int",
    "caml_format_float",
    "caml_int32_format",
    "caml_int64_format",
    "caml_nativeint_format",
    "caml_hexstring_of_float",
)

INSTALL_HINT = (
    "Install OCaml (4.13, 4.14, or 5.3 and newer) with ocamlfind: "
    "`apt-get install ocaml-nox ocaml-findlib` on Debian or Ubuntu, "
    "`brew install ocaml ocaml-findlib` on macOS, or `opam install ocamlfind` in an opam switch"
)

C_COMPILER_HINT = "Install it: `apt-get install gcc libc6-dev` on Debian or Ubuntu, `xcode-select --install` on macOS"


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolchain:
    """An OCaml installation.

    ocamlfind: path of the ``ocamlfind`` command.
    version: such as ``4.13.1``.
    family: name of the matching folder in ``ocaml/compat``.
    """

    ocamlfind: str
    version: str
    family: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """The two built programs of the engine.

    Attributes:
        checker: path of the native program that types, compiles and orchestrates.
        runner: path of the bytecode program that forks the jailed children.
        version: OCaml version of the build.
        folder: folder of the two programs.
    """

    checker: Path
    runner: Path
    version: str
    folder: Path


@functools.cache
def find_toolchain() -> Toolchain:
    """Finds OCaml on the search path.

    Raises:
        ToolchainError: if there is no supported OCaml; the message says how to install one.
    """
    ocamlfind = shutil.which("ocamlfind")
    if ocamlfind is None:
        raise ToolchainError(f"OCaml's `ocamlfind` is not on the search path. {INSTALL_HINT}.")
    answer = _run([ocamlfind, "ocamlopt", "-version"])
    version = answer.stdout.strip()
    if answer.returncode != 0 or not re.fullmatch(r"\d+\.\d+.*", version):
        raise ToolchainError(f"`{ocamlfind} ocamlopt -version` failed: {_tail(answer)}. {INSTALL_HINT}.")
    return Toolchain(ocamlfind=ocamlfind, version=version, family=_family(version))


def _family(version: str) -> str:
    major, minor = (int(part) for part in version.split(".")[:2])
    if (4, 13) <= (major, minor) < (5, 0):
        return "ocaml4"
    if (major, minor) >= (5, 3):
        return "ocaml5"
    # 5.0 to 5.2 have the unsound match compilation of 4.x, and the engine's remedy for 4.x does not work there.
    raise ToolchainError(f"OCaml {version} is not supported: use 4.13, 4.14, or 5.3 and newer")


def build_engine() -> Engine:
    """Returns the engine for the installed OCaml; builds it if it is not in the cache.

    Raises:
        ToolchainError: if OCaml is missing, the build fails, or no folder can be written.
    """
    toolchain = find_toolchain()
    key = f"{toolchain.version}-{sources_digest()[:16]}"
    for root in cache_roots():
        if (engine := _engine_in(root / key, toolchain)) is not None:
            return engine
    refused: list[str] = []
    for root in cache_roots():
        try:
            root.mkdir(mode=0o700, parents=True, exist_ok=True)
            with _locked(root / f"{key}.lock"):
                if (engine := _engine_in(root / key, toolchain)) is None:
                    _build_into(root / key, toolchain)
                    engine = _engine_in(root / key, toolchain)
                if engine is not None:
                    return engine
        except OSError as error:
            refused.append(f"{root}: {error.strerror or error}")
    raise ToolchainError(
        "the engine cannot be built because no cache folder can be written ("
        + "; ".join(refused)
        + "). Set OCAML_ENV_CACHE to a folder with 50 MB of room"
    )


def cache_roots() -> list[Path]:
    """The cache folders, in order of preference: the first writable one is used."""
    if chosen := os.environ.get("OCAML_ENV_CACHE"):
        roots = [Path(chosen)]
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        roots = [Path(base) / "ocaml-env"]
    # Without a usable temporary folder (full, or no free descriptor), only the first folder remains.
    with contextlib.suppress(OSError):
        private = Path(tempfile.gettempdir()) / f"ocaml-env-{os.getuid()}"
        if not private.exists() or private.stat().st_uid == os.getuid():
            roots.append(private)
    return roots


def _engine_in(folder: Path, toolchain: Toolchain) -> Engine | None:
    engine = Engine(checker=folder / "checker", runner=folder / "runner", version=toolchain.version, folder=folder)
    return engine if engine.checker.exists() and engine.runner.exists() else None


@functools.cache
def sources_digest() -> str:
    """SHA-256, in hexadecimal, of the engine's sources.

    Raises:
        ToolchainError: if they cannot be read.
    """
    digest = hashlib.sha256(sys.platform.encode())
    try:
        _add_sources(digest)
    except OSError as error:
        raise ToolchainError(f"the engine's sources cannot be read: {error}") from error
    return digest.hexdigest()


def _add_sources(digest: hashlib._Hash) -> None:
    for path in sorted(SOURCES.rglob("*")):
        if path.suffix in (".ml", ".mli", ".c", ".h"):
            digest.update(path.relative_to(SOURCES).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _build_into(folder: Path, toolchain: Toolchain) -> None:
    _check_c_compiler(toolchain)
    scratch = Path(tempfile.mkdtemp(prefix="build-", dir=folder.parent))
    try:
        runner_sources = [SOURCES / "common", SOURCES / "runner", SOURCES / "compat" / toolchain.family]
        checker = SOURCES / "checker"
        checker_sources = [SOURCES, SOURCES / "common", checker, checker / "authoring"]
        checker_sources.append(SOURCES / "compat" / toolchain.family)
        _build_runner(_gather(scratch / "runner-src", runner_sources), toolchain)
        _build_checker(_gather(scratch / "checker-src", checker_sources), toolchain)
        finished = scratch / "engine"
        finished.mkdir()
        for source, program in (("runner-src", "runner"), ("checker-src", "checker")):
            os.replace(scratch / source / program, finished / program)
        with contextlib.suppress(FileExistsError):
            os.rename(finished, folder)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _check_c_compiler(toolchain: Toolchain) -> None:
    """Without it the build's own message would be a long command line."""
    command = _run([toolchain.ocamlfind, "ocamlc", "-config-var", "c_compiler"]).stdout.split()
    if command and shutil.which(command[0]) is None:
        raise ToolchainError(
            f"OCaml links with the C compiler `{command[0]}`, which is not on the search path. {C_COMPILER_HINT}."
        )


def _gather(target: Path, folders: list[Path]) -> Path:
    """Copies sources into one flat folder, for the OCaml compilers."""
    target.mkdir()
    for folder in folders:
        for path in folder.iterdir():
            if path.suffix in (".ml", ".mli", ".c", ".h"):
                shutil.copyfile(path, target / path.name)
    return target


def _build_runner(folder: Path, toolchain: Toolchain) -> None:
    modules = ["task.mli", "task.ml", "reify.mli", "reify.ml", "runner.mli", "runner.ml"]
    stubs = sorted(path.name for path in folder.glob("*.c"))
    # Candidates may use any unit of the standard library and Str, so all of them are linked.
    command = [toolchain.ocamlfind, "ocamlc", "-custom", "-linkall", "-package", "str", "-linkpkg", "-ccopt", "-O2"]
    command += [*stubs, *modules, "-o", "runner"]
    if sys.platform != "linux":
        _compile(command, folder)
        return
    command += ["-ccopt", ",".join(["-Wl"] + [f"--wrap={name}" for name in WRAPPED])]
    # A fork of a static program copies fewer mappings, which saves a seventh of a child's cost. Some systems lack a
    # static libc.
    try:
        _compile([*command, "-ccopt", "-static"], folder)
    except ToolchainError:
        _compile(command, folder)


def _build_checker(folder: Path, toolchain: Toolchain) -> None:
    for path in (folder / "reify.ml", folder / "reify.mli"):
        path.unlink(missing_ok=True)  # these belong to the runner
    sources = sorted(path.name for path in folder.glob("*.ml*"))
    answer = _compile([toolchain.ocamlfind, "ocamldep", "-sort", *sources], folder)
    command = [toolchain.ocamlfind, "ocamlopt", "-O3"]
    command += ["-package", "unix", "-I", "+compiler-libs", "-linkpkg", "-w", "-a"]
    command += ["ocamlcommon.cmxa", "ocamlbytecomp.cmxa", "host.c", *answer.stdout.split(), "-o", "checker"]
    _compile(command, folder)


def _compile(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    answer = _run(command, cwd=folder)
    if answer.returncode != 0:
        raise ToolchainError(f"the engine does not build with this OCaml: `{command[0]} {command[1]}`: {_tail(answer)}")
    return answer


def _run(command: list[str], cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(command, cwd=cwd, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    except OSError as error:
        raise ToolchainError(f"{command[0]} cannot be run: {error}. {INSTALL_HINT}.") from error


def _tail(answer: subprocess.CompletedProcess[str]) -> str:
    lines = [line for line in (answer.stderr or answer.stdout).splitlines() if "[WARNING]" not in line]
    return " / ".join(lines[-8:]) or f"exit code {answer.returncode}"
