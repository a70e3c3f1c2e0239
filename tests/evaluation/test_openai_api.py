"""Models behind servers of OpenAI's protocol: good answers, bad ones, and none."""

from __future__ import annotations

import asyncio
import base64
import email.utils
import gzip
import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

from ocaml_env import ConfigError, Problem
from ocaml_env.episode import MAX_COMPLETION_LENGTH
from ocaml_env.evaluation.models.base import Answer, Request, Sampling
from ocaml_env.evaluation.models.openai_api import OpenAIModel
from ocaml_env.evaluation.models.openai_server import Server
from ocaml_env.prompt import Prompt, PromptSpec
from ocaml_env.verifiers.giving_up import Pauses
from tests.evaluation.fake_server import FakeServer, Reply

KEY = "sk-test-0123456789abcdef"


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    for name in ("OPENAI_BASE_URL", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


_open: list[tuple[asyncio.Runner, OpenAIModel]] = []


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    while _open:
        runner, opened = _open.pop()
        with runner:
            runner.run(opened.disconnect())


def model(server: FakeServer, *, thinking: int = 0, **settings: Any) -> OpenAIModel:
    usual: dict[str, Any] = {"pauses": Pauses(first=0.01), "timeout": 20.0, "retries": 3}
    server_settings = Server(base_url=server.url, **usual | settings)
    opened = OpenAIModel("some-model", server_settings, Sampling(temperature=0.5, max_tokens=9, thinking=thinking))
    _open.append((asyncio.Runner(), opened))
    return opened


def ask_often(
    model: OpenAIModel,
    problem: Problem,
    times: int,
    *,
    seed: int = 3,
    apart: float = 0.0,
    prompt: Prompt = Prompt("Write it."),  # noqa: B008 - a str: it cannot change
) -> list[Answer]:
    request = Request(problem=problem, sample=0, turn=1, prompt=prompt, seed=seed)
    [runner] = [runner for runner, opened in _open if opened is model]

    async def all_of_them() -> list[Answer]:
        tasks = []
        for _ in range(times):
            tasks.append(asyncio.ensure_future(model.generate([request])))
            await asyncio.sleep(apart)
        return [answer for answers in await asyncio.gather(*tasks) for answer in answers]

    return runner.run(all_of_them())


def ask(model: OpenAIModel, problem: Problem, seed: int = 3) -> Answer:
    return ask_often(model, problem, 1, seed=seed)[0]


def test_a_request_has_the_prompt_and_settings_and_an_answer_its_text_tokens_and_seconds(
    server: FakeServer, add: Problem
) -> None:
    server.reply = lambda body, number: Reply.text("let x = 1", tokens=5)
    answer = ask(model(server), add)
    assert (answer.completion, answer.completion.truncated, answer.tokens, answer.fault) == ("let x = 1", False, 5, "")
    assert answer.latency is not None
    assert answer.latency > 0
    assert server.paths == ["/v1/chat/completions"]
    assert server.authorizations == [f"Bearer {KEY}"]
    assert server.asked == [
        {
            "model": "some-model",
            "messages": [{"role": "user", "content": "Write it."}],
            "temperature": 0.5,
            "top_p": 0.95,
            "seed": 3,
            "max_tokens": 9,
            "stream": False,
        }
    ]


def test_a_stream_is_joined_and_a_used_up_budget_is_a_truncation(server: FakeServer, add: Problem) -> None:
    server.reply = lambda body, number: Reply.stream("let é", " = ", "1", finish="length", tokens=3)
    answer = ask(model(server, stream=True), add)
    assert (answer.completion, answer.completion.truncated, answer.tokens) == ("let é = 1", True, 3)
    assert server.asked[0]["stream_options"] == {"include_usage": True}


@pytest.mark.parametrize(("thought", "cut_off"), [(95, False), (90, True)])
def test_thinking_has_a_budget_of_its_own_and_an_answer_that_uses_it_counts_as_cut_off(
    server: FakeServer, add: Problem, thought: int, cut_off: bool
) -> None:
    usage = {"completion_tokens": 100, "completion_tokens_details": {"reasoning_tokens": thought}}
    choice = {"message": {"content": "let x = 1", "reasoning": "hm"}, "finish_reason": "stop"}
    server.reply = lambda body, number: Reply(body=json.dumps({"choices": [choice], "usage": usage}).encode())
    answer = ask(model(server, thinking=200), add)
    assert (answer.tokens, answer.thinking, answer.completion.truncated) == (100, thought, cut_off)
    assert server.asked[0]["max_tokens"] == 209


def test_a_model_without_a_chat_gets_the_bare_text(server: FakeServer, add: Problem) -> None:
    server.reply = lambda body, number: Reply(body=b'{"choices": [{"text": "in 1", "finish_reason": "stop"}]}')
    answer = ask(model(server, endpoint="completions"), add)
    assert (answer.completion, answer.tokens, server.paths) == ("in 1", None, ["/v1/completions"])
    assert server.asked[0]["prompt"] == "Write it."


def test_solved_examples_are_turns_of_the_chat(server: FakeServer, add: Problem, last: Problem) -> None:
    prompt = PromptSpec(shots=(last,), system="You write OCaml.").text(add)
    server.reply = lambda body, number: Reply.text("let x = 1", tokens=5)
    ask_often(model(server), add, 1, prompt=prompt)
    roles = [message["role"] for message in server.asked[0]["messages"]]
    assert roles == ["system", "user", "assistant", "user"]
    assert last.reference in server.asked[0]["messages"][2]["content"]


def test_a_prefill_is_part_of_the_answer(server: FakeServer, add: Problem) -> None:
    server.reply = lambda body, number: Reply(body=b'{"choices": [{"text": " 1", "finish_reason": "length"}]}')
    prompt = Prompt("Write it.", prefill="let x =")
    (answer,) = ask_often(model(server, endpoint="completions"), add, 1, prompt=prompt)
    assert server.asked[0]["prompt"] == "Write it.\n\nlet x ="
    assert (answer.completion, answer.completion.truncated) == ("let x = 1", True)


BROKEN = {
    "500": Reply.error(500),
    "503 with a page": Reply(status=503, body=b"<html>busy</html>"),
    "429": Reply.error(429),
    "408": Reply.error(408),
    "no JSON": Reply(body=b'{"choices": [{"mess'),
    "JSON of another kind": Reply(body=b"[1, 2]"),
    "no choice": Reply(body=b'{"choices": []}'),
    "content that is no text": Reply.text(["a"]),
    "nothing": Reply(body=b""),
    "nested without end": Reply(body=b"[" * 100_000),
    "closed in the middle": Reply(body=Reply.text("let x = 1").body, cut=20),
    "a stream that is closed in the middle": Reply.stream("let x", " = 1", cut=60),
    "a stream without an end": Reply.stream("let x", finish=None),
    "a stream of no JSON": Reply(body=b"data: {oops\n\n", headers={"Content-Type": "text/event-stream"}),
    "a stream of numbers": Reply(body=b"data: 5\n\n", headers={"Content-Type": "text/event-stream"}),
    "an error in the stream": Reply(body=b'data: {"error": "x"}\n\n', headers={"Content-Type": "text/event-stream"}),
    "no gzip": Reply(body=b"plain", headers={"Content-Encoding": "gzip"}),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_passing_error_is_retried(server: FakeServer, add: Problem, name: str) -> None:
    server.reply = lambda body, number: BROKEN[name] if number < 2 else Reply.text("let x = 1")
    answer = ask(model(server), add)
    assert (answer.completion, answer.fault, len(server.asked)) == ("let x = 1", "", 3)


@pytest.mark.parametrize("name", BROKEN)
def test_a_lasting_error_is_a_fault_and_no_empty_answer(server: FakeServer, add: Problem, name: str) -> None:
    server.reply = lambda body, number: BROKEN[name]
    answer = ask(model(server, retries=1), add)
    assert "2 tries failed" in answer.fault
    assert len(server.asked) == 2


def test_a_stalled_request_is_retried_after_the_timeout(server: FakeServer, add: Problem) -> None:
    server.reply = lambda body, number: Reply(wait=0.6) if number == 0 else Reply.text("late")
    assert ask(model(server, timeout=0.2), add).completion == "late"


def test_nobody_listening_is_a_fault(add: Problem) -> None:
    assert "ConnectionRefusedError" in ask(model(FakeServer(url="http://127.0.0.1:9/v1"), retries=1), add).fault


def test_all_requests_wait_as_long_as_the_server_demands(server: FakeServer, add: Problem) -> None:
    server.reply = lambda body, number: Reply.error(429, Retry_After="0.5") if number == 0 else Reply.text("")
    asking = model(server)
    start = time.monotonic()
    ask_often(asking, add, 2, apart=0.1)  # the second request comes during the wait
    assert time.monotonic() - start >= 0.5
    assert len(server.asked) == 3


def test_the_server_may_demand_the_wait_as_a_date(server: FakeServer, add: Problem) -> None:
    def reply(body: object, number: int) -> Reply:
        when = email.utils.formatdate(time.time() + 2, usegmt=True)
        return Reply.error(503, Retry_After=when) if number == 0 else Reply.text("")

    server.reply = reply
    start = time.monotonic()
    ask(model(server), add)
    assert time.monotonic() - start >= 0.9


def test_requests_keep_to_the_concurrency_and_the_rate(server: FakeServer, add: Problem) -> None:
    server.reply = lambda body, number: Reply(body=Reply.text("").body, wait=0.05)
    asking = model(server, concurrency=2, requests_per_minute=1200)
    start = time.monotonic()
    ask_often(asking, add, 8)
    assert server.at_once <= 2
    assert time.monotonic() - start >= 7 * 60 / 1200


def test_a_field_refused_by_the_server_is_left_out_from_then_on(server: FakeServer, add: Problem) -> None:
    def reply(body: dict[str, Any], number: int) -> Reply:
        if "max_tokens" in body:
            return Reply.error(400, "Unsupported parameter: use 'max_completion_tokens' instead.")
        if "seed" in body:
            return Reply.error(400, "Unrecognized request argument supplied: seed")
        return Reply.text("let x = 1")

    server.reply = reply
    asking = model(server)
    assert ask(asking, add).completion == "let x = 1"
    assert ask(asking, add).completion == "let x = 1"
    assert len(server.asked) == 4
    assert server.asked[-1]["max_completion_tokens"] == 9


def test_a_refused_request_is_a_fault_at_once(server: FakeServer, add: Problem) -> None:
    server.reply = lambda body, number: Reply.error(400, "the prompt is too long")
    assert "400: the prompt is too long" in ask(model(server), add).fault
    assert len(server.asked) == 1


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_refusal_of_every_request_ends_the_run_without_showing_the_key(
    server: FakeServer, add: Problem, status: int
) -> None:
    server.reply = lambda body, number: Reply.error(status, f"wrong: {KEY}")
    with pytest.raises(ConfigError) as caught:
        ask(model(server), add)
    assert KEY not in str(caught.value)
    assert str(status) in str(caught.value) or "no model 'some-model'" in str(caught.value)


def test_a_key_quoted_by_the_server_is_masked_in_the_fault(server: FakeServer, add: Problem) -> None:
    server.reply = lambda body, number: Reply.error(400, f"you sent {KEY}")
    fault = ask(model(server), add).fault
    assert "you sent ***" in fault
    assert KEY not in fault


@pytest.mark.parametrize("before", range(340, 420, 7))
def test_a_key_at_the_cut_of_a_message_is_not_shown_in_part(server: FakeServer, add: Problem, before: int) -> None:
    server.reply = lambda body, number: Reply.error(400, "x" * before + f" you sent {KEY}")
    assert KEY[:8] not in ask(model(server), add).fault


@pytest.mark.parametrize(("reason", "tries"), [("error", 4), ("abort", 4), ("content_filter", 1)])
def test_an_answer_broken_off_by_the_server_is_a_fault(
    server: FakeServer, add: Problem, reason: str, tries: int
) -> None:
    choice = {"finish_reason": reason, "message": {"content": "let f x ="}}
    server.reply = lambda body, number: Reply(body=json.dumps({"choices": [choice]}).encode())
    answer = ask(model(server), add)
    assert answer.fault
    assert len(server.asked) == tries


def test_a_message_that_merely_contains_a_fields_name_leaves_the_field_in(server: FakeServer, add: Problem) -> None:
    server.reply = lambda body, number: Reply.error(400, "The content filter found: 'Given a seed, generate'")
    asking = model(server)
    assert "content filter" in ask(asking, add).fault
    ask(asking, add)
    assert [request["seed"] for request in server.asked] == [3, 3]


@pytest.mark.parametrize(
    "url", ["localhost:8000", "ftp://host/v1", "http://", "http://h:99999/v1", "http://h:80a/v1", "http://[::1/v1"]
)
def test_an_invalid_address_is_refused(url: str) -> None:
    with pytest.raises(ConfigError, match="--base-url"):
        Server(base_url=url)


def test_a_key_that_does_not_fit_a_header_is_refused_without_showing_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-se\ncret")
    with pytest.raises(ConfigError) as caught:
        OpenAIModel("m", Server(base_url="http://localhost/v1"), Sampling())
    assert "cret" not in str(caught.value)


def test_empty_answers_are_answers(server: FakeServer, add: Problem) -> None:
    server.reply = lambda body, number: Reply.text(None if number else "")
    asking = model(server)
    answers = [ask(asking, add), ask(asking, add)]
    assert [(answer.completion, answer.fault) for answer in answers] == [("", ""), ("", "")]
    assert len(server.asked) == 2


def test_a_huge_answer_is_cut_one_character_above_the_limit(server: FakeServer, add: Problem) -> None:
    body = gzip.compress(Reply.text("a" * 5_000_000).body)
    server.reply = lambda _, number: Reply(body=body, headers={"Content-Encoding": "gzip"})
    assert len(ask(model(server), add).completion) == MAX_COMPLETION_LENGTH + 1


def test_an_endless_answer_is_a_fault(server: FakeServer, add: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ocaml_env.evaluation.models.openai_api._MOST_BYTES", 1_000_000)
    server.reply = lambda body, number: Reply.text("a" * 5_000_000)
    assert "more than" in ask(model(server), add).fault


def test_the_address_comes_from_the_environment_and_its_password_is_not_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "https://me:secret@host:81/v1/?token=x")
    assert Server().shown == "https://host:81/v1/"


def test_a_name_and_password_in_the_address_are_sent_in_place_of_the_key(server: FakeServer, add: Problem) -> None:
    server.reply = lambda body, number: Reply.text("let x = 1")
    there = FakeServer(url=server.url.replace("http://", "http://me:a%20b@") + "?token=x")
    assert ask(model(there), add).completion == "let x = 1"
    assert server.authorizations == ["Basic " + base64.b64encode(b"me:a b").decode()]
    assert server.paths == ["/v1/chat/completions?token=x"]


def test_connections_are_used_again(server: FakeServer, add: Problem) -> None:
    server.reply = lambda body, number: Reply.error(500) if number == 1 else Reply.text("let x = 1")
    asking = model(server)
    for _ in range(3):
        ask(asking, add)
    assert len(set(server.ports)) == 1


def test_the_environments_proxy_is_used_except_for_excluded_hosts(
    server: FakeServer, add: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.reply = lambda body, number: Reply.text("let x = 1")
    monkeypatch.setenv("http_proxy", server.url.removesuffix("/v1"))
    far = FakeServer(url="http://far.invalid/v1")
    assert ask(model(far), add).completion == "let x = 1"
    assert server.paths == ["http://far.invalid/v1/chat/completions"]
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    ask(model(server), add)
    assert server.paths[1:] == ["/v1/chat/completions"]


def test_an_unusable_proxy_is_refused_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "socks5://me:hush@host:1080")
    with pytest.raises(ConfigError, match="http://") as caught:
        Server(base_url="http://far.invalid/v1")
    assert "hush" not in str(caught.value)
