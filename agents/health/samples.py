"""Totals over the completions of a run: outcomes, rewards, errors, topics, and some groups to look at.

Reads the file of rollouts once, as a stream. Keeps groups spread evenly over the run and over their kinds, with their
texts cut to a readable length.
"""

from __future__ import annotations

import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from agents.health.records import GroupKind
from ocaml_env.errors import ConfigError, EngineError, OCamlEnvError
from ocaml_env.problem import Problem
from ocaml_env.problems import load_problems
from ocaml_env.rollout import Rollout
from ocaml_env.verdict import Outcome, subject

__all__ = ["Group", "Samples", "compression_ratio", "find_problem", "kind_of", "read_samples"]

BINS = 20
"""Bins of the histogram of rewards, from 0 to 1; rewards outside count in the first or the last."""

MOST_TEXT = 4000
"""Most characters kept of a completion."""

MOST_SAMPLES = 8
"""Most completions kept of a group."""

_MOST_NAMES = 5000
_NOTES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The completions of one prompt in one step.

    Attributes:
        kind: its kind.
        size: number of completions; ``rollouts`` may hold fewer.
        rollouts: the first ``MOST_SAMPLES`` of them, with texts cut to ``MOST_TEXT`` characters.
        lengths: lengths of the whole texts, in characters.
    """

    kind: GroupKind
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
        outcomes: outcomes by step.
        rewards: a histogram of ``BINS`` bins for each step.
        errors: samples by kind of diagnostic; a sample counts once for each of its kinds.
        names: the same by kind and name, for the commonest names.
        examples: one message for each kind.
        topics: outcomes by the first topic of the problem; ``unknown`` if the problem is not found, or has none.
        levels: outcomes by level, likewise.
        groups: groups kept to look at, in the order of steps.
        notes: a message for each unreadable line or set of problems.
        own: the problems of the run's own files, by id.
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
    own: Mapping[str, Problem] = field(default_factory=dict)

    def problem(self, problem_id: str) -> Problem | None:
        """Returns the problem of that id: one of the run's own, or a bundled or generated one; None for any other."""
        return self.own.get(_source(problem_id)) or find_problem(problem_id)

    def add(self, rollout: Rollout) -> None:
        """Counts one sample in all totals."""
        self.count += 1
        self.outcomes[rollout.step][rollout.outcome.value] += 1
        self.rewards[rollout.step][min(BINS - 1, max(0, int(rollout.total * BINS)))] += 1
        own = self.own.get(_source(rollout.problem_id))
        topic, level = _about(rollout.problem_id) if own is None else _of(own)
        self.topics[topic][rollout.outcome.value] += 1
        self.levels[level][rollout.outcome.value] += 1
        errors = [error for error in rollout.diagnostics if not error.cascade]
        self.errors.update({error.kind for error in errors})
        self.names.update({(error.kind, subject(error.name)[:60]) for error in errors if subject(error.name)})
        for error in errors:
            self.examples.setdefault(error.kind, error.message[:200])
        if len(self.names) > _MOST_NAMES:
            self.names = Counter(dict(self.names.most_common(_MOST_NAMES // 2)))


def read_samples(path: Path, *, groups: int = 40, source: str = "") -> Samples:
    """Reads a file of rollouts.

    Args:
        path: the file; other lines than rollouts are noted and skipped.
        groups: most groups to keep.
        source: the problems of the run, as its setting has them. Those of a file tell their topics and levels.

    Raises:
        OSError: if the file cannot be read.
    """
    samples = Samples()
    samples.own = _own_problems(source, samples.notes)
    kept = {kind: _Spread(most=max(1, groups)) for kind in GroupKind}
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
    """Yields the groups of each step at its end. Of several turns the last one counts."""
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


def kind_of(rollouts: Sequence[Rollout]) -> GroupKind:
    """Returns the kind of a group. GRPO learns only from ``varied`` groups, with different rewards.

    Equal rewards are ``all_passed`` if all samples pass, also with one text, because the problem is solved. Else they
    are ``identical`` if all texts are the same, ``all_failed`` if nothing was earned or no sample parses, and ``tied``
    otherwise. A group of one is varied, because it is compared with nothing.
    """
    totals = [rollout.total for rollout in rollouts]
    if len(rollouts) < 2 or max(totals) - min(totals) > 1e-9:
        return GroupKind.VARIED
    if all(rollout.passed for rollout in rollouts):
        return GroupKind.ALL_PASSED
    if len({str(rollout.completion) for rollout in rollouts}) == 1:
        return GroupKind.IDENTICAL
    outcomes = {rollout.outcome for rollout in rollouts}
    unread = outcomes <= {Outcome.NO_CODE, Outcome.SYNTAX_ERROR}
    return GroupKind.ALL_FAILED if totals[0] <= 0 or unread else GroupKind.TIED


def compression_ratio(texts: Iterable[str]) -> float | None:
    """Returns the bytes of texts over the bytes of their zlib compression; None without texts.

    Compresses each text by itself, so that similar answers are no repetition. Code has 1 to 3, loops 10 and more.
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


def _share(found: Mapping[GroupKind, list[Group]], most: int) -> list[Group]:
    """Chooses at most ``most`` groups, evenly spread over each kind.

    Kinds have equal shares; rare kinds choose first, so that the others get the rest of their shares.
    """
    kinds = sorted((kind for kind in GroupKind if found[kind]), key=lambda kind: len(found[kind]))
    chosen: list[Group] = []
    for index, kind in enumerate(kinds):
        room = (most - len(chosen)) // (len(kinds) - index)
        groups = found[kind]
        count = min(room, len(groups))
        chosen += [groups[place * (len(groups) - 1) // max(1, count - 1)] for place in range(count)]
    return sorted(chosen, key=lambda group: (group.step, group.rollouts[0].group))


# --- problems ---------------------------------------------------------------------------------------------------------


def _own_problems(source: str, notes: list[str]) -> dict[str, Problem]:
    """The problems of a run's own files, by id; a file that cannot be read becomes a note."""
    found: dict[str, Problem] = {}
    for part in source.split("+"):
        path = part.strip().removeprefix("repair:").partition("?")[0]
        if not path or path.startswith(("bundled", "generated:")):
            continue
        if not Path(path).exists():
            notes.append(f"{path}, the problems of the run, is not here: their topics and levels are unknown")
            continue
        try:
            found |= load_problems(path, skip_bad=True).by_id
        except (OCamlEnvError, OSError) as error:
            notes.append(f"the topics and levels of {path} are unknown: {error}")
    return found


@cache
def find_problem(problem_id: str) -> Problem | None:
    """Returns the bundled or generated problem of that id; None for any other problem.

    A repair gives its source: the problem with the reference that got the fault.
    """
    problem_id = _source(problem_id)
    if problem := load_problems("bundled").by_id.get(problem_id):
        return problem
    from ocaml_env.problems.generators.generate import problem_of_id  # imports all families, which takes a while

    try:
        return problem_of_id(problem_id)
    except (ConfigError, EngineError):
        return None


def _source(problem_id: str) -> str:
    """Extracts ``ID`` from ``repair/EDITION/KIND/SEED/ID``; returns any other id as it is."""
    parts = problem_id.split("/", 4)
    return parts[-1] if parts[0] == "repair" else problem_id


def _about(problem_id: str) -> tuple[str, str]:
    """The first topic and the level of a problem."""
    problem_id = _source(problem_id)
    if problem_id.startswith("generated/") and problem_id.count("/") == 5:
        return _about_family(problem_id.rsplit("/", 2)[0])
    return _of(find_problem(problem_id))


@cache
def _about_family(place: str) -> tuple[str, str]:
    """Topic and level of a family, from one drawn problem: all problems of a family and level share them."""
    return _of(find_problem(f"{place}/0/0"))


def _of(problem: Problem | None) -> tuple[str, str]:
    if problem is None:
        return "unknown", "unknown"
    return problem.topics[0] if problem.topics else "unknown", problem.level_name
