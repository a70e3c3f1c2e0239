"""``RemoteVerifier`` as a replacement of ``Verifier``: equal verdicts and exceptions, in order."""

from __future__ import annotations

import asyncio
import copy
import http.server
import json
import multiprocessing
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import gymnasium
import pytest

from benchmarks.stress.service import Server
from ocaml_env.errors import BatchError, ConfigError, EngineError, ProblemError, ProtocolError, ServiceUnavailable
from ocaml_env.problem import Limits, Problem, Test
from ocaml_env.problem.record import problem_to_record
from ocaml_env.verifiers.base import AnyVerifier
from ocaml_env.verifiers.local import Verifier
from ocaml_env.verifiers.remote.client import RemoteVerifier
from tests.server.test_http import ask, refusal
from tests.services import Serve
from tests.verifiers.test_local import candidates

TOKEN = "a-token-that-nobody-guesses"


# --- agreement with Verifier ---


def test_verdicts_equal_a_local_verifiers_in_order(
    remote: RemoteVerifier, verifier: Verifier, add: Problem, last: Problem, total: Problem
) -> None:
    todo = [
        *candidates(add, last, total),
        (add, "let \ud800add a b = 1"),
        (add, "(* \x00 é 漢 \U0001f42b *) let add a b = a"),
        (add, "(*" + "é" * 150_000 + "*)" + add.reference),
        (add, "let add a b = " + "(" * 300_000),
        (total, 'let () = print_string "\\255\\000"'),
        (last, ""),
    ]
    here = verifier.verify_many(todo)
    assert remote.verify_many(todo) == here
    assert asyncio.run(remote.averify_many(reversed(todo))) == here[::-1]
    assert [remote.verify(*pair) for pair in todo[:2]] == here[:2]
    assert asyncio.run(remote.averify(*todo[3])) == here[3]
    assert remote.verify_many(pair for pair in todo[:0]) == []


def test_it_has_the_interface_of_a_verifier(remote: RemoteVerifier, verifier: Verifier) -> None:
    any_verifier: AnyVerifier = remote
    assert (any_verifier.workers, any_verifier.ocaml_version) == (1, verifier.ocaml_version)
    assert copy.deepcopy(any_verifier) is any_verifier


def test_the_callers_limits_are_used(remote: RemoteVerifier, verifier: Verifier, server: Server, add: Problem) -> None:
    brief = Limits(test_cpu_seconds=0.02, total_cpu_seconds=0.04)
    limited = replace(add, limits=brief)
    code = "let add a b = for _ = 1 to 20_000_000 do ignore (Sys.opaque_identity a) done; a + b\nlet negate a = -a"
    expected = verifier.verify(limited, code)
    assert expected.outcome == "TIMEOUT"
    assert remote.verify(limited, code) == expected
    with RemoteVerifier(server.url, limits=brief) as other:
        assert other.verify(add, code) == expected
        other.check(add)


def test_too_high_limits_are_refused(remote: RemoteVerifier, add: Problem) -> None:
    with pytest.raises(ConfigError, match="total_cpu_seconds may be at most 60 here, not 1000"):
        remote.verify(replace(add, limits=Limits(total_cpu_seconds=1000)), add.reference)


def test_an_environment_steps_the_same(remote: RemoteVerifier, verifier: Verifier, add: Problem) -> None:
    answers = (
        add.reference,
        "let add a b = a\nlet negate = 1",
        "no code",
        "let rec add a b = add a b\nlet negate a = a",
    )
    limits = Limits(test_cpu_seconds=0.05, total_cpu_seconds=0.1)
    steps = []
    for any_verifier in (verifier, remote):
        env = gymnasium.make("OCamlCode-v0", problems=(add,), verifier=any_verifier, limits=limits)
        for answer in answers:
            env.reset(seed=0)
            steps.append(env.step(answer))
        env.close()
    assert steps[: len(answers)] == steps[len(answers) :]


def test_a_forked_child_can_use_it(remote: RemoteVerifier, verifier: Verifier, add: Problem) -> None:
    expected = verifier.verify(add, add.reference)
    assert remote.verify(add, add.reference) == expected

    def evaluate() -> None:
        assert remote.verify_many([(add, add.reference)] * 9) == [expected] * 9

    child = multiprocessing.get_context("fork").Process(target=evaluate)
    child.start()
    child.join()
    assert child.exitcode == 0
    assert remote.verify(add, add.reference) == expected


