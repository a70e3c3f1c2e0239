"""Loads problems from the bundled suite, generators, files and other data sets, as one ``ProblemSet``.

The formats of single problems are in ``format`` (Markdown), ``record`` (plain data) and ``importers`` (other data
sets).
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, get_args, overload

from ocaml_env.errors import ConfigError, ProblemError
from ocaml_env.problem import LEVELS, Kind, Problem
from ocaml_env.problem.record import nearest, problem_from_record, problem_to_record
from ocaml_env.problems.format import read_problem

if TYPE_CHECKING:
    from ocaml_env.verifiers.base import AnyVerifier  # it imports the engine, which problems do not need

__all__ = ["ProblemSet", "bundled_files", "load_problems", "to_jsonl"]

_BUNDLED = Path(__file__).parent / "bundled"
_SPLITS = ("train", "eval")
_SPAN = re.compile(r"([1-6])-([1-6])", re.ASCII)
_SOURCES = (
    '"bundled", "bundled:train" or "bundled:eval", each also with "?level=1-3", "generated:..." (a family, a topic or '
    '"all"), "repair:..." (any source, answers with faults), the path of an .md, .jsonl, .csv, .json or .parquet file '
    "or of a folder of them, or OWNER/NAME of a data "
    "set on the hub"
)


class ProblemSet(Sequence[Problem]):
    """Problems with distinct ids, sorted by id.

    Immutable, hashable, and picklable. Slicing, ``filter`` and ``split`` give sets again.

    Attributes:
        name: the source of the problems, for reports.
        note: a remark about making them, for reports, such as the number of failed draws; "" if none.
    """

    __slots__ = ("_by_id", "_problems", "name", "note")

    def __init__(self, problems: Iterable[Problem], *, name: str = "problems", note: str = "") -> None:
        """Sorts the problems.

        Raises:
            ProblemError: two problems have the same id.
        """
        self.name, self.note = name, note
        self._problems = tuple(sorted(problems, key=lambda problem: problem.id))
        self._by_id: dict[str, Problem] = {}
        for problem in self._problems:
            if problem.id in self._by_id:
                raise ProblemError(f"{name}: two problems have the id {problem.id!r}", problem_id=problem.id)
            self._by_id[problem.id] = problem

    @property
    def by_id(self) -> Mapping[str, Problem]:
        return MappingProxyType(self._by_id)

    @property
    def topics(self) -> tuple[str, ...]:
        """All topics of the problems, sorted."""
        return tuple(sorted({topic for problem in self._problems for topic in problem.topics}))

    def get(self, problem_id: str) -> Problem:
        """The problem with this id.

        Raises:
            ConfigError: there is none; the message names the most similar id.
        """
        try:
            return self._by_id[problem_id]
        except KeyError:
            raise ConfigError(f"{self.name} has no problem {problem_id!r}{nearest(problem_id, self._by_id)}") from None

    def filter(
        self,
        *,
        level: int | str | Iterable[int | str] | None = None,
        topics: str | Iterable[str] | None = None,
        kind: str | None = None,
        split: str | None = None,
        lines: tuple[int, int] | None = None,
        solve_rate: tuple[float, float] | None = None,
    ) -> ProblemSet:
        """The problems that meet all given conditions; perhaps none.

        Args:
            level: from 1 to 6, a range such as ``"1-3"``, a label of these problems, or several of these; one must
                match.
            topics: one or several topics; a problem must have at least one of them.
            kind: ``function`` or ``program``.
            split: ``train`` or ``eval``.
            lines: the fewest and the most lines of the reference, without blank ones.
            solve_rate: the least and the greatest ``solve_rate``; problems without attempts are left out.

        Raises:
            ConfigError: no problem could ever have such a value.
        """
        levels = None if level is None else self._levels(level)
        kinds = _choices("kind", kind, get_args(Kind))
        splits = _choices("split", split, _SPLITS)
        wanted = None if topics is None else {topics} if isinstance(topics, str) else set(topics)
        chosen = (
            problem
            for problem in self._problems
            if (levels is None or problem.level_name in levels)
            and (kinds is None or problem.kind in kinds)
            and (splits is None or problem.split in splits)
            and (wanted is None or not wanted.isdisjoint(problem.topics))
            and (lines is None or lines[0] <= problem.reference_lines <= lines[1])
            and (solve_rate is None or _between(problem.solve_rate, solve_rate))
        )
        return ProblemSet(chosen, name=self.name, note=self.note)

    def _levels(self, given: int | str | Iterable[int | str]) -> set[str]:
        """The names of the given levels."""
        known = {*map(str, LEVELS), *(problem.level_name for problem in self._problems)}
        chosen: set[str] = set()
        for wanted in (given,) if isinstance(given, int | str) else given:
            if span := _SPAN.fullmatch(str(wanted)):
                chosen |= {str(level) for level in LEVELS if int(span[1]) <= level <= int(span[2])}
            elif str(wanted) in known:
                chosen.add(str(wanted))
            else:
                hint = nearest(str(wanted), sorted(known))
                raise ConfigError(f"there is no level {wanted!r}: give 1 to 6, or a range such as 1-3{hint}")
        return chosen

    def split(self, name: str) -> ProblemSet:
        """The problems of one split, ``train`` or ``eval``, in a set named ``NAME:SPLIT``."""
        return ProblemSet(self.filter(split=name), name=f"{self.name}:{name}", note=self.note)

    @overload
    def __getitem__(self, index: int) -> Problem: ...
    @overload
    def __getitem__(self, index: slice) -> ProblemSet: ...
    def __getitem__(self, index: int | slice) -> Problem | ProblemSet:
        if isinstance(index, slice):
            return ProblemSet(self._problems[index], name=self.name, note=self.note)
        return self._problems[index]

    def __len__(self) -> int:
        return len(self._problems)

    def __iter__(self) -> Iterator[Problem]:
        return iter(self._problems)

    def __eq__(self, other: object) -> bool:
        return self._problems == other._problems if isinstance(other, ProblemSet) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._problems)

    def __repr__(self) -> str:
        return f"<ProblemSet {self.name!r}: {len(self)} problems>"


def load_problems(
    source: str | os.PathLike[str],
    *,
    level: int | str | Iterable[int | str] | None = None,
    topics: str | Iterable[str] | None = None,
    kind: str | None = None,
    verifier: AnyVerifier | None = None,
) -> ProblemSet:
    """Loads problems, and keeps those that meet all given conditions.

    Args:
        source: ``"bundled"`` (the problems of this package), ``"bundled:train"``, ``"bundled:eval"``, each also with
            levels, as ``"bundled:eval?level=1-3"``; generated ones, as ``"generated:lists?level=2&seed=7&n=1000"`` (see
            ``generators``); any of these with faults to repair, as
            ``"repair:bundled:train?fault=type,value&seed=1&n=500"`` (see ``repair``); or a path: of one ``.md`` file,
            of a folder (every ``.md`` file in it at any depth but README.md), or of a ``.jsonl`` file with one JSON
            object of ``Problem``'s fields a line. Other data sets, if every row is good: a ``.csv``, ``.json``,
            ``.jsonl`` or ``.parquet`` file, a folder of them, or ``OWNER/NAME`` or ``hub:OWNER/NAME`` of the hub. For
            sets with bad rows use ``importers.import_problems``.
        level: from 1 to 6, a range such as ``"1-3"``, a label of the set, or several of these; one must match.
        topics: one or several topics; a problem must have at least one of them.
        kind: ``function`` or ``program``.
        verifier: only for ``repair:``, to see the faults fail. Without one, the source makes its own and closes it.

    Raises:
        ConfigError: the source is unknown, or none of its problems meets the conditions.
        ProblemError: a problem cannot be used, or two have the same id; the message names file and line.
        OSError: a file cannot be read.
    """
    problems = _load(source, verifier)
    chosen = problems.filter(level=level, topics=topics, kind=kind)
    if not chosen:
        given = {"level": level, "topics": topics, "kind": kind}
        conditions = ", ".join(f"{name}={value!r}" for name, value in given.items() if value is not None)
        raise ConfigError(
            f"no problem of {problems.name!r} has {conditions}; its topics are {', '.join(problems.topics)}"
            if conditions
            else f"{problems.name!r} holds no problems"
        )
    return chosen


def to_jsonl(problems: Iterable[Problem], path: str | os.PathLike[str]) -> None:
    """Writes one JSON object a line for each problem; ``load_problems`` reads equal problems back."""
    with Path(path).open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(json.dumps(problem_to_record(problem)) + "\n" for problem in problems)


def _load(source: str | os.PathLike[str], verifier: AnyVerifier | None = None) -> ProblemSet:
    name = os.fspath(source)
    if name.startswith("repair:"):
        from ocaml_env.problems.repair import load_repairs  # it imports the engine, which the others do not need

        repairs, note = load_repairs(name, load=_load, verifier=verifier)
        return ProblemSet(repairs, name=name, note=note)
    if name.partition("?")[0].partition(":")[0] == "bundled":
        return _part_of_bundled(name)
    if name.startswith("generated:"):
        # A late import, since it takes time and most loads need no generated problems.
        from ocaml_env.problems.drawn import load_generated
        from ocaml_env.problems.generators import parse_source

        return ProblemSet(load_generated(parse_source(name)), name=name)
    path = Path(name)
    if os.path.isdir(name):
        problems = list(_folder(path))
        return ProblemSet(problems or _foreign(path), name=name)
    if not os.path.exists(name):
        return _hub(name)
    if path.suffix == ".md":
        return ProblemSet([read_problem(path)], name=name)
    if path.suffix in (".csv", ".json", ".jsonl", ".parquet"):
        found = _foreign(path)
        return ProblemSet(found if found or path.suffix != ".jsonl" else _jsonl(path), name=name)
    raise ConfigError(f"cannot tell how to read problems from {name!r}: give {_SOURCES}")


def _foreign(path: Path) -> list[Problem]:
    """The problems of another data set; none if the path is no such set."""
    # A late import: these import the engine, which the bundled problems do not need.
    from ocaml_env.problems.importers import sources, strict

    if path.is_dir():
        foreign = sources.holds_data_files(path)
    else:
        foreign = path.suffix != ".jsonl" or strict.is_foreign_jsonl(path)
    return strict.import_strictly(str(path)) if foreign else []


def _hub(name: str) -> ProblemSet:
    from ocaml_env.problems.importers import sources, strict

    if not sources.is_hub_name(name):
        raise ConfigError(f"no problems at {name!r}: give {_SOURCES}")
    return ProblemSet(strict.import_strictly(name), name=name)


def _part_of_bundled(name: str) -> ProblemSet:
    """The problems of ``bundled``, ``bundled:SPLIT``, or either with ``?level=L``."""
    suite, _, query = name.partition("?")
    _, colon, split = suite.partition(":")
    if colon and split not in _SPLITS:
        raise ConfigError(f"the bundled problems have no split {split!r}{nearest(split, _SPLITS)}")
    found = _bundled().split(split) if colon else _bundled()
    if not query:
        return found
    key, _, levels = query.partition("=")
    if key != "level":
        raise ConfigError(f"{name!r}: bundled problems are chosen by level only, as {suite}?level=1-3")
    return ProblemSet(found.filter(level=levels.split(",")), name=name)


@cache
def _bundled() -> ProblemSet:
    return ProblemSet(_folder(_BUNDLED), name="bundled")


def bundled_files() -> list[Path]:
    """The files of the bundled problems, sorted."""
    return _files(_BUNDLED)


def _folder(path: Path) -> Iterator[Problem]:
    return map(read_problem, _files(path))


def _files(path: Path) -> list[Path]:
    return sorted(file for file in path.rglob("*.md") if file.name != "README.md")


def _jsonl(path: Path) -> Iterator[Problem]:
    for number, line in enumerate(path.read_bytes().split(b"\n"), start=1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        try:
            record: Any = json.loads(line)
        except (ValueError, RecursionError) as error:  # not JSON, or not UTF-8
            raise ProblemError(f"{where}: the line is not JSON: {error}") from None
        if not isinstance(record, dict):
            raise ProblemError(
                f"{where}: the line must be a JSON object with the fields of a problem, not {line[:60]!r}"
            )
        yield problem_from_record(record, where=where)


def _between(value: float | None, bounds: tuple[float, float]) -> bool:
    return value is not None and bounds[0] <= value <= bounds[1]


def _choices(what: str, given: str | Iterable[str] | None, known: Sequence[str]) -> set[str] | None:
    if given is None:
        return None
    chosen = {given} if isinstance(given, str) else set(given)
    for value in chosen:
        if value not in known:
            raise ConfigError(f"there is no {what} {value!r}{nearest(str(value), known)}")
    return chosen
