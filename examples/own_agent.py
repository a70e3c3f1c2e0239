"""Evaluates your own agent: `ocaml-env evaluate --model MODULE:ATTRIBUTE` takes any object with `act`."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ocaml_env import Completion
from ocaml_env.commands.evaluate import main as evaluate


class Hopeful:
    """Answers every problem with the same program. Put your model here."""

    def act(self, observations: Sequence[str]) -> list[Completion]:
        return [Completion("```ocaml\nlet answer = 42\n```") for _ in observations]


def main() -> int:
    sys.path.insert(0, str(Path(__file__).parent))
    with tempfile.TemporaryDirectory() as folder:
        return evaluate(["--model", "own_agent:Hopeful", "--limit", "5", "--n", "1", "--out", f"{folder}/run"])


if __name__ == "__main__":
    sys.exit(main())
