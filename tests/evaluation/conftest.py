"""Fixtures of the tests of evaluation."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.evaluation.fake_server import FakeServer, serving

os.environ.setdefault("HF_HUB_OFFLINE", "1")


@pytest.fixture
def server() -> Iterator[FakeServer]:
    """Runs a fake server on a free port of this machine."""
    with serving() as server:
        yield server
