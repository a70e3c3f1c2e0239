"""Draws repair problems: takes kinds of faults, levels and problems in turn, until there are enough.

The problem, the kind and the seed alone determine the fault, and the id. A draw tries several places of the reference,
and fails if the code fails as intended at none of them.
"""

from __future__ import annotations

import itertools
import logging
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TypeVar

from ocaml_env.display.progress import Bar
from ocaml_env.errors import ConfigError
from ocaml_env.problem import MAX_ID, Problem
from ocaml_env.problem.record import nearest
from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.repair.kinds import FAULTS, KINDS, Kind
from ocaml_env.problems.repair.planted import Planted, repair_id, repair_problem
from ocaml_env.problems.repair.planter import Draw, Planter
from ocaml_env.problems.repair.request import USUAL_COUNT, Request, parse_source
from ocaml_env.verifiers.base import AnyVerifier, AuthoringVerifier

__all__ = ["EDITION", "Draws", "authoring", "draw_repair", "draw_repairs", "load_repairs", "repair_of_id"]

EDITION = 1
"""Increase this number if the same id would give another problem, because a kind plants differently."""

_ID = re.compile(r"repair/([0-9]{1,4})/([a-z_]+)/(0|[1-9][0-9]{0,17})/(.+)", re.ASCII)
_BATCH = 64  # draws to verify together
T = TypeVar("T")
_log = logging.getLogger("ocaml_env.problems")


@dataclass(frozen=True, slots=True, kw_only=True)
class Draws:
    """The result of drawing.

    Attributes:
        problems: each with a fault.
        failed: the number of failed draws, by the name of the kind and the reason.
    """

    problems: tuple[Problem, ...]
    failed: Counter[tuple[str, str]]

    @property
    def note(self) -> str:
        """The counts in a sentence."""
        count = f"{len(self.problems)} faults planted"
        if not self.failed:
            return f"{count}, and no draw failed"
        reasons: Counter[str] = Counter()
        for (_, reason), times in self.failed.items():
            reasons[reason] += times
        why = ", ".join(f"{reason} ({times})" for reason, times in reasons.most_common())
        return f"{count}, and {self.failed.total()} draws failed: {why}"


def load_repairs(
    name: str, *, load: Callable[[str], Iterable[Problem]], verifier: AnyVerifier | None = None
) -> tuple[tuple[Problem, ...], str]:
    """The problems of ``repair:SOURCE?...``, and a sentence about failed draws; see ``parse_source``.

    Args:
        name: the whole text.
        load: reads SOURCE.
        verifier: sees the faults fail. If there is none, or if it makes no mutants, such as a service, a local one is
            made.

    Raises:
        ConfigError: there are too few.
        EngineError: OCaml cannot be used.
    """
    request = parse_source(name)
    problems = [problem for problem in load(request.source) if problem.reference.strip()]
    if not problems:
        raise ConfigError(f"{name!r}: no problem of {request.source!r} has a reference in which to plant a fault")
    if any(problem.attempt for problem in problems):
        raise ConfigError(f"{name!r}: the problems of {request.source!r} have attempts already")
    with authoring(verifier) as author:
        found = draw_repairs(problems, request, author)
    if not found.problems or (request.n is not None and len(found.problems) < request.n):
        raise ConfigError(
            f"{name!r}: {len(problems)} problems gave {len(found.problems)} repair problems, and n is "
            f"{request.n or USUAL_COUNT}: ask for no more, for other faults, or for more problems to plant them in "
            f"({found.note})"
        )
    _log.info("%s: %s", name, found.note)
    return found.problems, found.note


def repair_of_id(problem_id: str, find: Callable[[str], Problem], verifier: AnyVerifier | None = None) -> Problem:
    """The repair problem with this id.

    Args:
        problem_id: ``repair/EDITION/KIND/SEED/ID``.
        find: returns the problem with that ID.
        verifier: as for ``load_repairs``.

    Raises:
        ConfigError: there is no such problem.
    """
    match = _ID.fullmatch(problem_id)
    if not match:
        raise ConfigError(f"{problem_id!r} is no id of a repair problem: it is repair/EDITION/KIND/SEED/ID")
    edition, name, seed, source = match.groups()
    if edition != str(EDITION):
        raise ConfigError(f"{problem_id!r} is of edition {edition} of the faults, and this is edition {EDITION}")
    if name not in KINDS:
        raise ConfigError(f"{problem_id!r}: there is no kind of fault {name!r}{nearest(name, KINDS)}")
    problem, kind = find(source), KINDS[name]
    if problem.attempt:
        raise ConfigError(f"{problem_id!r}: the problem {source!r} has an attempt already")
    with authoring(verifier) as author:
        planter = Planter(author, int(seed))
        draw = Draw(problem, kind)
        [planted] = planter.plant([draw]) if planter.has_place(draw) else [Planted()]
        planter.save()
    if not planted.attempt:
        raise ConfigError(f"there is no problem {problem_id!r}: {planted.reason or 'no place for the fault'}")
    return repair_problem(problem, problem_id, planted)


