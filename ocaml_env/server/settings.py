"""How a service runs: checked where it is made, before anything is started."""

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
    """How a service runs.

    Attributes:
        host: the address to listen at. Only the machine itself can reach the default.
        port: 0 takes any that is free.
        token: what a request must carry as its bearer token; "" asks for none.
        allow_inline_problems: whether a request may bring problems of its own. Their tests and preludes are evaluated
            outside the candidate's jail, so this is for callers who may run code here.
        max_waiting: candidates that may wait; a request that does not fit is refused with 429.
        max_body: bytes of a request.
        max_held: bytes of all requests together that are being read or evaluated.
        max_connections: open ones.
        patience: seconds that a client may take to send a request, and may be silent between two.
        grace: seconds that the candidates in hand get when the service ends.
        access_log: whether a line of JSON is written for each request.

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
    """The token of a file, or of the environment, or "".

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
    """Whether every address of a host is the machine's own."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError as error:
        raise ConfigError(f"there is no address {host!r} here: {error.strerror}") from None
    return all(ipaddress.ip_address(str(address[0]).partition("%")[0]).is_loopback for *_, address in found)
