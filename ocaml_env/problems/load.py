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
from ocaml_env.problem.record import nearest, problem_to_record
from ocaml_env.problems.format import read_problem
from ocaml_env.problems.rows import Tally, markdown_files, read_rows
from ocaml_env.problems.splits import hold_out

if TYPE_CHECKING:
    from ocaml_env.problems.importers.sources import Source
    from ocaml_env.verifiers.base import AnyVerifier  # it imports the engine, which problems do not need

__all__ = ["ProblemSet", "bundled_files", "level_names", "load_problems", "to_jsonl"]

_BUNDLED = Path(__file__).parent / "bundled"
_SPLITS = ("train", "eval")
_CONDITIONS = ("level", "split", "holdout", "seed")
_SPAN = re.compile(r"([1-6])-([1-6])", re.ASCII)
_SOURCES = (
    '"bundled", "bundled:train" or "bundled:eval", each also with "?level=1-3", "generated:..." (a family, a topic or '
    '"all"), "repair:..." (any source, answers with faults), the path of an .md, .jsonl, .csv, .json or .parquet file '
    "or of a folder of them, OWNER/NAME of a data set on the hub, or exercism:PATH"
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
        levels = None if level is None else level_names(level, self._problems)
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
    source: Source,
    *,
    level: int | str | Iterable[int | str] | None = None,
    topics: str | Iterable[str] | None = None,
    kind: str | None = None,
    split: str | None = None,
    holdout: float = 0.0,
    seed: int = 0,
    columns: Mapping[str, str] | None = None,
    skip_bad: bool = False,
    verifier: AnyVerifier | None = None,
) -> ProblemSet:
    """Loads problems, and keeps those that meet all given conditions.

    Args:
        source: ``"bundled"`` (the problems of this package), ``"bundled:train"``, ``"bundled:eval"``; generated ones,
            as ``"generated:lists?level=2&seed=7&n=1000"`` (see ``generators``); any of these with faults to repair, as
            ``"repair:bundled:train?fault=type,value&seed=1&n=500"`` (see ``repair``); a path of one ``.md`` file or of
            a folder (every ``.md`` file in it at any depth but README.md); or any source of
            ``importers.import_problems``, such as a ``.csv`` or ``.jsonl`` file, ``OWNER/NAME`` of the hub, or a
            ``datasets.Dataset``. Bundled sets, paths and names may end in conditions, as in
            ``"mine.jsonl?split=train&holdout=0.2"``; known are ``level``, ``split``, ``holdout`` and ``seed``.
        level: from 1 to 6, a range such as ``"1-3"``, a label of the set, or several of these; one must match.
        topics: one or several topics; a problem must have at least one of them.
        kind: ``function`` or ``program``.
        split: ``train`` or ``eval``: the problems of one side, as the set says or as ``holdout`` divides it.
        holdout: share of the set to evaluate on; 0 leaves the splits of the set. See ``splits.hold_out``.
        seed: of that division.
        columns: names of columns in formats, each with its name in this set, as ``{"prompt": "problem"}``.
        skip_bad: True leaves out rows that make no problem, and tells in ``ProblemSet.note`` how many and why.
        verifier: for ``repair:``, to see the faults fail, and for foreign sets, to parse OCaml. Without one, the source
            makes its own and closes it.

    Raises:
        ConfigError: the source is unknown, or none of its problems meets the conditions.
        ProblemError: a row makes no problem, or two have the same id, and ``skip_bad`` is False; the message names the
            first one, and counts them by cause.
        OSError: a file cannot be read.
    """
    if isinstance(source, str | os.PathLike):
        source, query = _parse_query(os.fspath(source))
        level = query.get("level", "").split(",") if level is None and "level" in query else level
        split = split or query.get("split")
        holdout = holdout or _number("holdout", query.get("holdout", "0"), float)
        seed = seed or _number("seed", query.get("seed", "0"), int)
    problems = _load(source, verifier, columns, skip_bad)
    if holdout:
        divided = hold_out(problems, holdout, seed=seed)
        problems = ProblemSet(divided, name=f"{problems.name}?holdout={holdout:g}&seed={seed}", note=problems.note)
    elif split and not any(problem.split for problem in problems):
        raise ConfigError(f"no problem of {problems.name!r} has a split: divide it, as with holdout=0.2")
    chosen = problems.filter(level=level, topics=topics, kind=kind, split=split)
    if not chosen:
        given = {"level": level, "topics": topics, "kind": kind, "split": split}
        conditions = ", ".join(f"{name}={value!r}" for name, value in given.items() if value is not None)
        raise ConfigError(
            f"no problem of {problems.name!r} has {conditions}; its topics are {', '.join(problems.topics)}"
            if conditions and problems
            else f"{problems.name!r} holds no problems" + (f": {problems.note}" if problems.note else "")
        )
    return chosen


