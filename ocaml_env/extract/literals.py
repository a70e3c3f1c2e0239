"""Finds OCaml's comments, strings and characters. Text inside them is not searched for code."""

from __future__ import annotations

import re

__all__ = ["Literals", "end_of_literal", "without_literals"]

# Each pattern begins with a class of characters and then looks back at the one it matched: `re` skips to members of a
# class far faster than it tries alternatives at every place.
_AFTER_CHAR = r"(?<=')(?<![\w']')(?P<char>(?:[^\\'\n]|\\[^\n][^'\n]{0,8})')"
_AFTER_BRACE = r"(?<=\{)(?:%%?[\w.]+[ \t]*)?(?P<tag>[a-z_]*)\|"
_AFTER = rf"(?<=\()(?P<comment>\*)|(?<=\")(?P<string>)|{_AFTER_BRACE}|{_AFTER_CHAR}"
_OPENER = re.compile(rf"[(\"{{'](?:{_AFTER})")
_IN_COMMENT = re.compile(rf"[*(\"{{'](?:(?<=\*)(?P<end>\))|{_AFTER})")
_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)


class Literals:
    """Tells if a place lies within a comment or a literal. Ask in ascending order, so that one pass is enough.

    After the first comment or literal that never ends, nothing counts as one any more: the text is not OCaml, or code
    was wrongly taken to begin here.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0
        self._broken = False

    def restart(self, position: int) -> None:
        """Marks the beginning of OCaml code."""
        self._position = position

    def cover(self, place: int) -> bool:
        while self._position <= place and not self._broken:
            opener = _OPENER.search(self._text, self._position, place)
            if opener is None:
                self._position = place
                return False
            end = end_of_literal(self._text, opener)
            if end is None:
                self._broken = True
            else:
                self._position = end
        return not self._broken


def end_of_literal(text: str, opener: re.Match[str]) -> int | None:
    """Returns the end of the comment or literal begun by ``opener``; None if it never ends."""
    if opener["char"] is not None:
        return opener.end()
    if opener["string"] is not None:
        string = _STRING.match(text, opener.start())
        return string.end() if string else None
    if opener["tag"] is not None:
        closer = f"|{opener['tag']}}}"
        found = text.find(closer, opener.end())
        return found + len(closer) if found >= 0 else None
    depth, position = 1, opener.end()
    while depth:
        token = _IN_COMMENT.search(text, position)
        if token is None:
            return None
        if token["end"] is not None:
            depth, position = depth - 1, token.end()
        elif token["comment"] is not None:
            depth, position = depth + 1, token.end()
        else:
            end = end_of_literal(text, token)
            if end is None:
                return None
            position = end
    return position


def without_literals(code: str) -> str:
    """Returns the code with a blank for each comment and literal. Text after one that never ends is kept."""
    parts = []
    position = 0
    while opener := _OPENER.search(code, position):
        end = end_of_literal(code, opener)
        if end is None:
            break
        parts += [code[position : opener.start()], " "]
        position = end
    return "".join([*parts, code[position:]])
