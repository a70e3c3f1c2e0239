"""Reports the installed engine, and the active layers of its sandbox."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ocaml_env.engine.toolchain import build_engine, find_toolchain
from ocaml_env.engine.worker import Worker

__all__ = ["EngineReport", "doctor"]

_EXPLANATIONS = {
    "on": "on",
    "absent": "this system has no such thing",
    "broken": "it was installed, and what it should prevent still worked",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineReport:
    """The engine on this machine.

    Attributes:
        ocaml_version: of the compiler that built it.
        ocamlfind: path of the command that finds that compiler.
        build_dir: folder of the built programs.
        layers: for each layer of the sandbox, ``"on"`` or the reason why not.
    """

    ocaml_version: str
    ocamlfind: str
    build_dir: Path
    layers: Mapping[str, str]


def doctor() -> EngineReport:
    """Builds the engine if needed, starts a worker, and reports.

    Raises:
        ToolchainError: if OCaml is missing or the engine does not build.
        EngineError: if the engine does not start.
    """
    toolchain = find_toolchain()
    engine = build_engine()
    worker = Worker(engine, sandbox="best-effort")
    try:
        layers = worker.start()
    finally:
        worker.close()
    return EngineReport(
        ocaml_version=toolchain.version,
        ocamlfind=toolchain.ocamlfind,
        build_dir=engine.folder,
        layers={name: _EXPLANATIONS.get(status, status) for name, status in layers.items()},
    )
