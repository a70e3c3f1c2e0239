"""Rules for the pages of commands: self-contained, inert text, and no overflow on a phone."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path

from tests.browser import Browser

__all__ = ["HOSTILE", "assert_alone", "assert_fits"]

HOSTILE = "<img src=x onerror=\"document.title='owned'\"> '&lt; `|[a](b) \u202e \x1b[2J"
"""A hostile name of a model or file."""


def assert_alone(page: str, *, script: bool = False) -> None:
    """Checks that a page is well formed, requests nothing, and allows only its own style and, if it has one, script."""
    tags = _Tags(page)
    assert not {"img", "link", "iframe", "object"} & tags.names
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert (len(scripts), page.count("<script")) == ((1, 1) if script else (0, 0))
    assert not {name for name in tags.attributes if name.startswith("on") or name in ("src", "style")}
    assert not re.search(r"https?://|url\(|@import", page)
    style = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)[0]
    allowed = "".join(f"script-src {_digest(text)}; " for text in scripts)
    assert f"default-src 'none'; {allowed}style-src {_digest(style)}" in page
    for character in ("\x1b", "\u202e"):
        assert character not in page


def assert_fits(browser: Browser, page: Path) -> None:
    """Checks that a page fits a desktop and a phone without sideways scrolling, and complains of and requests nothing.

    The page stays open on the phone.
    """
    for width, dark in ((1280, False), (390, True), (390, False)):
        browser.open(page, width=width, dark=dark)
        assert browser.run("[innerWidth, document.documentElement.scrollWidth]") == [width, width]
        assert (browser.complaints, browser.requests) == ([], [])
        assert browser.run("document.title") != "owned"


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


class _Tags(HTMLParser):
    """Collects the elements and attributes; fails on an unclosed element."""

    EMPTY = frozenset({"meta", "input"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: set[str] = set()
        self._open: list[str] = []
        self.feed(page)
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in self.EMPTY:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag
