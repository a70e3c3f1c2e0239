"""Text that is only text, wherever in a page it stands."""

from __future__ import annotations

from html import escape

from ocaml_env.display.terminal import printable

__all__ = ["plain"]


def plain(text: str) -> str:
    """The text for HTML, in an element or a quoted attribute.

    Markup is escaped; control characters, those that nobody sees, marks that turn the direction of writing and lone
    surrogates are spelled out.
    """
    return escape(printable(text), quote=True)