def authoring(verifier: AnyVerifier | None) -> AbstractContextManager[AuthoringVerifier]:
    """The verifier, if it makes mutants; else one of this machine, which is closed in the end."""
    if isinstance(verifier, AuthoringVerifier):
        return nullcontext(verifier)
    from ocaml_env.verifiers.local import Verifier  # other problems need no engine

    return Verifier()


def draw_repairs(
    problems: Sequence[Problem], request: Request, verifier: AuthoringVerifier, *, keep: bool = True
) -> Draws:
    """The requested number of repair problems, or all there are. No two share both the source and the attempt.

    Args:
        problems: their references must pass.
        request: its ``source`` is ignored.
        verifier: sees the faults fail, and makes mutants.
        keep: as for ``Planter``.
    """
    wanted = request.n or USUAL_COUNT
    found: dict[tuple[str, str], Problem] = {}
    failed: Counter[tuple[str, str]] = Counter()
    planter = Planter(verifier, request.seed, max_attempt=request.max_attempt, keep=keep)
    draws = _in_turn(problems, request, planter)
    try:
        with Bar("planting faults", wanted, "problems", passing=True) as bar:
            while some := list(itertools.islice(draws, min(_BATCH, wanted - len(found)))):
                for (problem, kind), planted in zip(some, planter.plant(some), strict=True):
                    reason = planted.reason
                    new_id = repair_id(problem, kind, seed=request.seed, edition=EDITION)
                    if len(new_id) > MAX_ID:
                        reason = "its id would be too long"
                    elif (problem.id, planted.attempt) in found:
                        reason = "the same as another"
                    if reason:
                        failed[kind.name, reason] += 1
                        continue
                    found[problem.id, planted.attempt] = repair_problem(problem, new_id, planted)
                    bar.update()
    finally:
        planter.save()
    return Draws(problems=tuple(found.values()), failed=failed)


def draw_repair(
    problem: Problem, kinds: Sequence[Kind], *, seed: int, max_attempt: int, verifier: AuthoringVerifier
) -> Problem | None:
    """One repair problem of a problem, of the first kind that fits in an order that the seed decides.

    Faults (type, value, syntax) are as likely as one another, whatever their number of kinds.

    Args:
        problem: with a reference that passes.
        kinds: of faults that are tried.
        seed: of the order, and of the places that are tried.
        max_attempt: characters that the attempt has at most.
        verifier: sees the fault fail, and makes mutants.

    Returns:
        The problem; None if no kind of fault can be planted.
    """
    chance = Chance(f"{seed}/{problem.id}")
    planter = Planter(verifier, seed, max_attempt=max_attempt, keep=False)
    by_fault = [[kind for kind in kinds if kind.fault == fault] for fault in FAULTS]
    order = _round_robin([iter(chance.shuffled(some)) for some in chance.shuffled(by_fault)])
    for kind in order:
        new_id = repair_id(problem, kind, seed=seed, edition=EDITION)
        if len(new_id) > MAX_ID or not planter.has_place(Draw(problem, kind)):
            continue
        [planted] = planter.plant([Draw(problem, kind)])
        if planted.attempt:
            return repair_problem(problem, new_id, planted)
    return None


def _in_turn(problems: Sequence[Problem], request: Request, planter: Planter) -> Iterator[Draw]:
    """The draws: faults take turns, then kinds, then levels. Draws without a place are left out."""
    kinds = {fault: [kind for kind in request.kinds if kind.fault == fault] for fault in FAULTS}
    turns = [_round_robin([_of_kind(problems, kind, planter) for kind in some]) for some in kinds.values() if some]
    return _round_robin(turns)


def _of_kind(problems: Sequence[Problem], kind: Kind, planter: Planter) -> Iterator[Draw]:
    levels: dict[str, list[Problem]] = {}
    for problem in problems:
        levels.setdefault(problem.level_name, []).append(problem)
    chance = Chance(f"{kind.name}/{planter.seed}")
    order = chance.shuffled(sorted(levels))
    in_turn = _round_robin([iter(chance.shuffled(levels[level])) for level in order])
    return (Draw(problem, kind) for problem in in_turn if planter.has_place(Draw(problem, kind)))


def _round_robin(streams: Sequence[Iterator[T]]) -> Iterator[T]:
    """One item of each stream in turn, until all have ended."""
    left = list(streams)
    while left:
        for stream in tuple(left):
            for item in stream:
                yield item
                break
            else:
                left.remove(stream)
