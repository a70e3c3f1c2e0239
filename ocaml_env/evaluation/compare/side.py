"""One of the two evaluations: its settings, and the compared fields of each sample. Completions are not kept."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ocaml_env.display.style import OUTCOME_LOOKS
from ocaml_env.errors import ConfigError
from ocaml_env.evaluation.config import RunConfig
from ocaml_env.evaluation.directory import read_config, read_samples, read_summary
from ocaml_env.evaluation.record import Record
from ocaml_env.verdict import Outcome, Stage

__all__ = ["OUTCOMES", "Answers", "Sample", "Side", "read_side", "stage_of"]

OUTCOMES = tuple(Outcome(name) for name in reversed(OUTCOME_LOOKS))
"""From worst to best."""

_STAGES = {
    Outcome.NO_CODE: Stage.EXTRACT,  # code without a binding parses, but is no answer
    Outcome.SYNTAX_ERROR: Stage.PARSE,
    Outcome.FORBIDDEN: Stage.TYPECHECK,
    Outcome.TYPE_ERROR: Stage.TYPECHECK,
    Outcome.COMPILE_ERROR: Stage.COMPILE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A finished sample: its outcome, its reward, and its tokens, if the model reported them."""

    outcome: Outcome
    total: float
    tokens: int | None


@dataclass(slots=True)
class Answers:
    """The samples of one problem, in no order.

    Attributes:
        samples: its finished samples.
        level: level of the problem, as text.
        topics: topics of the problem.
        digest: digest of everything that decides its verdicts; "" if the samples have none.
        prompt: digest of the prompt.
    """

    samples: list[Sample] = field(default_factory=list)
    level: str = ""
    topics: tuple[str, ...] = ()
    digest: str = ""
    prompt: str = ""

    @property
    def solved(self) -> int:
        return sum(sample.outcome is Outcome.PASSED for sample in self.samples)

    @property
    def rate(self) -> float:
        return self.solved / len(self.samples)


@dataclass(frozen=True, kw_only=True)
class Side:
    """One evaluation.

    Attributes:
        path: its directory.
        config: its settings.
        k: of the pass@k that it reports.
        answers: problem id -> its samples, of every problem of the run; empty if all of them were faults.
        faults: number of faults.
    """

    path: Path
    config: RunConfig
    k: tuple[int, ...]
    answers: Mapping[str, Answers]
    faults: int

    @property
    def count(self) -> int:
        """All finished samples."""
        return sum(len(answers.samples) for answers in self.answers.values())


def stage_of(outcome: Outcome) -> Stage:
    """Returns the last stage of samples with this outcome."""
    return _STAGES.get(outcome, Stage.TEST)


def read_side(path: Path) -> Side:
    """Reads a results directory.

    Raises:
        ConfigError: if it is none, or its run is not finished.
    """
    config, summary = read_config(path), read_summary(path)
    answers: dict[str, Answers] = defaultdict(Answers)
    for name in summary.by_problem:
        answers[name] = Answers()
    seen: set[tuple[str, int]] = set()
    faults = 0
    for record in read_samples(path):
        key = record.problem_id, record.sample
        if record.fault:
            faults += 1
            continue
        if key in seen:
            raise ConfigError(f"{path}: sample {key[1]} of {key[0]!r} is there twice")
        seen.add(key)
        _take(answers[key[0]], record)
    side = Side(path=path, config=config, k=tuple(summary.rates), answers=dict(answers), faults=faults)
    if side.count != summary.samples or faults != summary.faults.count:
        raise ConfigError(
            f"{path}: there are {side.count} samples and {faults} faults, and summary.json tells of "
            f"{summary.samples} and {summary.faults.count}: the run is not finished. The same command of "
            "`ocaml-env evaluate` goes on with it"
        )
    return side


def _take(answers: Answers, record: Record) -> None:
    answers.level, answers.topics = record.level, record.topics
    answers.digest, answers.prompt = record.problem_digest, record.prompt_digest
    last = record.last
    answers.samples.append(Sample(outcome=last.outcome, total=float(last.total), tokens=record.tokens))
