"""Groups the hidden tests of a problem by the items they mention. Progress is measured group by group.

An item is a value or a module of the signature; a test mentions it directly or through the prelude. With groups, a
right function counts, whatever becomes of the others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ocaml_env.problem.signature import items_of, mentioned

__all__ = ["Group", "make_groups"]

_LEAST = 4  # hidden tests of a group: with fewer, the share of passed tests says little


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Tests that mention the same items.

    Attributes:
        items: items of the signature, in its order; none for a program.
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
    """Groups the tests of a problem, in the order of its signature.

    Groups of fewer than four hidden tests are joined, the smallest first, each with the group that shares most items.
    An example joins the group with the same items, or else the group that shares most. A problem without hidden tests
    has no groups.

    Args:
        hidden, public: the code of the tests by name, in their order.
        baseline: the baseline of each group, if it is known.
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


def _through_prelude(prelude: str, items: Sequence[str]) -> dict[str, frozenset[str]]:
    """Maps each name of the prelude to the items that it mentions, directly or through earlier definitions."""
    through: dict[str, frozenset[str]] = {}
    for part in re.split(r"^(?=let\b|and\b|module\b)", prelude, flags=re.MULTILINE):
        words = [word for word in mentioned(part) if word not in ("let", "rec", "and", "module")]
        if words:
            uses = frozenset(items) & set(words[1:])
            through[words[0]] = uses.union(*(through[word] for word in words[1:] if word in through))
    return through
