"""The documentation as a built site: its links lead to files, and its pages fit a phone and need no network."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.browser import Browser

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if importlib.util.find_spec("zensical") is None:
        pytest.skip("needs zensical")
    folder = tmp_path_factory.mktemp("site") / "docs"
    subprocess.run(["sh", str(ROOT / "scripts" / "make-docs.sh"), str(folder), sys.executable], check=True)
    return folder / "site"


class _Links(HTMLParser):
    def __init__(self, page: Path) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name in ("href", "src") and value]


def test_every_link_of_a_page_leads_to_a_file_of_the_site(site: Path) -> None:
    for page in site.glob("*.html"):
        for link in _Links(page).found:
            address = urlsplit(link)
            if page.name != "404.html" and not address.scheme and not address.netloc and address.path:
                file = (page.parent / unquote(address.path)).resolve()
                assert file.is_relative_to(site), f"{page.name}: {link}"
                assert file.exists(), f"{page.name}: {link}"


@pytest.mark.parametrize(("width", "dark"), [(390, False), (390, True), (1280, True)])
@pytest.mark.parametrize("name", ["index", "card", "benchmark", "evaluation", "training"])
def test_a_page_fits_its_window_and_requests_only_files_of_the_site(
    site: Path, browser: Browser, name: str, width: int, dark: bool
) -> None:
    browser.open(site / f"{name}.html", width=width, dark=dark)
    assert browser.run("document.documentElement.scrollWidth") <= width
    assert [address for address in browser.requests if not address.startswith(("file:", "data:"))] == []
