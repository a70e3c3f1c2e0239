"""The service over plain HTTP: statuses, bodies, limits, problems, health, and metrics."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
import urllib.parse
from typing import Any

import httpx2
import pytest

from benchmarks.stress.service import Server
from ocaml_env.episode import evaluate
from ocaml_env.extract import Completion
from ocaml_env.problem import Problem, Test
from ocaml_env.problems import ProblemSet
from ocaml_env.prompt import PromptSpec
from ocaml_env.reward import RewardSpec
from ocaml_env.verifiers.local import Verifier
from ocaml_env.verifiers.remote import wire

SampleRequest = tuple[int, Any]


def ask(server: Server, method: str, path: str, body: object = None, **headers: str) -> SampleRequest:
    """Sends a request and returns the status and the JSON. A body other than ``bytes`` is sent as JSON."""
    sent = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
    parts = urllib.parse.urlsplit(server.url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=60)
    kind = {} if body is None else {"Content-Type": "application/json"}
    connection.request(method, path, sent, {**kind, **{name.replace("_", "-"): text for name, text in headers.items()}})
    response = connection.getresponse()
    data = response.read()
    connection.close()
    return response.status, json.loads(data) if response.headers.get_content_subtype() == "json" else data.decode()


def refusal(asked: SampleRequest) -> tuple[int, str, str]:
    status, value = asked
    return status, value["error"]["type"], value["error"]["message"]


GOOD = {"problem": "add", "code": "let add a b = a + b\nlet negate a = -a"}


# --- evaluating ---


def test_a_failing_candidate_has_status_200_and_a_verdict(server: Server, verifier: Verifier, add: Problem) -> None:
    for code in (add.reference, "let add = (", "let add a b = a\nlet negate a = a", "let add = Obj.magic"):
        status, value = ask(server, "POST", "/v1/verify", {"problem": "add", "code": code})
        verdict = verifier.verify(add, code)
        assert status == 200
        assert wire.verdict_from_json(value) == verdict
        assert (value["passed"], value["tests_passed"], value["tests_total"]) == (
            verdict.passed,
            verdict.tests_passed,
            verdict.tests_total,
        )


def test_a_completion_earns_the_environments_reward(server: Server, verifier: Verifier, add: Problem) -> None:
    fenced = f"Sure:\n```ocaml\n{add.reference}\n```"
    answers = [fenced, "no code here", "", f"```ocaml\n{add.reference}", "let add a b = a\nlet negate a = -a"]
    items = [{"problem": "add", "completion": text, "truncated": number == 3} for number, text in enumerate(answers)]
    for preset in RewardSpec.presets():
        status, value = ask(server, "POST", "/v1/reward/batch", {"items": items, "reward": preset})
        assert status == 200
        for item, paid in zip(items, value["rewards"], strict=True):
            text = Completion(str(item["completion"]), truncated=bool(item["truncated"]))
            evaluation = evaluate(add, text, verifier=verifier, reward=RewardSpec.preset(preset))
            assert (paid["total"], paid["parts"]) == (evaluation.reward.total, evaluation.reward.parts)
            assert (paid["code"], paid["reason"]) == (evaluation.extraction.code, evaluation.reason)
            assert paid["feedback"] == evaluation.feedback
            assert wire.verdict_from_json(paid["verdict"]) == evaluation.verdict
    assert ask(server, "POST", "/v1/reward", items[0])[1]["total"] == 1


SPEAKS = 'let add a b = failwith (Printf.sprintf "%d + %d" a b)\nlet negate a = -a'


def test_only_the_outcome_of_a_hidden_test_is_shown(server: Server, verifier: Verifier, add: Problem) -> None:
    tests = (Test("add 1 2 = 3", public=True), Test("add 20 22 = 42"))
    problem = {"signature": add.signature, "tests": [{"code": t.code, "public": t.public} for t in tests]}
    mine = {"id": "mine", "statement": "Mine.", **problem}
    assert not any(test.detail for test in verifier.verify(add, SPEAKS).tests if not test.public)
    body = {"problem": "add", "code": SPEAKS}
    reward = {"problem": "add", "completion": SPEAKS}
    for verdict in (
        ask(server, "POST", "/v1/verify", body)[1],
        ask(server, "POST", "/v1/verify/batch", {"items": [body]})[1]["verdicts"][0],
        ask(server, "POST", "/v1/reward", reward)[1]["verdict"],
        ask(server, "POST", "/v1/reward/batch", {"items": [reward]})[1]["rewards"][0]["verdict"],
        ask(server, "POST", "/v1/verify", {**body, "limits": {"memory_mb": 100}})[1],
    ):
        hidden = [test for test in verdict["tests"] if not test["public"]]
        assert {test["outcome"] for test in hidden} == {"RUNTIME_ERROR", "PASSED"}
        assert {test["detail"] for test in hidden} == {""}
    brought = ask(server, "POST", "/v1/verify", {"problem": "mine", "code": SPEAKS, "problems": [mine]})[1]
    assert brought["tests"][0]["detail"] == '`add 1 2` raised `Failure "1 + 2"`'
    assert brought["tests"][1]["detail"] == ""  # not even if the request itself brings the problem


@pytest.mark.parametrize(
    ("path", "field", "name"), [("verify", "code", "verdicts"), ("reward", "completion", "rewards")]
)
def test_an_error_in_one_item_of_a_batch_is_the_answer_to_that_item_only(
    server: Server, path: str, field: str, name: str
) -> None:
    good = {"problem": "add", field: GOOD["code"]}
    items = [good, {**good, "problem": "adds"}, good, {**good, "digest": "0" * 64}, {**good, "problem": "broken"}, good]
    status, value = ask(server, "POST", f"/v1/{path}/batch", {"items": items})
    assert status == 200
    answers = value[name]
    assert [answer.get("error", {}).get("type") for answer in answers] == [
        None,
        "ConfigError",
        None,
        "ConfigError",
        "ProblemError",
        None,
    ]
    assert [place for place, answer in enumerate(answers) if answer.get("verdict", answer).get("passed")] == [0, 2, 5]
    assert (answers[1]["error"]["problems"], answers[3]["error"]["problems"]) == (["adds"], ["add"])
    assert "did you mean 'add'?" in answers[1]["error"]["message"]


def test_an_id_may_contain_a_slash(server: Server) -> None:
    code = {"problem": "a/first.one", "code": GOOD["code"]}
    assert ask(server, "POST", "/v1/verify", code)[1]["outcome"] == "PASSED"
    assert ask(server, "GET", "/v1/problems/a/first.one")[1]["id"] == "a/first.one"


# --- bad requests ---


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        (b'{"problem": "add", "code"', 400, "the body is not JSON"),
        (b"\xff\xfe", 400, ""),
        (b"[" * 200_000, 400, ""),
        (b"", 422, "the body: Field required"),
        (b"[]", 422, "the body: Input should be"),
        ({"problem": "add"}, 422, "code: Field required"),
        ({"problem": "add", "code": 3}, 422, "code: it must be a string"),
        ({"problem": "add", "code": None, "digest": 4}, 422, "digest: Input should be a valid string (and 1 more)"),
        ({**GOOD, "language": "ocaml"}, 422, "language: Extra inputs are not permitted"),
        ({**GOOD, "digest": "abc"}, 422, "digest: String should match"),
        ({**GOOD, "code": "(" * 262_145}, 422, "code: it has 262145 characters, and at most 262144 are taken"),
        ({**GOOD, "limits": {"memory_mb": -1}}, 422, "limits.memory_mb: Input should be greater than 0"),
        ({**GOOD, "limits": {"test_cpu_seconds": 2}}, 422, "total_cpu_seconds is below test_cpu_seconds"),
        ({**GOOD, "problem": "adds"}, 404, "has no problem 'adds' here; did you mean 'add'?"),
        ({**GOOD, "digest": "0" * 64}, 409, "the digest of 'add' differs"),
        ({**GOOD, "problems": [{"id": "x"}]}, 422, "problems[0]: the field 'statement' is missing"),
        ({"problem": "broken", "code": "let f x = x"}, 422, "test 2"),
    ],
    ids=lambda value: value[:20].decode("latin-1") if isinstance(value, bytes) else None,
)
def test_a_bad_request_is_refused_with_the_reason(server: Server, body: object, status: int, message: str) -> None:
    refused = refusal(ask(server, "POST", "/v1/verify", body))
    assert refused[0] == status
    assert refused[1] == ("ProblemError" if "test 2" in message or "problems[0]" in message else "ConfigError")
    assert message in refused[2]
    assert len(refused[2]) < 500


def test_a_batch_is_bounded(server: Server) -> None:
    status, _, message = refusal(ask(server, "POST", "/v1/verify/batch", {"items": [GOOD] * 1025}))
    assert status == 422
    assert "at most 1024" in message


@pytest.mark.parametrize(
    ("method", "path", "body", "headers", "status"),
    [
        ("GET", "/v1/verify", None, {}, 405),
        ("POST", "/v1/info", GOOD, {}, 405),
        ("DELETE", "/v1/problems", None, {}, 405),
        ("GET", "/nowhere", None, {}, 404),
        ("POST", "/v1/verify", GOOD, {"Content_Type": "text/plain"}, 415),
        ("GET", "/v1/problems?limit=0", None, {}, 422),
        ("GET", "/v1/problems?level=fiendish", None, {}, 422),
        ("GET", "/v1/problems/nothing", None, {}, 404),
    ],
)
def test_a_wrong_method_path_or_content_type_has_its_status(
    server: Server, method: str, path: str, body: object, headers: dict[str, str], status: int
) -> None:
    assert refusal(ask(server, method, path, body, **headers))[0] == status


def test_a_too_large_request_is_refused_while_it_is_read(server: Server) -> None:
    """The service of these tests takes a million bytes. The announced or continued body is never sent in full."""
    parts = urllib.parse.urlsplit(server.url)
    head = b"POST /v1/verify HTTP/1.1\r\nHost: [::1]\r\nContent-Type: application/json\r\n"
    chunk = b"10000\r\n" + b"a" * 65_536 + b"\r\n"
    for sent in (head + b"Content-Length: 1000001\r\n\r\n{", head + b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 16):
        with socket.create_connection((parts.hostname or "", parts.port or 0), timeout=60) as connection:
            connection.sendall(sent)
            answer = b""
            while b"}}" not in answer:
                answer += connection.recv(65_536)
        assert answer.startswith(b"HTTP/1.1 413 ")
        assert b"at most 1000000 bytes" in answer
    assert ask(server, "POST", "/v1/verify", json.dumps(GOOD).encode() + b" " * 900_000)[0] == 200


# --- problems, health, metrics ---


def test_problems_are_listed_with_filters_and_pages(server: Server, add: Problem) -> None:
    def names(query: str) -> list[str]:
        return [problem["id"] for problem in ask(server, "GET", f"/v1/problems?{query}")[1]["problems"]]

    assert names("") == ["a/first.one", "add", "broken", "last", "slow", "total"]
    assert names("kind=program") == ["total"]
    assert names("search=LIST") == ["last"]
    assert names("limit=2&offset=1") == ["add", "broken"]
    assert names("level=2&level=4-6&limit=1") == []
    assert names("topic=graphs") == []
    page = ask(server, "GET", "/v1/problems?search=negate&limit=1")[1]
    assert page["total"] == 3
    assert page["problems"][0]["digest"] == add.digest


def test_a_problem_is_shown_with_its_prompt_and_without_its_secrets(
    server: Server, add: Problem, total: Problem
) -> None:
    for problem in (add, total):
        status, page = ask(server, "GET", f"/v1/problems/{problem.id}")
        assert status == 200
        assert page["prompt"] == PromptSpec().text(problem)
        assert page["messages"] == PromptSpec().messages(problem)
        assert (page["digest"], page["signature"], page["statement"]) == (
            problem.digest,
            problem.signature,
            problem.statement,
        )
        assert len(page["examples"]) == len(problem.public_tests)
        text = json.dumps(page)
        assert problem.reference.splitlines()[0] not in text
        for test in problem.hidden_tests:
            assert not test.code or test.code not in text


def test_health_says_that_the_service_is_live_and_ready(server: Server) -> None:
    assert ask(server, "GET", "/health/live") == (200, {"status": "live"})
    assert ask(server, "GET", "/health/ready") == (200, {"status": "ready"})


def test_metrics_count_requests_candidates_and_faults(server: Server) -> None:
    def read() -> dict[str, float]:
        lines = ask(server, "GET", "/metrics")[1].splitlines()
        return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if line[0] != "#")}

    before = read()
    ask(server, "POST", "/v1/verify/batch", {"items": [GOOD, GOOD, {**GOOD, "code": "("}]})
    ask(server, "POST", "/v1/verify", b"{")
    ask(server, "GET", "/nowhere/secret")
    after = read()

    def grew(name: str) -> float:
        return after[name] - before.get(name, 0)

    assert grew('ocaml_env_candidates_total{outcome="PASSED"}') == 2
    assert grew('ocaml_env_candidates_total{outcome="SYNTAX_ERROR"}') == 1
    assert grew("ocaml_env_candidate_seconds_count") == 3
    assert grew('ocaml_env_requests_total{method="POST",route="/v1/verify/batch",status="200"}') == 1
    assert grew('ocaml_env_requests_total{method="POST",route="/v1/verify",status="400"}') == 1
    assert grew('ocaml_env_requests_total{method="GET",route="other",status="404"}') == 1
    assert (after["ocaml_env_waiting"], after["ocaml_env_workers"]) == (0, 1)
    assert "process_resident_memory_bytes" in after
    assert not any("secret" in name for name in after)


def test_the_examples_of_openapi_work(server: Server) -> None:
    document = ask(server, "GET", "/openapi.json")[1]
    schemas = document["components"]["schemas"]
    shown = 0
    for path, methods in document["paths"].items():
        if "post" in methods:
            reference = methods["post"]["requestBody"]["content"]["application/json"]["schema"]["$ref"]
            for example in schemas[reference.rpartition("/")[2]]["examples"]:
                here = json.loads(json.dumps(example).replace("snake_case", "add"))
                assert ask(server, "POST", path, here)[0] == 200, path
                shown += 1
    assert shown >= 5


# --- infrastructure errors ---


def test_an_infrastructure_error_is_never_a_verdict(verifier: Verifier, add: Problem) -> None:
    from ocaml_env.server.app import make_app
    from ocaml_env.server.metrics import Metrics
    from ocaml_env.server.queue import Queue
    from ocaml_env.server.service import Service
    from ocaml_env.server.settings import Settings

    closed = Verifier(workers=1)
    closed.close()

    async def test() -> tuple[list[httpx2.Response], str]:
        metrics, queue = Metrics("4"), Queue(workers=1, max_waiting=10)
        app = make_app(Service(ProblemSet([add]), closed, failed=metrics.fault), queue, metrics, Settings())
        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://localhost") as client:
            answers = [
                await client.post("/v1/verify", json=GOOD),
                await client.post("/v1/reward/batch", json={"items": [{"problem": "add", "completion": GOOD["code"]}]}),
            ]
            page = (await client.get("/metrics")).text
            queue.stop()
            answers.append(await client.post("/v1/verify", json=GOOD))
            answers.append(await client.get("/health/ready"))
        queue.close()
        return answers, page

    answers, page = asyncio.run(test())
    assert [answer.status_code for answer in answers] == [500, 200, 503, 503]
    error = {"error": {"type": "EngineError", "message": "this Verifier is closed"}}
    assert answers[0].json() == error
    assert answers[1].json() == {"rewards": [error]}
    assert answers[2].json()["error"]["type"] == "ServiceUnavailable"
    assert answers[2].headers["retry-after"] == "1"
    assert answers[3].json() == {"status": "stopping"}
    assert 'ocaml_env_faults_total{type="EngineError"} 2.0' in page


def test_without_a_token_foreign_host_names_are_refused(server: Server) -> None:
    asked = ask(server, "POST", "/v1/verify", GOOD, Host="evil.example:8787")
    assert refusal(asked)[:2] == (403, "ConfigError")
    for host in ("localhost", "127.0.0.1:8787", "[::1]:8787", "LOCALHOST:1"):
        assert ask(server, "POST", "/v1/verify", GOOD, Host=host)[0] == 200
    assert ask(server, "GET", "/health/live", Host="evil.example")[0] == 200


@pytest.mark.parametrize("path", ["/v1/verify", "/v1/reward", "/v1/verify/batch"])
def test_thousands_of_unknown_fields_are_one_short_error(server: Server, path: str) -> None:
    status, value = ask(server, "POST", path, {str(number): 0 for number in range(50_000)})
    assert status == 422
    assert len(json.dumps(value)) < 2_000


def test_a_bug_in_the_service_is_counted_as_500(verifier: Verifier, add: Problem) -> None:
    from ocaml_env.server.app import make_app
    from ocaml_env.server.metrics import Metrics
    from ocaml_env.server.queue import Queue
    from ocaml_env.server.service import Service
    from ocaml_env.server.settings import Settings

    def bug(*_: object) -> None:
        raise RuntimeError("a bug")

    async def test() -> str:
        metrics, queue = Metrics("4"), Queue(workers=1, max_waiting=10)
        service = Service(ProblemSet([add]), verifier, evaluated=metrics.evaluated)
        service.verifying = bug  # type: ignore[method-assign,assignment]
        app = make_app(service, queue, metrics, Settings())
        transport = httpx2.ASGITransport(app, raise_app_exceptions=False)
        async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:
            assert (await client.post("/v1/verify", json=GOOD)).status_code == 500
            page = (await client.get("/metrics")).text
        queue.close()
        return page

    page = asyncio.run(test())
    assert 'status="500"' in page
    assert 'status="0"' not in page
