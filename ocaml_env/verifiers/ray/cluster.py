"""The connection to a Ray cluster: the named one, this machine's, or a new one.

By itself, Ray waits for minutes if nobody answers, and joins any cluster that runs on the machine. This module first
tests the address, and without a name it only finds a cluster begun with ``ray start``.
"""

from __future__ import annotations

import logging
import os
import socket
from typing import Any

from ocaml_env.errors import ConfigError, EngineError

__all__ = ["connect"]

_ANSWER_SECONDS = 10.0

# Size of the object store of a new cluster: batches and answers pass through it, and nothing is kept.
_STORE_BYTES = 100_000_000


def connect(address: str | None) -> tuple[Any, bool]:
    """Connects to Ray. Returns Ray, and True if the caller must end the connection; an existing one is used as it is.

    Args:
        address: as for ``ray.init``. None: ``RAY_ADDRESS``, else the cluster of this machine, else a new one on this
            machine.

    Raises:
        ConfigError: if Ray is not installed.
        EngineError: if the cluster cannot be used.
    """
    try:
        import ray
        from ray._private.services import get_ray_address_from_environment
    except ModuleNotFoundError:
        raise ConfigError("verifying on a Ray cluster needs Ray: pip install 'ocaml-env[ray]'") from None
    if ray.is_initialized():
        return ray, False
    quiet: dict[str, Any] = dict(log_to_driver=False, logging_level=logging.ERROR)
    named = address or os.environ.get("RAY_ADDRESS")
    found = named or get_ray_address_from_environment(None, None)
    try:
        if found and _answers(found):
            ray.init(address=found, **quiet)
        elif named:
            raise ConnectionError("nobody answers there")
        else:  # there is none, or it has ended
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
            ray.init(address="local", include_dashboard=False, object_store_memory=_STORE_BYTES, **quiet)
    except Exception as error:  # Ray raises many types: for another version of Ray, a full disk, a slow start, ...
        token = "; if it wants a token: RAY_AUTH_MODE=token, and in ~/.ray/auth_token the one of its head"
        hint = token if isinstance(error, ConnectionError) and found else ""
        where = found or "of this machine"
        raise EngineError(f"the Ray cluster {where} cannot be used: {_first_line(error)}{hint}") from error
    # When a node dies, Ray prints pages to standard output; the fleet reports it in a line.
    ray._private.worker._worker_logs_enabled = False
    return ray, True


def _answers(address: str) -> bool:
    host, colon, port = address.rpartition("://")[2].rpartition(":")
    if not (colon and port.isdecimal()):
        return True  # a name for Ray, such as "auto"
    try:
        socket.create_connection((host, int(port)), timeout=_ANSWER_SECONDS).close()
    except OSError:
        return False
    return True


def _first_line(error: BaseException) -> str:
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
