"""What every page of this project is held to by the browser that shows it."""

from __future__ import annotations

import base64
import hashlib

__all__ = ["policy"]


def policy(style: str, script: str = "") -> str:
    """The Content-Security-Policy of a page that is one file: it asks the network for nothing, sends nothing anywhere,
    and no script or style is used but its own.

    Args:
        style: the text of its one ``style`` element.
        script: that of its one ``script`` element; "" where there is none, and then none may run.
    """
    scripts = f"script-src {_source(script)}; " if script else ""
    return f"default-src 'none'; {scripts}style-src {_source(style)}; base-uri 'none'; form-action 'none'"


def _source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
