"""OCaml code as tokens for planting faults: matching brackets, and the ends of parts.

There is no parser: a fault is planted in text of any OCaml version, and the engine decides its effect. A rule may be
wrong about odd code; then nothing is planted there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from ocaml_env.problem.signature import KEYWORDS, after_comment

__all__ = ["Call", "Code", "Token", "shared"]

_TOKEN = re.compile(
    r"""(?P<comment>\(\*)
      | (?P<text>"(?:[^"\\]|\\.)*"|\{(?P<tag>[a-z_]*)\|.*?\|(?P=tag)\})
      | (?P<char>'(?:[^'\\\n]|\\(?:[^x\do\n]|x..|o...|\d{3}))')
      | (?P<float>\d[\d_]*(?:\.[\d_]*(?:[eE][+-]?\d+)?|[eE][+-]?\d+))
      | (?P<int>0[xXoObB][\da-fA-F_]+|\d[\d_]*[lLn]?)
      | (?P<variable>'[a-z_][\w']*)
      | (?P<big>[A-Z][\w']*)
      | (?P<name>[a-z_][\w']*)
      | (?P<sign>\[\||\|\]|;;|[()\[\]{},;`]|~(?=[a-z(])|\?(?=[a-z(])|![~?!$%&*+\-./:<=>@^|]*|[$%&*+\-./:<=>@^|\#]+)""",
    re.VERBOSE | re.DOTALL,
)
_PARTNERS = {"(": ")", "[": "]", "[|": "|]", "{": "}", "do": "done"} | dict.fromkeys(
    ("begin", "struct", "sig", "object"), "end"
)
_ITEMS = frozenset({"let", "type", "and", "exception", "module", "open", "include"})
_NO_CALL = frozenset({"let", "rec", "and", "fun", "for", "method", "val", "external", "~", "?", "as", "open", "module"})


class Token(NamedTuple):
    """A token: ``kind`` is one of text, char, float, int, variable, big, name, keyword and sign."""

    kind: str
    text: str
    start: int
    end: int


class Call(NamedTuple):
    """A call of a named function: the place of its first token, and the first and end place of each argument."""

    head: int
    arguments: tuple[tuple[int, int], ...]

    @property
    def end(self) -> int:
        return self.arguments[-1][1]


class Code:
    """A text of OCaml and its tokens, without comments. Places are numbers of tokens."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = list(_tokens(text))
        self.partner = self._match_brackets()
        self.in_type = self._find_types()

    def __len__(self) -> int:
        return len(self.tokens)

    def word(self, place: int) -> str:
        """The text of a token; "" beyond the ends."""
        return self.tokens[place].text if 0 <= place < len(self.tokens) else ""

    def kind(self, place: int) -> str:
        """The kind of a token; "" beyond the ends."""
        return self.tokens[place].kind if 0 <= place < len(self.tokens) else ""

    def find(self, *words: str) -> Iterator[int]:
        """The places of these words in expressions and patterns."""
        return (place for place, token in enumerate(self.tokens) if token.text in words and not self.in_type[place])

    def of_kind(self, kind: str) -> Iterator[int]:
        """The places of tokens of a kind in expressions and patterns."""
        return (place for place, token in enumerate(self.tokens) if token.kind == kind and not self.in_type[place])

    def slice(self, first: int, end: int) -> str:
        """The text from the token at ``first`` to the one before ``end``."""
        return self.text[self.tokens[first].start : self.tokens[end - 1].end]

    def put(self, place: int, text: str) -> str:
        """The whole text with another token at a place."""
        return self.put_all((place, place + 1, text))

    def put_all(self, *changes: tuple[int, int, str]) -> str:
        """The whole text with other texts in place of the tokens from ``first`` to ``end``; an empty range inserts."""
        text = self.text
        for first, end, new in sorted(changes, reverse=True):
            start = self.tokens[first].start if first < len(self.tokens) else len(text)
            stop = self.tokens[end - 1].end if end > first else start
            text = text[:start] + new + text[stop:]
        return text

    def cut(self, first: int, end: int | None = None) -> str:
        """The whole text without the token, or the tokens before ``end``, and without the blank before it."""
        start, stop = self.tokens[first].start, self.tokens[first if end is None else end - 1].end
        if self.text[:start].endswith(" ") and self.text[stop : stop + 1] in ("", " ", "\n", ")", "]", ";", ","):
            start -= 1
        return self.text[:start] + self.text[stop:]

    def depth(self, first: int, place: int) -> int:
        """The number of open brackets at a place, counted from ``first`` on."""
        return sum(1 if self.partner[at] > at else -1 for at in range(first, place) if at in self.partner)

    def starts_line(self, place: int) -> bool:
        """True if a token is the first of its line."""
        start = self.tokens[place].start
        return not self.text[self.text.rfind("\n", 0, start) + 1 : start].strip()

    def is_item(self, place: int) -> bool:
        """True if a definition of the top level begins here."""
        start = self.tokens[place].start
        return self.word(place) in _ITEMS and (start == 0 or self.text[start - 1] == "\n")

    def atom(self, place: int) -> int | None:
        """The end of the argument that begins at a place: a name, a literal, or brackets; None if there is none."""
        kind, word = self.kind(place), self.word(place)
        if word == "!":
            return self.atom(place + 1)
        if word in ("~", "?"):
            labelled = self.word(place + 2) == ":"
            return self.atom(place + 3) if labelled else place + 2
        if word in ("(", "[", "{", "[|", "begin") and place in self.partner:
            end = self.partner[place] + 1
        elif kind in ("name", "big", "int", "float", "text", "char"):
            end = place + 1
        else:
            return None
        while self.word(end) == ".":
            if self.kind(end + 1) in ("name", "big"):
                end += 2
            elif self.word(end + 1) in ("(", "[", "{") and end + 1 in self.partner:
                end = self.partner[end + 1] + 1
            else:
                break
        return end

    @cached_property
    def calls(self) -> list[Call]:
        """The applications of named functions, without those of constructors."""
        found: list[Call] = []
        inside: set[int] = set()  # places within an argument
        for place in range(len(self)):
            end = self.atom(place)
            if end is None or place in inside or self.in_type[place] or self.word(place - 1) == ".":
                continue
            arguments = []
            at = end
            while (stop := self.atom(at)) is not None:
                arguments.append((at, stop))
                skipped = {"!": 2, "~": 4, "?": 4}.get(self.word(at), 1)
                inside.update(range(at, min(at + skipped, stop)))
                at = stop
            is_function = self.kind(place) in ("name", "big") and self.kind(end - 1) == "name"
            if is_function and arguments and self.word(place - 1) not in _NO_CALL:
                found.append(Call(place, tuple(arguments)))
        return found

    def definitions(self) -> Iterator[tuple[int, int]]:
        """The functions defined by ``let`` with parameters: the place of the name, and that of the ``=`` or ``:``."""
        for place in self.find("let", "and"):
            name = place + 2 if self.word(place + 1) == "rec" else place + 1
            end = name + 1
            while (stop := self.atom(end)) is not None:
                end = stop
            if self.kind(name) == "name" and end > name + 1 and self.word(end) in ("=", ":"):
                yield name, end

    def comparisons(self) -> Iterator[int]:
        """The places of each ``=`` in a comparison, without those of definitions, fields, loops and default values."""
        others: set[int] = set()
        for place in self.find("let", "and", "for", "module", "method"):
            while place < len(self) and self.word(place) != "=":
                place = self.partner[place] + 1 if self.partner.get(place, 0) > place else place + 1
            others.add(place)
        for place in self.find("{", "("):
            if self.word(place) == "{" or self.word(place - 1) == "?":
                others.update(at for at in range(place, self.partner.get(place, place)) if self.depth(place, at) == 1)
        return (place for place in self.find("=") if place not in others)

    def expression_end(self, place: int) -> int:
        """The end of the expression that begins at a place, with the extent of a branch of an ``if``."""
        lets = matches = ifs = 0
        first = place
        while place < len(self):
            word = self.word(place)
            if place in self.partner and self.partner[place] > place:
                place = self.partner[place] + 1
                continue
            if place in self.partner or word == ";;" or (self.is_item(place) and place > first):
                break
            inside = lets or matches
            if (
                (word == "in" and not lets)
                or (word in ("|", "with") and not matches)
                or (word in (";", ",", "and") and not inside)
                or (word in ("then", "else") and not ifs)
                or word in ("do", "to", "downto")
            ):
                break
            lets += (word == "let") - (word == "in")
            matches += word in ("match", "function", "try")
            ifs += (word == "if") - (word == "else")
            place += 1
        return place

    def _match_brackets(self) -> dict[int, int]:
        partner: dict[int, int] = {}
        stack: list[tuple[int, str]] = []
        for place, token in enumerate(self.tokens):
            if token.kind in ("sign", "keyword") and token.text in _PARTNERS:
                stack.append((place, _PARTNERS[token.text]))
            elif stack and token.kind in ("sign", "keyword") and token.text == stack[-1][1]:
                partner[place], _ = stack.pop()
                partner[partner[place]] = place
        return partner

    def _find_types(self) -> list[bool]:
        """For each token, True if it belongs to the definition of a type or to an annotation."""
        found = []
        defining, until = False, -1
        for place, token in enumerate(self.tokens):
            if token.text in ("type", "exception", "val", "external"):
                defining = True
            elif token.text in ("let", "module", "open", "include", "end", "struct"):
                defining = False
            elif token.text == ":" and not defining and place > until and self.word(place - 2) not in ("~", "?"):
                until = self._annotation_end(place)
            found.append(defining or place <= until)
        return found

    def _annotation_end(self, place: int) -> int:
        while place + 1 < len(self):
            place += 1
            if place in self.partner and self.partner[place] > place:
                place = self.partner[place]
            elif place in self.partner or self.word(place) in ("=", ":=", ";", ","):
                return place - 1
        return place


def shared(one: Sequence[object], other: Sequence[object]) -> int:
    """The length of the common beginning of two texts."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def _tokens(text: str) -> Iterator[Token]:
    place = 0
    while match := _TOKEN.search(text, place):
        place = match.end()
        kind = match.lastgroup if match.lastgroup != "tag" else "text"
        if kind == "comment":
            place = after_comment(text, place)
            continue
        if kind == "name" and match[0] in KEYWORDS:
            kind = "keyword"
        yield Token(str(kind), match[0], match.start(), match.end())
