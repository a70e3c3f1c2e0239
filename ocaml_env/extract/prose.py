"""Bare code, without the prose before and after it."""

from __future__ import annotations

import re

from ocaml_env.extract.code import begins_definition, first_line
from ocaml_env.extract.literals import Literals

__all__ = ["without_prose"]

# Those that may follow a constructor, or an argument of one, in code that typechecks.
_KEYWORD = (
    "and|as|assert|begin|class|constraint|do|done|downto|else|end|exception|external|false|in|include|inherit|"
    "initializer|let|method|module|new|object|of|open|or|then|to|true|type|val|when|with|mod|land|lor|lxor|lsl|lsr|asr"
)
_WORD = rf"(?!(?:{_KEYWORD})\b)[^\W\d_]+(?:['’-][^\W\d_]+)*"
_ANY_WORD = r"[^\W\d_]+(?:['’-][^\W\d_]+)*"
_PROSE = re.compile(
    r"[ \t]*(?:#{1,6} [A-Z]|\d+\. [A-Z]|\*\*[A-Z][^*\n]*\*\*|[A-Z][a-z]+(?:!(?:\s|$)|:$)"
    rf"|[A-Z][a-z]*(?:['’][a-z]+)?,? {_WORD},? {_WORD}(?=[ ,.:;!?]|$))"
)

# A word at the margin that begins a paragraph of code, or goes on with one.
_CODE_WORD = re.compile(
    r"(?:and|assert|begin|class|do|done|downto|else|end|exception|external|for|fun|function|if|in|include|inherit|initializer"
    r"|lazy|let|match|method|module|mutable|new|object|of|open|or|rec|sig|struct|then|to|try|type|val|virtual|when|while|with)\b"
)
_LOWER_PROSE = re.compile(rf"[a-z]+(?:['’][a-z]+)?,? {_WORD}")
_SENTENCE = re.compile(rf"(?!{_CODE_WORD.pattern})(?:{_ANY_WORD},? ){{2,}}{_ANY_WORD}")
_FOREIGN = re.compile(r"[^\W\d_a-zA-Z]")  # a letter that no name of OCaml has
_LET_OF_PROSE = re.compile(r"[ \t]*let(?:['’]s| me| us)\b[^=\n]*$", re.MULTILINE)
_START = re.compile(
    r"^[ \t]*(?:\(\*|(?P<definition>let|type|module|exception|class|external|include|open)\b)", re.MULTILINE
)
_LINE = re.compile(r"\n(?P<blank>[ \t]*\n)?(?P<line>[^\n]+)")


def without_prose(text: str) -> str:
    """The code in a text without blocks; "" for prose alone.

    If the text begins with prose, the code begins at the first line that begins a definition, or a comment before one.
    It ends before the first prose outside comments and literals: a paragraph of it, or a line with a letter that no
    name of OCaml has. What is neither is left whole, for the parser to refuse.
    """
    begin = 0
    first = first_line(text)
    if not begins_definition(first, or_comment=True) or _LET_OF_PROSE.match(first):
        starts = [start for start in _START.finditer(text) if not _LET_OF_PROSE.match(text, start.start())]
        is_prose = _is_prose(first) or _SENTENCE.match(first) or _FOREIGN.search(first)
        # A comment begins code only if there is any.
        if not any(start["definition"] for start in starts):
            return "" if is_prose else text
        if is_prose:
            begin = starts[0].start()
    literals = Literals(text)
    literals.restart(begin)
    for line in _LINE.finditer(text, begin):
        place = line.start("line")
        if line["blank"] is not None and _is_prose(line["line"]):
            if not literals.cover(place):
                return text[begin:place]
        elif (foreign := _FOREIGN.search(line["line"])) and not literals.cover(place + foreign.start()):
            return text[begin:place]
    return text[begin:]


def _is_prose(line: str) -> bool:
    return _PROSE.match(line) is not None or (_CODE_WORD.match(line) is None and _LOWER_PROSE.match(line) is not None)
