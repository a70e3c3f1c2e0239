"""A self-contained page: one file, no network requests, and only its own script and style."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ocaml_env.display.html import policy
from ocaml_env.display.markup import plain
from ocaml_env.display.style import STYLE

__all__ = ["document", "tiles"]


def document(title: str, body: Iterable[str], *, style: str = "", script: str = "") -> Iterator[str]:
    """Yields the parts of the page, to be joined by newlines.

    Args:
        title: plain text.
        body: markup; foreign text in it must have gone through ``plain``.
        style: rules to add to the common ones.
        script: runs at the end of the body; "" for none. The policy allows only this script, by its digest.
    """
    style = STYLE + style
    yield '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy(style, script)}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{plain(title)}</title><style>{style}</style></head><body>"
    yield from body
    yield f"<script>{script}</script></body></html>" if script else "</body></html>"


def tiles(figures: Iterable[tuple[str, str]]) -> str:
    """Makes a row of large figures with their labels, both plain text."""
    shown = "".join(f'<div class="tile"><b>{plain(figure)}</b>{plain(label)}</div>' for figure, label in figures)
    return f'<div class="tiles">{shown}</div>'
