"""What the pages of commands are held to: nothing but themselves, inert text, and no overflow on a phone."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
import subprocess
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import pytest

__all__ = ["HOSTILE", "assert_alone", "assert_fits_a_phone"]

HOSTILE = "<img src=x onerror=\"document.title='owned'\"> '&lt; `|[a](b) \u202e \x1b[2J"
"""What a model may be called, and what a file may be called."""

_PHONE = """<!doctype html><title></title>
<iframe id="phone" width="390" height="800" scrolling="no" srcdoc="PAGE"></iframe>
<script>document.getElementById("phone").onload = event => {
  const shown = event.target.contentDocument, root = shown.documentElement;
  document.title = [root.clientWidth, root.scrollWidth, shown.title === "owned"].join(" ");
}</script>"""
"""A window of a headless browser has a least width; a frame has none."""


def assert_alone(page: str) -> None:
    """The page is well formed, asks for nothing, runs nothing, and lets no style be used but its own."""
    tags = _Tags(page)
    assert not {"script", "img", "link", "iframe", "object"} & tags.names
    assert not {name for name in tags.attributes if name.startswith("on") or name in ("src", "style")}
    assert not re.search(r"https?://|url\(|@import", page)
    style = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'sha256-{digest}'" in page
    for character in ("\x1b", "\u202e"):
        assert character not in page


def assert_fits_a_phone(page: Path) -> None:
    """A browser 390 pixels wide need not scroll sideways, and runs nothing that a name says."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("needs chromium")
    phone = page.with_name("phone.html")
    phone.write_text(_PHONE.replace("PAGE", escape(page.read_text(encoding="utf-8"))), encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={page.parent / 'profile'}"]
    done = subprocess.run(
        [program, *options, "--virtual-time-budget=2000", "--dump-dom", phone.as_uri()],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=True,
    )
    assert re.findall(r"<title>(.*?)</title>", done.stdout)[0] == "390 390 false"


class _Tags(HTMLParser):
    """The elements and attributes; fails on an element that is not closed."""

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
