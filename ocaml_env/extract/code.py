"""Reads OCaml text by its form: finds its definitions, and removes wrappings around it."""

from __future__ import annotations

import re
from collections.abc import Collection

from ocaml_env.extract.literals import without_literals
from ocaml_env.problem.signature import mentioned

__all__ = [
    "begins_definition",
    "constructors",
    "defined",
    "first_line",
    "free_words",
    "margin",
    "new_side",
    "unwrapped",
]

_KEYWORDS = r"(?:let|type|module|exception|class|external|include|open)\b"
_DEFINITION = re.compile(rf"[ \t]*{_KEYWORDS}")
_DEFINITION_OR_COMMENT = re.compile(rf"[ \t]*(?:\(\*|{_KEYWORDS})")


def begins_definition(line: str, *, or_comment: bool = False) -> bool:
    """True if a line begins a definition or, with ``or_comment``, a comment."""
    return (_DEFINITION_OR_COMMENT if or_comment else _DEFINITION).match(line) is not None


def first_line(text: str) -> str:
    """The first non-blank line."""
    return text.lstrip().split("\n", 1)[0]


def margin(line: str) -> int:
    """The number of blanks before a line."""
    return len(line) - len(line.lstrip())


# --- names ------------------------------------------------------------------------------------------------------------

# Bounded: `re` must not scan to the end of a long line from each of its places.
_ATTRIBUTE = r"(?:\[@[^\]\n]{0,99}\])?"
_PARAMETERS = r"(?:[+-]?'\w+[ \t]+|\([^)\n]{0,199}\)[ \t]*)?"
_DEFINED = re.compile(
    rf"(?:^|;;)(?P<margin>[ \t]*)(?:"
    rf"(?:let|external){_ATTRIBUTE}[ \t]+(?:rec[ \t]+)?"
    rf"(?:(?P<value>[a-z_][\w']*)|\([ \t]*(?P<operator>[^\s()]+)[ \t]*\))"
    rf"|and[ \t]+{_PARAMETERS}(?P<other>[a-z_][\w']*)"
    rf"|and[ \t]+\([ \t]*(?P<and_operator>[^\s()\w',]+)[ \t]*\)"
    rf"|type[ \t]+(?:nonrec[ \t]+)?{_PARAMETERS}(?P<type>[a-z_][\w']*)"
    rf"|(?:exception|module(?:[ \t]+rec|[ \t]+type)?)[ \t]+(?P<big>[A-Z][\w']*)"
    rf"|class[ \t]+(?:virtual[ \t]+)?(?P<class>[a-z_][\w']*))",
    re.MULTILINE,
)
_TYPE = re.compile(
    r"^[ \t]*(?:type|exception)\b.*?(?=^[ \t]*(?:let|module|open|class|external|include)\b|\Z)",
    re.MULTILINE | re.DOTALL,
)
_FIELD = re.compile(r"[{;]\s*(?:mutable\s+)?([a-z_][\w']*)\s*:")
_BIG = re.compile(r"\b[A-Z][\w']*")
_SMALL = re.compile(r"\b[a-z_][\w']*")
_BINDING = re.compile(r"(?:\b(?:let|and|fun|function|with|for)\b|\|)(?P<names>[^=|\n]{0,299}?)(?:=|->)")


def defined(code: str) -> set[str]:
    """The names defined on lines with no more indentation than the first line."""
    plain = without_literals(code)
    most = margin(first_line(code))
    names = {found[found.lastgroup or ""] for found in _DEFINED.finditer(plain) if len(found["margin"]) <= most}
    return names - {"_"}


def constructors(code: str) -> set[str]:
    """The constructors and fields of its types and exceptions."""
    plain = without_literals(code)
    return {name for part in _TYPE.finditer(plain) for name in (*_BIG.findall(part[0]), *_FIELD.findall(part[0]))}


def free_words(code: str) -> set[str]:
    """The names and constructors in use, except names bound somewhere in the code."""
    plain = without_literals(code)
    bound = {name for part in _BINDING.finditer(plain) for name in _SMALL.findall(part["names"])}
    return (set(_SMALL.findall(plain)) - bound) | set(_BIG.findall(plain))


