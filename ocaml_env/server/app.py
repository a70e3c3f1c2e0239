"""The routes of the service: they turn a checked request into jobs for the queue, and return the answer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from ocaml_env import __version__
from ocaml_env.errors import ConfigError, EngineError, OCamlEnvError, ProblemError
from ocaml_env.extract import Completion
from ocaml_env.problem import Problem
from ocaml_env.reward import RewardSpec
from ocaml_env.server import schema
from ocaml_env.server.guard import Guard
from ocaml_env.server.metrics import Metrics
from ocaml_env.server.queue import Job, Queue, QueueFull, Stopping
from ocaml_env.server.service import Candidate, InlineRefused, OtherProblem, Service, UnknownProblem, fault_to_json
from ocaml_env.server.settings import Settings
from ocaml_env.verifiers.remote import answers, wire

__all__ = ["make_app"]

_DESCRIPTION = """\
Evaluates OCaml code as answers to programming problems, and pays the reward.

A candidate's failure is a value, with status 200. Other statuses:

| status | meaning |
| --- | --- |
| 400, 413, 415, 422 | the request cannot be used: the message says why |
| 401 | it has no token, or a wrong one |
| 403 | it brings problems, which is not allowed here |
| 404 | there is no such problem here (for one candidate of a batch, this error takes its answer's place) |
| 409 | the service has another version of the problem (likewise) |
| 429 | too many candidates are waiting: `Retry-After` says when to send it again |
| 500 | the service failed: no reward follows from that |
| 503 | the service is stopping |

Every request may be sent again: equal requests have equal answers.
"""

_WHY = {
    400: "Not JSON",
    401: "No token, or a wrong one",
    403: "Problems in the request are not allowed",
    404: "No such problem",
    408: "The request did not arrive in time",
    409: "Another version of the problem",
    413: "Too large",
    415: "Not application/json",
    422: "Fields that cannot be used, or a problem that cannot be evaluated",
    429: "Too many candidates are waiting",
    500: "The service failed",
    503: "The service is stopping",
}
_POST = (400, 401, 403, 404, 408, 409, 413, 415, 422, 429, 500, 503)
_GET = (401, 422, 500)

_STATUS: tuple[tuple[type[OCamlEnvError], int], ...] = (
    (QueueFull, 429),
    (Stopping, 503),
    (InlineRefused, 403),
    (OtherProblem, 409),
    (UnknownProblem, 404),
    (ConfigError, 422),
    (ProblemError, 422),
    (OCamlEnvError, 500),
)

_GONE = 499  # for the log only: the client has gone
_LOOK_SECONDS = 1.0  # between two checks if the client is still there

_log = logging.getLogger("ocaml_env.server")


def make_app(service: Service, queue: Queue, metrics: Metrics, settings: Settings) -> FastAPI:
    """Makes the application, for uvicorn or another ASGI server."""
    app = FastAPI(
        title="ocaml-env",
        version=__version__,
        description=_DESCRIPTION,
        summary="OCaml programming problems as a reinforcement-learning environment",
    )
    _add_evaluating(app, service, queue)
    _add_reading(app, service, queue, metrics, settings)
    _add_faults(app, metrics)
    evaluating = frozenset(
        route.path for route in app.routes if isinstance(route, APIRoute) and "POST" in (route.methods or ())
    )
    app.add_middleware(Guard, evaluating=evaluating, settings=settings, queue=queue, metrics=metrics)
    return app


def _add_evaluating(app: FastAPI, service: Service, queue: Queue) -> None:
    async def evaluated(request: Request, jobs: Sequence[Job], problems: Sequence[Problem] = ()) -> list[bytes]:
        """Runs jobs and returns their answers. Stops if the client has gone."""
        request.state.candidates = len(jobs)
        future = queue.submit(jobs, problems=[problem.tests_digest for problem in problems])
        try:
            while not future.done():
                await asyncio.wait({future}, timeout=_LOOK_SECONDS)
                if not future.done() and await request.is_disconnected():
                    raise HTTPException(_GONE, "nobody waits for this any more")
            return future.result()
        finally:
            future.cancel()

    def wanted(items: Sequence[Any]) -> list[Candidate]:
        most = min(wire.MAX_BATCH, queue.max_waiting)
        if len(items) > most:
            raise ConfigError(f"a batch may have at most {most} items here, not {len(items)}")
        return [
            Candidate(
                problem=item.problem,
                digest=item.digest,
                limits=None if item.limits is None else item.limits.model_dump(exclude_none=True),
            )
            for item in items
        ]

    async def each(request: Request, body: Any, job: Callable[[Problem, Any], Job]) -> bytes:
        """Returns the answers to a batch. A candidate that cannot be evaluated has its error as its answer."""
        found = service.find_each(wanted(body.items), body.problems)
        pairs = [
            (problem, item) for problem, item in zip(found, body.items, strict=True) if isinstance(problem, Problem)
        ]
        jobs = [service.each(job(problem, item)) for problem, item in pairs]
        done = iter(await evaluated(request, jobs, [problem for problem, _ in pairs]))
        return b",".join(
            next(done) if isinstance(problem, Problem) else wire.encode(fault_to_json(problem)) for problem in found
        )

    @app.post("/v1/verify", response_model=answers.Verdict, responses=_faults(_POST), tags=["evaluation"])
    async def verify(request: Request, body: schema.VerifyOne) -> Response:
        """Evaluates code as an answer to a problem."""
        [problem] = service.find(wanted([body]), body.problems)
        [verdict] = await evaluated(request, [service.verifying(problem, body.code)])
        return _json(verdict)

    @app.post("/v1/verify/batch", response_model=answers.Verdicts, responses=_faults(_POST), tags=["evaluation"])
    async def verify_batch(request: Request, body: schema.VerifyBatch) -> Response:
        """Evaluates several candidates. One that cannot be evaluated has its error in place of a verdict."""
        verdicts = await each(request, body, lambda problem, item: service.verifying(problem, item.code))
        return _json(b'{"verdicts":[%b]}' % verdicts)

    def rewarding(item: schema.RewardItem, problem: Problem, reward: str) -> Job:
        completion = Completion(item.completion, truncated=item.truncated)
        return service.rewarding(problem, completion, RewardSpec.preset(reward))

    @app.post("/v1/reward", response_model=answers.Reward, responses=_faults(_POST), tags=["evaluation"])
    async def reward(request: Request, body: schema.RewardOne) -> Response:
        """Pays the reward of a model's whole answer. Its code is extracted in the same way as by the environment."""
        [problem] = service.find(wanted([body]), body.problems)
        [answer] = await evaluated(request, [rewarding(body, problem, body.reward)])
        return _json(answer)

    @app.post("/v1/reward/batch", response_model=answers.Rewards, responses=_faults(_POST), tags=["evaluation"])
    async def reward_batch(request: Request, body: schema.RewardBatch) -> Response:
        """Pays the rewards of several completions. One that cannot be evaluated has its error in place of a reward."""
        rewards = await each(request, body, lambda problem, item: rewarding(item, problem, body.reward))
        return _json(b'{"rewards":[%b]}' % rewards)

    @app.post("/v1/check", response_model=answers.Checked, responses=_faults(_POST), tags=["evaluation"])
    async def check(request: Request, body: schema.Check) -> Response:
        """Compiles the tests of problems: 422 says which one cannot be evaluated, and why."""
        problems = service.find(wanted(body.items), body.problems)
        checked = await evaluated(request, [service.checking(problem) for problem in problems])
        return _json(b'{"problems":[%b]}' % b",".join(checked))


def _add_reading(app: FastAPI, service: Service, queue: Queue, metrics: Metrics, settings: Settings) -> None:
    @app.get("/v1/problems", response_model=answers.Problems, responses=_faults(_GET), tags=["problems"])
    async def problems(
        split: Annotated[str | None, Query(description="train or eval")] = None,
        level: Annotated[list[str] | None, Query(description="1 to 6, or 1-3; several are alternatives")] = None,
        topic: Annotated[list[str] | None, Query(description="several are alternatives")] = None,
        kind: Annotated[str | None, Query(description="function or program")] = None,
        search: Annotated[str, Query(max_length=1000, description="text in id, topics or statement")] = "",
        limit: Annotated[int, Query(ge=1, le=10_000)] = 1000,
        offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
    ) -> Response:
        """Lists the problems of this service."""
        chosen = service.select(split=split, level=level or (), topic=topic or (), kind=kind, search=search)
        page = [service.summary(problem) for problem in chosen[offset : offset + limit]]
        return _json(wire.encode(answers.Problems(total=len(chosen), problems=page)))

    @app.get(
        "/v1/problems/{name:path}",
        response_model=answers.ProblemPage,
        responses=_faults((*_GET, 404)),
        tags=["problems"],
    )
    async def problem(name: str) -> Response:
        """Shows a problem as a model sees it, with its prompt."""
        return _json(wire.encode(service.describe(name)))

    @app.get("/v1/info", response_model=answers.Info, responses=_faults(_GET), tags=["service"])
    async def info() -> Response:
        """Describes the service and its limits."""
        return _json(
            wire.encode(
                answers.Info(
                    version=__version__,
                    ocaml_version=service.verifier.ocaml_version,
                    workers=service.verifier.workers,
                    problems=len(service.problems),
                    inline_problems=service.allow_inline,
                    max_batch=min(wire.MAX_BATCH, queue.max_waiting),
                    max_body=settings.max_body,
                    max_code_length=wire.MAX_CODE_LENGTH,
                    rewards=RewardSpec.presets(),
                )
            )
        )

    @app.get("/health/live", response_model=answers.Health, tags=["service"])
    async def live() -> Response:
        """Answers as long as the process runs."""
        return _json(wire.encode(answers.Health(status="live")))

    @app.get(
        "/health/ready",
        response_model=answers.Health,
        responses={503: {"model": answers.Health, "description": "Not at present"}},
        tags=["service"],
    )
    async def ready() -> Response:
        """Answers 200 if the service takes candidates, and 503 while it is full or stopping."""
        full = queue.waiting >= queue.max_waiting
        health = answers.Health(status="stopping" if queue.stopping else "full" if full else "ready")
        return _json(wire.encode(health), status=200 if health.status == "ready" else 503)

    @app.get(
        "/metrics",
        response_class=Response,
        responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}, **_faults((401,))},
        tags=["service"],
    )
    async def page() -> Response:
        """The figures for Prometheus."""
        return Response(metrics.page(), headers={"Content-Type": metrics.content_type})


