"""The seed's own rules, as its training analysis of 2025-12-10 (epoch 0.28) states them.

They are literal, even if doubtful, so that a run can be judged by its authors' own rules: each line alone, against
fixed ranges. The ``default`` profile states its differences and their reasons. The document contradicts itself in some
places; the profile reads them so:

- entropy has three healthy ranges; the rule has "0.10-0.20" (its table and appendix), checkpoints have "0.15-0.25";
- the coefficient of variation is to be "< 50% of mean" (table) or "< 0.30" (appendix): above the first is critical,
  between the two a warning;
- the document calls the learning rate "in warm-up" because it is below its target. It is a warning here, as there; a
  remark beside it tells the real course of the rate (it falls);
- thresholds are compared with means of the last lines if the document gives no single line ("mean reward").
"""

from __future__ import annotations

from agents.health.measure import Band, Measure, Side, Summary
from agents.health.profile import Checkpoint, Clock, Criterion, Phase, Profile, StopRule
from agents.health.rule import Action, FollowUp, Rule

__all__ = ["SEED"]

_WINDOW = 20
_TABLE = "seed, table of metric ranges"
_APPENDIX = "seed, appendix"
_STOP = "seed, stop criteria"


def _each(metric: str) -> Measure:
    return Measure(metric=metric, summary=Summary.WORST, window=_WINDOW, least=1)


def _mean(metric: str) -> Measure:
    return Measure(metric=metric, window=_WINDOW, least=1)


def _trend(metric: str) -> Measure:
    return Measure(metric=metric, summary=Summary.TREND, window=100, least=20)


_DIVERSITY = FollowUp(
    metric="zero_variance", band=Band(high=0.10, strict=True), within=100, source="seed, priority 1, expected impact"
)

_RULES = (
    Rule(
        name="mode-collapse",
        title="Mode collapse",
        measure=_each("zero_variance"),
        healthy=Band(high=0.10, strict=True),
        tolerable=Band(high=0.25, strict=True),
        high="A share of the groups has samples of identical advantage.",
        meaning="GRPO compares samples of one prompt. Without diversity there is no learning signal.",
        actions=(
            Action(
                text="Increase the temperature",
                why="A higher temperature increases diversity, and reduces identical generations.",
                setting="temperature",
                add=0.2,
                high=1.3,
                priority=1,
                expect=(str(_DIVERSITY), "entropy stabilises around 0.15 to 0.25"),
            ),
            Action(
                text="Increase the number of generations",
                why="More samples per prompt improve the estimate of the advantage.",
                setting="num_generations",
                add=2,
                high=16,
                whole=True,
                priority=1,
            ),
        ),
        source=f"{_TABLE}: expected < 0.10; 0.25 to 0.50 are called critical",
        follow_up=_DIVERSITY,
    ),
    Rule(
        name="low-reward",
        title="Low absolute rewards",
        measure=_each("reward"),
        healthy=Band(low=0.30, strict=True),
        tolerable=Band(low=0.15),
        low="The model writes plausible OCaml that is mostly wrong: type errors, and hardly a test that passes.",
        meaning="Almost all of the reward is partial credit; 65% of it is for tests.",
        actions=(
            Action(
                text="Increase the learning rate",
                why="The current one is conservative; rewards should climb faster.",
                setting="learning_rate",
                factor=1.6,
                high=2e-5,
                priority=2,
                expect=("faster growth of the reward", "0.20 and more by epoch 0.5"),
            ),
            Action(
                text="Consider longer completions",
                why="Some solutions might be cut off before the END marker.",
                setting="max_completion_length",
                factor=600 / 512,
                high=2048,
                whole=True,
                priority=2,
            ),
        ),
        source=f"{_TABLE}: expected > 0.30 by epoch 0.5; stop criterion < 0.15",
        follow_up=FollowUp(metric="reward", band=Band(low=0.20, strict=True), within=500, source="seed, priority 2"),
    ),
    Rule(
        name="high-variance",
        title="High reward variance",
        measure=_each("variation"),
        healthy=Band(high=0.30, strict=True),
        tolerable=Band(high=0.50, strict=True),
        high="The rewards of a batch deviate by more than half of their mean.",
        meaning="An unstable learning signal: the quality of the output is inconsistent.",
        source=f"{_TABLE}: expected < 50% of the mean; {_APPENDIX}: < 0.30",
    ),
    Rule(
        name="unstable-entropy",
        title="Unstable entropy",
        measure=_each("entropy"),
        healthy=Band(low=0.10, high=0.20),
        low="The model is too confident and does not explore.",
        high="The model is too uncertain and guesses.",
        meaning="Wide swings suggest an unstable balance of exploration and exploitation.",
        actions=(
            Action(
                text="Increase the temperature",
                why="The model does not explore enough.",
                setting="temperature",
                add=0.2,
                high=1.3,
                side=Side.LOW,
                priority=1,
            ),
        ),
        source=f"{_TABLE} and {_APPENDIX}: 0.10 to 0.20 (0.15 to 0.25 elsewhere)",
    ),
    Rule(
        name="learning-rate",
        title="Learning rate below its target",
        measure=_each("learning_rate"),
        healthy=Band(low=4.95e-6, high=5.05e-6),
        low="Below the target of 5e-6. The seed calls this warm-up.",
        high="Above the target of 5e-6.",
        source=f"{_TABLE}: expected 5e-6 (target); compared within 1%",
    ),
    Rule(
        name="gradient",
        title="Gradient norm out of range",
        measure=_each("grad_norm"),
        healthy=Band(low=0.01, high=0.5),
        tolerable=Band(),
        low="Hardly any gradient: nothing is learned from these steps.",
        high="Large gradients.",
        source=f"{_TABLE}: expected 0.01 to 0.5",
    ),
    Rule(
        name="loss",
        title="Loss is not finite",
        measure=_each("loss"),
        healthy=Band(),
        source=f"{_TABLE}: oscillating, normal for policy gradient",
    ),
)