# --- wrappings around code --------------------------------------------------------------------------------------------

_ENTITIES = {
    "&lt;": "<",
    "&gt;": ">",
    "&quot;": '"',
    "&apos;": "'",
    "&#39;": "'",
    "&#x27;": "'",
    "&#34;": '"',
    "&amp;": "&",
}
_ENTITY = re.compile("|".join(_ENTITIES))
_PROMPT = re.compile(r"^[ \t]*(?:(?:utop[ \t]*)?#|utop\[\d+\]>)[ \t]+", re.MULTILINE)
_SESSION = re.compile(rf"^[ \t]*(?:(?:utop[ \t]*)?#|utop\[\d+\]>)[ \t]+(?:{_KEYWORDS}|[^\n]*;;[ \t]*$)", re.MULTILINE)
_VAL = re.compile(
    r"^val[ \t]+(?P<name>[a-z_][\w']*|\([^()\n]*\))[^\n]*"
    rf"(?:\n(?![ \t]*\n|(?:{_KEYWORDS}|val\b|\(\*))[^\n]*)*\n?",
    re.MULTILINE,
)
_MODULE = re.compile(
    r"\s*module[ \t]+(?P<name>[A-Z][\w']*)\s*(?::\s*(?:sig\b(?P<signature>.*?)\bend|[A-Z][\w'.]*)\s*)?=\s*struct\b",
    re.DOTALL,
)
_LAST_END = re.compile(r"\bend\s*(?:;;\s*)*\Z")
_OPENS = frozenset({"sig", "struct", "object", "begin"})


def unwrapped(code: str, wanted: Collection[str]) -> str:
    """Returns the code in the form of a file, without HTML escapes, the prompts and answers of a toplevel session, an
    interface before the code, and an unwanted module around all of it.
    """
    if "&" in code and _ENTITY.search(code) and _ENTITY.search(without_literals(code)):
        code = _ENTITY.sub(lambda found: _ENTITIES[found[0]], code)
    if ";;" in code and _SESSION.search(code):
        code = _definitions_of_session(code)
    if "val " in code and not re.search(r"\bsig\b", code):
        code = _without_interface(code)
    return _out_of_module(code, wanted)


def _without_interface(code: str) -> str:
    """The code without ``val`` items of its own definitions; "" for an interface alone."""
    items = [item for item in _VAL.finditer(code) if "=" not in item[0]]
    if not items:
        return code
    ends = [0, *(item.end() for item in items)]
    rest = "".join(
        code[end:begin] for end, begin in zip(ends, [*(item.start() for item in items), len(code)], strict=True)
    )
    named = {item["name"].strip("( )") for item in items}
    return rest.strip() if not rest.strip() or not named.isdisjoint(_let_names(code)) else code


def _let_names(code: str) -> set[str]:
    return {found["value"] or found["operator"] for found in _DEFINED.finditer(without_literals(code))} - {None}


def new_side(diff: str) -> str:
    """The new version of a text, according to a diff of it."""
    lines = [line for line in diff.split("\n") if not line.startswith(("-", "+++", "@@"))]
    return "\n".join(line[1:] if line[:1] in ("+", " ") else line for line in lines).strip()


def _definitions_of_session(code: str) -> str:
    phrases = []
    position = 0
    while prompt := _PROMPT.search(code, position):
        end = code.find(";;", prompt.end())
        if end < 0:
            end = len(code)
        phrase = code[prompt.end() : end].strip()
        if begins_definition(phrase):
            phrases.append(phrase)
        position = end
    return "\n".join(phrases)


def _out_of_module(code: str, wanted: Collection[str]) -> str:
    head = _MODULE.match(code)
    if head is None or head["name"] in wanted or not wanted:
        return code
    tail = _LAST_END.search(code)
    if tail is None:
        return code
    body = code[head.end() : tail.start()]
    depth = 0
    for word in mentioned(body):
        depth += (word in _OPENS) - (word == "end")
        if depth < 0:  # the module ends before the code does
            return code
    lines = body.strip("\n").split("\n")
    width = min((margin(line) for line in lines if line.strip()), default=0)
    return "\n".join(line[width:] for line in lines).strip()