def _add_faults(app: FastAPI, metrics: Metrics) -> None:
    @app.exception_handler(OCamlEnvError)
    async def ours(request: Request, fault: OCamlEnvError) -> Response:
        status = next(status for kind, status in _STATUS if isinstance(fault, kind))
        if status == 500:
            metrics.fault(type(fault).__name__)
            _log.error("%s: %s", type(fault).__name__, fault)
        rest = {429: getattr(fault, "retry_after", 1), 503: 1}.get(status)
        return _json(
            wire.encode(fault_to_json(fault)),
            status=status,
            headers=None if rest is None else {"Retry-After": str(rest)},
        )

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        if first["type"] == "json_invalid":
            return _fault(400, f"the body is not JSON: {first['ctx']['error']} at character {first['loc'][-1]}")
        where = ".".join(str(part) for part in first["loc"][1:])
        more = len(error.errors()) - 1
        others = f" (and {more} more)" if more else ""
        return _fault(422, f"{where or 'the body'}: {first['msg'].removeprefix('Value error, ')}{others}")

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        return _fault(error.status_code, str(error.detail), headers=dict(error.headers or {}))

    @app.exception_handler(Exception)
    async def bug(request: Request, error: Exception) -> Response:
        metrics.fault(type(error).__name__)
        fault = EngineError("the service failed, and wrote why into its log")
        return _json(wire.encode(wire.fault_to_json(fault)), status=500)


def _json(body: bytes, *, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(body, status_code=status, headers=headers, media_type="application/json")


def _fault(status: int, message: str, headers: dict[str, str] | None = None) -> Response:
    return _json(wire.encode(wire.fault_to_json(ConfigError(message))), status=status, headers=headers)


def _faults(statuses: Sequence[int]) -> dict[int | str, dict[str, Any]]:
    return {status: {"model": answers.Fault, "description": _WHY[status]} for status in statuses}
