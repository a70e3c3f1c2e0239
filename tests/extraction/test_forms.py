"""Every known form of an answer and its extracted code; ``docs/extraction.md`` has the same table.

To write the page anew: ``python -m tests.extraction.test_forms``.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from ocaml_env.extract import extract

FORMS = [json.loads(line) for line in (Path(__file__).parent / "forms.jsonl").read_text("utf-8").splitlines()]
PAGE = Path(__file__).parents[2] / "docs" / "extraction.md"


def meant(code: str | None) -> str | None:
    """Returns the code without differences of layout."""
    return None if code is None else re.sub(r"\s+|;;|;(?=\s*})", "", code)


def test_a_form_gives_the_code_that_a_person_would_take() -> None:
    for form in FORMS:
        found = extract(form["completion"], wanted=form["wanted"], kind=form["kind"])
        if form["expected"] is None and found.code == form["completion"].strip():
            continue  # prose only, which the parser will refuse
        assert meant(found.code) == meant(form["expected"]), (form["name"], form["by"], form["why"])


def page() -> str:
    """Returns the text of the page."""
    head, _ = PAGE.read_text("utf-8").split("| form |")
    rows = [f"| {form['name'].replace('-', ' ')} | {form['why'].replace('|', '&#124;')} |" for form in FORMS]
    return head + "\n".join(["| form | what is taken |", "| --- | --- |", *rows]) + "\n"


def test_the_page_shows_every_form() -> None:
    assert PAGE.read_text("utf-8") == page()


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
