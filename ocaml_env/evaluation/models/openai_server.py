"""The settings of a server of OpenAI's protocol: its address, its limits, and how often to try."""

from __future__ import annotations

import base64
import os
import urllib.request
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal
from urllib.parse import SplitResult, unquote, urlsplit, urlunsplit

from ocaml_env.errors import ConfigError
from ocaml_env.verifiers.giving_up import Pauses

__all__ = ["Server"]


@dataclass(frozen=True, kw_only=True)
class Server:
    """Settings of a server.

    Attributes:
        base_url: address up to ``/v1``; "" takes OPENAI_BASE_URL, else OpenAI's own.
        endpoint: ``chat``, or ``completions`` for models that only continue a text.
        concurrency: requests at a time.
        retries: tries after the first one.
        timeout: seconds of one try, from its beginning to its last byte.
        requests_per_minute: most requests a minute; 0 for no limit.
        stream: True to get answers in pieces; some proxies need that for long ones.
        pauses: pauses between the tries.

    Raises:
        ConfigError: if the address is invalid, a number is out of range, or the environment names an unusable proxy.
    """

    base_url: str = ""
    endpoint: Literal["chat", "completions"] = "chat"
    concurrency: int = 16
    retries: int = 7
    timeout: float = 600.0
    requests_per_minute: float = 0.0
    stream: bool = False
    pauses: Pauses = field(default_factory=Pauses)

    def __post_init__(self) -> None:
        url = self.base_url or os.environ.get("OPENAI_BASE_URL", "") or "https://api.openai.com/v1"
        if not _is_address(url):
            raise ConfigError("--base-url is an address such as http://localhost:8000/v1")
        if self.timeout <= 0 or self.requests_per_minute < 0:
            raise ConfigError("--timeout is a number above 0, and --requests-per-minute one from 0")
        object.__setattr__(self, "base_url", url.rstrip("/"))
        _check_proxy(url)

    @property
    def shown(self) -> str:
        """The address without a password or a token in it."""
        return _shown(self.base_url)

    @cached_property
    def url(self) -> str:
        """The address to send requests to, without name and password."""
        parts = urlsplit(self.base_url)
        path = "/chat/completions" if self.endpoint == "chat" else "/completions"
        return urlunsplit((parts.scheme, _host(parts), parts.path.rstrip("/") + path, parts.query, ""))

    @property
    def access(self) -> str:
        """The header for a name and password in the address; "" if there are none."""
        parts = urlsplit(self.base_url)
        if parts.username is None:
            return ""
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        return "Basic " + base64.b64encode(pair.encode()).decode("ascii")


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:  # an invalid port, half an IPv6 address
        return False
    return parts.scheme in ("http", "https") and bool(host) and url.isascii() and url.isprintable()


def _host(url: SplitResult) -> str:
    return url.netloc.rpartition("@")[2]


def _shown(url: str) -> str:
    """Removes possible secrets from an address: name, password and query."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, _host(parts), parts.path, "", ""))


def _check_proxy(url: str) -> None:
    """Refuses a proxy of the environment that aiohttp would ignore."""
    parts = urlsplit(url)
    named = urllib.request.getproxies().get(parts.scheme, "")
    if named and not urllib.request.proxy_bypass(_host(parts)) and urlsplit(named).scheme != "http":
        raise ConfigError(f"the proxy of the environment must be an http:// address, not {_shown(named)!r}")
