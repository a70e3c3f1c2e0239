"""A page that needs nothing else: one file, no request to anywhere, and no script or style but its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ocaml_env.display.html import policy
from ocaml_env.display.markup import plain
from ocaml_env.display.style import STYLE

__all__ = ["document"]


def document(title: str, body: Iterable[str], *, style: str = "", script: str = "") -> Iterator[str]:
    """The parts of the page, to be joined by newlines.

    Args:
        title: plain text.
        body: markup; what it shows of others has gone through ``plain``.
        style: rules after those that all pages share.
        script: runs at the end of the body; "" for none. The policy names its digest, and lets no other run.
    """
    style = STYLE + style
    yield '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy(style, script)}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{plain(title)}</title><style>{style}</style></head><body>"
    yield from body
    yield f"<script>{script}</script></body></html>" if script else "</body></html>"
