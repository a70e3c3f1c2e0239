"""Changes the reward in the course of a run: a function from progress to a ``RewardSpec``.

The phases are the seed's option A: structure and types weigh most at first, tests at last. Progress is counted in
epochs (``EPOCHS``) or as the finished share of the run (``THIRDS``); with ``EPOCHS``, a run of one epoch never reaches
the last phase. Evaluation uses ``final``. Logs carry the reward under ``final`` beside the reward paid, because a new
phase may lower the reward of an unchanged agent.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise

from ocaml_env.errors import ConfigError
from ocaml_env.reward import Preset, RewardSpec

__all__ = ["EPOCHS", "THIRDS", "Curriculum", "Phase"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """The weights of the parts during one phase.

    Attributes:
        begins: the progress at the beginning of the phase, which lasts until the next one begins.
        structure: the weight of that part; the four add up to 1.
        typecheck: likewise.
        compile: likewise.
        tests: likewise.
    """

    begins: float
    structure: float
    typecheck: float
    compile: float
    tests: float

    def of(self, spec: RewardSpec) -> RewardSpec:
        """Returns the spec with the weights of this phase."""
        return spec.reweighted(
            structure=self.structure, typecheck=self.typecheck, compile=self.compile, tests=self.tests
        )


def _phases(second: float, third: float) -> tuple[Phase, ...]:
    return (
        Phase(begins=0.0, structure=0.10, typecheck=0.40, compile=0.30, tests=0.20),
        Phase(begins=second, structure=0.05, typecheck=0.25, compile=0.20, tests=0.50),
        Phase(begins=third, structure=0.05, typecheck=0.20, compile=0.10, tests=0.65),
    )


EPOCHS = _phases(0.5, 1.0)
"""The seed's phases; progress is in epochs: [0, .5), [.5, 1), and from 1 on."""

THIRDS = _phases(1 / 3, 2 / 3)
"""The same weights for each third of the run; progress is from 0 to 1."""


@dataclass(frozen=True, kw_only=True)
class Curriculum:
    """A reward whose weights depend on progress. Frozen: the caller keeps the progress.

    Attributes:
        phases: in order; the first begins at 0.
        spec: the reward to reweigh; each of its four parts has a weight: ``staged``, ``staged-1`` or the seed's.

    Raises:
        ConfigError: for phases out of order, weights that do not add up to 1, or a reward without the four parts.
    """

    phases: tuple[Phase, ...] = EPOCHS
    spec: RewardSpec = field(default_factory=lambda: RewardSpec.preset("staged"))

    def __post_init__(self) -> None:
        object.__setattr__(self, "phases", tuple(self.phases))
        if not self.phases or self.phases[0].begins != 0:
            raise ConfigError("a curriculum needs phases, and the first must begin at 0")
        for earlier, later in pairwise(self.phases):
            if not earlier.begins < later.begins < math.inf:
                raise ConfigError(
                    f"a phase must begin after the one before it: {later.begins} follows {earlier.begins}"
                )
        if not all((self.spec.structure, self.spec.typecheck, self.spec.compile, self.spec.tests)):
            raise ConfigError(
                f"a curriculum weighs four parts, and some have no weight in the reward {self.spec.version!r}: "
                f"use {Preset.STAGED.value!r}, {Preset.STAGED_1.value!r} or {Preset.SEED.value!r}"
            )
        for phase in self.phases:
            phase.of(self.spec)

    def at(self, progress: float) -> RewardSpec:
        """Returns the reward at this progress, in the unit of the phases: epochs, or the share of the run.

        Raises:
            ConfigError: if progress is negative or not a number.
        """
        if not progress >= 0:
            raise ConfigError(f"progress must be a number from 0, not {progress!r}")
        phase = next(phase for phase in reversed(self.phases) if phase.begins <= progress)
        return phase.of(self.spec)

    def __call__(self, progress: float) -> RewardSpec:
        """The same as ``at``."""
        return self.at(progress)

    @property
    def final(self) -> RewardSpec:
        """The reward of the last phase: for evaluation, and for the logs of every phase."""
        return self.phases[-1].of(self.spec)