# --- faults ---


def test_an_invalid_problem_is_the_same_exception(
    remote: RemoteVerifier, verifier: Verifier, add: Problem, broken: Problem
) -> None:
    faults = []
    any_verifier: AnyVerifier
    for any_verifier in (verifier, remote):
        with pytest.raises(ProblemError) as caught:
            any_verifier.check(broken)
        faults.append((str(caught.value), caught.value.problem_id, caught.value.test))
        with pytest.raises(ProblemError) as caught:
            any_verifier.verify(broken, "let f x = x")
        faults.append((str(caught.value), caught.value.problem_id, caught.value.test))
    assert faults[:2] == faults[2:]
    assert faults[0][1:] == ("broken", "test 2")
    remote.check(add)


def test_a_batch_with_an_error_ends_as_with_a_local_verifier(
    remote: RemoteVerifier, verifier: Verifier, add: Problem, broken: Problem
) -> None:
    todo = [(add, add.reference), (broken, "let f x = x"), (add, "let add = 1")]
    expected = [verifier.verify(*todo[0]), None, verifier.verify(*todo[2])]
    for any_verifier in (verifier, remote):
        with pytest.raises(BatchError) as caught:
            any_verifier.verify_many(todo)
        assert caught.value.verdicts == expected
        assert {place: type(error) for place, error in caught.value.errors.items()} == {1: ProblemError}


def test_unknown_problems_are_sent_along_if_the_service_allows_it(
    remote: RemoteVerifier, verifier: Verifier, add: Problem, last: Problem
) -> None:
    new = replace(add, id="new", prelude="let two = 2", tests=(Test("add 1 two = 3"),))
    changed = replace(add, tests=(*add.tests, Test("add 1 1 = 3", name="wrong on purpose")))
    limited = replace(changed, limits=Limits(memory_mb=100))
    todo = [(p, p.reference) for p in (add, new, changed, last, new, limited)]
    assert remote.verify_many(todo) == verifier.verify_many(todo)
    remote.check(replace(new, id="newer"))
    assert remote.verify(new, "let add = 1") == verifier.verify(new, "let add = 1")


def test_with_a_token_the_service_refuses_strangers_and_foreign_problems(serve: Serve, add: Problem) -> None:
    changed = replace(add, tests=(*add.tests, Test("add 1 1 = 2")))
    with serve("--access-log", token=TOKEN) as server:
        with RemoteVerifier(server.url, token=TOKEN) as remote:
            assert remote.verify(add, add.reference).passed
            with pytest.raises(ConfigError, match="the digest of 'add' differs"):
                remote.verify_many([(add, add.reference), (changed, add.reference)])
            with pytest.raises(ConfigError, match="the digest of 'add' differs"):
                remote.check(changed)
            with pytest.raises(ConfigError, match="has no problem 'addd' here; did you mean 'add'"):
                remote.check(replace(add, id="addd"))
        for token in ("", "wrong-" + TOKEN):
            with RemoteVerifier(server.url, token=token) as remote, pytest.raises(ConfigError, match="wants a token"):
                remote.verify(add, add.reference)
        carrying = {"Authorization": f"Bearer {TOKEN}"}
        asked = {"items": [{"problem": "add"}], "problems": [problem_to_record(add)]}
        status, kind, message = refusal(ask(server, "POST", "/v1/check", asked, **carrying))
        assert (status, kind) == (403, "ConfigError")
        assert "by name only" in message
        assert [ask(server, "GET", path)[0] for path in ("/health/live", "/metrics", "/docs")] == [200, 401, 401]
        log = server.end()
    lines = [json.loads(line) for line in log.splitlines()[1:]]
    assert [line["status"] for line in lines if line["path"] == "/v1/verify/batch"] == [200, 200]
    assert sum(line["status"] == 401 for line in lines) == 4
    assert {line["client"] for line in lines} == {"127.0.0.1"}
    assert TOKEN not in log
    assert "let add" not in log


def test_use_after_closing_is_an_error(server: Server, add: Problem) -> None:
    remote = RemoteVerifier(server.url)
    remote.check(add)
    remote.close()
    with pytest.raises(EngineError, match="this RemoteVerifier is closed"):
        remote.verify(add, add.reference)


