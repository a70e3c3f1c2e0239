"""The problems that the tiny policy lives on, and who may see which.

They are generated problems of level 1 from ``SEEN`` families, whose statements and references are short and regular
enough for a model of a million parameters. ``UNSEEN`` is a family that neither training ever sees, for a look at what
carries over. It needs the same conditions and expressions as families that are seen, in another form of program.

The splits cannot overlap. Which of them a problem may be in is decided by a digest of its reference, in which the
functions that the signature asks for are renamed: so no two splits share a reference, not even one that differs by
those names alone. That no two share a statement follows where a statement has one reference; a test looks.
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

__all__ = ["HARD", "PROMPTS", "SEEN", "UNSEEN", "Split", "read_tiny", "tiny_tasks"]

SEEN = ("polymorphism.rearrange", "recursion.mutual", "recursion.sequence")
"""Families that SFT and GRPO draw from, and that held-out figures are of."""

HARD = "higher_order.terms"
"""A family that SFT teaches too, in vain: the policy that is shipped solves one problem of it in a hundred. Groups that
fail as a whole teach GRPO nothing, so GRPO leaves it out; it is reported apart.
"""

UNSEEN = "arithmetic.cases"
"""A family that is only ever evaluated."""

PROMPTS = PromptSpec(style="brief")
"""How the tiny policy is asked: the statement and the signature, nothing else."""

_LONGEST_REFERENCE = 260  # characters; short answers make short training steps
_PATIENCE = 64  # problems drawn for one that is kept; the rarest split keeps one of eight


class Split(enum.Enum):
    """Who sees a problem. The value is the generator's seed; the share is that of all problems that may be in it."""

    SFT = 7001
    GRPO = 7002
    HELD_OUT = 7003

    @property
    def eighths(self) -> range:
        return {Split.SFT: range(6), Split.GRPO: range(6, 7), Split.HELD_OUT: range(7, 8)}[self]


def tiny_tasks(split: Split, n: int, *, families: tuple[str, ...] = SEEN) -> ProblemSet:
    """The first ``n`` problems of a split, as many of each family as of any other, one more of the first families
    where ``n`` is no multiple. More problems contain the fewer.

    Raises:
        ConfigError: where a family has not as many problems.
    """
    share, more = divmod(n, len(families))
    chosen = (_of_family(split, family, share + (place < more)) for place, family in enumerate(families))
    return ProblemSet(itertools.chain.from_iterable(chosen), name=f"tiny:{split.name.lower()}")


def read_tiny(source: str) -> ProblemSet:
    """The problems of ``tiny:grpo?n=600``; so of ``sft`` and ``held_out``, and of the families ``hard`` and ``unseen``.

    Raises:
        ConfigError: where the text names no split.
    """
    match = re.fullmatch(r"tiny:(sft|grpo|held_out|hard|unseen)\?n=(\d+)", source)
    if match is None:
        raise ConfigError(f"{source!r} is no split of the tiny policy's problems: those are such as `tiny:grpo?n=600`")
    name, n = match[1], int(match[2])
    if name in ("hard", "unseen"):
        return tiny_tasks(Split.HELD_OUT, n, families=(HARD if name == "hard" else UNSEEN,))
    return tiny_tasks(Split[name.upper()], n)


def _of_family(split: Split, family: str, n: int) -> list[Problem]:
    from ocaml_env.problems.generators import generate_many  # all families, which takes a while

    drawn = generate_many(family, levels=1, seed=split.value, n=_PATIENCE * n)
    fitting = (
        problem
        for problem in drawn
        if len(problem.reference) <= _LONGEST_REFERENCE and _eighth(problem) in split.eighths
    )
    chosen = list(itertools.islice(fitting, n))
    if len(chosen) < n:
        raise ConfigError(f"the family {family} has no {n} problems for the split {split.name.lower()}")
    return chosen


def _eighth(problem: Problem) -> int:
    """Which eighth of all problems this one is in; functions of other names do not change it."""
    reference = problem.reference
    for number, name in enumerate(re.findall(r"^val (\w+)", problem.signature, re.MULTILINE)):
        reference = re.sub(rf"\b{name}\b", f"f_{number}", reference)
    return hashlib.blake2b(reference.encode()).digest()[0] % 8
