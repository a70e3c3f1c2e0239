"""Plays through a server and one session of its client."""

from __future__ import annotations

from collections.abc import Sequence

from ocaml_env.integrations.openenv import OCamlAction, OCamlClient
from tests.integrations.openenv_server import serving
from tests.integrations.recorded import PROBLEMS, Pair


def play(pairs: Sequence[Pair]) -> list[tuple[float, str]]:
    with serving(PROBLEMS) as server, OCamlClient(base_url=server.url).sync() as env:
        return [_play(env, pair) for pair in pairs]


def _play(env: OCamlClient, pair: Pair) -> tuple[float, str]:
    env.reset(problem_id=pair.problem_id)
    result = env.step(OCamlAction(completion=pair.text, truncated=pair.truncated))
    assert result.done
    return result.reward, result.observation.outcome
