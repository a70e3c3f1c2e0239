"""A server of OpenEnv in a separate process."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.integrations.installed import ROOT

__all__ = ["Server", "serving"]

SERVE = """
import json, sys, uvicorn
from ocaml_env.integrations.openenv import create_app
port, settings = json.loads(sys.argv[1])
uvicorn.run(create_app(**settings), host="127.0.0.1", port=port, log_level="warning")
"""


@dataclass(frozen=True, kw_only=True)
class Server:
    """A running server.

    Attributes:
        url: its base URL.
        pid: its process.
    """

    url: str
    pid: int


@contextlib.contextmanager
def serving(problems: str, **settings: Any) -> Iterator[Server]:
    """Serves on a free port of this machine. The server must end by itself and print no errors."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    arguments = json.dumps([port, {"problems": problems, "workers": 1, **settings}])
    with subprocess.Popen([sys.executable, "-c", SERVE, arguments], cwd=ROOT, stderr=subprocess.PIPE) as process:
        try:
            url = f"http://127.0.0.1:{port}"
            _wait_for(url, process)
            yield Server(url=url, pid=process.pid)
        finally:
            process.terminate()
            _, complaints = process.communicate(timeout=60)
    assert complaints.decode() == ""


def _wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 120
    while True:
        try:
            urllib.request.urlopen(f"{url}/health", timeout=5).close()
            return
        except OSError:
            assert process.poll() is None, "the server ended"
            assert time.monotonic() < until, "the server does not answer"
            time.sleep(0.2)
