"""Checks by its text if a statement is whole."""

from __future__ import annotations

import re

__all__ = ["complaint"]

# A statement with fewer words cannot describe a function.
_FEWEST_WORDS = 4

# Words that end no sentence.
_LEADS_ON_TEXT = """
a an and are as at be but by for from if in into is it its least most not of on or than that the their then to when
where which with without
"""
_LEADS_ON = frozenset(_LEADS_ON_TEXT.split())


def complaint(statement: str) -> str:
    """The fault of a statement; "" if there is none."""
    # Examples at the end, as in a doc comment, are not prose.
    text = re.split(r"\n\s*>>> ", statement.strip())[0].rstrip() or statement.strip()
    words = re.findall(r"\w+", text)
    if len(words) < _FEWEST_WORDS:
        return f"it has {len(words)} words"
    if len(re.findall(r"^\s*```", text, re.MULTILINE)) % 2:
        return "a fence is not closed"
    prose = re.sub(r"```.*?```", " . ", text, flags=re.DOTALL)
    last = text.splitlines()[-1].rstrip()
    if prose.count("`") % 2 and last.count("`") % 2:
        return "a backquote is not closed"
    # Code may hold brackets of all kinds, also in quotes.
    plain = re.sub(r"`[^`]*`", " x ", prose)
    if plain.count("(") > plain.count(")") + len(re.findall(r"[:;]-?\(", plain)):
        return "a parenthesis is not closed"
    lead = re.sub(r"(?:\s*```[^`]*```)+\s*$", "", text)
    if lead and lead != text and lead[-1].isalpha() and lead.split()[-1].lower() in _LEADS_ON:
        return f"it breaks off before the code, after {lead[-30:]!r}"
    ending = last[-1]
    if ending in ",;-–(" or (ending.isalpha() and words[-1].lower() in _LEADS_ON):
        return f"it breaks off after {last[-30:]!r}"
    if ending.isalnum() and not _may_end_bare(text):
        return f"it breaks off in the middle of a sentence: {last[-30:]!r}"
    return ""


def _may_end_bare(text: str) -> bool:
    """True for lists, tables, indented code and one-line statements, which may end without a full stop."""
    lines = text.splitlines()
    if not re.search(r"[.!?:]", text):
        return True
    return bool(re.match(r"\s*(?:[-*|>]|\d+[.)]|    )", lines[-1]))
