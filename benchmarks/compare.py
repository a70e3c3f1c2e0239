"""``python -m benchmarks.compare``, a door to the command: it knows the tiny policy of ``agents`` too."""

from __future__ import annotations

import agents  # noqa: F401 - it registers the model and the problems called tiny
from ocaml_env.commands.cli import leave
from ocaml_env.commands.compare import main

if __name__ == "__main__":
    leave(main(prog="python -m benchmarks.compare"))
