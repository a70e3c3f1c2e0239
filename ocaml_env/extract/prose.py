"""Finds bare code among prose."""

from __future__ import annotations

import re

from ocaml_env.extract.code import begins_definition, first_line
from ocaml_env.extract.literals import Literals

__all__ = ["find_code"]

# Keywords that may follow a constructor, or its argument, in code that typechecks.
_KEYWORD = (
    "and|as|assert|begin|class|constraint|do|done|downto|else|end|exception|external|false|in|include|inherit|"
    "initializer|let|method|module|new|object|of|open|or|then|to|true|type|val|when|with|mod|land|lor|lxor|lsl|lsr|asr"
)
_WORD = rf"(?!(?:{_KEYWORD})\b)[^\W\d_]+(?:['’-][^\W\d_]+)*"
_ANY_WORD = r"[^\W\d_]+(?:['’-][^\W\d_]+)*"
_PROSE = re.compile(
    r"[ \t]*(?:#{1,6} [A-Z]|\d+\. [A-Z]|\*\*[A-Z][^*\n]*\*\*|[A-Z][a-z]+(?:!(?:\s|$)|:(?:\s|$))"
    rf"|[A-Z][a-z]*(?:['’][a-z]+)?,? {_WORD},? {_WORD}(?=[ ,.:;!?]|$))"
)

# A word at the margin that begins or continues a paragraph of code.
_CODE_WORD = re.compile(
    r"(?:and|assert|begin|class|do|done|downto|else|end|exception|external|for|fun|function|if|in|include|inherit|initializer"
    r"|lazy|let|match|method|module|mutable|new|object|of|open|or|rec|sig|struct|then|to|try|type|val|virtual|when|while|with)\b"
)
# An application of lower-case names, such as `times n n`, is no sentence: a sentence has one of these words.
_LOWER_PROSE = re.compile(
    rf"(?=[^\n]*\b(?:the|is|are|this|that|which|because|works|uses|returns|here|we|you|it|can|will|should)\b)"
    rf"[a-z]+(?:['’][a-z]+)?(?:,? {_ANY_WORD}){{2}}"
)
_SHORT_SENTENCE = re.compile(rf"[A-Z][^\W\d_]*(?:['’-][^\W\d_]+)*(?:,? {_ANY_WORD})*[.!?:]\s*$")
_SENTENCE = re.compile(rf"(?!{_CODE_WORD.pattern})(?:{_ANY_WORD},? ){{2,}}{_ANY_WORD}")
_FOREIGN = re.compile(r"[^\W\d_a-zA-Z]")  # a letter outside OCaml's names
_LET_OF_PROSE = re.compile(r"[ \t]*let(?:['’]s| me| us)\b[^=\n]*$", re.MULTILINE)
_START = re.compile(
    r"^[ \t]*(?:\(\*|(?P<definition>let|type|module|exception|class|external|include|open)\b)", re.MULTILINE
)
_MARK = re.compile(
    r"\[/?[A-Z]+\]\s*$|#\+[A-Za-z]|(?:In|Out) ?\[\d*\]:|[A-Z][a-z]+ \d+[.:]"
)  # tags, Org mode, notebooks
_LINE = re.compile(r"(?P<blank>^[ \t]*\n)?^(?P<line>[^\n]+)", re.MULTILINE)


def find_code(text: str) -> list[str]:
    """Returns the pieces of code in a text without blocks, in order.

    A piece begins at a line with the beginning of a definition, or of a comment before one. It ends before prose
    outside comments and literals: a paragraph, a line with a letter outside OCaml's names, or a mark such as a
    notebook's. A text that defines nothing is one piece, and the parser refuses it.
    """
    first = first_line(text)
    is_prose = _LET_OF_PROSE.match(first) or (not begins_definition(first, or_comment=True) and _is_sentence(first))
    # A comment begins code only if a definition exists.
    if not any(start["definition"] and not _LET_OF_PROSE.match(text, start.start()) for start in _START.finditer(text)):
        return [text.strip()] if text.strip() else []
    pieces = []
    begin = None if is_prose else 0
    literals = Literals(text)
    for line in _LINE.finditer(text):
        place = line.start("line")
        if begin is None:
            if begins_definition(line["line"], or_comment=True) and not _LET_OF_PROSE.match(line["line"]):
                begin = place
                literals.restart(begin)
        elif place > begin and (at := _prose_at(line)) is not None and not literals.cover(place + at):
            pieces.append(text[begin:place])
            begin = None
    if begin is not None:
        pieces.append(text[begin:])
    return [piece.strip("\n").rstrip() for piece in pieces]


def _prose_at(line: re.Match[str]) -> int | None:
    """The place that shows a line within code to be prose, unless it is in a literal; None if nothing does."""
    if _MARK.match(line["line"]) or (line["blank"] is not None and _is_prose(line["line"])):
        return 0
    foreign = _FOREIGN.search(line["line"])
    return foreign.start() if foreign else None


def _is_prose(line: str) -> bool:
    if _PROSE.match(line) or _SHORT_SENTENCE.match(line):
        return True
    return _CODE_WORD.match(line) is None and _LOWER_PROSE.match(line) is not None


def _is_sentence(line: str) -> bool:
    """True if the first line of a text is prose; it must not begin a definition."""
    return any((_is_prose(line), _SENTENCE.match(line), _MARK.match(line), _FOREIGN.search(line)))
