"""The token of a request to the service: its environment variable, and its form."""

from __future__ import annotations

import re

from ocaml_env.errors import ConfigError

__all__ = ["TOKEN_VARIABLE", "checked_token"]

TOKEN_VARIABLE = "OCAML_ENV_TOKEN"
"""The environment variable that holds the token. A command-line argument would show in the list of processes."""

_TOKEN = re.compile(r"[A-Za-z0-9._~+/=-]{16,512}")


def checked_token(token: str) -> str:
    """Returns a token without surrounding blank space, such as a file's last newline; "" means no token.

    Raises:
        ConfigError: if the form is wrong; the message does not show the token.
    """
    token = token.strip()
    if token and not _TOKEN.fullmatch(token):
        raise ConfigError("a token must be 16 to 512 letters, digits or any of - . _ ~ + / = (it is not shown here)")
    return token
