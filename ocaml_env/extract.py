"""From what a model wrote to the OCaml code in it: one answer, found by one rule that looks at form alone.

Extraction never evaluates code: whether it parses, and whether it defines anything, is for the engine. It never raises
for any text, and takes time in proportion to its length.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ocaml_env.problem import Kind

__all__ = ["END_MARKER", "Completion", "Extraction", "Reason", "extract"]

END_MARKER = "(* END *)"
"""What the seed's prompt asked a model to end with."""


class Completion(str):
    """A model's raw text that knows whether it was cut off. It compares and hashes as its text.

    Attributes:
        truncated: True where generation hit its budget before it ended by itself (no end-of-sequence token,
            ``finish_reason == "length"``). Never guessed from a length. Slices and other derived strings are plain
            ``str`` and lose it.
    """

    truncated: bool

    def __new__(cls, text: str = "", *, truncated: bool = False) -> Completion:
        completion = super().__new__(cls, text)
        completion.truncated = bool(truncated)
        return completion


class Reason(enum.StrEnum):
    """Why there is no code. The values are written for the model that reads them in its feedback."""

    NONE = ""
    EMPTY = "the answer is empty"
    UNCLOSED_THINK = "the thinking section was never closed, so no answer followed it"
    EMPTY_BLOCK = "the code block is empty"
    OTHER_LANGUAGE = "no code block is OCaml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What was found in a completion.

    Attributes:
        code: the OCaml code, without blank space around it; None where there is none.
        reason: why there is no code; empty where there is some.
        truncated: True where generation was cut off.
        marker: True where the text ends in ``END_MARKER``; blank space, end-of-turn tokens and a closing fence may
            follow it.
    """

    code: str | None
    reason: Reason = Reason.NONE
    truncated: bool = False
    marker: bool = False


def extract(completion: str, *, truncated: bool | None = None, kind: Kind = "function") -> Extraction:
    """Finds the code in a completion.

    Line endings become newlines; end-of-turn tokens and ``<think>`` sections are dropped (nothing follows an unclosed
    one). Then the rule:

    **Exactly one Markdown block is the answer, whole.** A block labelled OCaml comes before one without a label, one
    that defines something before one that does not, a closed one before one that the text's end cuts off; of equals
    the last is taken, but for one that shows a use: it names what the one before it defines, and defines none of that
    anew. Blocks of other languages are never taken. Without any block the text itself is the code.

    So a model may draft and then revise, show how its answer is used, or print a sample session, and the revised
    definitions are still what is evaluated. Blocks are not joined: two drafts would collide (a type cannot be defined
    twice), and the prompt asks for all definitions in one block. Nothing about the rule rewards more blocks or longer
    ones: the same code twice is the same answer once.

    What is a block:

    - Fences are three or more backticks or tildes at the start of a line, indented or not. A block ends at a fence at
      least as long as its own, at a new labelled fence, or at the text's end. Backticks that end a line of code close
      a block as well.
    - A fence within an OCaml comment or literal is a part of the code, unless that comment or literal never ends.
    - Definitions before the first fence are a block without a label; a fence without one ends it: the prompt may have
      opened it.

    Without a block, and where the text begins with prose, the code begins at the first line that begins a definition,
    or a comment before one; and it ends before the first paragraph of prose outside comments and literals. Prose is a
    line that is a heading or a list's, or that begins with a capitalised word and two plain words, neither of which is
    an OCaml keyword that could stand there: well-typed OCaml has no such line. A text of prose alone is left whole, for
    the parser to refuse.

    Args:
        completion: any text at all.
        truncated: whether generation was cut off; None takes it from a ``Completion``, and is False for a plain string.
        kind: in a ``function`` problem ``let () = ...`` defines nothing; a ``program`` may well be just that.
    """
    if truncated is None:
        truncated = isinstance(completion, Completion) and completion.truncated
    text = _END_OF_LINE.sub("\n", str(completion)).lstrip("\ufeff")
    text = _without_tokens(text)
    code, reason = _find(text, kind)
    return Extraction(code=code, reason=reason, truncated=truncated, marker=_ends_in_marker(text))


def _find(text: str, kind: Kind) -> tuple[str | None, Reason]:
    if not text.strip():
        return None, Reason.EMPTY
    rest = _after_thinking(text)
    if not rest.strip():
        return None, Reason.UNCLOSED_THINK if _open_think(text) else Reason.EMPTY
    blocks = list(_blocks(rest))
    if not blocks:
        code = _without_prose(rest).strip()
        return (code, Reason.NONE) if code else (None, Reason.EMPTY)
    ours = [block for block in blocks if block.label in _OURS]
    if not ours:
        return None, Reason.OTHER_LANGUAGE
    full = [block for block in ours if block.code]
    if not full:
        return None, Reason.EMPTY_BLOCK
    if len(full) == 1:
        return full[0].code, Reason.NONE
    best = max(block.rank(kind) for block in full)
    answer, *later = [block for block in full if block.rank(kind) == best]
    defined = _values(answer.code)
    for block in later:
        anew = _values(block.code)
        is_use = defined.isdisjoint(anew) and not defined.isdisjoint(_WORDS.findall(block.code))
        if not is_use:
            answer, defined = block, anew
    return answer.code, Reason.NONE


# --- around the answer ------------------------------------------------------------------------------------------------

_END_OF_LINE = re.compile(r"\r\n?")
_START_OF_TURN = re.compile(r"\s*<\|im_start\|>(?:assistant)?\s*")
_END_OF_TURN = (
    "<|im_end|>",
    "<|endoftext|>",
    "<|eot_id|>",
    "<|end_of_text|>",
    "<|end|>",
    "<|return|>",
    "<end_of_turn>",
    "<eos>",
    "</s>",
    "<｜end▁of▁sentence｜>",
)


def _without_tokens(text: str) -> str:
    """The text without the tokens of a chat template, which some servers leave at its two ends."""
    start = _START_OF_TURN.match(text)
    begin = start.end() if start else 0
    end = len(text)
    while True:
        while end > begin and text[end - 1].isspace():
            end -= 1
        if not text.endswith(_END_OF_TURN, begin, end):
            return text[begin:end]
        end -= next(len(token) for token in _END_OF_TURN if text.endswith(token, begin, end))


def _ends_in_marker(text: str) -> bool:
    end = text.rstrip()
    for char in "`~":
        if end.endswith(char * 3):
            end = end.rstrip(char).rstrip()
    return end.endswith(END_MARKER)


_THINK = re.compile(r"^[ \t]*<think(?:ing)?>.*?(?P<end></think(?:ing)?>|\Z)", re.MULTILINE | re.DOTALL | re.IGNORECASE)
# A tag alone at an end of its line: the text "</think>" within a literal of a program is not one.
_THINK_END = re.compile(r"(?:^[ \t]*</think(?:ing)?>|</think(?:ing)?>[ \t]*$)", re.MULTILINE | re.IGNORECASE)


def _after_thinking(text: str) -> str:
    """The text without thinking sections; some templates open one in the prompt, so an end may have no beginning."""
    if "think" not in text.lower():
        return text
    rest = _THINK.sub("", text)
    end = 0
    for match in _THINK_END.finditer(rest):
        end = match.end()
    return rest[end:]


def _open_think(text: str) -> bool:
    return any(not match["end"] for match in _THINK.finditer(text))


# --- Markdown blocks --------------------------------------------------------------------------------------------------

_OCAML = frozenset({"ocaml", "ml", "caml"})
_OURS = _OCAML | {""}
_FENCE = re.compile(r"(?P<run>[`~](?:(?<=`)`{2,}|(?<=~)~{2,}))(?P<info>[^\n`]*)")
_BACKTICKS = re.compile(r"(?P<run>```+)(?P<info>[^\n`]*)")  # all of them in most texts, and three times as fast
_LABEL = re.compile(r"[ \t]*(?:\{[ \t]*\.?)?(?P<label>[A-Za-z][A-Za-z0-9_+#-]*)?")
_DEFINITION = r"[ \t]*(?:let|type|module|exception|class|external|include|open)\b"
_BEGINS = re.compile(rf"[ \t]*\(\*|{_DEFINITION}")
_DEFINES = {
    "function": re.compile(
        r"[ \t]*(?:let\b(?![ \t]*(?:\([ \t]*\)|_)[ \t]*[:=])|(?:type|module|exception|class|external|include)\b)"
    ),
    "program": _BEGINS,
}


class _Block(NamedTuple):
    label: str
    code: str
    closed: bool

    def rank(self, kind: Kind) -> tuple[bool, bool, bool]:
        return self.label in _OCAML, _defines(self.code, kind), self.closed


class _Fence(NamedTuple):
    """A run of backticks or tildes outside comments and literals.

    Attributes:
        run: the run.
        label: the language it names, in small letters.
        bare: True where nothing follows it on its line.
        indent: the blank space before it where it begins its line; None where it does not.
        begin: where its line begins, or the run itself where it does not begin its line.
        end: where the text of the block begins that it opens.
    """

    run: str
    label: str
    bare: bool
    indent: str | None
    begin: int
    end: int

    def ends(self, other: _Fence) -> bool:
        """Whether it ends the block that the other one opened."""
        if self.run[0] != other.run[0] or len(self.run) < len(other.run):
            return False
        at_start = self.indent is not None
        return at_start or self.run[0] == "`" if self.bare else at_start and self.label != ""


def _blocks(text: str) -> Iterator[_Block]:
    """The blocks of a text in order, those of other languages and empty ones too; none where there is no fence."""
    literals = _Literals(text)
    # Before the first block only code hides a fence: in prose an apostrophe or a quote begins no literal.
    code_first = _BEGINS.match(_first_line(text)) is not None
    equals = text.find("=")
    opened: _Fence | None = None
    first, last = True, 0
    for found in (_FENCE if "~~~" in text else _BACKTICKS).finditer(text):
        line, last = text.rfind("\n", last, found.start()) + 1 or last, found.start("info")
        if (opened or (first and code_first)) and literals.cover(found.start()):
            continue
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
            yield _Block(label="", code=text[: fence.begin].strip(), closed=True)
            if fence.bare:
                continue
        if fence.indent is not None:
            opened, first = fence, False
            literals.restart(fence.end)
    if opened:
        yield _block(opened, text[opened.end :], closed=False)


def _fence(text: str, found: re.Match[str], line: int) -> _Fence:
    """Reads a fence; ``line`` is where its line begins, or some place in that line after an earlier fence."""
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
    """The label of an opening fence in small letters, and where the block's text begins: some begin on the line of
    the fence.
    """
    info, begin = fence["info"], fence.start("info")
    if not info:
        return "", fence.end()
    if _BEGINS.match(info):
        return "", begin
    match = _LABEL.match(info)
    assert match is not None  # every part of it is optional
    label = (match["label"] or "").lower()
    if label in _OCAML and _BEGINS.match(info, match.end()):
        return label, begin + match.end()
    return label or info.strip().lower(), fence.end()


def _block(fence: _Fence, code: str, *, closed: bool) -> _Block:
    """The block without the indentation of its fence, where every line has it: literals over several lines show it."""
    width = len(fence.indent or "")
    first, *lines = code.split("\n")
    if width and all(not line[:width].strip() for line in lines):
        code = "\n".join([first, *(line[width:] for line in lines)])
    return _Block(label=fence.label, code=code.strip(), closed=closed)


def _defines(code: str, kind: Kind) -> bool:
    """Whether a line that is indented no more than the first one begins a definition."""
    margin = _margin(_first_line(code))
    return any(_DEFINES[kind].match(line) and _margin(line) <= margin for line in code.split("\n"))


_VALUE = re.compile(r"^(?P<margin>[ \t]*)(?:let(?:[ \t]+rec)?|and)[ \t]+(?P<name>[a-z_][\w']*)", re.MULTILINE)
_WORDS = re.compile(r"[a-z_][\w']*")


def _values(code: str) -> set[str]:
    """The names of values that lines define which are indented no more than the first one."""
    margin = _margin(_first_line(code))
    return {found["name"] for found in _VALUE.finditer(code) if len(found["margin"]) <= margin} - {"_", "rec"}


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())


# --- OCaml's comments and literals ------------------------------------------------------------------------------------

# Each begins with a class of characters and looks back at what it was: `re` skips to members of a class far faster than
# it tries alternatives at every place.
_AFTER_CHAR = r"(?<=')(?<![\w']')(?P<char>(?:[^\\'\n]|\\[^\n][^'\n]{0,8})')"
_AFTER_BRACE = r"(?<=\{)(?:%%?[\w.]+[ \t]*)?(?P<tag>[a-z_]*)\|"
_AFTER = rf"(?<=\()(?P<comment>\*)|(?<=\")(?P<string>)|{_AFTER_BRACE}|{_AFTER_CHAR}"
_OPENER = re.compile(rf"[(\"{{'](?:{_AFTER})")
_IN_COMMENT = re.compile(rf"[*(\"{{'](?:(?<=\*)(?P<end>\))|{_AFTER})")
_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)


class _Literals:
    """Tells whether a place lies within a comment or a literal. Asked in ascending order, so that one pass is enough.

    After the first comment or literal that never ends nothing counts as one any more: it is not OCaml, or the guess
    that code begins here was wrong.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0
        self._broken = False

    def restart(self, position: int) -> None:
        """Says that OCaml code begins here."""
        self._position = position

    def cover(self, place: int) -> bool:
        while self._position <= place and not self._broken:
            opener = _OPENER.search(self._text, self._position, place)
            if opener is None:
                self._position = place
                return False
            end = _end_of_literal(self._text, opener)
            if end is None:
                self._broken = True
            else:
                self._position = end
        return not self._broken


