"""Requests that a machine makes up from the service's own description: each has an answer, of the form described."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable

from benchmarks.stress.service import Server

schemathesis = pytest.importorskip("schemathesis", reason="needs schemathesis, which dev brings")

# Not "what its form allows is accepted": whether limits fit each other, or a problem that comes along is one, no form
# can say. And not "what its form forbids is rejected": a rejection with 413 does not count there.
CHECKS = (
    "allow_header_conformance",
    "content_type_conformance",
    "not_a_server_error",
    "response_schema_conformance",
    "status_code_conformance",
    "unsupported_method",
)


def test_requests_made_up_from_the_description_are_answered_as_described(server: Server) -> None:
    description = schemathesis.openapi.from_url(f"{server.url}/openapi.json")
    checks = [getattr(schemathesis.checks, name) for name in CHECKS]
    tested = set()
    for found in description.get_all_operations():
        operation = found.ok()
        for mode in schemathesis.GenerationMode:

            @settings(max_examples=4, suppress_health_check=list(HealthCheck))
            @given(operation.as_strategy(generation_mode=mode))
            def ask(case: Any) -> None:
                case.call_and_validate(checks=checks)

            with contextlib.suppress(Unsatisfiable):  # where nothing can be wrong
                ask()
        tested.add(operation.path)
    assert {"/v1/verify", "/v1/verify/batch", "/v1/reward", "/v1/reward/batch", "/v1/check", "/v1/problems"} <= tested
