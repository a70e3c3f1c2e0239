"""Counts for the page, in one pass over the samples. Of a sample only the counted values are kept."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from ocaml_env.evaluation.record import Record
from ocaml_env.evaluation.report.excerpt import cut

__all__ = ["Aggregates", "Key", "aggregate"]

_FAULTS = 50  # most different faults on the page


@dataclass(frozen=True, slots=True)
class Key:
    """A finished sample, and its line in ``samples.jsonl``."""

    problem: str
    sample: int
    outcome: str
    passed: bool
    line: int = 0


@dataclass(kw_only=True)
class Aggregates:
    """The counts.

    Attributes:
        keys: every finished sample, in the order of problems and numbers.
        about: problem id -> its level and topics.
        prompts: problem id -> the digest of its prompt.
        faults: message of a fault -> number of samples.
        tokens: numbers of tokens, of each sample with a known number.
        seconds: seconds of generation, likewise.
        by_tokens: upper end of a range of tokens -> outcome -> samples.
        by_characters: the same for the characters of the last completion.
        lines: number of records.
    """

    keys: list[Key] = field(default_factory=list)
    about: dict[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    prompts: dict[str, str] = field(default_factory=dict)
    faults: Counter[str] = field(default_factory=Counter)
    tokens: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    by_tokens: dict[int, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    by_characters: dict[int, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    lines: int = 0

    def settle(self) -> None:
        """Sorts the counts, so that they do not depend on the order of the records."""
        self.keys.sort(key=lambda key: (key.problem, key.sample))
        self.tokens.sort()
        self.seconds.sort()
        self.faults = Counter(dict(sorted(self.faults.items(), key=lambda item: (-item[1], item[0]))[:_FAULTS]))

    def add(self, record: Record) -> None:
        """Counts the next record of ``samples.jsonl``."""
        self.lines += 1
        name = record.problem_id
        self.about[name] = record.level, record.topics
        self.prompts[name] = record.prompt_digest
        if record.fault:
            self.faults[cut(record.fault, 300)] += 1
            return
        outcome = record.last.outcome
        self.keys.append(Key(name, record.sample, outcome, record.passed, self.lines))
        self.by_characters[_range(len(record.last.completion))][outcome] += 1
        tokens, latency = record.tokens, record.latency
        if tokens is not None:
            self.tokens.append(tokens)
            self.by_tokens[_range(tokens)][outcome] += 1
        if latency is not None:
            self.seconds.append(latency)


def aggregate(samples: Iterable[Record]) -> Aggregates:
    """Counts the records of ``samples.jsonl``; apart from their lines their order does not matter."""
    aggregates = Aggregates()
    for record in samples:
        aggregates.add(record)
    aggregates.settle()
    return aggregates


def _range(length: int) -> int:
    """The upper end of a length's range: powers of two from 32 on."""
    return max(32, 1 << max(length - 1, 0).bit_length())