def _end_of_literal(text: str, opener: re.Match[str]) -> int | None:
    """Where the comment or literal ends that begins with ``opener``; None where it never does."""
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
            end = _end_of_literal(text, token)
            if end is None:
                return None
            position = end
    return position


# --- prose around bare code -------------------------------------------------------------------------------------------

# Those that may follow a constructor, or an argument of one, in code that typechecks.
_KEYWORD = (
    "and|as|assert|begin|class|constraint|do|done|downto|else|end|exception|external|false|in|include|inherit|"
    "initializer|let|method|module|new|object|of|open|or|then|to|true|type|val|when|with|mod|land|lor|lxor|lsl|lsr|asr"
)
_WORD = rf"(?!(?:{_KEYWORD})\b)[A-Za-z]+(?:['’-][A-Za-z]+)*"
_PROSE = re.compile(
    r"[ \t]*(?:#{1,6} [A-Z]|\d+\. [A-Z]|\*\*[A-Z][^*\n]*\*\*|[A-Z][a-z]+(?:!(?:\s|$)|:$)"
    rf"|[A-Z][a-z]*(?:['’][a-z]+)?,? {_WORD},? {_WORD}(?=[ ,.:;!?]|$))"
)


def _is_prose(line: str) -> bool:
    return _PROSE.match(line) is not None


def _first_line(text: str) -> str:
    return text.lstrip().split("\n", 1)[0]


def _without_prose(text: str) -> str:
    """Bare code without the prose before and after it."""
    begin = 0
    if _is_prose(_first_line(text)):
        # A comment begins code only where there is any.
        if re.search(rf"^{_DEFINITION}", text, re.MULTILINE) is None:
            return text
        start = re.search(rf"^(?:{_BEGINS.pattern})", text, re.MULTILINE)
        assert start is not None  # a definition begins code, too
        begin = start.start()
    literals = _Literals(text)
    literals.restart(begin)
    for paragraph in re.finditer(r"\n[ \t]*\n(?P<line>[^\n]+)", text[begin:]):
        place = begin + paragraph.start("line")
        if _is_prose(paragraph["line"]) and not literals.cover(place):
            return text[begin:place]
    return text[begin:]
