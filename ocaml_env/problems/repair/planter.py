"""Plants faults, and keeps those that fail as intended. The engine gives the verdicts and the places of mutants."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from ocaml_env.errors import ProblemError
from ocaml_env.kills.stubs import verify_stubs
from ocaml_env.problem import Problem
from ocaml_env.problems.repair.code import Code
from ocaml_env.problems.repair.cuts import cuts, kept_by
from ocaml_env.problems.repair.kinds import Kind
from ocaml_env.problems.repair.known import KnownFaults
from ocaml_env.problems.repair.planted import TRIES, Planted, places, why_not
from ocaml_env.problems.repair.request import MAX_ATTEMPT
from ocaml_env.reward import progress
from ocaml_env.verifiers.base import AuthoringVerifier, Mutant

__all__ = ["Draw", "Planter"]


class Draw(NamedTuple):
    """A problem, and the kind of fault to plant in its reference."""

    problem: Problem
    kind: Kind


class Planter:
    """Plants the faults of a seed.

    Args:
        verifier: a local one, or one with the same abilities.
        seed: selects the places to try.
        max_attempt: characters that an attempt has at most.
        keep: True to use and extend the files of earlier results, of any process.
    """

    def __init__(
        self, verifier: AuthoringVerifier, seed: int, *, max_attempt: int = MAX_ATTEMPT, keep: bool = True
    ) -> None:
        self.seed = seed
        self._max_attempt = max_attempt
        self._verifier = verifier
        self._known = KnownFaults(verifier.ocaml_version, seed, keep=keep)
        self._codes: dict[str, Code] = {}
        self._mutants: dict[str, tuple[Mutant, ...]] = {}
        self._unfit: dict[str, str] = {}

    def has_place(self, draw: Draw) -> bool:
        """True if the reference has a place for the fault."""
        known = self._get(draw)
        if known is None and not self._places(draw):
            known = self._add(draw, Planted())
        return known is None or known != Planted()

    def plant(self, draws: Sequence[Draw]) -> list[Planted]:
        """The result of each draw. The code of all is verified together, one place of each at a time."""
        new = [draw for draw in draws if self._get(draw) is None]
        self._check_sources(new)
        for draw in new:
            if self._unfit[draw.problem.id]:
                self._add(draw, Planted(reason=self._unfit[draw.problem.id]))
        texts = [self._places(draw) for draw in new]
        fit: dict[Draw, Planted] = {}
        for number in range(TRIES):
            trying = [place for place, draw in enumerate(new) if draw not in fit and self._get(draw) is None]
            verdicts = self._verifier.verify_many([(new[place].problem, texts[place][number]) for place in trying])
            for place, verdict in zip(trying, verdicts, strict=True):
                draw, attempt = new[place], texts[place][number]
                reason = why_not(*draw, verdict)
                if not reason:
                    # Leave out what depends on this machine.
                    stored = replace(verdict, sandbox=(), cpu_seconds=0.0)
                    fit[draw] = Planted(attempt=attempt, verdict=stored)
                elif number + 1 == len(texts[place]):
                    self._add(draw, Planted(reason=reason))
        # The cuts take most of the time, so an attempt that is too long gets none, and is not kept for the next time.
        fit = {draw: planted for draw, planted in fit.items() if len(planted.attempt) <= self._max_attempt}
        for (draw, planted), kept in zip(fit.items(), self._kept(fit), strict=True):
            self._add(draw, replace(planted, kept=kept))
        return [self._if_short(self._get(draw)) for draw in draws]

    def _if_short(self, planted: Planted | None) -> Planted:
        """The result, or a failure if its attempt is too long. None is a result that was not kept for that reason."""
        if planted is None or len(planted.attempt) > self._max_attempt:
            return Planted(reason="too long")
        return planted

    def _kept(self, fit: Mapping[Draw, Planted]) -> Iterator[tuple[str, ...]]:
        """Yields the tests that pass if each fault is only cut out. All cuts are verified together."""
        texts = [cuts(draw.problem.reference, planted.attempt) for draw, planted in fit.items()]
        asked = [(draw.problem, text) for draw, some in zip(fit, texts, strict=True) for text in some]
        verdicts = iter(self._verifier.verify_many(asked))
        for draw, some in zip(fit, texts, strict=True):
            yield kept_by(draw.problem, list(islice(verdicts, len(some))))

    def save(self) -> None:
        """Keeps the results for the next time."""
        self._known.save()

    def _check_sources(self, draws: Sequence[Draw]) -> None:
        """Finds unsuitable problems: the reference must earn everything, and giving up must earn nothing."""
        new = {draw.problem.id: draw.problem for draw in draws if draw.problem.id not in self._unfit}
        verdicts = self._verifier.verify_many([(problem, problem.reference) for problem in new.values()])
        for problem, verdict in zip(new.values(), verdicts, strict=True):
            reason = "" if verdict.passed else "its reference does not pass"
            # Without a measured baseline, giving up is paid for the tests that pass, here as everywhere.
            if not reason and problem.baseline:
                stubs = verify_stubs(problem, self._verifier).values()
                reason = "giving up makes progress" if any(progress(problem, stub) for stub in stubs) else ""
            self._unfit[problem.id] = reason

    def _places(self, draw: Draw) -> tuple[str, ...]:
        problem, kind = draw
        if problem.id not in self._codes:
            self._codes[problem.id] = Code(problem.reference)
        mutants = self._mutants_of(problem) if kind.operator else ()
        return places(problem, kind, seed=self.seed, code=self._codes[problem.id], mutants=mutants)

    def _mutants_of(self, problem: Problem) -> tuple[Mutant, ...]:
        if problem.id not in self._mutants:
            self._mutants[problem.id] = ()
            with contextlib.suppress(ProblemError):  # a reference that does not parse has none
                self._mutants[problem.id] = self._verifier.mutants(problem)
        return self._mutants[problem.id]

    def _get(self, draw: Draw) -> Planted | None:
        return self._known.get(draw.problem, draw.kind.name)

    def _add(self, draw: Draw, planted: Planted) -> Planted:
        self._known.add(draw.problem, draw.kind.name, planted)
        return planted
