"""The settings of a service, checked when they are made, before anything is started."""

from __future__ import annotations

import ipaddress
import os
import socket
from dataclasses import dataclass
from pathlib import Path

from ocaml_env.errors import ConfigError
from ocaml_env.verifiers.remote.token import TOKEN_VARIABLE, checked_token

__all__ = ["Settings", "is_loopback", "read_token"]


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The settings of a service.

    Attributes:
        host: the address to listen at. By default only this machine can reach it.
        port: 0 takes any free port.
        token: the bearer token that a request must carry; "" for none.
        allow_inline_problems: True if a request may bring problems of its own. Their tests and preludes are evaluated
            outside the candidate's jail, so only allow it to callers who may run code here.
        max_waiting: candidates that may wait; a request that does not fit is refused with 429.
        max_body: bytes of a request.
        max_held: bytes of all requests that are being read or evaluated, together.
        max_connections: the most open connections.
        patience: seconds that a client may take to send a request, and may be silent between two.
        grace: seconds for the candidates in progress when the service ends.
        access_log: True writes a line of JSON for each request.

    Raises:
        ConfigError: for a value that cannot be used, or a public address without a token.
    """

    host: str = "127.0.0.1"
    port: int = 8787
    token: str = ""
    allow_inline_problems: bool = False
    max_waiting: int = 4096
    max_body: int = 8 << 20
    max_held: int = 256 << 20
    max_connections: int = 512
    patience: float = 60.0
    grace: float = 30.0
    access_log: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.port < 1 << 16:
            raise ConfigError(f"the port must be a number from 0 to 65535, not {self.port}")
        for name in ("max_waiting", "max_body", "max_held", "max_connections", "patience", "grace"):
            if getattr(self, name) <= 0:
                raise ConfigError(f"{name.replace('_', '-')} must be greater than 0, not {getattr(self, name)}")
        object.__setattr__(self, "token", checked_token(self.token))
        if not self.token and not is_loopback(self.host):
            raise ConfigError(
                f"{self.host} can be reached from other machines: whoever reaches the service may use it, so give it a "
                f"token, in ${TOKEN_VARIABLE} or with --token-file"
            )


def read_token(file: Path | None) -> str:
    """Reads the token from a file, if given, or from the environment; "" if there is none.

    Raises:
        ConfigError: if the file holds none.
        OSError: if it cannot be read.
    """
    if file is None:
        return os.environ.get(TOKEN_VARIABLE, "")
    token = file.read_text(encoding="utf-8", errors="replace").strip()
    if not token:
        raise ConfigError(f"{file} is empty: it must hold a token")
    return token


def is_loopback(host: str) -> bool:
    """True if every address of a host is this machine's own."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError as error:
        raise ConfigError(f"there is no address {host!r} here: {error.strerror}") from None
    return all(ipaddress.ip_address(str(address[0]).partition("%")[0]).is_loopback for *_, address in found)
