"""What the completions of a run add up to: outcomes, rewards, errors, topics, and some groups to look at.

The file of rollouts is read as a stream, once. Groups are kept spread over the run and over their kinds; texts are
cut to what a person reads.
"""

from __future__ import annotations

import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from ocaml_env.errors import ConfigError, EngineError
from ocaml_env.problem import Problem
from ocaml_env.problems import load_problems
from ocaml_env.rollout import Rollout
from ocaml_env.verdict import Outcome, subject

__all__ = ["KINDS", "Group", "Samples", "compression_ratio", "find_problem", "kind_of", "read_samples"]

KINDS = ("varied", "tied", "identical", "all_failed", "all_passed")
"""Kinds of groups; all but the first have no variance in their rewards."""

BINS = 20
"""Bins of the histogram of rewards, from 0 to 1; what lies outside is in the first or the last."""

MOST_TEXT = 4000
"""Characters of a completion that are kept."""

MOST_SAMPLES = 8
"""Completions of a group that are kept."""

_MOST_NAMES = 5000
_NOTES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The completions of one prompt in one step.

    Attributes:
        kind: one of ``KINDS``.
        size: how many there were; ``rollouts`` may have fewer.
        rollouts: the first of them, their texts cut.
        lengths: characters of their whole texts.
    """

    kind: str
    size: int
    rollouts: tuple[Rollout, ...]
    lengths: tuple[int, ...]

    @property
    def step(self) -> int:
        return self.rollouts[0].step

    @property
    def problem_id(self) -> str:
        return self.rollouts[0].problem_id


@dataclass(slots=True)
class Samples:
    """Sums over all rollouts of a run.

    Attributes:
        count: rollouts read.
        outcomes: by step.
        rewards: by step, a histogram of ``BINS`` bins.
        errors: samples by kind of diagnostic; a sample counts once for each kind that it has.
        names: the same by kind and name, for the commonest names.
        examples: one message for each kind.
        topics: outcomes by the first topic of the problem; ``unknown`` where the problem is not one of ours.
        levels: outcomes by level, likewise.
        groups: those kept to look at, by step.
        notes: lines that could not be read.
    """

    count: int = 0
    outcomes: dict[int, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    rewards: dict[int, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0] * BINS))
    errors: Counter[str] = field(default_factory=Counter)
    names: Counter[tuple[str, str]] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    topics: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    levels: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    groups: list[Group] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, rollout: Rollout) -> None:
        """Counts one sample."""
        self.count += 1
        self.outcomes[rollout.step][rollout.outcome.value] += 1
        self.rewards[rollout.step][min(BINS - 1, max(0, int(rollout.total * BINS)))] += 1
        topic, level = _about(rollout.problem_id)
        self.topics[topic][rollout.outcome.value] += 1
        self.levels[level][rollout.outcome.value] += 1
        own = [one for one in rollout.diagnostics if not one.cascade]
        self.errors.update({one.kind for one in own})
        self.names.update({(one.kind, subject(one.name)[:60]) for one in own if subject(one.name)})
        for one in own:
            self.examples.setdefault(one.kind, one.message[:200])
        if len(self.names) > _MOST_NAMES:
            self.names = Counter(dict(self.names.most_common(_MOST_NAMES // 2)))


def read_samples(path: Path, *, groups: int = 40) -> Samples:
    """Reads a file of rollouts.

    Args:
        path: the file; a line that is no rollout is noted and skipped.
        groups: how many groups are kept at most.

    Raises:
        OSError: where the file cannot be read.
    """
    samples = Samples()
    kept: dict[str, _Spread] = {kind: _Spread(most=max(1, groups)) for kind in KINDS}
    for group in _grouped(_rollouts(path, samples)):
        kept[group.kind].offer(group)
    samples.groups = _share({kind: spread.groups for kind, spread in kept.items()}, groups)
    return samples


def _rollouts(path: Path, samples: Samples) -> Iterator[Rollout]:
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            try:
                rollout = Rollout.from_json(line, where=f"{path}:{number}")
            except ConfigError as error:
                if len(samples.notes) < _NOTES:
                    samples.notes.append(str(error))
                continue
            samples.add(rollout)
            yield rollout


def _grouped(rollouts: Iterator[Rollout]) -> Iterator[Group]:
    """The groups of each step, once the step is over. Of several turns the last one counts."""
    step: int | None = None
    members: dict[tuple[int, str], list[Rollout]] = defaultdict(list)
    for rollout in rollouts:
        if rollout.step != step:
            yield from map(_group, members.values())
            members.clear()
            step = rollout.step
        members[rollout.group, rollout.problem_id].append(rollout)
    yield from map(_group, members.values())


def _group(rollouts: Sequence[Rollout]) -> Group:
    last = max(rollout.turn for rollout in rollouts)
    shown = [rollout for rollout in rollouts if rollout.turn == last]
    kept = shown[:MOST_SAMPLES]
    return Group(
        kind=kind_of(shown),
        size=len(shown),
        rollouts=tuple(replace(rollout, completion=rollout.completion[:MOST_TEXT]) for rollout in kept),
        lengths=tuple(len(rollout.completion) for rollout in kept),
    )


def kind_of(rollouts: Sequence[Rollout]) -> str:
    """Whether GRPO learns from a group (``varied``: the rewards differ), or why not: ``all_passed``, also
    with one text, which is a problem that is solved; ``identical`` texts that do not pass; ``all_failed`` (nothing was
    earned, or no sample parses); or ``tied`` in the middle. A group of one is varied: it is compared with nothing.
    """
    totals = [rollout.total for rollout in rollouts]
    if len(rollouts) < 2 or max(totals) - min(totals) > 1e-9:
        return "varied"
    if all(rollout.passed for rollout in rollouts):
        return "all_passed"
    if len({str(rollout.completion) for rollout in rollouts}) == 1:
        return "identical"
    outcomes = {rollout.outcome for rollout in rollouts}
    return "all_failed" if totals[0] <= 0 or outcomes <= {Outcome.NO_CODE, Outcome.SYNTAX_ERROR} else "tied"


def compression_ratio(texts: Iterable[str]) -> float | None:
    """Bytes of texts over the bytes of their zlib, each compressed by itself, so that answers that are like each other
    are no repetition. 1 to 3 for code, 10 and more for loops; None where there is no text.
    """
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts if text]
    return sum(map(len, encoded)) / sum(len(zlib.compress(text)) for text in encoded) if encoded else None


@dataclass(slots=True)
class _Spread:
    """Keeps groups evenly spread over a stream of unknown length: every n-th, then every 2n-th, and so on."""

    most: int
    groups: list[Group] = field(default_factory=list)
    stride: int = 1
    seen: int = 0

    def offer(self, group: Group) -> None:
        if self.seen % self.stride == 0:
            self.groups.append(group)
            if len(self.groups) > 2 * self.most:
                self.groups = self.groups[::2]
                self.stride *= 2
        self.seen += 1


def _share(found: dict[str, list[Group]], most: int) -> list[Group]:
    """At most so many, each kind with its share, evenly spread over its own. Rare kinds come first: what they leave
    goes to the others.
    """
    kinds = sorted((kind for kind in KINDS if found[kind]), key=lambda kind: len(found[kind]))
    chosen: list[Group] = []
    for index, kind in enumerate(kinds):
        room = (most - len(chosen)) // (len(kinds) - index)
        groups = found[kind]
        count = min(room, len(groups))
        chosen += [groups[place * (len(groups) - 1) // max(1, count - 1)] for place in range(count)]
    return sorted(chosen, key=lambda group: (group.step, group.rollouts[0].group))


# --- problems ---------------------------------------------------------------------------------------------------------


@cache
def find_problem(problem_id: str) -> Problem | None:
    """The bundled or generated problem of that id; of a repair the problem whose reference got the fault; None for a
    problem of somebody else's.
    """
    problem_id = _source(problem_id)
    if problem := load_problems("bundled").by_id.get(problem_id):
        return problem
    from ocaml_env.problems.generators.generate import problem_of_id  # all families, which takes a while

    try:
        return problem_of_id(problem_id)
    except (ConfigError, EngineError):
        return None


def _source(problem_id: str) -> str:
    """``ID`` of ``repair/EDITION/KIND/SEED/ID``; any other id is its own."""
    parts = problem_id.split("/", 4)
    return parts[-1] if parts[0] == "repair" else problem_id


def _about(problem_id: str) -> tuple[str, str]:
    """The first topic, and the level."""
    problem_id = _source(problem_id)
    if problem_id.startswith("generated/") and problem_id.count("/") == 5:
        return _about_family(problem_id.rsplit("/", 2)[0])
    return _of(find_problem(problem_id))


@cache
def _about_family(place: str) -> tuple[str, str]:
    """Problems of one family and level are alike in both, so one is drawn for all of them."""
    return _of(find_problem(f"{place}/0/0"))


def _of(problem: Problem | None) -> tuple[str, str]:
    if problem is None:
        return "unknown", "unknown"
    return problem.topics[0] if problem.topics else "unknown", problem.level_name
