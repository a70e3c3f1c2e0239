"""Runs ``ocaml-env report`` with the tiny policy of ``agents`` registered."""

from __future__ import annotations

import agents  # noqa: F401 - registers the model and the problems called tiny
from ocaml_env.commands.cli import leave
from ocaml_env.commands.report import main

if __name__ == "__main__":
    leave(main(prog="python -m benchmarks.report"))
