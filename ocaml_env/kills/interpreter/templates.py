"""Makes the small Python functions into which programs are compiled.

A node reads operands that are variables or constants directly: one call for ``x + 1`` instead of three. This needs many
similar functions. They are made from templates, each once, as ``namedtuple`` does.

In a template ``{0}`` is an operand: ``e[a0]`` for a variable (kind ``s``, its slot), ``a0`` for a constant (``c``), and
``a0(e)`` for anything else (``x``). ``e`` is the frame.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from ocaml_env.kills.interpreter import data
from ocaml_env.kills.interpreter.errors import Diverged, Raised
from ocaml_env.kills.interpreter.library import lists, numbers, strings

__all__ = ["TAIL", "Code", "factory", "function_factory"]

Code = Callable[[Any], Any]

TAIL = object()  # returned by a body that has set its parameters anew and wants to run again

_READS = {"s": "e[a{0}]", "c": "a{0}", "x": "a{0}(e)"}

_NAMES: dict[str, Any] = {name: getattr(data, name) for name in data.__all__}
_NAMES |= {"TAIL": TAIL, "Raised": Raised, "Diverged": Diverged, "apply_labelled": data.apply_labelled}
_NAMES |= {
    "divide": numbers.divide,
    "remainder": numbers.remainder,
    "float_divide": numbers.float_divide,
    "power": numbers.power,
    "less": numbers.less,
    "less_or_equal": numbers.less_or_equal,
    "join": strings.join,
    "append": lists.append,
}


@cache
def factory(template: str, kinds: str, lazily: bool = False) -> Callable[..., Code]:
    """Makes code for operands of these kinds. The last operands are evaluated first, as in OCaml.

    Args:
        template: statements, separated by ``;;``; the last one returns.
        kinds: a letter for each operand.
        lazily: the template itself decides when to evaluate each operand.
    """
    reads = [_READS[kind].format(place) for place, kind in enumerate(kinds)]
    before = []
    if not lazily and (kinds.count("x") > 1 or any(template.count(f"{{{place}}}") > 1 for place in range(len(kinds)))):
        for place in reversed(range(len(kinds))):
            if kinds[place] == "x":
                before.append(f"v{place} = {reads[place]}")
                reads[place] = f"v{place}"
    lines = [*before, *template.format(*reads).split(";;")]
    params = ", ".join(f"a{place}" for place in range(len(kinds)))
    body = "\n".join("        " + line for line in lines)
    return _made(f"def factory({params}):\n    def run(e):\n{body}\n    return run\n", "factory")


@cache
def function_factory(arity: int) -> Callable[..., Any]:
    """A maker of function builders with so many parameters. A builder returns a function and its copies."""
    params = ", ".join(f"p{place}" for place in range(arity))
    return _made(
        f"""\
def factory(body, gather, pad):
    def build(e):
        copies = gather(e) + pad
        def function({params}):
            budget.left -= 1
            if budget.left < 0:
                raise Diverged
            frame = [{params}, *copies]
            made = body(frame)
            while made is TAIL:
                budget.left -= 1
                if budget.left < 0:
                    raise Diverged
                made = body(frame)
            return made
        return function, copies
    return build
""",
        "factory",
    )


def _made(source: str, name: str) -> Callable[..., Any]:
    space = dict(_NAMES)
    exec(source, space)  # our own text
    made: Callable[..., Any] = space[name]
    return made
