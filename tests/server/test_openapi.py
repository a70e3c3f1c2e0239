"""Generated requests from the service's own description: each answer has the described form."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable

from benchmarks.stress.service import Server

schemathesis = pytest.importorskip("schemathesis", reason="needs schemathesis, which dev brings")

# Two checks do not fit. Requests of a valid form may be refused, because no form can say if limits are consistent or an
# enclosed problem is valid. Requests of an invalid form may get a 413, but schemathesis does not count it as a refusal.
CHECKS = (
    "allow_header_conformance",
    "content_type_conformance",
    "not_a_server_error",
    "response_schema_conformance",
    "status_code_conformance",
    "unsupported_method",
)


def test_generated_requests_are_answered_as_described(server: Server) -> None:
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

            with contextlib.suppress(Unsatisfiable):  # if no request of this mode exists
                ask()
        tested.add(operation.path)
    assert {"/v1/verify", "/v1/verify/batch", "/v1/reward", "/v1/reward/batch", "/v1/check", "/v1/problems"} <= tested
