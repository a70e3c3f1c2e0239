"""Records the calls of a program's functions: arguments and answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ocaml_env.kills.interpreter.data import Labelled, Value, curried
from ocaml_env.kills.interpreter.errors import Raised, Unsupported
from ocaml_env.kills.interpreter.evaluate import Code, Program
from ocaml_env.kills.interpreter.literal import literal

__all__ = ["UNKNOWN", "Call", "recorded", "shown"]

UNKNOWN = "?"

_PARTS = 400  # of a value; nobody would guess a larger answer


class Call(NamedTuple):
    """A call from outside the program, as texts.

    Attributes:
        function: the name of the function.
        arguments: their literals before the call; ``UNKNOWN`` for a value without a literal, or with a large one.
        answer: ``=`` and the returned value, or ``!`` and the raised exception; ``UNKNOWN`` as for arguments.
        changes: True if the call changed an argument in place.
    """

    function: str
    arguments: tuple[str, ...]
    answer: str
    changes: bool = False


def shown(value: Value, mark: str = "") -> str:
    """The mark and the literal of a value, or ``UNKNOWN``."""
    try:
        return mark + literal(value, _PARTS)
    except Unsupported:
        return UNKNOWN


def recorded(program: Program, names: Sequence[str], expression: Code, *, steps: int) -> tuple[Value, list[Call]]:
    """Evaluates an expression and records its calls of the named functions, also those made by the prelude after them.

    A call of a module's function is named ``Module.function``, also if a functor made the module.

    Raises:
        Raised, Diverged: as for ``Program.value``.
    """
    calls: list[Call] = []

    def listen(name: str, value: Value) -> Value:
        if isinstance(value, dict):
            return {member: listen(f"{name}.{member}", inner) for member, inner in value.items()}
        if name.rpartition(".")[2][0].isupper() and callable(value):  # a functor
            return lambda argument: listen(name, value(argument))
        labelled = isinstance(value, Labelled)
        run = value.run if labelled else value
        if not callable(run):
            return value

        def called(arguments: tuple[Value, ...]) -> Value:
            before = tuple(map(shown, arguments))
            try:
                answer = run(*arguments)
            except Raised as raised:
                calls.append(Call(name, before, shown(raised.value, "!"), before != tuple(map(shown, arguments))))
                raise
            calls.append(Call(name, before, shown(answer, "="), before != tuple(map(shown, arguments))))
            return answer

        if labelled:
            return Labelled(value.labels, lambda *arguments: called(arguments))
        return curried(value.__code__.co_argcount, called)

    value = program.value(expression, steps=steps, stand_ins=listen, names=names)
    return value, calls
