"""What tests of the evaluation share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.benchmarks.fake_server import FakeServer, serving


@pytest.fixture
def server() -> Iterator[FakeServer]:
    """A server on a free port of this machine."""
    with serving() as server:
        yield server
