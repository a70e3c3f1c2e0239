"""Advises on the level to begin training a model at, with settings to paste, from its answers at each level.

GRPO learns from differences within a group. A level with a pass rate of 20 to 80% has many of them. If there is no such
level, the remedy depends on the causes of failures; the advice names the commonest first.
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
"""A level teaches between these pass rates. At 20%, all eight answers fail in 17% of the groups (0.8 to the power of
8)."""

HOPELESS = 0.05
"""Two levels in a row below this end the climb: all eight answers then fail in at least 66% of the groups."""

_MANY = 0.20  # a cause with this share of the answers is reported even at a level that teaches
_LOOPS = 4.0  # compression ratio of an answer that repeats itself; code has 1 to 3
_ROUND = 32  # advised limits of tokens are multiples of this


class Cause(StrEnum):
    """The cause of a failed answer. Earlier causes hide later ones."""

    CUT_OFF = "cut off"
    LOOPING = "repeated until cut off, which no limit cures"
    UNREAD = "no OCaml that parses"
    UNTYPED = "does not typecheck"
    WRONG = "typechecks, and is wrong"


@dataclass(frozen=True, kw_only=True)
class Asked:
    """The evaluation of a model on the problems of one level.

    Attributes:
        reached: its figures, with the episodes.
        limit: the most tokens of an answer.
        longest_prompt: tokens of the longest prompt.
    """

    reached: Evaluation
    limit: int
    longest_prompt: int


@dataclass(frozen=True, kw_only=True)
class Look:
    """The figures of one level.

    Attributes:
        level: 1 to 6, or another label of the problems.
        problems: the number of problems, each with one answer.
        limit: the most tokens of an answer.
        longest_prompt: tokens of the longest prompt.
        passed: the share of passing answers.
        parsed: the share of answers with code that parses.
        typechecked: the share of answers with code that typechecks too.
        cut_off: the share of answers cut off at the limit.
        causes: cause -> its share of the answers, the commonest first.
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
    """Finds the cause of a failed answer. If it was cut off after all asked definitions, these are the cause."""
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
    """Evaluates one level after another, until two in a row have pass rates below ``HOPELESS``.

    Args:
        levels: name of a level -> its problems, from the easiest.
        ask: evaluates the problems of a level.
    """
    before = 1.0
    for level, problems in levels.items():
        asked = ask(level, problems)
        reached = asked.reached
        last = [episode.last for episode in reached.played if not episode.fault]
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
    """Returns advice, the most important first: sentences with settings or whole commands after a colon.

    Args:
        looks: the figures of each evaluated level, from the easiest.
        config: the settings of the evaluation, and the problems to train on.
    """
    if looks[-1].passed > SOLVED:
        span = _harder(looks)
        return [
            f"all levels are solved; take harder problems: --problems 'bundled:train?level={span}'; "
            f"or --problems 'generated:all?level={span}&split=train&n=2000'"
        ]
    places = teaching([look.passed for look in looks])
    fit = [looks[place] for place in places]
    if fit[0].passed > SOLVED:  # the next level has a pass rate below ENOUGH
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
    """Rounds a limit of tokens up to a multiple of 32."""
    return -(-tokens // _ROUND) * _ROUND


def _told(causes: Sequence[tuple[Cause, Look]], config: Config) -> Iterator[str]:
    """Yields a line for each cause at its level. Names each remedy once."""
    known: set[str] = set()
    for cause, look in causes:
        where = f" at level {look.level}" if look.level.isdigit() else ""
        remedies = [remedy for remedy in _remedies(cause, look, config) if remedy not in known]
        known |= set(remedies)
        helps = "; or ".join(remedies) or "as above"
        yield f"{look.causes[cause]:.0%} of the answers{where}: {cause.value}; try {helps}"


def _remedies(cause: Cause, look: Look, config: Config) -> list[str]:
    """The remedies against a cause, the best first."""
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


# Size in the name of a too weak model -> a larger model.
_STRONGER = {
    "0.5B": "Qwen/Qwen2.5-Coder-1.5B-Instruct",
    "135M": "Qwen/Qwen2.5-Coder-0.5B-Instruct",
    "360M": "Qwen/Qwen2.5-Coder-1.5B-Instruct",
    "1.5B": "Qwen/Qwen2.5-Coder-7B-Instruct",
    "3B": "Qwen/Qwen2.5-Coder-7B-Instruct",
}

# Settings of the commands. Few references make few steps, so batches are small. Rate and epochs: `smollm2-warm-weak`.
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
    """The command to train on the levels of these looks, with their limits of tokens."""
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
    """The range of levels above these; the highest level if there is none above."""
    highest = max((int(look.level) for look in looks if look.level.isdigit()), default=LEVELS[0])
    return show_span(sorted({min(highest + 1, LEVELS[-1]), LEVELS[-1]}))


def _span(looks: Sequence[Look]) -> str:
    """The levels of these looks as a range; "" if their problems have other labels."""
    levels = [int(look.level) for look in looks if look.level.isdigit()]
    return show_span(levels) if levels else ""
