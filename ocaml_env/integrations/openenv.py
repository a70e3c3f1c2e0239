"""OpenEnv: a server, ``uvicorn --factory ocaml_env.integrations.openenv:create_app``, and its typed client.

    from ocaml_env.integrations.openenv import OCamlAction, OCamlClient

    with OCamlClient(base_url="http://localhost:8000").sync() as env:
        print(env.reset(problem_id="mask_digits").observation.prompt)
        result = env.step(OCamlAction(completion="let mask ~keep text = text", truncated=False))
        print(result.reward, result.done, result.observation.outcome, result.observation.prompt)

Each connection is a session with its own episodes; all sessions of a server share one verifier. A session ends with its
connection, or after ``idle_seconds`` without a message; the server refuses more than ``sessions`` at a time.
``openenv validate --url http://localhost:8000`` passes. Plain HTTP keeps no state between requests, so there ``/step``
takes an action with a ``problem_id``: an episode of one turn.

Not scored: an error in place of an observation. ``OCamlClient`` raises ``RuntimeError``; over HTTP it is a 503, or a
400 for a wrong request.
"""

from __future__ import annotations

from functools import partial
from typing import Any
from uuid import uuid4

from ocaml_env.env import OCamlCodeEnv, Problems, Sandbox, read_problems
from ocaml_env.errors import ConfigError, OCamlEnvError
from ocaml_env.extract import Completion
from ocaml_env.integrations.common import missing
from ocaml_env.prompt import PromptSpec, PromptStyle
from ocaml_env.reward import RewardSpec
from ocaml_env.verifiers.local import Verifier

try:
    from openenv.core import EnvClient
    from openenv.core.client_types import StepResult
    from openenv.core.env_server import Action, ConcurrencyConfig, Environment, Observation, State
    from openenv.core.env_server import create_app as create_openenv_app
except ImportError as error:
    raise missing("openenv", error) from error

__all__ = ["OCamlAction", "OCamlClient", "OCamlEnvironment", "OCamlObservation", "OCamlState", "create_app"]


class OCamlAction(Action):
    """A model's answer."""

    completion: str
    """The raw text."""
    truncated: bool = False
    """True if generation was cut off: ``finish_reason == "length"``."""
    problem_id: str | None = None
    """If given, the step first begins an episode of this problem."""


class OCamlObservation(Observation):
    """The next prompt, and the result of the last answer; ``metadata`` is the ``info`` of ``OCamlCodeEnv``."""

    prompt: str
    """The problem; from the second turn on, with the last answer and the feedback on it."""
    outcome: str | None = None
    """The outcome of the last answer; None before the first one."""
    total: float = 0.0
    """The total of the last answer; the rewards of an episode add up to it."""


class OCamlState(State):
    """The progress of the session's episode."""

    problem_id: str | None = None
    """None before the first episode."""
    total: float = 0.0
    done: bool = False