def level_names(given: int | str | Iterable[int | str], problems: Iterable[Problem] = ()) -> set[str]:
    """The names of the given levels.

    Args:
        given: from 1 to 6, a range such as ``"1-3"``, a label of the problems, or several of these.
        problems: whose labels may be given.

    Raises:
        ConfigError: if one of them is no level.
    """
    known = {*map(str, LEVELS), *(problem.level_name for problem in problems)}
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


def to_jsonl(problems: Iterable[Problem], path: str | os.PathLike[str]) -> None:
    """Writes one JSON object a line for each problem; ``load_problems`` reads equal problems back."""
    with Path(path).open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(json.dumps(problem_to_record(problem)) + "\n" for problem in problems)


def _parse_query(name: str) -> tuple[str, dict[str, str]]:
    """A source and its conditions: ``SOURCE?split=train&holdout=0.2``. Generators and repairs read their own."""
    source, mark, text = name.partition("?")
    if not mark or name.startswith(("generated:", "repair:")) or os.path.exists(name):
        return name, {}
    query = dict(part.partition("=")[::2] for part in text.split("&"))
    for key in query:
        if key not in _CONDITIONS:
            raise ConfigError(f"{name!r}: there is no condition {key!r}{nearest(key, _CONDITIONS)}")
    return source, query


def _number(name: str, text: str, read: type[float] | type[int]) -> Any:
    try:
        return read(text)
    except ValueError:
        raise ConfigError(f"{name} must be a number, not {text!r}") from None


def _load(
    source: Source,
    verifier: AnyVerifier | None = None,
    columns: Mapping[str, str] | None = None,
    skip_bad: bool = False,
) -> ProblemSet:
    if not isinstance(source, str | os.PathLike):
        return _rows(source, "the data set", verifier, columns, skip_bad)
    name = os.fspath(source)
    if name.startswith("repair:"):
        from ocaml_env.problems.repair import load_repairs  # it imports the engine, which the others do not need

        repairs, note = load_repairs(name, load=load_problems, verifier=verifier)
        return ProblemSet(repairs, name=name, note=note)
    if name.partition(":")[0] == "bundled":
        return _part_of_bundled(name)
    if name.startswith("generated:"):
        # A late import, since it takes time and most loads need no generated problems.
        from ocaml_env.problems.drawn import load_generated
        from ocaml_env.problems.generators import parse_source

        return ProblemSet(load_generated(parse_source(name)), name=name)
    _check_source(name)
    return _rows(name, name, verifier, columns, skip_bad)


def _check_source(name: str) -> None:
    """Refuses a text that names no set, with all kinds of sources: the reader of rows knows only its own."""
    from ocaml_env.problems.importers.files import READERS  # late imports: they import the engine
    from ocaml_env.problems.importers.sources import is_hub_name

    if name.startswith("exercism:"):
        return
    if not os.path.exists(name) and not is_hub_name(name):
        raise ConfigError(f"no problems at {name!r}: give {_SOURCES}")
    if os.path.isfile(name) and Path(name).suffix not in {".md", *READERS}:
        raise ConfigError(f"cannot tell how to read problems from {name!r}: give {_SOURCES}")


def _rows(
    source: Source,
    name: str,
    verifier: AnyVerifier | None,
    columns: Mapping[str, str] | None,
    skip_bad: bool,
) -> ProblemSet:
    """A user's set.

    Raises:
        ConfigError: as for ``read_rows``.
        ProblemError: a row makes no problem, and ``skip_bad`` is False.
    """
    tally, problems, first = Tally(), [], None
    for row in read_rows(source, columns=columns, verifier=verifier):
        tally.add(row)
        if row.problem is not None:
            problems.append(row.problem)
        else:
            first = first or row
    if first is not None and not skip_bad:
        raise ProblemError(
            f"{name}: {first.error} ({tally}). `ocaml-env import` writes the good rows", problem_id=first.id or None
        )
    return ProblemSet(problems, name=name, note=str(tally) if first is not None else "")


def _part_of_bundled(name: str) -> ProblemSet:
    """The problems of ``bundled`` or ``bundled:SPLIT``."""
    _, colon, split = name.partition(":")
    if colon and split not in _SPLITS:
        raise ConfigError(f"the bundled problems have no split {split!r}{nearest(split, _SPLITS)}")
    return _bundled().split(split) if colon else _bundled()


@cache
def _bundled() -> ProblemSet:
    return ProblemSet(map(read_problem, bundled_files()), name="bundled")


def bundled_files() -> list[Path]:
    """The files of the bundled problems, sorted."""
    return markdown_files(_BUNDLED)


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
