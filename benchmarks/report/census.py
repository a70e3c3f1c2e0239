"""What one pass over the samples counts for the page. Of a sample only what is counted is kept."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmarks.report.excerpt import cut

__all__ = ["Census", "Key", "take_census"]

_FAULTS = 50  # different ones that are told


@dataclass(frozen=True, slots=True)
class Key:
    """A sample that could be had."""

    problem: str
    sample: int
    outcome: str
    passed: bool


@dataclass(kw_only=True)
class Census:
    """What is counted.

    Attributes:
        keys: every sample that could be had, in the order of problems and numbers.
        about: problem id -> its difficulty and topics.
        prompts: problem id -> the digest of its prompt.
        faults: why samples could not be had -> how many.
        tokens: of each sample that has them.
        seconds: likewise.
        by_tokens: upper end of a range of tokens -> outcome -> samples.
        by_characters: the same of the characters of the last completion.
    """

    keys: list[Key] = field(default_factory=list)
    about: dict[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    prompts: dict[str, str] = field(default_factory=dict)
    faults: Counter[str] = field(default_factory=Counter)
    tokens: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    by_tokens: dict[int, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    by_characters: dict[int, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))


def take_census(samples: Iterable[Mapping[str, Any]]) -> Census:
    """Counts the records of ``samples.jsonl``; their order does not matter."""
    census = Census()
    for record in samples:
        name = record["problem_id"]
        census.about[name] = record["difficulty"], tuple(record["topics"])
        census.prompts[name] = record["prompt_digest"]
        if record["fault"]:
            census.faults[cut(record["fault"], 300)] += 1
            continue
        outcome = record["outcome"]
        census.keys.append(Key(name, record["sample"], outcome, record["passed"]))
        census.by_characters[_range(len(record["completion"]))][outcome] += 1
        if record["tokens"] is not None:
            census.tokens.append(record["tokens"])
            census.by_tokens[_range(record["tokens"])][outcome] += 1
        if record["latency"] is not None:
            census.seconds.append(record["latency"])
    census.keys.sort(key=lambda key: (key.problem, key.sample))
    census.tokens.sort()
    census.seconds.sort()
    census.faults = Counter(dict(sorted(census.faults.items(), key=lambda item: (-item[1], item[0]))[:_FAULTS]))
    return census


def _range(length: int) -> int:
    """The upper end of the range that a length is in: powers of two from 32 on."""
    return max(32, 1 << max(length - 1, 0).bit_length())