class OCamlEnvironment(Environment[OCamlAction, OCamlObservation, OCamlState]):
    """The episodes of one session."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, **settings: Any) -> None:
        """Takes the arguments of ``OCamlCodeEnv``."""
        super().__init__()
        self._env = OCamlCodeEnv(**settings)
        self._state = OCamlState()
        self._closed = False

    def reset(self, seed: int | None = None, episode_id: str | None = None, **options: Any) -> OCamlObservation:
        """Begins an episode, like ``OCamlCodeEnv.reset``: ``options`` are ``problem_id`` or ``index``.

        Raises:
            ConfigError: if the session has ended, or the options name no problem.
        """
        self._refuse_closed()
        prompt, info = self._env.reset(seed=seed, options=options)
        self._state = OCamlState(episode_id=episode_id or str(uuid4()), problem_id=info["problem_id"])
        return OCamlObservation(prompt=prompt, metadata=info)

    def step(self, action: OCamlAction, timeout_s: float | None = None, **_: Any) -> OCamlObservation:
        """Evaluates an answer. ``timeout_s`` is ignored: each problem has its own limits.

        Raises:
            ConfigError: if the session has ended, or no episode is under way.
            OCamlEnvError: for an infrastructure error; the episode is unchanged.
        """
        self._refuse_closed()
        if action.problem_id is not None:
            self.reset(problem_id=action.problem_id)
        if self._state.problem_id is None or self._state.done:
            raise ConfigError("no episode is under way: call reset(), or name a problem_id in the action")
        completion = Completion(action.completion, truncated=action.truncated)
        prompt, reward, done, _truncated, info = self._env.step(completion)
        self._state.step_count, self._state.total, self._state.done = info["turn"], info["total"], done
        return OCamlObservation(
            prompt=prompt, outcome=info["outcome"], total=info["total"], reward=reward, done=done, metadata=info
        )

    @property
    def state(self) -> OCamlState:
        return self._state

    def close(self) -> None:
        """Ends the session. Its connection may remain: OpenEnv does not close that of an idle session."""
        self._closed = True
        self._env.close()

    def _refuse_closed(self) -> None:
        if self._closed:
            raise ConfigError("this session has ended, because nothing came for too long: connect again")


class OCamlClient(EnvClient[OCamlAction, OCamlObservation, OCamlState]):
    """A session with a server, asynchronous or, with ``.sync()``, synchronous. It adds types to OpenEnv's client."""

    def _step_payload(self, action: OCamlAction) -> dict[str, Any]:
        return dict(action.model_dump())

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[OCamlObservation]:
        reward, done = payload["reward"], payload["done"]
        observation = OCamlObservation(**payload["observation"], reward=reward, done=done)
        return StepResult(observation=observation, reward=reward, done=done, metadata=observation.metadata)

    def _parse_state(self, payload: dict[str, Any]) -> OCamlState:
        return OCamlState(**payload)


def create_app(
    problems: Problems = "bundled:train",
    *,
    reward: str | RewardSpec = "staged",
    max_turns: int = 1,
    prompt_style: str | PromptSpec = PromptStyle.TEXT,
    workers: int | None = None,
    sandbox: Sandbox = "required",
    sessions: int = 256,
    idle_seconds: float = 900.0,
) -> Any:
    """Makes the server, a FastAPI application.

    Args:
        problems: a source for ``load_problems``, or a sequence of problems.
        reward: the name of a preset, or a spec.
        max_turns: the most completions of an episode.
        prompt_style: the name of a ``PromptStyle``, or a ``PromptSpec``.
        workers: worker processes of the verifier that all sessions share; by default, one for each CPU. It closes with
            the server.
        sandbox: the sandbox of that verifier.
        sessions: the most sessions at a time; further ones are refused (``CAPACITY_REACHED``).
        idle_seconds: a session without a message for this long ends, to make room.

    Raises:
        ConfigError: if an argument cannot be used.
    """
    if sessions < 1 or idle_seconds <= 0:
        raise ConfigError(f"sessions and idle_seconds must be positive, not {sessions!r} and {idle_seconds!r}")
    verifier = Verifier(workers=workers, sandbox=sandbox)
    settings: dict[str, Any] = dict(problems=read_problems(problems), reward=reward, max_turns=max_turns)
    settings |= dict(prompt_style=prompt_style, verifier=verifier)
    OCamlEnvironment(**settings)  # refuses an unusable argument here instead of in each session
    app = create_openenv_app(
        partial(OCamlEnvironment, **settings),
        OCamlAction,
        OCamlObservation,
        env_name="ocaml_env",
        concurrency_config=ConcurrencyConfig(max_concurrent_envs=sessions, session_timeout=idle_seconds),
        state_cls=OCamlState,
    )
    app.router.on_shutdown.append(verifier.close)

    @app.exception_handler(OCamlEnvError)
    async def not_scored(_request: Any, error: OCamlEnvError) -> Any:
        from fastapi.responses import JSONResponse  # installed with OpenEnv

        return JSONResponse({"detail": str(error)}, status_code=400 if isinstance(error, ConfigError) else 503)

    return app
