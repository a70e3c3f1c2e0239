"""How often an agent solves problems: pass@1 with an interval, and what the failures are."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from agents.play import Played, batches, play
from agents.progress import Bar
from ocaml_env import AnyVerifier, EngineError, Outcome, Problem, RewardSpec, Stage
from ocaml_env.episode import EpisodeSpec
from ocaml_env.evaluation.models.agent import Agent
from ocaml_env.evaluation.statistics import bootstrap

__all__ = ["Evaluation", "bar", "difference", "evaluate"]


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """What an agent reached on some problems.

    Attributes:
        samples: episodes that were played.
        problems: problems that were asked.
        pass_rate: pass@1: the share of a problem's episodes that passed, over all problems.
        low: the lower end of its 95% interval, by bootstrap over problems.
        high: the upper end.
        reward: the mean total.
        parsed: the share of last answers that parse.
        typechecked: the share of last answers that typecheck and use nothing that is withheld.
        outcomes: how the episodes ended.
        by_problem: problem id -> the share of its episodes that passed.
        by_topic: topic -> (passed, asked), by the first topic of each problem.
        by_level: likewise.
        truncated: the share of answers that were cut off.
        faults: episodes that could not be evaluated, by an infrastructure error; no other figure counts them.
        played: every episode, where it was asked for.
    """

    samples: int
    problems: int
    pass_rate: float
    low: float
    high: float
    reward: float
    parsed: float
    typechecked: float
    outcomes: dict[Outcome, int]
    by_problem: dict[str, float]
    by_topic: dict[str, tuple[int, int]]
    by_level: dict[str, tuple[int, int]]
    truncated: float
    faults: int = 0
    played: tuple[Played, ...] = field(default=(), repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "samples": self.samples,
            "problems": self.problems,
            "pass@1": {"estimate": self.pass_rate, "low": self.low, "high": self.high},
            "reward": self.reward,
            "parsed": self.parsed,
            "typechecked": self.typechecked,
            "outcomes": {outcome.value: count for outcome, count in self.outcomes.items()},
            "by_problem": self.by_problem,
            "by_topic": self.by_topic,
            "by_level": self.by_level,
            "truncated": self.truncated,
            "faults": self.faults,
        }

    def __str__(self) -> str:
        return (
            f"pass@1 {self.pass_rate:.1%} (95% interval {self.low:.1%} to {self.high:.1%}; "
            f"{self.samples} samples of {self.problems} problems"
            + (f"; {self.faults} more could not be evaluated, by an infrastructure error)" if self.faults else ")")
        )


def evaluate(
    agent: Agent,
    problems: Sequence[Problem],
    *,
    verifier: AnyVerifier,
    reward: RewardSpec,
    spec: EpisodeSpec | None = None,
    samples: int = 1,
    batch: int = 64,
    keep: bool = False,
    progress: str = "",
    on_records: Callable[[Sequence[Played]], None] | None = None,
) -> Evaluation:
    """Plays ``samples`` episodes of each problem.

    Args:
        agent: answers.
        problems: at least one.
        verifier: evaluates.
        reward: what is paid: the final reward of a run.
        spec: how problems are asked.
        samples: episodes of each problem.
        batch: episodes that are played side by side.
        keep: whether the result holds every episode.
        progress: the title of a bar, or of lines, with the running pass@1; "" for none.
        on_records: is given each batch of episodes as it ends.

    Raises:
        EngineError: where no answer at all could be evaluated.
    """
    todo = [problem for problem in problems for _ in range(samples)]
    played: list[Played] = []
    with Bar(progress, len(todo), "samples", passing=True, hidden=not progress) as shown:
        for some in batches(todo, batch):
            done = play(agent, some, verifier=verifier, reward=reward, spec=spec)
            if on_records is not None:
                on_records(done)
            played += done
            shown.at(len(played), f"pass@1 {sum(one.passed for one in played) / len(played):.1%}")
    return _summarised(played, keep)


def _summarised(everything: Sequence[Played], keep: bool) -> Evaluation:
    played = [one for one in everything if not one.fault]
    if not played:
        raise EngineError(
            f"no answer could be evaluated, by infrastructure errors; the last reason: {everything[-1].fault}"
        )
    passes: dict[str, list[bool]] = defaultdict(list)
    for one in played:
        passes[one.problem.id].append(one.passed)
    by_problem = {problem_id: sum(passed) / len(passed) for problem_id, passed in passes.items()}
    low, high = bootstrap(list(by_problem.values()))
    by_topic: dict[str, list[bool]] = defaultdict(list)
    by_level: dict[str, list[bool]] = defaultdict(list)
    for one in played:
        by_topic[one.problem.topics[0] if one.problem.topics else "none"].append(one.passed)
        by_level[one.problem.level_name].append(one.passed)
    answers = [turn for one in played for turn in one.turns]
    stages = [one.last.verdict.stage for one in played]
    return Evaluation(
        samples=len(played),
        problems=len(by_problem),
        pass_rate=float(np.mean(list(by_problem.values()))),
        low=low,
        high=high,
        reward=float(np.mean([one.last.reward.total for one in played])),
        parsed=sum(stage > Stage.PARSE for stage in stages) / len(stages),
        typechecked=sum(stage > Stage.TYPECHECK for stage in stages) / len(stages),
        outcomes=dict(Counter(one.last.verdict.outcome for one in played).most_common()),
        by_problem=by_problem,
        by_topic={name: (sum(passes), len(passes)) for name, passes in sorted(by_topic.items())},
        by_level={name: (sum(passes), len(passes)) for name, passes in sorted(by_level.items())},
        truncated=sum(answer.extraction.truncated for answer in answers) / len(answers),
        faults=len(everything) - len(played),
        played=tuple(everything) if keep else (),
    )


def difference(before: Evaluation, after: Evaluation) -> tuple[float, float, float]:
    """How far pass@1 rose on the same problems, and the 95% interval of that: paired, by bootstrap over problems."""
    rose = [after.by_problem[name] - rate for name, rate in before.by_problem.items() if name in after.by_problem]
    return (float(np.mean(rose)), *bootstrap(rose))


def bar(share: float, width: int = 30) -> str:
    """A share as a bar of text."""
    full = round(share * width)
    return "█" * full + "·" * (width - full)
