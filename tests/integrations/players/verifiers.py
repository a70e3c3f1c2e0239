"""Plays through ``Taskset`` and ``Task.score``, on traces as a rollout leaves them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import verifiers.v1 as vf

from ocaml_env.integrations.verifiers import OCamlTask, OCamlTaskset, OCamlTasksetConfig
from tests.integrations.recorded import PROBLEMS, Pair


def play(pairs: Sequence[Pair]) -> list[tuple[float, str]]:
    taskset = vf.load_taskset(OCamlTasksetConfig(id="ocaml-env", problems=PROBLEMS))
    assert isinstance(taskset, OCamlTaskset)
    by_id = {task.data.id: task for task in taskset}
    return asyncio.run(_play_all([(by_id[pair.problem_id], pair) for pair in pairs]))


async def _play_all(asked: list[tuple[OCamlTask, Pair]]) -> list[tuple[float, str]]:
    return await asyncio.gather(*(_play(task, pair) for task, pair in asked))


async def _play(task: OCamlTask, pair: Pair) -> tuple[float, str]:
    question = vf.MessageNode(message=vf.UserMessage(content=task.data.prompt), parent=None)
    reply = vf.MessageNode(message=vf.AssistantMessage(content=pair.text), parent=0, sampled=True)
    trace: vf.Trace = vf.Trace(
        task=vf.TraceTask(type=type(task).__name__, data=task.data),
        agent=vf.AgentInfo(config=vf.AgentConfig()),
        nodes=[question, reply],
        calls=[vf.ModelCall(node=1, finish_reason="length" if pair.truncated else "stop")],
    )
    await task.score(trace)
    return trace.reward, trace.info["ocaml"]["outcome"]
