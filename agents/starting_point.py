"""Where to begin the training of a model: what its answers at each level say, as advice with settings to paste.

GRPO learns from differences within a group. A level that is solved at 20 to 80% has many of them. If there is none,
what helps depends on why answers fail, so the advice names the causes, the commonest first.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from agents.config import Config
from agents.evaluation import Evaluation
from agents.health.samples import compression_ratio
from ocaml_env import Problem, Stage
from ocaml_env import episode as episodes
from ocaml_env.evaluation.levels import TEACHES, show_span, teaching
from ocaml_env.problem import LEVELS

__all__ = ["ENOUGH", "HOPELESS", "SOLVED", "Asked", "Cause", "Look", "advice", "cause_of", "climb", "rounded"]

ENOUGH, SOLVED = TEACHES
"""The pass rates between which a level teaches. Of eight answers to a problem that is solved at 20%, all fail in 17% of
the groups (0.8 to the power of 8)."""

HOPELESS = 0.05
"""Two levels in a row below this end the way up: all eight answers fail in 66% of the groups and more."""

_MANY = 0.20  # the share of answers from which a cause is told of a level that teaches
_LOOPS = 4.0  # compression ratio of an answer that repeats itself; code has 1 to 3
_ROUND = 32  # limits of tokens are multiples of this


class Cause(StrEnum):
    """Why an answer did not pass. What comes first hides what comes later."""

    CUT_OFF = "cut off"
    LOOPING = "repeated until cut off, which no limit cures"
    UNREAD = "no OCaml that parses"
    UNTYPED = "does not typecheck"
    WRONG = "typechecks, and is wrong"


@dataclass(frozen=True, kw_only=True)
class Asked:
    """The problems of one level, once a model has answered them.

    Attributes:
        reached: what became of the answers, with the episodes.
        limit: tokens of an answer.
        longest_prompt: tokens of the longest prompt.
    """

    reached: Evaluation
    limit: int
    longest_prompt: int


@dataclass(frozen=True, kw_only=True)
class Look:
    """What became of the answers at one level.

    Attributes:
        level: its name, 1 to 6; another label if the problems have none of these.
        problems: how many were asked, each once.
        limit: tokens of an answer.
        longest_prompt: tokens of the longest prompt.
        passed: share of the answers, as all that follow.
        parsed: those that parse.
        typechecked: those that typecheck too.
        cut_off: those that came to the limit.
        causes: for each cause, the share that failed by it; the commonest first.
    """

    level: str
    problems: int
    limit: int
    longest_prompt: int
    passed: float
    parsed: float
    typechecked: float
    cut_off: float
    causes: Mapping[Cause, float]


def cause_of(answer: episodes.Evaluation) -> Cause:
    """Why an answer did not pass. One that was cut off behind whole definitions failed by what they are."""
    verdict = answer.verdict
    unread = verdict.stage <= Stage.PARSE
    missing = any(diagnostic.kind == "missing-item" for diagnostic in verdict.diagnostics)
    if answer.extraction.truncated and (unread or missing):
        repeats = (compression_ratio([answer.completion]) or 0.0) >= _LOOPS
        return Cause.LOOPING if repeats else Cause.CUT_OFF
    if unread:
        return Cause.UNREAD
    return Cause.UNTYPED if verdict.stage is Stage.TYPECHECK else Cause.WRONG


def climb(levels: Mapping[str, Sequence[Problem]], ask: Callable[[str, Sequence[Problem]], Asked]) -> Iterator[Look]:
    """Looks at one level after another, until two in a row are solved below ``HOPELESS``.

    Args:
        levels: the problems that are asked, by the name of their level, from the easiest.
        ask: asks those of a level.
    """
    before = 1.0
    for level, problems in levels.items():
        asked = ask(level, problems)
        reached = asked.reached
        last = [one.last for one in reached.played if not one.fault]
        causes = Counter(cause_of(answer) for answer in last if not answer.verdict.passed)
        yield Look(
            level=level,
            problems=reached.problems,
            limit=asked.limit,
            longest_prompt=asked.longest_prompt,
            passed=reached.pass_rate,
            parsed=reached.parsed,
            typechecked=reached.typechecked,
            cut_off=reached.truncated,
            causes={cause: count / len(last) for cause, count in causes.most_common()},
        )
        if max(before, reached.pass_rate) < HOPELESS:
            return
        before = reached.pass_rate


def advice(looks: Sequence[Look], config: Config) -> list[str]:
    """What to do, the most important first: sentences, with settings or whole commands behind their colons.

    Args:
        looks: of each level that was looked at, from the easiest.
        config: how the model was asked, and problems that may be trained on.
    """
    if looks[-1].passed > SOLVED:
        span = _harder(looks)
        return [
            f"all levels are solved; take harder problems: --problems 'bundled:train?level={span}'; "
            f"or --problems 'generated:all?level={span}&split=train&n=2000'"
        ]
    places = teaching([look.passed for look in looks])
    fit = [looks[place] for place in places]
    if fit[0].passed > SOLVED:  # and the next level is solved below ENOUGH
        fit = [looks[places[-1] + 1]]
    begin = fit[0]
    if begin.passed < ENOUGH:
        return list(_told([(cause, begin) for cause in begin.causes], config))
    grave = [
        cause
        for cause in (Cause.CUT_OFF, Cause.LOOPING, Cause.UNREAD)
        if max(look.causes.get(cause, 0.0) for look in fit) >= _MANY
    ]
    worst = [(cause, max(fit, key=lambda look: look.causes.get(cause, 0.0))) for cause in grave]
    if Cause.CUT_OFF in grave:
        fit = [replace(look, limit=2 * look.limit) for look in fit]
    levels = _span(fit)
    train = f"train {f'on level {levels}' if levels else 'on these problems'}: {_command('grpo', config, fit)}"
    return [*_told(worst, config), train]


def rounded(tokens: int) -> int:
    """The next limit of tokens that is a round number."""
    return -(-tokens // _ROUND) * _ROUND


def _told(causes: Sequence[tuple[Cause, Look]], config: Config) -> Iterator[str]:
    """A line for each cause and the level at which it was seen; a remedy is told once."""
    known: set[str] = set()
    for cause, look in causes:
        where = f" at level {look.level}" if look.level.isdigit() else ""
        remedies = [remedy for remedy in _remedies(cause, look, config) if remedy not in known]
        known |= set(remedies)
        helps = "; or ".join(remedies) or "as above"
        yield f"{look.causes[cause]:.0%} of the answers{where}: {cause.value}; try {helps}"


def _remedies(cause: Cause, look: Look, config: Config) -> list[str]:
    """What helps against a cause, the best first."""
    warm = f"a warm start: {_command('sft', config, [look])}"
    stronger = f"a stronger model: --model {_stronger(config.model)}"
    easier = max(1, int(look.level) - 1) if look.level.isdigit() else 1
    match cause:
        case Cause.CUT_OFF:
            return [f"a higher limit: --max_completion_length {2 * look.limit}"]
        case Cause.LOOPING:
            return [warm]
        case Cause.UNREAD:
            return [f"solved problems in the prompt: --shots {max(config.shots + 2, 3)}", warm]
        case Cause.UNTYPED:
            return [warm, stronger]
        case Cause.WRONG:
            return [f"easier problems: --problems 'generated:all?level={easier}&split=train&n=2000'", stronger]


# The next larger one of a family, for a model that is too weak.
_STRONGER = {
    "0.5B": "Qwen/Qwen2.5-Coder-1.5B-Instruct",
    "135M": "Qwen/Qwen2.5-Coder-0.5B-Instruct",
    "360M": "Qwen/Qwen2.5-Coder-1.5B-Instruct",
    "1.5B": "Qwen/Qwen2.5-Coder-7B-Instruct",
    "3B": "Qwen/Qwen2.5-Coder-7B-Instruct",
}

# Of the commands: few references are few steps, so steps are small. Rates and epochs are those of `smollm2-warm-weak`.
_COMMANDS: dict[str, dict[str, Any]] = {
    "grpo": {},
    "sft": {
        "output_dir": "grpo_runs/warm",
        "per_device_train_batch_size": 4,
        "gradient_accumulation_steps": 2,
        "num_train_epochs": 4,
        "learning_rate": 2e-4,
    },
}


def _command(module: str, config: Config, looks: Sequence[Look]) -> str:
    """The command that trains on the levels of these looks, with limits that they need."""
    asked = {"level": _span(looks), "prompt_style": config.prompt_style, "shots": config.shots}
    usual = {"level": "", "prompt_style": Config.prompt_style, "shots": Config.shots}
    settings = {
        "model": config.model,
        "problems": config.problems,
        **{name: value for name, value in asked.items() if value != usual[name]},
        "max_prompt_length": rounded(max(look.longest_prompt for look in looks)),
        "max_completion_length": max(look.limit for look in looks),
        **_COMMANDS[module],
    }
    options = [word for name, value in settings.items() for word in (f"--{name}", str(value))]
    return shlex.join(["python", "-m", f"agents.{module}", *options])


def _stronger(model: str) -> str:
    found = next((better for size, better in _STRONGER.items() if size.lower() in model.lower()), None)
    return found or "Qwen/Qwen2.5-Coder-7B-Instruct"


def _harder(looks: Sequence[Look]) -> str:
    """The levels above those, as a range; the highest if there is none."""
    highest = max((int(look.level) for look in looks if look.level.isdigit()), default=LEVELS[0])
    return show_span(sorted({min(highest + 1, LEVELS[-1]), LEVELS[-1]}))


def _span(looks: Sequence[Look]) -> str:
    """Their levels as a range; "" if the problems have none."""
    levels = [int(look.level) for look in looks if look.level.isdigit()]
    return show_span(levels) if levels else ""
