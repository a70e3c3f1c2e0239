"""Chooses the answer among the blocks of a text."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from ocaml_env.extract.blocks import OCAML, Block
from ocaml_env.extract.code import constructors, defined, first_line, free_words, margin, new_side, unwrapped
from ocaml_env.problem import Kind

__all__ = ["choose", "choose_wanted"]

_OURS = OCAML | {""}


class _Part(NamedTuple):
    """A block's code without its wrapping, and the names that it defines."""

    place: int
    label: str
    code: str
    closed: bool
    names: frozenset[str]


def choose(blocks: Sequence[Block], wanted: Collection[str], kind: Kind) -> str | None:
    """The code of the answer; "" if blocks of OCaml are empty, None if there are none."""
    if len(blocks) == 1 and blocks[0].label in _OURS:  # the usual case: there is nothing to choose
        return unwrapped(blocks[0].code, wanted)
    if code := choose_wanted(blocks, wanted):
        return code
    ours = [part for place, block in enumerate(blocks) if (part := _part(place, block, wanted)).label in _OURS]
    if not ours:
        return None
    return _without_wishes([part for part in ours if part.code], kind)


def choose_wanted(blocks: Sequence[Block], wanted: Collection[str]) -> str | None:
    """The code of the answer by the wanted names; None if no block defines any of them."""
    if not wanted:
        return None
    parts = [part for place, block in enumerate(blocks) if (part := _part(place, block, wanted)).code]
    best = max(parts, key=lambda part: _merit(part, wanted), default=None)
    if best is None or best.names.isdisjoint(wanted):
        return None
    return "\n\n".join(part.code for part in _completed(best, parts, frozenset(wanted)))


def _part(place: int, block: Block, wanted: Collection[str]) -> _Part:
    code = unwrapped(new_side(block.code) if block.label in ("diff", "patch") else block.code, wanted)
    return _Part(place, block.label, code, block.closed, frozenset(defined(code)) if wanted else frozenset())


def _merit(part: _Part, wanted: Collection[str]) -> tuple[int, bool, bool, bool, int]:
    most = len(part.names.intersection(wanted))
    return most, part.label in _OURS, part.closed, part.label in OCAML, part.place


def _completed(best: _Part, parts: Sequence[_Part], wanted: frozenset[str]) -> list[_Part]:
    """The best part, completed by parts with its missing names, in order."""
    chosen = [best]
    names = set(best.names)
    same = [part for part in parts if part is not best and (part.label in _OURS) is (best.label in _OURS)]
    for part in reversed(same):  # later ones revise earlier ones
        if part.names & (wanted - names) and names.isdisjoint(part.names):
            chosen.append(part)
            names |= part.names
    places = {part.place for part in chosen}
    used = {word for part in chosen for word in free_words(part.code)}
    for part in reversed(same):
        gives = part.names | constructors(part.code)
        if part.place < best.place and part.place not in places and gives & used and names.isdisjoint(gives):
            chosen.append(part)
            names |= gives
            used |= free_words(part.code)
    return sorted(chosen, key=lambda part: part.place)


# --- without wanted names, or if no block has any ---------------------------------------------------------------------

_DEFINES = {
    "function": re.compile(
        r"[ \t]*(?:let\b(?![ \t]*(?:\([ \t]*\)|_)[ \t]*[:=])|(?:type|module|exception|class|external|include)\b)"
    ),
    "program": re.compile(r"[ \t]*(?:\(\*|(?:let|type|module|exception|class|external|include|open)\b)"),
}
_VALUE = re.compile(r"^(?P<margin>[ \t]*)(?:let(?:[ \t]+rec)?|and)[ \t]+(?P<name>[a-z_][\w']*)", re.MULTILINE)
_WORDS = re.compile(r"[a-z_][\w']*")


def _without_wishes(parts: Sequence[_Part], kind: Kind) -> str:
    """Returns the last of the blocks of most merit. It skips a block that only shows a use: that one names values of
    the block before, and redefines none.
    """
    if len(parts) < 2:
        return parts[0].code if parts else ""

    def merit(part: _Part) -> tuple[bool, bool, bool]:
        return part.label in OCAML, _defines(part.code, kind), part.closed

    best = max(map(merit, parts))
    answer, *later = [part.code for part in parts if merit(part) == best]
    before = _values(answer)
    for code in later:
        anew = _values(code)
        is_use = before.isdisjoint(anew) and not before.isdisjoint(_WORDS.findall(code))
        if not is_use:
            answer, before = code, anew
    return answer


def _defines(code: str, kind: Kind) -> bool:
    """True if a line begins a definition and is indented no more than the first line."""
    most = margin(first_line(code))
    return any(_DEFINES[kind].match(line) and margin(line) <= most for line in code.split("\n"))


def _values(code: str) -> set[str]:
    """The names of values defined on lines with no more indentation than the first line."""
    most = margin(first_line(code))
    return {found["name"] for found in _VALUE.finditer(code) if len(found["margin"]) <= most} - {"_", "rec"}
