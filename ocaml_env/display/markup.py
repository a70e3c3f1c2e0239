"""Escapes text for HTML."""

from __future__ import annotations

from html import escape

from ocaml_env.display.terminal import printable

__all__ = ["plain"]


def plain(text: str) -> str:
    """Escapes a text for HTML, in an element or a quoted attribute.

    Markup is escaped. Control characters, invisible characters, marks for the direction of writing and lone surrogates
    are spelled out.
    """
    return escape(printable(text), quote=True)
