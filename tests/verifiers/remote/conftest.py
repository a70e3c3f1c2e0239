"""Fixtures that the tests of the client share with those of the service."""

from __future__ import annotations

from tests.services import _needs_the_extra, broken, file, remote, serve, server, slow  # noqa: F401 - fixtures
