"""Evaluates an agent on problems: pass@1 with an interval, and figures of its failures."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from agents.play import Played, batches, play
from ocaml_env import AnyVerifier, EngineError, Outcome, Problem, RewardSpec, Stage
from ocaml_env.display.progress import Bar
from ocaml_env.episode import EpisodeSpec
from ocaml_env.evaluation.models.agent import Agent
from ocaml_env.evaluation.statistics import bootstrap

__all__ = ["Evaluation", "difference", "evaluate"]


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """The figures of an agent on some problems.

    Attributes:
        samples: the number of evaluated episodes.
        problems: the number of their problems.
        pass_rate: pass@1: the mean over problems of the share of passing episodes.
        low: the lower end of its 95% interval, by bootstrap over problems.
        high: the upper end.
        reward: the mean total.
        parsed: the share of last answers with code that parses.
        typechecked: the share of last answers with code that typechecks and uses no withheld name.
        outcomes: outcome -> the number of episodes.
        by_problem: id of a problem -> the share of its passing episodes.
        by_topic: topic -> (passed, episodes), by the first topic of each problem.
        by_level: level -> (passed, episodes).
        truncated: the share of cut-off answers.
        faults: episodes lost by an infrastructure error; no other figure counts them.
        played: every episode, or none without ``keep``.
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
) -> Evaluation:
    """Plays ``samples`` episodes of each problem.

    Args:
        agent: the agent.
        problems: at least one.
        verifier: evaluates the answers.
        reward: the final reward of a run.
        spec: prompts and turns of an episode.
        samples: episodes of each problem.
        batch: the number of episodes side by side.
        keep: True to keep every episode in the result.
        progress: the title of a bar, or of lines, with the running pass@1; "" for none.

    Raises:
        EngineError: if not one answer could be evaluated.
    """
    todo = [problem for problem in problems for _ in range(samples)]
    played: list[Played] = []
    with Bar(progress, len(todo), "samples", passing=True, hidden=not progress) as shown:
        for some in batches(todo, batch):
            played += play(agent, some, verifier=verifier, reward=reward, spec=spec)
            shown.at(len(played), f"pass@1 {sum(episode.passed for episode in played) / len(played):.1%}")
    return _summarised(played, keep)


def _summarised(everything: Sequence[Played], keep: bool) -> Evaluation:
    played = [episode for episode in everything if not episode.fault]
    if not played:
        raise EngineError(
            f"no answer could be evaluated, by infrastructure errors; the last reason: {everything[-1].fault}"
        )
    passes: dict[str, list[bool]] = defaultdict(list)
    for episode in played:
        passes[episode.problem.id].append(episode.passed)
    by_problem = {problem_id: sum(passed) / len(passed) for problem_id, passed in passes.items()}
    low, high = bootstrap(list(by_problem.values()))
    by_topic: dict[str, list[bool]] = defaultdict(list)
    by_level: dict[str, list[bool]] = defaultdict(list)
    for episode in played:
        by_topic[episode.problem.topics[0] if episode.problem.topics else "none"].append(episode.passed)
        by_level[episode.problem.level_name].append(episode.passed)
    answers = [turn for episode in played for turn in episode.turns]
    stages = [episode.last.verdict.stage for episode in played]
    return Evaluation(
        samples=len(played),
        problems=len(by_problem),
        pass_rate=float(np.mean(list(by_problem.values()))),
        low=low,
        high=high,
        reward=float(np.mean([episode.last.reward.total for episode in played])),
        parsed=sum(stage > Stage.PARSE for stage in stages) / len(stages),
        typechecked=sum(stage > Stage.TYPECHECK for stage in stages) / len(stages),
        outcomes=dict(Counter(episode.last.verdict.outcome for episode in played).most_common()),
        by_problem=by_problem,
        by_topic={name: (sum(passes), len(passes)) for name, passes in sorted(by_topic.items())},
        by_level={name: (sum(passes), len(passes)) for name, passes in sorted(by_level.items())},
        truncated=sum(answer.extraction.truncated for answer in answers) / len(answers),
        faults=len(everything) - len(played),
        played=tuple(everything) if keep else (),
    )


def difference(before: Evaluation, after: Evaluation) -> tuple[float, float, float]:
    """The rise of pass@1 on the same problems, and its 95% interval: paired, by bootstrap over problems."""
    rose = [after.by_problem[name] - rate for name, rate in before.by_problem.items() if name in after.by_problem]
    return (float(np.mean(rose)), *bootstrap(rose))
