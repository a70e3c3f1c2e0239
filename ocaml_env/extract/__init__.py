"""Extracts one answer's OCaml code from a model's completion, by one rule that looks only at form.

Extraction never evaluates code: the engine decides if it parses and defines anything. It never raises for any text, and
takes time proportional to its length. ``docs/extraction.md`` shows every form.
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
    """A model's raw text, with a flag for text that was cut off. It compares and hashes as its text.

    Attributes:
        truncated: True if generation hit its budget before it ended by itself (no end-of-sequence token,
            ``finish_reason == "length"``). Never guessed from a length. Slices and other derived strings are plain
            ``str`` and lose it.
    """

    truncated: bool

    def __new__(cls, text: str = "", *, truncated: bool = False) -> Completion:
        completion = super().__new__(cls, text)
        completion.truncated = bool(truncated)
        return completion


class Reason(enum.StrEnum):
    """The reason for a missing code. Models read the values in their feedback."""

    NONE = ""
    EMPTY = "the answer is empty"
    UNCLOSED_THINK = "the thinking section was never closed, so no answer followed it"
    EMPTY_BLOCK = "the code block is empty"
    OTHER_LANGUAGE = "no code block is OCaml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """The result of extraction.

    Attributes:
        code: the OCaml code, without surrounding blank space; None if there is none.
        reason: the reason for a missing code; empty if there is code.
        truncated: True if generation was cut off.
        marker: True if the text ends in ``END_MARKER``; blank space, end-of-turn tokens and a closing fence may follow
            it.
    """

    code: str | None
    reason: Reason = Reason.NONE
    truncated: bool = False
    marker: bool = False


def extract(
    completion: str, *, wanted: Iterable[str] = (), truncated: bool | None = None, kind: Kind = "function"
) -> Extraction:
    """Finds the code in a completion.

    Line endings become newlines. Thinking is dropped; an unclosed thinking section leaves no answer. Text after an
    end-of-turn token is dropped, too, unless the token is in an OCaml comment or literal. If there is an ``<answer>``,
    the code is in it. Then the rule:

    **The answer is the block that defines most of the wanted names, and the last one of equals.** A block labelled
    OCaml, or without a label, comes before a block of another label, and a closed block before one that the text's end
    cuts off. If the block lacks wanted names, blocks that define them are joined with it, in order. So is an earlier
    block with definitions that it uses. Blocks that define the same name are never joined.

    If ``wanted`` is empty, or no block defines any of it, a block labelled OCaml comes before one without a label, and
    one that defines something before one that does not; blocks of other languages are not taken. If there is no block,
    the pieces of code between the text's prose are the blocks; then, if ``wanted`` is empty, the first one is the
    answer.

    So a model may draft and then revise, show a use of its answer, or print a sample session: the revised definitions
    are evaluated. The rule rewards neither more blocks nor longer ones: the same code twice is the same answer once.

    Blocks have these forms:

    - Fences are three or more backticks or tildes at the start of a line, indented or not. A block ends at a fence at
      least as long as its own, at a new labelled fence, or at the text's end. Backticks at the end of a line of code
      close a block as well. A block of Markdown is searched for blocks.
    - A fence within an OCaml comment or literal is a part of the code, unless that comment or literal never ends.
    - Definitions before the first fence are a block without a label. An unlabelled fence ends that block: the prompt
    may
      have opened it.
    - Without fences, ``<code>`` and ``<pre>`` of HTML.

    In a block's code, HTML escapes are undone. A toplevel session (``# let x = 1;;``) is reduced to its definitions.
    ``val`` lines before definitions are left out. A module around all of the code is opened unless it is wanted.

    Args:
        completion: any text.
        wanted: the names in the interface: ``Problem.wanted``.
        truncated: True if generation was cut off. None takes the flag of a ``Completion``; a plain string has False.
        kind: in a ``function`` problem ``let () = ...`` defines nothing; a ``program`` may consist of just that.
    """
    if truncated is None:
        truncated = isinstance(completion, Completion) and completion.truncated
    text = without_tokens(_END_OF_LINE.sub("\n", str(completion)).replace("\ufeff", ""))
    code, reason = _find(text, frozenset(wanted), kind)
    return Extraction(code=code, reason=reason, truncated=truncated, marker=ends_in_marker(text))


_END_OF_LINE = re.compile(r"\r\n?")
_QUOTED = re.compile(r"^>[ \t]*(?:let|type|```)", re.MULTILINE)  # code in a Markdown quotation
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
