"""JSON of samples, requests and answers, several times as fast as the standard library's.

orjson refuses lone surrogates, which a model may write but UTF-8 cannot hold, and numbers of more than 64 bits. The
standard library encodes those, escaped; it encodes everything if orjson (the extra ``evaluate``) is missing.
"""

from __future__ import annotations

import contextlib
import json
from importlib.util import find_spec
from typing import Any

__all__ = ["decode", "encode"]

_FAST = find_spec("orjson") is not None


def encode(value: object) -> bytes:
    """Encodes a value on one line, in UTF-8.

    Raises:
        TypeError: if it is no JSON value.
    """
    if _FAST:
        import orjson

        with contextlib.suppress(TypeError):
            return orjson.dumps(value)
    return json.dumps(value, separators=(",", ":")).encode("ascii")


def decode(data: bytes) -> Any:
    """Decodes a JSON text.

    Raises:
        ValueError: if it is not JSON.
        RecursionError: if it is nested too deep.
    """
    if _FAST:
        import orjson

        with contextlib.suppress(orjson.JSONDecodeError):
            return orjson.loads(data)
    return json.loads(data)
