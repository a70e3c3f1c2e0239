"""The security policy of every HTML page of this project."""

from __future__ import annotations

import base64
import hashlib

__all__ = ["policy"]


def policy(style: str, script: str = "") -> str:
    """Makes the Content-Security-Policy of a single-file page: no network access, and only its own script and style.

    Args:
        style: the text of its one ``style`` element.
        script: the text of its one ``script`` element; "" if there is none, and then none may run.
    """
    scripts = f"script-src {_source(script)}; " if script else ""
    return f"default-src 'none'; {scripts}style-src {_source(style)}; base-uri 'none'; form-action 'none'"


def _source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
