"""The module ``Lazy``."""

from __future__ import annotations

from typing import Any

from ocaml_env.kills.interpreter.data import Abstract, Value, unary
from ocaml_env.kills.interpreter.errors import Raised, Unsupported

__all__ = ["VALUES", "Suspension", "force"]


class Suspension(Abstract):
    """A ``lazy`` expression: a function of ``()``, later its value or its exception."""

    __slots__ = ("function", "raised", "running", "value")

    def __init__(self, function: Value) -> None:
        self.function = function
        self.value: Value = None
        self.raised: Raised | None = None
        self.running = False


def _known(value: Value) -> Suspension:
    made = Suspension(None)
    made.value = value
    return made


def force(lazily: Suspension) -> Value:
    """The value of a suspension, computed the first time."""
    if not isinstance(lazily, Suspension):
        raise Unsupported("a lazy value of a let rec")
    if lazily.raised is not None:
        raise Raised(lazily.raised.value)
    if lazily.function is None:
        return lazily.value
    if lazily.running:
        raise Unsupported("a lazy value that needs itself")
    lazily.running = True
    try:
        lazily.value = unary(lazily.function)(())
    except Raised as raised:
        lazily.raised = raised
        raise
    finally:
        lazily.running = False
    lazily.function = None
    return lazily.value


VALUES: dict[str, Any] = {
    "Lazy.force": force,
    "Lazy.force_val": force,
    "Lazy.from_val": _known,
    "Lazy.from_fun": lambda f: Suspension(f),
    "Lazy.is_val": lambda lazily: lazily.function is None,
    "Lazy.map": lambda f, lazily: Suspension(lambda unit: unary(f)(force(lazily))),
}
