"""The token that a request of the service carries: where it is found, and what one may be."""

from __future__ import annotations

import re

from ocaml_env.errors import ConfigError

__all__ = ["TOKEN_VARIABLE", "checked_token"]

TOKEN_VARIABLE = "OCAML_ENV_TOKEN"
"""Where service and client look for the token by default: an argument would be seen in the list of processes."""

_TOKEN = re.compile(r"[A-Za-z0-9._~+/=-]{16,512}")


def checked_token(token: str) -> str:
    """A token without the blank space around it, which files end in; "" is none.

    Raises:
        ConfigError: if it is no token; it is not shown.
    """
    token = token.strip()
    if token and not _TOKEN.fullmatch(token):
        raise ConfigError("a token must be 16 to 512 letters, digits or any of - . _ ~ + / = (it is not shown here)")
    return token
