"""Finds the blocks of an answer: those of Markdown, or of HTML if there are none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ocaml_env.extract.code import begins_definition, first_line
from ocaml_env.extract.literals import Literals
from ocaml_env.extract.turns import END_OF_TURN

__all__ = ["OCAML", "Block", "find_blocks", "inline_code"]

OCAML = frozenset({"ocaml", "ml", "caml"})
"""Labels of OCaml, in lower case."""

_MARKDOWN = frozenset({"markdown", "md"})
_FENCE = re.compile(r"(?P<run>[`~](?:(?<=`)`{2,}|(?<=~)~{2,}))(?P<info>[^\n`]*)")
_BACKTICKS = re.compile(r"(?P<run>```+)(?P<info>[^\n`]*)")  # enough for most texts, and three times as fast
_LABEL = re.compile(r"[ \t]*(?:\{[ \t]*\.?)?(?P<label>[A-Za-z][A-Za-z0-9_+#-]*)?")
_HTML = re.compile(
    r"^[ \t]*(?:<pre\b[^>\n]*>\s*(?:<code\b[^>\n]*>)?|<code\b[^>\n]*>)(?P<code>.*?)(?:</code>|</pre>|\Z)",
    re.MULTILINE | re.DOTALL | re.IGNORECASE,
)


_INLINE = re.compile(r"(?<!`)`(?P<code>[^`\n]+)`(?!`)")


class Block(NamedTuple):
    """A block of code.

    Attributes:
        label: the language in its label, in lower case; "" without a label.
        code: its content, without surrounding blank space.
        closed: False if the text ends before the block does.
    """

    label: str
    code: str
    closed: bool


def find_blocks(text: str) -> tuple[list[Block], int]:
    """Returns all blocks of a text in order, other languages and empty ones included, and the end of the turn.

    The turn ends at an end-of-turn token of the chat template, or at the text's end. Text after that token is no part
    of the answer.
    """
    parts = list(_markdown(text))
    end = next((part.end for part in parts if isinstance(part, _End)), len(text))
    found = [inner for part in parts if isinstance(part, _Found) for inner in _inner(part)]
    if not found and "<" in text:
        html = _HTML.finditer(text[:end])
        found = [Block("", match["code"].strip(), closed=True) for match in html if match["code"].strip()]
    return found, end


def inline_code(text: str) -> list[Block]:
    """The definitions between single backticks in prose."""
    return [
        Block("", match["code"], closed=True) for match in _INLINE.finditer(text) if begins_definition(match["code"])
    ]


class _Found(NamedTuple):
    block: Block
    run: str


class _End(NamedTuple):
    end: int


def _inner(found: _Found) -> list[Block]:
    """Returns the block in a list, or the blocks inside it if it only holds Markdown."""
    block = found.block
    if block.label in _MARKDOWN or (block.label == "" and len(found.run) > 3):
        inner, _ = find_blocks(block.code)
        if any(nested.code for nested in inner):
            return inner
    return [block]


class _Fence(NamedTuple):
    """A run of backticks or tildes outside comments and literals.

    Attributes:
        run: the run.
        label: the language it names, in lower case.
        bare: True if nothing follows it on its line.
        indent: the blank space before it if it begins its line; otherwise None.
        begin: the beginning of its line if it begins its line; otherwise that of the run.
        end: the beginning of the text of the block that it opens.
    """

    run: str
    label: str
    bare: bool
    indent: str | None
    begin: int
    end: int

    def ends(self, other: _Fence) -> bool:
        """True if it ends the block that ``other`` opened."""
        if self.run[0] != other.run[0] or len(self.run) < len(other.run):
            return False
        at_start = self.indent is not None
        return at_start or self.run[0] == "`" if self.bare else at_start and self.label != ""


def _markdown(text: str) -> Iterator[_Found | _End]:
    """Yields the blocks in order, and at last the end of the turn, if a token marks it."""
    literals = Literals(text)
    # Before the first block, only code can hide a fence: in prose, an apostrophe or a quote begins no literal.
    code_first = begins_definition(first_line(text), or_comment=True)
    equals = text.find("=")
    opened: _Fence | None = None
    first, last = True, 0
    for found in _events(text):
        if (opened or (first and code_first)) and literals.cover(found.start()):
            continue
        if found.lastgroup == "token":
            if opened:
                yield _block(opened, text[opened.end : found.start()], closed=False)
            yield _End(found.start())
            return
        line, last = text.rfind("\n", last, found.start()) + 1 or last, found.start("info")
        fence = _fence(text, found, line)
        if opened:
            if not fence.ends(opened):
                continue
            yield _block(opened, text[opened.end : fence.begin], closed=True)
            opened = None
            if fence.bare:
                continue
        elif first and code_first and 0 <= equals < fence.begin and (fence.bare or fence.indent is not None):
            first = False
            yield _Found(Block(label="", code=text[: fence.begin].strip(), closed=True), "")
            if fence.bare:
                continue
        if fence.indent is not None:
            opened, first = fence, False
            literals.restart(fence.end)
    if opened:
        yield _block(opened, text[opened.end :], closed=False)


def _events(text: str) -> Iterator[re.Match[str]]:
    """Yields fences and end-of-turn tokens, in order."""
    fences = _FENCE if "~~~" in text else _BACKTICKS
    if "<" not in text or END_OF_TURN.search(text) is None:
        return fences.finditer(text)
    return re.compile(rf"{fences.pattern}|(?P<token>{END_OF_TURN.pattern})").finditer(text)


def _fence(text: str, found: re.Match[str], line: int) -> _Fence:
    """Reads a fence; ``line`` is the beginning of its line, or a place in that line after an earlier fence."""
    before = text[line : found.start()]
    at_start = not before.strip() and (line == 0 or text[line - 1] == "\n")
    label, end = _opening(found)
    return _Fence(
        run=found["run"],
        label=label,
        bare=not found["info"].strip() and not text.startswith("`", found.end()),
        indent=before if at_start else None,
        begin=line if at_start else found.start(),
        end=end,
    )


def _opening(fence: re.Match[str]) -> tuple[str, int]:
    """Returns the label of an opening fence in lower case, and the beginning of the block's text, which may be on the
    line of the fence.
    """
    info, begin = fence["info"], fence.start("info")
    if not info:
        return "", fence.end()
    if begins_definition(info, or_comment=True):
        return "", begin
    match = _LABEL.match(info)
    assert match is not None  # every part of the pattern is optional
    label = (match["label"] or "").lower()
    if label in OCAML and begins_definition(info[match.end() :], or_comment=True):
        return label, begin + match.end()
    return label or info.strip().lower(), fence.end()


def _block(fence: _Fence, code: str, *, closed: bool) -> _Found:
    """Makes a block. The fence's indentation is removed if every line has it; lines of a literal may lack it."""
    width = len(fence.indent or "")
    first, *lines = code.split("\n")
    if width and all(not line[:width].strip() for line in lines):
        code = "\n".join([first, *(line[width:] for line in lines)])
    return _Found(Block(label=fence.label, code=code.strip(), closed=closed), fence.run)
