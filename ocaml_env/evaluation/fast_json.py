"""JSON of samples, requests and answers, several times as fast as the standard library's.

orjson refuses what UTF-8 cannot hold, such as the lone surrogates that a model may write, and numbers of more than 64
bits. The standard library takes those, escaped; it takes everything if orjson (the extra ``evaluate``) is missing.
"""

from __future__ import annotations

import contextlib
import json
from importlib.util import find_spec
from typing import Any

__all__ = ["decode", "encode"]

_FAST = find_spec("orjson") is not None


def encode(value: object) -> bytes:
    """The value on one line, in UTF-8.

    Raises:
        TypeError: where it is no JSON value.
    """
    if _FAST:
        import orjson

        with contextlib.suppress(TypeError):
            return orjson.dumps(value)
    return json.dumps(value, separators=(",", ":")).encode("ascii")


def decode(data: bytes) -> Any:
    """The value of a text.

    Raises:
        ValueError: where it is not JSON.
        RecursionError: where it is nested too deep.
    """
    if _FAST:
        import orjson

        with contextlib.suppress(orjson.JSONDecodeError):
            return orjson.loads(data)
    return json.loads(data)
