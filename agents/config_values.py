"""Converts values of a configuration to the types of its fields, and checks their ranges."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, Union, get_args, get_origin

import yaml

from ocaml_env import ConfigError
from ocaml_env.problem.record import nearest

__all__ = ["check_range", "converted"]


def converted(name: str, value: Any, hint: Any) -> Any:
    """Converts a value to the type of its field. It may come from Python, from YAML, or as text.

    Raises:
        ConfigError: if it cannot be converted; the message names the field.
    """
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):  # X | None
        if value is None or (isinstance(value, str) and value.lower() in ("none", "null")):
            return None
        return converted(name, value, next(kind for kind in arguments if kind is not type(None)))
    if origin is Literal:
        if value is False and "off" in arguments:
            return "off"  # YAML reads a bare `off` as false
        if value not in arguments:
            raise ConfigError(f"{name} cannot be {value!r}{nearest(str(value), arguments)}")
        return value
    if origin is tuple:
        parts = value.split(",") if isinstance(value, str) else value
        if not isinstance(parts, Iterable):
            raise ConfigError(f"{name} must be a list of names, not {value!r}")
        return tuple(str(part).strip() for part in parts if str(part).strip())
    if origin is dict:
        try:
            read = yaml.safe_load(value) if isinstance(value, str) else value
        except yaml.YAMLError:
            read = None
        if not isinstance(read, Mapping):
            raise ConfigError(f"{name} must be a mapping, such as '{{top_k: 50}}', not {value!r}")
        return dict(read)
    return _READERS[hint](name, value)


def _read_bool(name: str, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    known = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    if str(value).lower() not in known:
        raise ConfigError(f"{name} must be true or false, not {value!r}")
    return known[str(value).lower()]


def _read_int(name: str, value: Any) -> int:
    number = _read_float(name, value)
    if not number.is_integer():
        raise ConfigError(f"{name} must be a whole number, not {value!r}")
    return int(number)


def _read_float(name: str, value: Any) -> float:
    try:
        if isinstance(value, bool):
            raise ValueError
        number = float(value)  # YAML reads 5e-6, which has no dot, as text
    except (TypeError, ValueError):
        raise ConfigError(f"{name} must be a number, not {value!r}") from None
    if number != number or number in (float("inf"), float("-inf")):
        raise ConfigError(f"{name} must be a finite number, not {value!r}")
    return number


def _read_text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise ConfigError(f"{name} must be a text, not {value!r}")
    return value


_READERS: dict[Any, Callable[[str, Any], Any]] = {bool: _read_bool, int: _read_int, float: _read_float, str: _read_text}


def check_range(item: dataclasses.Field[Any], value: Any) -> None:
    least, most = item.metadata["least"], item.metadata["most"]
    if value is None or not isinstance(value, int | float):
        return
    if (least is not None and value < least) or (most is not None and value > most):
        bounds = f"from {least:g}" + (f" to {most:g}" if most is not None else "")
        raise ConfigError(f"{item.name} must be {bounds}, not {value!r}")
