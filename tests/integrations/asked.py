"""A model with prepared answers, by problem and turn, behind OpenAI's protocol."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ocaml_env import Completion, Problem
from ocaml_env.problems import to_jsonl
from tests.evaluation.fake_server import FakeServer, Reply, serving

__all__ = ["BROKEN", "answering", "fenced", "write"]

BROKEN = Problem(
    id="broken",
    statement="Write `one`, which is 1. Its only test does not compile, and that is our fault.",
    signature="val one : int",
    tests=("one = won",),
    reference="let one = 1",
)


@contextlib.contextmanager
def answering(answers: Mapping[Problem, Sequence[str]]) -> Iterator[FakeServer]:
    """Serves the answers to each problem, turn by turn. The last answer is repeated for all later turns."""

    def reply(body: dict[str, Any], _number: int) -> Reply:
        messages = body["messages"]
        prepared = next(answers[problem] for problem in answers if problem.statement in str(messages[0]["content"]))
        turn = sum(message["role"] == "assistant" for message in messages)
        answer = prepared[min(turn, len(prepared) - 1)]
        finish = "length" if isinstance(answer, Completion) and answer.truncated else "stop"
        return Reply.stream(answer, finish=finish) if body.get("stream") else Reply.text(answer, finish=finish)

    with serving() as server:
        server.reply = reply
        yield server


def fenced(code: str, *, truncated: bool = False) -> Completion:
    return Completion(f"```ocaml\n{code}\n```", truncated=truncated)


def write(problems: Mapping[Problem, object], folder: Path) -> Path:
    """Writes the problems to a file that every library can read."""
    file = folder / "problems.jsonl"
    to_jsonl(problems, file)
    return file
