"""Reads a signature's items from its text, without OCaml."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from string import ascii_lowercase
from typing import NamedTuple

__all__ = [
    "KEYWORDS",
    "Asked",
    "after_comment",
    "asked_by",
    "items_of",
    "mentioned",
    "names_of",
    "opening",
    "parameter_labels",
]

_TOKEN = re.compile(
    r"""(?P<comment>\(\*)
      | "(?:[^"\\]|\\.)*"                                  # texts and characters mention nothing
      | \{(?P<tag>[a-z_]*)\|.*?\|(?P=tag)\}
      | '(?:[^'\\\n]|\\(?:[^x\d\n]|x..|\d{3}))'
      | (?P<name>(?:let|and)[$&*+\-/<=>@^|]+|[A-Za-z_][\w']*|[!$%&*+\-./:<=>?@^|~\#]+)""",
    re.VERBOSE | re.DOTALL,
)
_EDGE = re.compile(r"\(\*|\*\)")
_VALUE = re.compile(r"^val\s+([a-z_][\w']*)\s*:", re.MULTILINE)
_PARAMETER = re.compile(r"\s*(?P<label>[~?]?(?P<name>[a-z_][\w']*)\s*:)?")
KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        """
        and as assert begin class constraint do done downto else end exception external for fun function functor if in
        include inherit initializer lazy let match method module mutable new nonrec object of open or private rec sig
        struct then to try type val virtual when while with mod land lor lxor lsl lsr asr
        """,
    )
)
"""OCaml's keywords, except ``true`` and ``false``."""
_OPENS = {"sig", "struct", "object", "begin"}
_NAMED = re.compile(
    r"^(?:(?:type|and|class)[ \t]+(?:nonrec[ \t]+|virtual[ \t]+)?"
    r"(?:[+-]?'\w+[ \t]+|\([^)\n]*\)[ \t]*)?(?P<type>[a-z_][\w']*)"
    r"|(?:exception|module[ \t]+type)[ \t]+(?P<big>[A-Z][\w']*))",
    re.MULTILINE,
)


class Asked(NamedTuple):
    """The kinds of items of a signature besides values, in plain words, each once.

    Attributes:
        given: kinds defined in full by the signature. The engine adds those definitions to an answer without them.
        own: kinds for the answer to define.
    """

    given: tuple[str, ...]
    own: tuple[str, ...]


def items_of(signature: str) -> tuple[str, ...]:
    """The values and modules of a signature, in its order, without those inside modules."""
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
    """All names of a signature: values, modules, types, exceptions and classes."""
    named = [name for line in _NAMED.finditer(signature) if (name := line["type"] or line["big"])]
    return tuple(dict.fromkeys([*items_of(signature), *named]))


def mentioned(code: str) -> Iterator[str]:
    """The names and operators of an OCaml text, in order, except those in comments and literals."""
    position = 0
    while match := _TOKEN.search(code, position):
        position = match.end()
        if match["comment"]:
            position = after_comment(code, position)
        elif match["name"]:
            yield match["name"]


def after_comment(code: str, position: int) -> int:
    """Returns the position after the comment that opened just before ``position``; comments nest."""
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
    """Divides the types, exceptions, modules and classes of a signature into given ones and those to define.

    If the answer must define any item, nothing is given, because a given definition could depend on it. The engine does
    the same.
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
    return Asked(tuple(noun for noun in order if noun in given - own), tuple(noun for noun in order if noun in own))


def opening(signature: str, statement: str) -> str:
    """Returns the beginning of an answer, ``let rec f a b =``, if the signature asks for one function only; else "".

    Parameters have the names used in the statement's calls of the function, or else letters.
    """
    values = list(_VALUE.finditer(signature))
    if len(values) != 1 or len(items_of(signature)) != 1 or asked_by(signature).own:
        return ""
    name = values[0][1]
    start = values[0].end()
    following = _ITEM.search(signature, start)
    labels = list(parameter_labels(signature[start : following.start() if following else None]))
    if not labels:
        return f"let {name} ="
    letters = (letter for letter in ascii_lowercase if letter not in {name, *(label[1:] for label in labels)})
    named = [label or next(letters) for label in labels]
    for used in re.findall(rf"`{re.escape(name)}((?:\s+[~?]?[a-z_][\w']*)+)`", statement):
        words = used.split()
        distinct = {name, *words}
        if len(words) != len(labels) or len(distinct) <= len(words) or distinct & {*KEYWORDS, "true", "false"}:
            continue
        if all(word == label or not (label or word[0] in "~?") for word, label in zip(words, labels, strict=True)):
            named = words
            break
    return f"let rec {name} {' '.join(named)} ="


def parameter_labels(arrows: str) -> Iterator[str]:
    """The label of each parameter of a function type, as ``~label`` or ``?label``; "" if it has none."""
    depth, start = 0, 0
    for token in re.finditer(r"->|\[[<>]|[(\[{<]|[)\]}>]", arrows):
        if token[0] != "->":
            depth += 1 if token[0][0] in "([{<" else -1
        elif depth == 0:
            label = _PARAMETER.match(arrows, start)
            start = token.end()
            if label is None or label["label"] is None:
                yield ""
            else:
                yield f"{'?' if label['label'][0] == '?' else '~'}{label['name']}"
