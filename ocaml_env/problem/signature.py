"""What a signature asks for, by its text alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

__all__ = ["Asked", "asked_by", "items_of", "mentioned", "names_of"]

_TOKEN = re.compile(
    r"""(?P<comment>\(\*)
      | "(?:[^"\\]|\\.)*"                                  # texts and characters mention nothing
      | \{(?P<tag>[a-z_]*)\|.*?\|(?P=tag)\}
      | '(?:[^'\\\n]|\\(?:[^x\d\n]|x..|\d{3}))'
      | (?P<name>(?:let|and)[$&*+\-/<=>@^|]+|[A-Za-z_][\w']*|[!$%&*+\-./:<=>?@^|~\#]+)""",
    re.VERBOSE | re.DOTALL,
)
_EDGE = re.compile(r"\(\*|\*\)")
_OPENS = {"sig", "struct", "object", "begin"}
_NAMED = re.compile(
    r"^(?:(?:type|and|class)[ \t]+(?:nonrec[ \t]+|virtual[ \t]+)?"
    r"(?:[+-]?'\w+[ \t]+|\([^)\n]*\)[ \t]*)?(?P<type>[a-z_][\w']*)"
    r"|(?:exception|module[ \t]+type)[ \t]+(?P<big>[A-Z][\w']*))",
    re.MULTILINE,
)


class Asked(NamedTuple):
    """What else than values a signature has, in plain words, each kind once.

    Attributes:
        given: what it defines in full, which the engine puts in front of an answer without it.
        own: what the answer has to define.
    """

    given: tuple[str, ...]
    own: tuple[str, ...]


def items_of(signature: str) -> tuple[str, ...]:
    """The values and modules that a signature asks for, those inside modules left out, in its order."""
    found: list[str] = []
    depth = 0
    for word, following in pairwise(mentioned(signature)):
        if word in _OPENS:
            depth += 1
        elif word == "end":
            depth -= 1
        elif depth == 0 and word in ("val", "external", "module") and following not in ("type", "rec"):
            found.append(following)
    return tuple(dict.fromkeys(found))


def names_of(signature: str) -> tuple[str, ...]:
    """Everything that a signature asks for by name: values, modules, types, exceptions and classes."""
    named = [name for line in _NAMED.finditer(signature) if (name := line["type"] or line["big"])]
    return tuple(dict.fromkeys([*items_of(signature), *named]))


def mentioned(code: str) -> Iterator[str]:
    """The names and operators of an OCaml text, in their order, those in comments and literals left out."""
    position = 0
    while match := _TOKEN.search(code, position):
        position = match.end()
        if match["comment"]:
            position = _after_comment(code, position)
        elif match["name"]:
            yield match["name"]


def _after_comment(code: str, position: int) -> int:
    depth = 1
    while depth:
        edge = _EDGE.search(code, position)
        if edge is None:
            return len(code)
        depth += 1 if edge[0] == "(*" else -1
        position = edge.end()
    return position


_ITEM = re.compile(r"^(?P<kind>type|and|exception|module|class|val|external|open|include)\b", re.MULTILINE)


def asked_by(signature: str) -> Asked:
    """Which of types, exceptions, modules and classes a signature defines, and which it asks for.

    As in the engine, a definition is not given if there is something that the answer has to define and it may need.
    """
    starts = list(_ITEM.finditer(signature))
    own, given, kind = set(), set(), ""
    for place, start in enumerate(starts):
        text = signature[start.end() : starts[place + 1].start() if starts[place + 1 :] else None]
        kind = kind if start["kind"] == "and" else start["kind"]
        if kind in ("module", "class"):
            own.add("modules" if kind == "module" else "classes")
        elif kind == "exception" or (kind == "type" and "=" in mentioned(text)):
            given.add(f"{kind}s")
        elif kind == "type":
            own.add("types")
    order = ("types", "exceptions", "modules", "classes")
    if own:
        own |= given
    return Asked(tuple(one for one in order if one in given - own), tuple(one for one in order if one in own))
