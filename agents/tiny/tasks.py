"""The problems of the tiny policy, and their splits.

They are generated problems of level 1, one expression each, from the families of ``SEEN``. ``UNSEEN`` is a family
outside all training, to evaluate generalisation.

The splits cannot overlap. The digest of its reference decides the split of a problem. The functions of the signature
are renamed in it, so two splits share no reference, not even under other names of functions. They share no statement
either, provided that each statement has one reference; a test checks that.
"""

from __future__ import annotations

import enum
import hashlib
import itertools
import re

from ocaml_env import Problem, PromptSpec
from ocaml_env.errors import ConfigError
from ocaml_env.problems import ProblemSet

__all__ = ["PROMPTS", "SEEN", "UNSEEN", "Split", "read_tiny", "tiny_tasks"]

SEEN = (
    "arithmetic.cases",
    "arithmetic.choices",
    "folds.registers",
    "lists.numbers",
    "recursion.mutual",
    "recursion.sequence",
)
"""The families of SFT, GRPO and held-out evaluations."""

UNSEEN = "lists.scores"
"""The family outside all training. It is only evaluated."""

PROMPTS = PromptSpec(style="brief")
"""Prompts of the tiny policy: only the statement and the signature."""

_LONGEST_REFERENCE = 160  # characters; short answers make short training steps
_PATIENCE = 16  # draw at most 16 problems for a kept one


class Split(enum.Enum):
    """The splits. The value is the generator's seed; ``eighths`` is the split's share of all problems, in eighths."""

    SFT = 7001
    GRPO = 7002
    HELD_OUT = 7003

    @property
    def eighths(self) -> range:
        return {Split.SFT: range(4), Split.GRPO: range(4, 6), Split.HELD_OUT: range(6, 8)}[self]

    def takes(self, problem: Problem) -> bool:
        """True if the problem belongs to the split, and its reference is short enough."""
        return len(problem.reference) <= _LONGEST_REFERENCE and _eighth(problem) in self.eighths


def tiny_tasks(split: Split, n: int, *, families: tuple[str, ...] = SEEN) -> ProblemSet:
    """Returns the first ``n`` problems of a split, equally many of each family.

    If ``n`` is no multiple of the number of families, the first families give one more. A larger ``n`` includes the
    problems of a smaller one.

    Raises:
        ConfigError: if a family has too few problems.
    """
    from ocaml_env.problems.drawn import load_generated  # slow: imports all families
    from ocaml_env.problems.generators.source import Request, find_family

    share, more = divmod(n, len(families))
    chosen: list[Problem] = []
    for place, name in enumerate(families):
        wanted = share + (place < more)
        family = (find_family(name),)
        # Draw by the split's share, then more. Draws are kept on disk, and use all processors.
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
    """Reads a source such as ``tiny:grpo?n=600``. Others are ``sft``, ``held_out`` and ``unseen``.

    Raises:
        ConfigError: if the text has another form.
    """
    match = re.fullmatch(r"tiny:(sft|grpo|held_out|unseen)\?n=(\d+)", source)
    if match is None:
        raise ConfigError(f"{source!r} is no split of the tiny policy's problems: those are such as `tiny:grpo?n=600`")
    name, n = match[1], int(match[2])
    if name == "unseen":
        return tiny_tasks(Split.HELD_OUT, n, families=(UNSEEN,))
    return tiny_tasks(Split[name.upper()], n)


def _eighth(problem: Problem) -> int:
    """The eighth of a problem, 0 to 7, by the digest of its reference with renamed functions."""
    reference = problem.reference
    for number, name in enumerate(re.findall(r"^val (\w+)", problem.signature, re.MULTILINE)):
        reference = re.sub(rf"\b{name}\b", f"f_{number}", reference)
    return hashlib.blake2b(reference.encode()).digest()[0] % 8