_CHECKPOINTS = (
    Checkpoint(
        at=0.5,
        criteria=(
            Criterion(text="few tied groups", measure=_mean("zero_variance"), band=Band(high=0.10, strict=True)),
            Criterion(text="mean reward", measure=_mean("reward"), band=Band(low=0.20, strict=True)),
            Criterion(text="entropy stable", measure=_mean("entropy"), band=Band(low=0.15, high=0.25)),
            Criterion(text="some test passes appear", measure=_mean("pass_rate"), band=Band(low=0.0, strict=True)),
        ),
    ),
    Checkpoint(
        at=1.0,
        criteria=(
            Criterion(text="mean reward", measure=_mean("reward"), band=Band(low=0.35, strict=True)),
            Criterion(
                text="clear upward trend of the reward", measure=_trend("reward"), band=Band(low=2.0, strict=True)
            ),
            Criterion(
                text="regular test passes, 10 to 20% of the samples",
                measure=_mean("pass_rate"),
                band=Band(low=0.10),
            ),
        ),
    ),
)

_STOP_RULES = (
    StopRule(
        name="reward",
        text="mean reward still < 0.15",
        measure=_mean("reward"),
        tolerable=Band(low=0.15),
        at=1.0,
        source=_STOP,
    ),
    StopRule(
        name="zero-variance",
        text="frac_zero_std still > 0.30",
        measure=_mean("zero_variance"),
        tolerable=Band(high=0.30),
        at=1.0,
        source=_STOP,
    ),
    StopRule(
        name="gibberish",
        text="completions are gibberish: most have no code, or code that does not parse",
        measure=_mean("no_code_or_syntax"),
        tolerable=Band(high=0.8),
        at=1.0,
        source=f"{_STOP}; the seed gives no number",
    ),
    StopRule(
        name="no-passes",
        text="no test passes observed",
        measure=_mean("pass_rate"),
        tolerable=Band(low=0.0, strict=True),
        at=1.0,
        source=_STOP,
    ),
    StopRule(
        name="flat",
        text="reward trend is flat or decreasing",
        measure=_trend("reward"),
        tolerable=Band(low=1.0, strict=True),
        at=1.0,
        source=f"{_STOP}; flat is a slope within one standard error",
    ),
)

_GREEN_LIGHTS = (
    Criterion(text="rewards show an upward trend, even if slow", measure=_trend("reward"), band=Band(low=2.0)),
    Criterion(text="frac_zero_std decreases over time", measure=_trend("zero_variance"), band=Band(high=-2.0)),
    Criterion(text="test passes appear, even 5 to 10%", measure=_mean("pass_rate"), band=Band(low=0.05)),
    Criterion(text="entropy stabilises", measure=_mean("entropy"), band=Band(low=0.15, high=0.25)),
    Criterion(
        text="completions are syntactically valid OCaml", measure=_mean("no_code_or_syntax"), band=Band(high=0.2)
    ),
)

SEED = Profile(
    name="seed",
    title="the seed's training analysis, literally",
    clock=Clock.EPOCH,
    rules=_RULES,
    vital=(_mean("reward"), _mean("zero_variance")),
    checkpoints=_CHECKPOINTS,
    stop_rules=_STOP_RULES,
    green_lights=_GREEN_LIGHTS,
    stops_despite_green=True,
    trajectory=(
        Phase(begins=0.0, ends=0.3, low=0.05, high=0.15, learns="END marker, basic syntax, function definitions"),
        Phase(begins=0.3, ends=0.6, low=0.15, high=0.35, learns="type-correct code, some compilations"),
        Phase(begins=0.6, ends=1.0, low=0.35, high=0.55, learns="logic of the problems; 20 to 30% of samples pass"),
        Phase(begins=1.0, ends=2.0, low=0.55, high=0.70, learns="edge cases, robust solutions"),
    ),
    assumed={
        "temperature": "0.9",
        "num_generations": "6",
        "learning_rate": "5e-6",
        "max_completion_length": "512",
    },
    contingency=(
        "A: a curriculum: rewards for syntax first, for tests last (GRPO_CURRICULUM=epochs)",
        "B: test the base model: where it solves less than 20%, take a stronger one, or easier problems",
        "C: read the completions: gibberish or plausible? which errors? which topics? (the report shows them)",
    ),
)
"""The profile ``seed``."""
