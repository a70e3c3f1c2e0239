"""The problems that the tiny policy lives on, and who may see which.

They are generated problems of level 1, one expression each, from ``SEEN`` families. ``UNSEEN`` is a family that neither
training ever sees, for a look at what carries over.

The splits cannot overlap. Which of them a problem may be in is decided by a digest of its reference, in which the
function that the signature asks for is renamed: so no two splits share a reference, not even one that differs by
those names alone. That no two share a statement follows if a statement has one reference; a test looks.
"""

from __future__ import annotations

import enum
import hashlib
import itertools
import re

from ocaml_env.errors import ConfigError
from ocaml_env.problem import Problem
from ocaml_env.problems import ProblemSet
from ocaml_env.prompt import PromptSpec

__all__ = ["PROMPTS", "SEEN", "UNSEEN", "Split", "read_tiny", "tiny_tasks"]

SEEN = (
    "arithmetic.cases",
    "arithmetic.choices",
    "folds.registers",
    "lists.numbers",
    "recursion.mutual",
    "recursion.sequence",
)
"""Families that SFT and GRPO draw from, and that held-out figures are of."""

UNSEEN = "lists.scores"
"""A family that is only ever evaluated."""

PROMPTS = PromptSpec(style="brief")
"""How the tiny policy is asked: the statement and the signature, nothing else."""

_LONGEST_REFERENCE = 160  # characters; short answers make short training steps
_PATIENCE = 16  # Draw at most 16 problems for one that is kept.


class Split(enum.Enum):
    """Who sees a problem. The value is the generator's seed; the share is that of all problems that may be in it."""

    SFT = 7001
    GRPO = 7002
    HELD_OUT = 7003

    @property
    def eighths(self) -> range:
        return {Split.SFT: range(4), Split.GRPO: range(4, 6), Split.HELD_OUT: range(6, 8)}[self]

    def takes(self, problem: Problem) -> bool:
        """May the problem be in it?"""
        return len(problem.reference) <= _LONGEST_REFERENCE and _eighth(problem) in self.eighths


def tiny_tasks(split: Split, n: int, *, families: tuple[str, ...] = SEEN) -> ProblemSet:
    """The first ``n`` problems of a split, as many of each family as of any other, one more of the first families
    if ``n`` is no multiple. More problems contain the fewer.

    Raises:
        ConfigError: if a family has not as many problems.
    """
    from ocaml_env.problems.drawn import load_generated  # all families, which takes a while
    from ocaml_env.problems.generators.source import Request, find_family

    share, more = divmod(n, len(families))
    chosen: list[Problem] = []
    for place, name in enumerate(families):
        wanted = share + (place < more)
        family = (find_family(name),)
        # As many as the split's share asks for, then more: what is drawn is kept, and all processors draw.
        for times in range(8 // len(split.eighths), _PATIENCE + 1):
            request = Request(families=family, levels=(1,), seed=split.value, n=max(1, times * wanted))
            found = list(itertools.islice(filter(split.takes, load_generated(request)), wanted))
            if len(found) == wanted:
                break
        else:
            raise ConfigError(f"the family {name} has no {wanted} problems for the split {split.name.lower()}")
        chosen += found
    return ProblemSet(chosen, name=f"tiny:{split.name.lower()}")


def read_tiny(source: str) -> ProblemSet:
    """The problems of ``tiny:grpo?n=600``; so of ``sft`` and ``held_out``, and of the family ``unseen``.

    Raises:
        ConfigError: where the text names no split.
    """
    match = re.fullmatch(r"tiny:(sft|grpo|held_out|unseen)\?n=(\d+)", source)
    if match is None:
        raise ConfigError(f"{source!r} is no split of the tiny policy's problems: those are such as `tiny:grpo?n=600`")
    name, n = match[1], int(match[2])
    if name == "unseen":
        return tiny_tasks(Split.HELD_OUT, n, families=(UNSEEN,))
    return tiny_tasks(Split[name.upper()], n)


def _eighth(problem: Problem) -> int:
    """Which eighth of all problems this one is in; functions of other names do not change it."""
    reference = problem.reference
    for number, name in enumerate(re.findall(r"^val (\w+)", problem.signature, re.MULTILINE)):
        reference = re.sub(rf"\b{name}\b", f"f_{number}", reference)
    return hashlib.blake2b(reference.encode()).digest()[0] % 8
