"""reasoning-gym: the procedural data set ``ocaml``, over the generators or any set of problems.

    import reasoning_gym
    import ocaml_env.integrations.reasoning_gym  # registers the data set

    data = reasoning_gym.create_dataset("ocaml", families="lists", max_level=3, seed=42, size=100)
    entry = data[0]
    print(entry["question"])
    print(data.score_answer(entry["answer"], entry), data.score_answer("let f x = x", entry))

An answer is the model's whole completion, prose and fences included. ``entry["answer"]`` is the reference; any other
passing code earns as much.

Not scored: ``score_answer`` raises. reasoning-gym does not tell that generation was cut off; if your caller knows, give
``score_answer`` a ``Completion``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ocaml_env.episode import Evaluation, evaluate
from ocaml_env.errors import ConfigError
from ocaml_env.integrations.common import missing, shared_examiner
from ocaml_env.problem import Problem
from ocaml_env.problems.generators import LEVELS, Request, generate, parse_source, problem_of_id

try:
    from reasoning_gym.coaching import BaseCurriculum, RangeAttributeDefinition
    from reasoning_gym.dataset import ProceduralDataset
    from reasoning_gym.factory import DATASETS, register_dataset
except ImportError as error:
    raise missing("reasoning-gym", error) from error

__all__ = ["DATASET", "OCamlConfig", "OCamlCurriculum", "OCamlDataset"]

DATASET = "ocaml"


@dataclass
class OCamlConfig:
    """The settings of ``reasoning_gym.create_dataset("ocaml", ...)``.

    Attributes:
        families: families or topics of generated problems, separated by commas, or ``all``.
        split: draws from families of this split alone: ``train``, or ``eval`` for those kept for evaluation.
        min_level: the easiest level, from 1.
        max_level: the hardest level, up to 5.
        problems: in place of generated problems, a source for ``load_problems``; entries repeat them in order.
        reward: the name of a preset.
        prompt_style: the name of a ``PromptStyle``.
        seed: the seed of generated problems.
        size: number of entries.
    """

    families: str = "all"
    split: str = "train"
    min_level: int = 1
    max_level: int = 1
    problems: str | None = None
    reward: str = "staged"
    prompt_style: str = "text"
    seed: int | None = None
    size: int = 500

    def validate(self) -> None:
        """Raises ``ConfigError`` if no data set can be made."""
        if self.max_level < self.min_level:
            raise ConfigError(f"max_level {self.max_level!r} is below min_level {self.min_level!r}")
        if self.problems is None:
            self.request()

    def request(self) -> Request:
        """The families and levels of the settings."""
        return parse_source(f"generated:{self.families}?level={self.min_level}-{self.max_level}&split={self.split}")


class OCamlDataset(ProceduralDataset):
    """Entries in reasoning-gym's form. The same seed and index always give the same entry."""

    def __init__(self, config: OCamlConfig) -> None:
        super().__init__(config=config, seed=config.seed, size=config.size)
        source = config.problems or "bundled:train"  # only a placeholder: generated problems are not looked up in it
        self._examiner = shared_examiner(source, reward=config.reward, prompt_style=config.prompt_style)
        self._places: list[tuple[str, int]] = []
        if config.problems is None:
            request = config.request()
            self._places = [(family.name, level) for family, level in request.places]

    def __getitem__(self, idx: int) -> dict[str, Any]:
        """Returns the entry at this index. Families and levels take turns."""
        if self._places:
            family, level = self._places[idx % len(self._places)]
            problem = generate(family, level=level, seed=self.seed, index=idx // len(self._places))
        else:
            problem = self._examiner.problems[idx % len(self._examiner.problems)]
        return {
            "question": self._examiner.prompts.text(problem),
            "answer": problem.reference,
            "metadata": {
                "source_dataset": DATASET,
                "source_index": idx,
                "problem_id": problem.id,
                "topics": list(problem.topics),
                "difficulty": {"level": (self.config.min_level, self.config.max_level)},
            },
        }

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        """Returns the reward of the answer to an entry.

        Raises:
            OCamlEnvError: for an infrastructure error.
        """
        return float(self.evaluate(answer, entry).reward.total)

    def evaluate(self, answer: str | None, entry: dict[str, Any]) -> Evaluation:
        """Evaluates the answer to an entry. The result also has the outcome, the diagnostics, and each test."""
        problem_id = entry["metadata"]["problem_id"]
        problem = _generated(problem_id) if self.config.problems is None else self._examiner.problem(problem_id)
        return evaluate(problem, answer, verifier=self._examiner.verifier, reward=self._examiner.reward)


class OCamlCurriculum(BaseCurriculum):
    """From the easiest to the hardest level of generated problems."""

    def __init__(self) -> None:
        super().__init__(OCamlCurriculum.__name__, OCamlConfig)
        self._define_attributes(
            RangeAttributeDefinition(
                name="level",
                levels=list(LEVELS),
                lower_field_name="min_level",
                upper_field_name="max_level",
                description="The level of generated problems",
            )
        )


@lru_cache(maxsize=1024)
def _generated(problem_id: str) -> Problem:
    return problem_of_id(problem_id)


if DATASET not in DATASETS:
    register_dataset(DATASET, OCamlDataset, OCamlConfig, OCamlCurriculum)
