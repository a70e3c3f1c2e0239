"""The hidden tests of a problem, grouped by what they ask about: progress is measured group by group.

A group is known by the items of the signature that its tests mention, values and modules, directly or through the
prelude. So a function that is right counts, whatever becomes of the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

__all__ = ["Group", "items_of", "make_groups", "mentioned", "names_of"]

_LEAST = 4  # hidden tests of a group: DESIGN's number, below which a share says little

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Tests that ask about the same items.

    Attributes:
        items: of the signature, in its order; none for a program.
        tests: the names of its hidden tests.
        examples: the names of its public tests.
        baseline: the most hidden tests that a degenerate answer passes (a constant, an argument given back, ...).
    """

    items: tuple[str, ...]
    tests: tuple[str, ...]
    examples: tuple[str, ...]
    baseline: int = 0


def make_groups(
    *, signature: str, prelude: str, hidden: Mapping[str, str], public: Mapping[str, str], baseline: Sequence[int] = ()
) -> tuple[Group, ...]:
    """The groups of a problem, in the order of its signature.

    Groups of fewer than four hidden tests are joined, the smallest first, each with the group with which it shares most
    items. Examples belong to the group of their items, or else to the one that shares most. A problem without hidden
    tests has none.

    Args:
        hidden, public: the code of the tests by name, in their order.
        baseline: that of each group, if it is known.
    """
    items = items_of(signature)
    through = _through_prelude(prelude, items)

    def about(code: str) -> frozenset[str]:
        names = set(mentioned(code))
        return frozenset(
            item for item in items if item in names or any(item in through[n] for n in names & through.keys())
        )

    def place(group: frozenset[str]) -> list[int]:
        return sorted(map(items.index, group)) or [len(items)]

    tests: dict[frozenset[str], list[str]] = {}
    for name, code in hidden.items():
        tests.setdefault(about(code), []).append(name)
    while len(tests) > 1:
        small = min(tests, key=lambda group: (len(tests[group]), place(group)))
        if len(tests[small]) >= _LEAST:
            break
        other = min(tests.keys() - {small}, key=lambda group: (-len(group & small), place(group)))
        names = tests.pop(small) + tests.pop(other)
        tests.setdefault(small | other, []).extend(names)
    order = sorted(tests, key=place)
    examples: dict[frozenset[str], list[str]] = {group: [] for group in order}
    for name, code in public.items() if order else ():
        asked = about(code)
        home = asked if asked in examples else min(order, key=lambda group: (-len(group & asked), place(group)))
        examples[home].append(name)
    names = list(hidden)
    return tuple(
        Group(
            items=tuple(item for item in items if item in group),
            tests=tuple(sorted(tests[group], key=names.index)),
            examples=tuple(examples[group]),
            baseline=least,
        )
        for group, least in zip(order, baseline or [0] * len(order), strict=True)
    )


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


def _through_prelude(prelude: str, items: Sequence[str]) -> dict[str, frozenset[str]]:
    """By each name that the prelude defines, the items that it mentions, directly or through earlier definitions."""
    through: dict[str, frozenset[str]] = {}
    for part in re.split(r"^(?=let\b|and\b|module\b)", prelude, flags=re.MULTILINE):
        words = [word for word in mentioned(part) if word not in ("let", "rec", "and", "module")]
        if words:
            uses = frozenset(items) & set(words[1:])
            through[words[0]] = uses.union(*(through[word] for word in words[1:] if word in through))
    return through
