"""From what a model wrote to the OCaml code in it: one answer, found by one rule that looks at form alone.

Extraction never evaluates code: whether it parses, and whether it defines anything, is for the engine. It never raises
for any text, and takes time in proportion to its length. ``docs/extraction.md`` shows every form.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable
from dataclasses import dataclass

from ocaml_env.extract.blocks import Block, find_blocks, inline_code
from ocaml_env.extract.choose import choose, choose_wanted
from ocaml_env.extract.code import unwrapped
from ocaml_env.extract.prose import find_code
from ocaml_env.extract.turns import (
    END_MARKER,
    after_thinking,
    ends_in_marker,
    has_open_thinking,
    in_answer,
    without_tokens,
)
from ocaml_env.problem import Kind

__all__ = ["END_MARKER", "Completion", "Extraction", "Reason", "extract"]


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


def extract(
    completion: str, *, wanted: Iterable[str] = (), truncated: bool | None = None, kind: Kind = "function"
) -> Extraction:
    """Finds the code in a completion.

    Line endings become newlines. Thinking is dropped (nothing follows a section that is never closed), and so is what
    follows a token that ends the turn, outside OCaml's comments and literals. If there is an ``<answer>``, the code is
    in it. Then the rule:

    **The answer is the block that defines most of what is wanted, the last one of equals.** A block that is labelled
    OCaml, or not at all, comes before one of another label, and a closed one before one that the text's end cuts off.
    If it lacks something that is wanted, blocks that define it are joined with it, in order; and so is an earlier block
    that defines what it uses. Blocks that define the same name are never joined. If nothing is said to be wanted, or no
    block defines any of it, a block labelled OCaml comes before one without a label, and one that defines something
    before one that does not; blocks of other languages are not taken. Without any block the pieces of code between
    the text's prose are blocks; if nothing is known to be wanted, the first of them is the answer.

    So a model may draft and then revise, show how its answer is used, or print a sample session, and the revised
    definitions are what is evaluated. Nothing about the rule rewards more blocks or longer ones: the same code twice is
    the same answer once.

    What is a block:

    - Fences are three or more backticks or tildes at the start of a line, indented or not. A block ends at a fence at
      least as long as its own, at a new labelled fence, or at the text's end. Backticks that end a line of code close
      a block as well. A block of Markdown is looked through for blocks.
    - A fence within an OCaml comment or literal is a part of the code, unless that comment or literal never ends.
    - Definitions before the first fence are a block without a label; a fence without one ends it: the prompt may have
      opened it.
    - Without fences, ``<code>`` and ``<pre>`` of HTML.

    Of a block's code HTML's escapes are undone, a toplevel session (``# let x = 1;;``) is its definitions, ``val``
    lines before definitions are left out, and a module around all of it that nobody wanted is opened.

    Args:
        completion: any text at all.
        wanted: the names that the interface asks for: ``Problem.wanted``.
        truncated: whether generation was cut off; None takes it from a ``Completion``, and is False for a plain string.
        kind: in a ``function`` problem ``let () = ...`` defines nothing; a ``program`` may well be just that.
    """
    if truncated is None:
        truncated = isinstance(completion, Completion) and completion.truncated
    text = without_tokens(_END_OF_LINE.sub("\n", str(completion)).replace("\ufeff", ""))
    code, reason = _find(text, frozenset(wanted), kind)
    return Extraction(code=code, reason=reason, truncated=truncated, marker=ends_in_marker(text))


_END_OF_LINE = re.compile(r"\r\n?")
_QUOTED = re.compile(r"^>[ \t]*(?:let|type|```)", re.MULTILINE)  # code in a quotation of Markdown's
_QUOTE = re.compile(r"^>[ \t]?", re.MULTILINE)


def _find(text: str, wanted: frozenset[str], kind: Kind) -> tuple[str | None, Reason]:
    if not text.strip():
        return None, Reason.EMPTY
    rest = after_thinking(text)
    if not rest.strip():
        return None, Reason.UNCLOSED_THINK if has_open_thinking(text) else Reason.EMPTY
    rest = in_answer(rest)
    if (rest.startswith(">") or "\n>" in rest) and _QUOTED.search(rest):
        rest = _QUOTE.sub("", rest)
    blocks, end = find_blocks(rest)
    if not blocks:
        pieces = [Block("", code, closed=True) for code in find_code(rest[:end])]
        if len(pieces) == 1 and "`" not in rest:
            return unwrapped(pieces[0].code, wanted), Reason.NONE
        if code := choose_wanted(pieces, wanted) or choose_wanted(inline_code(rest[:end]), wanted):
            return code, Reason.NONE
        if pieces and (code := unwrapped(pieces[0].code, wanted)):
            return code, Reason.NONE
        return None, Reason.EMPTY
    chosen = choose(blocks, wanted, kind)
    if chosen is None:
        return None, Reason.OTHER_LANGUAGE
    return (chosen, Reason.NONE) if chosen else (None, Reason.EMPTY_BLOCK)
