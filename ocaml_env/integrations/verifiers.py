"""verifiers: a taskset, and its environment with one turn or several, with feedback between them.

    import verifiers.v1 as vf
    from ocaml_env.integrations.verifiers import OCamlTasksetConfig, OCamlTurnsConfig

    problems = OCamlTasksetConfig(id="ocaml-env", problems="bundled:eval", task={"reward": "staged"})
    env = vf.load_environment(OCamlTurnsConfig(taskset=problems, max_turns=2))
    print(next(iter(env.taskset)).data.prompt)

Its id is ``ocaml-env``, for trainers and for verifiers' own commands, which need ``uv`` on the PATH:

    vf-validate ocaml-env --runtime.type subprocess --taskset.problems bundled:eval
    vf-eval ocaml-env --env.taskset.problems bundled:eval --env.max-turns 2 -m MODEL --client.base-url URL --no-push

A trace's reward is the last answer's total. Its metrics are the parts, ``passed`` and the share of passed tests;
``trace.info["ocaml"]`` has the rest of the verdict. An answer is truncated if its ``finish_reason`` is ``length``.

Not scored: the error is on the trace (``TaskError``) or on the episode (``EnvError``), and neither is ``ok``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Literal

from ocaml_env.episode import Episode, EpisodeSpec, Evaluation
from ocaml_env.extract import Completion
from ocaml_env.integrations.common import Examiner, missing, shared_examiner
from ocaml_env.problems import load_problems
from ocaml_env.prompt import PromptSpec
from ocaml_env.reward import RewardSpec

try:
    import verifiers.v1 as vf
except ImportError as error:
    raise missing("verifiers", error) from error

__all__ = ["OCamlTask", "OCamlTaskset", "OCamlTasksetConfig", "OCamlTurns", "OCamlTurnsConfig"]


class OCamlData(vf.TaskData):
    """A problem by its ``id``. Its tests and its reference stay out of traces."""

    source: str
    """Its origin, as a source for ``load_problems``."""


class OCamlTaskConfig(vf.TaskConfig):
    """The settings of the evaluation."""

    reward: str = "staged"
    """The name of a preset."""
    workers: int | None = None
    """Worker processes of the verifier; by default, one for each CPU."""
    sandbox: Literal["required", "best-effort"] = "required"
    """The sandbox of the verifier."""


class OCamlTasksetConfig(vf.TasksetConfig):
    """The problems and the form of their prompts."""

    problems: str = "bundled:train"
    """A source for ``load_problems``."""
    prompt_style: str = "text"
    """The name of a ``PromptStyle``."""
    task: OCamlTaskConfig = OCamlTaskConfig()


class OCamlTask(vf.Task[OCamlData, vf.State, OCamlTaskConfig]):
    """One problem."""

    @property
    def examiner(self) -> Examiner:
        config = self.config
        return shared_examiner(self.data.source, config.reward, workers=config.workers, sandbox=config.sandbox)

    async def evaluate(self, trace: vf.Trace) -> Evaluation:
        """Evaluates the trace's last answer.

        Raises:
            OCamlEnvError: for an infrastructure error.
        """
        return await asyncio.to_thread(self.examiner.evaluate, self.data.id, _last_answer(trace))

    @vf.reward
    async def total(self, trace: vf.Trace) -> float:
        evaluation = await self.evaluate(trace)
        verdict, parts = evaluation.verdict, evaluation.reward.parts
        tests_passed = verdict.tests_passed / max(verdict.tests_total, 1)
        trace.record_metrics({"passed": verdict.passed, "tests_passed": tests_passed, **parts})
        trace.info["ocaml"] = {"outcome": verdict.outcome.value, "feedback": evaluation.feedback}
        return evaluation.reward.total

    async def validate(self, runtime: vf.Runtime) -> bool | None:
        """True if the reference passes; None if the problem has none."""
        problem = self.examiner.problem(self.data.id)
        if not problem.reference.strip():
            return None
        return (await self.examiner.verifier.averify(problem, problem.reference)).passed


class OCamlTaskset(vf.Taskset[OCamlTask, OCamlTasksetConfig]):
    """The problems of a set, in the order of their ids."""

    def load(self) -> Iterator[OCamlTask]:
        config = self.config
        RewardSpec.preset(config.task.reward)  # refuses an unknown name here instead of at each answer
        prompts = PromptSpec(style=config.prompt_style)
        for problem in load_problems(config.problems):
            data = OCamlData(id=problem.id, source=config.problems, prompt=prompts.text(problem))
            yield OCamlTask(data, config.task)


class OCamlTurnsConfig(vf.EnvConfig):
    """The settings of an episode. The agent is a plain chat: the model's code runs only in this package's sandbox."""

    agent: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"}, runtime=vf.SubprocessConfig())
    max_turns: int = 1
    """The most answers of an episode."""


class OCamlTurns(vf.Env[OCamlTurnsConfig]):
    """Prompts and gives feedback, until an answer passes or the turns are used up."""

    def __init__(self, config: OCamlTurnsConfig) -> None:
        """Raises ``ConfigError`` if the number of turns cannot be used."""
        super().__init__(config)
        self._spec = EpisodeSpec(max_turns=config.max_turns)

    async def run(self, task: OCamlTask, agents: vf.Agents) -> None:
        episode = Episode(task.examiner.problem(task.data.id), self._spec)
        async with agents.agent.interaction(task) as conversation:
            answered = await conversation.turn()
            while not answered.terminated:
                evaluation = await task.evaluate(conversation.trace)
                if episode.advance(evaluation).terminated:
                    break
                follow_up = task.examiner.prompts.follow_up(episode.problem, evaluation.told(task.examiner.prompts))
                answered = await conversation.turn(follow_up)


def _last_answer(trace: vf.Trace) -> Completion:
    """The text of the last answer; empty if there is none, as before the first turn."""
    answers = trace.assistant_messages
    call = next((call for call in reversed(trace.calls) if call.error is None), None)
    text = (answers[-1].content or "") if answers else ""
    return Completion(text, truncated=call is not None and call.finish_reason == "length")