def test_an_unreachable_service_is_an_infrastructure_error_every_time(add: Problem) -> None:
    with RemoteVerifier("http://127.0.0.1:9", patience=0.2) as remote:
        for _ in range(3):
            with pytest.raises(ServiceUnavailable, match="http://127.0.0.1:9 does not answer: Connection refused"):
                remote.verify_many([(add, add.reference)] * 500)


def test_whole_numbers_are_valid_limits(server: Server, verifier: Verifier, add: Problem) -> None:
    limits = Limits(test_cpu_seconds=1, total_cpu_seconds=2)
    with RemoteVerifier(server.url, limits=limits) as remote:
        assert remote.verify(add, add.reference) == verifier.verify(add, add.reference)
    assert (
        replace(add, limits=limits).digest
        == replace(add, limits=Limits(test_cpu_seconds=1.0, total_cpu_seconds=2.0)).digest
    )


def test_enclosed_problems_count_towards_the_size_of_a_request(
    server: Server, verifier: Verifier, total: Problem
) -> None:
    big = "1 " * 20_000
    problems = [
        replace(total, id=f"big-{n}", tests=(*total.tests, Test(name="big", stdin=f"{n} {big}", stdout="0")))
        for n in range(40)
    ]
    todo = [(problem, total.reference) for problem in problems]
    with RemoteVerifier(server.url) as remote:
        assert remote.verify_many(todo) == verifier.verify_many(todo)


@pytest.mark.parametrize("order", [1, -1])
def test_a_copy_under_another_id_is_sent_along_beside_a_served_problem(
    server: Server, add: Problem, order: int
) -> None:
    pairs = [(replace(add, id="a-copy"), add.reference), (add, add.reference)]
    with RemoteVerifier(server.url) as remote:
        assert [verdict.passed for verdict in remote.verify_many(pairs[::order])] == [True, True]


def test_a_full_service_is_asked_until_patience_ends_in_every_call(add: Problem) -> None:
    with full_server() as (url, asked), RemoteVerifier(url, patience=1.5) as remote:
        for _ in range(2):
            before = len(asked)
            with pytest.raises(ServiceUnavailable, match="429"):
                remote.verify(add, add.reference)
            assert len(asked) >= before + 2


def test_a_token_may_end_in_a_newline_and_a_bad_one_is_not_shown(serve: Serve, add: Problem) -> None:
    with serve(token=TOKEN) as server, RemoteVerifier(server.url, token=f"{TOKEN}\n") as remote:
        assert remote.verify(add, add.reference).passed
    with pytest.raises(ConfigError) as caught:
        RemoteVerifier("http://localhost", token="secret \n secret-that-is-long")
    assert "secret" not in str(caught.value)


def test_a_server_of_something_else_is_a_protocol_error(add: Problem) -> None:
    with other_server() as url, RemoteVerifier(url) as remote, pytest.raises(ProtocolError, match="without JSON"):
        remote.verify(add, add.reference)


@pytest.mark.parametrize(
    "url", ["judge:8787", "ftp://judge", "http://", "http://judge:port", "http://me:secret@judge", "http://judge/a b"]
)
def test_an_invalid_url_is_refused(url: str) -> None:
    with pytest.raises(ConfigError, match="URL"):
        RemoteVerifier(url)


@pytest.mark.parametrize("arguments", [{"batch": 0}, {"in_flight": True}, {"timeout": 0}, {"patience": -1.0}])
def test_bad_arguments_are_refused(arguments: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match=next(iter(arguments))):
        RemoteVerifier("http://localhost", **arguments)  # type: ignore[arg-type]


@contextmanager
def full_server() -> Iterator[tuple[str, list[str]]]:
    """Serves as a service that is always full; yields its URL and the requested paths."""
    asked: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(429)
            self.send_header("Retry-After", "60")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with listening(Handler) as url:
        yield url, asked


@contextmanager
def other_server() -> Iterator[str]:
    """Serves something else at a URL."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<html>Welcome</html>")

        def log_message(self, *_: object) -> None:
            pass

    with listening(Handler) as url:
        yield url


@contextmanager
def listening(handler: type[http.server.BaseHTTPRequestHandler]) -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()
