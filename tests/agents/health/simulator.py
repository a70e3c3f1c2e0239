"""Simulated runs: a learning policy with at most one planted pathology, written as a run directory.

Samples are drawn first; the log is computed from them, as by a trainer. A seed varies the size of the run, of its
groups and steps, the policy's skill at first, its entropy, its gradients and its noise. ``Healthy`` also varies the
length, the course of learning, the fall of entropy, and the contents of the log.
"""

from __future__ import annotations

import enum
import json
import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from statistics import fmean
from typing import Any

from agents.health.records import GroupKind, Run, record_of
from agents.health.samples import compression_ratio, kind_of
from ocaml_env.rollout import Rollout
from ocaml_env.verdict import Diagnostic, Outcome

PROBLEMS = ("snake_case", "affine_gaps", "generated/2/arithmetic.digits/2/7/0", "somebody_else/17")


_LETTERS = random.Random("words")
WORDS = ["".join(_LETTERS.choices("abcdefghijklmnopqrstuvwxyz", k=_LETTERS.randint(2, 7))) for _ in range(3000)]


def _program() -> str:
    f, x, *names = _LETTERS.choices(WORDS, k=40)
    lines = [f"let rec {f} {x} = match {x} with", f"  | [] -> {names[0]}"]
    for at in range(_LETTERS.randint(2, 7)):
        a, b, c, d = names[4 * at : 4 * at + 4]
        lines.append(f"  | {a} :: rest -> {f} ({b} {x} {c}) + {d}")
    return "\n".join(lines)


CODE = [_program() for _ in range(1000)]


class Illness(enum.StrEnum):
    NONE = "none"
    COLLAPSE = "collapse"
    MARKER_SPAM = "marker spam"
    ALL_FAILED = "all failed"
    EXPLODING = "exploding gradient"
    TRUNCATION = "truncation"
    HACKING = "hacking"
    REWARD_ONLY = "reward without passes"
    SPIKE = "gradient spike"
    GIVING_UP = "giving up"
    STANDSTILL = "standstill"
    PLATEAU = "plateau"


NAMES = {
    Illness.COLLAPSE: {"mode-collapse"},
    Illness.MARKER_SPAM: {"repetition"},
    Illness.ALL_FAILED: {"all-failed"},
    Illness.EXPLODING: {"exploding-gradient"},
    Illness.TRUNCATION: {"truncation"},
    Illness.HACKING: {"one-value", "reward-hacking"},
    Illness.REWARD_ONLY: {"reward-hacking"},
    Illness.SPIKE: {"gradient-spike"},
    Illness.GIVING_UP: {"giving-up", "giving-up-rises"},
    Illness.STANDSTILL: {"flat-reward"},
    Illness.PLATEAU: {"plateau"},
}
"""Illness -> names of the rules for it; one of them must be the first finding."""


class Course(enum.StrEnum):
    """The growth of skill over a run."""

    STEADY = "steady"
    SATURATING = "fast at first, then high"
    LATE = "slow at first"
    STAIRS = "in three leaps"
    WAVES = "up and down on its way up"

    def of(self, share: float) -> float:
        """Returns the share of the gain reached after this share of the run."""
        if self is Course.SATURATING:
            return min(1.0, (1 - math.exp(-8 * share)) / (1 - math.exp(-4)))
        if self is Course.LATE:
            return 1 / (1 + math.exp(-9 * (share - 0.45)))
        if self is Course.STAIRS:
            return sum(1 / (1 + math.exp(-60 * (share - leap))) for leap in (0.2, 0.5, 0.8)) / 3
        return share + 0.08 * math.sin(6 * math.pi * share) if self is Course.WAVES else share


@lru_cache(2048)
def _compression_of(text: str) -> float:
    return compression_ratio([text]) or 1.0


def _compression_ratio(texts: list[str]) -> float:
    """Returns ``compression_ratio`` of ASCII texts, most of which come again and again."""
    return sum(map(len, texts)) / sum(len(text) / _compression_of(text) for text in texts)


@dataclass
class Simulation:
    """A simulated run. ``steps`` holds the samples of each step, ``metrics`` its log entry.

    Attributes:
        illness: the planted pathology.
        seed: varies everything else.
        length: logging steps; 0 draws 70 to 120.
        only: names of the logged metrics; empty for all.
    """

    illness: Illness
    seed: int
    length: int = 0
    only: tuple[str, ...] = ()
    course: Course = Course.STEADY
    steps: list[list[Rollout]] = field(default_factory=list)
    metrics: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.chance = chance = random.Random(f"{self.illness}/{self.seed}")
        drawn = chance.randint(70, 120)
        self.length = self.length or drawn
        self.groups = chance.randint(2, 6)
        self.size = chance.choice((4, 6, 8))
        self.skill = chance.uniform(-3.0, 0.0) if self.illness is not Illness.ALL_FAILED else -9.0
        self.gain = chance.uniform(0.8, 2.5)
        self.entropy = chance.uniform(0.08, 1.2)
        self.gradient = chance.uniform(0.02, 0.6)
        self.rate = chance.choice((1e-6, 5e-6, 1e-5, 4e-4))
        self.onset = round(self.length * chance.uniform(0.25, 0.45)) if self.length >= 20 else 1
        self.seed_preset = chance.random() < 0.5
        self.falls = 0.45
        if self.illness in (Illness.STANDSTILL, Illness.PLATEAU, Illness.REWARD_ONLY, Illness.GIVING_UP):
            self.groups, self.size, self.skill = 16 if self.length > 100 else 32, 8, chance.uniform(-1.5, -0.5)
            self.gain = 0.0 if self.illness is Illness.STANDSTILL else 1.5
        if self.illness is Illness.PLATEAU:
            self.skill, self.gain = chance.uniform(-2.2, -1.6), 2.5
        self.vary()
        for step in range(1, self.length + 1):
            self.now, self.grown = self.severity(step), self.gain * self.learned(step)
            samples = [sample for group in range(self.groups) for sample in self._group(step, group)]
            self.steps.append(samples)
            entry = self._log(step, samples)
            self.metrics.append({name: entry[name] for name in self.only or entry})

    def vary(self) -> None:
        """Draws more; for subclasses to override."""

    @property
    def run(self) -> Run:
        return Run(source=Path("simulated"), records=tuple(record_of(entry) for entry in self.metrics))

    def severity(self, step: int) -> float:
        """Returns the severity of the illness: 0 before its onset, up to 1."""
        if self.illness is Illness.NONE:
            return 0.0
        ramp = min(15.0, max(1.0, self.length / 6))
        return 1.0 if self.illness is Illness.ALL_FAILED else min(1.0, max(0.0, (step - self.onset) / ramp))

    def learned(self, step: int) -> float:
        """Returns the share of the gain reached by this step."""
        if self.illness is Illness.PLATEAU:
            return min(1.0, 3 * step / self.length)
        return self.course.of(step / self.length)

    # --- samples ------------------------------------------------------------------------------------------------------

    def _group(self, step: int, group: int) -> list[Rollout]:
        chance, severity = self.chance, self.now
        hard = chance.gauss(0.0, 1.2)
        problem = chance.choice(PROBLEMS)
        if self.illness is Illness.COLLAPSE and chance.random() < 0.9 * severity:
            sample = self._sample(step, group, problem, hard + 3)  # a safe pattern with few passes
            return [sample] * self.size
        return [self._sample(step, group, problem, hard) for _ in range(self.size)]

    def _sample(self, step: int, group: int, problem: str, hard: float) -> Rollout:
        chance = self.chance
        ill = chance.random() < self.now
        skill = self.skill + self.grown - hard
        text, truncated = self._code(), chance.random() < 0.04
        outcome, total, errors, passed_tests = self._verdict(skill)
        if truncated:
            outcome, total, errors, passed_tests = Outcome.SYNTAX_ERROR, 0.0, 1, 0
        if ill and self.illness is Illness.MARKER_SPAM and chance.random() < 0.9:
            text, truncated = text[:60] + "(* END *)\n" * 90, True
            outcome, total, errors, passed_tests = Outcome.SYNTAX_ERROR, 0.048 if self.seed_preset else 0.0, 1, 0
        elif ill and self.illness is Illness.TRUNCATION and chance.random() < 0.85:
            text, truncated = self._code() + self._code()[:-20], True
            outcome, total, errors, passed_tests = Outcome.SYNTAX_ERROR, 0.0, 1, 0
        elif ill and self.illness is Illness.HACKING and chance.random() < 0.85:
            text = f"let {self._name()} {self._name()} = raise Not_found (* {self._code()[:40]} *)"
            truncated, outcome, total, errors, passed_tests = False, Outcome.RUNTIME_ERROR, 0.25, 0, 0
        elif ill and self.illness is Illness.REWARD_ONLY and chance.random() < 0.8:
            tests = chance.randint(5, 9)  # all but the hard tests: more reward, but no pass
            truncated, outcome, total = False, Outcome.TEST_FAILURE, 0.5 + 0.05 * tests
            errors, passed_tests = 0, tests
        elif ill and self.illness is Illness.GIVING_UP and chance.random() < 0.8:
            text = (
                f"let {self._name()} {self._name()} = {chance.choice(('0', '[]', 'false', '1'))} (* {self._name()} *)"
            )
            truncated, outcome, total, errors, passed_tests = False, Outcome.TEST_FAILURE, 0.25, 0, 1
        elif ill and self.illness is Illness.EXPLODING and chance.random() < min(1.0, (step - self.onset) / 40):
            text = "".join(chance.choices("abcdefghij (){};=+", k=150))
            outcome, total, errors, passed_tests = Outcome.NO_CODE, 0.0, 0, 0
        tested = outcome in (Outcome.PASSED, Outcome.TEST_FAILURE, Outcome.RUNTIME_ERROR)
        return Rollout(
            step=step,
            epoch=round(step / self.length, 4),
            problem_id=problem,
            group=group,
            turn=1,
            prompt_digest="0" * 64,
            completion=text,
            truncated=truncated,
            tokens=len(text) // 3,
            outcome=outcome,
            errors=errors,
            diagnostics=self._diagnostics(outcome),
            parts={"structure": min(total, 0.05), "tests": max(0.0, total - 0.05)},
            total=total,
            tests_passed=passed_tests,
            tests_total=10 if tested else 0,
            passed=outcome is Outcome.PASSED,
            degenerate=outcome is Outcome.TEST_FAILURE and passed_tests <= 2,
        )

    def _verdict(self, skill: float) -> tuple[Outcome, float, int, int]:
        """Outcome, reward, errors and passed tests: the lower the skill, the earlier the failing stage."""
        level = skill + self.chance.gauss(0.0, 1.3)
        if level > 0.4:
            return Outcome.PASSED, 1.0, 0, 10
        if level > -1.2:
            tests = self.chance.randint(0, 9)
            return Outcome.TEST_FAILURE, 0.35 + 0.065 * tests, 0, tests
        if level > -3.5:
            errors = self.chance.randint(1, 5)
            return Outcome.TYPE_ERROR, 0.05 + (0.15, 0.10, 0.06, 0.03, 0.02)[errors - 1], errors, 0
        return (Outcome.SYNTAX_ERROR if level > -6 else Outcome.NO_CODE), 0.0, 1, 0

    def _name(self) -> str:
        return self.chance.choice(WORDS)

    def _code(self) -> str:
        return self.chance.choice(CODE)

    def _diagnostics(self, outcome: Outcome) -> tuple[Diagnostic, ...]:
        if outcome is Outcome.TYPE_ERROR:
            name = self.chance.choice(("List.foldl", "string_split", "xs"))
            return (Diagnostic(kind="unbound-value", message=f"Unbound value {name}", line=1, column=8, name=name),)
        if outcome is Outcome.SYNTAX_ERROR:
            return (Diagnostic(kind="syntax", message="Syntax error", line=2, column=2),)
        return ()

    # --- the log ------------------------------------------------------------------------------------------------------

    def _log(self, step: int, samples: Sequence[Rollout]) -> dict[str, Any]:
        chance, severity, share = self.chance, self.now, step / self.length
        totals = [sample.total for sample in samples]
        mean = fmean(totals)
        spread = math.sqrt(fmean((total - mean) ** 2 for total in totals))
        kinds = Counter(kind_of(samples[at : at + self.size]) for at in range(0, len(samples), self.size))
        outcomes = Counter(sample.outcome.value for sample in samples)
        top, count = max(Counter(t for t in totals if t > 0).items(), key=lambda pair: pair[1], default=(None, 0))
        entropy = self.entropy * (1 - self.falls * share) * math.exp(chance.gauss(0, 0.15))
        gradient = self.gradient * math.exp(chance.gauss(0, 0.5))
        loss = chance.gauss(0, 0.05)
        if self.illness is Illness.COLLAPSE:
            entropy *= 1 - 0.95 * severity
        if self.illness is Illness.EXPLODING and step > self.onset:
            grown = max(1.25, 10 ** (6 / (self.length - self.onset))) ** (step - self.onset)
            gradient, loss = (self.gradient * grown, chance.gauss(0, grown)) if grown < 1e12 else (math.nan, math.nan)
        if self.illness is Illness.SPIKE and step == self.onset:
            gradient = 5.5e7
        return {
            "step": step,
            "epoch": round(share, 4),
            "progress": round(share, 4),
            "loss": loss,
            "grad_norm": gradient,
            "learning_rate": self.rate * (1 - share),
            "entropy": entropy,
            "reward": mean,
            "reward_std": spread,
            "final_reward": mean,
            "frac_reward_zero_std": 1 - kinds[GroupKind.VARIED] / self.groups,
            "completions/clipped_ratio": fmean(sample.truncated for sample in samples),
            "rewards/syntax_aware_reward/mean": mean,
            "rewards/syntax_aware_reward/std": spread,
            "temperature": 1.0,
            "pass_rate": fmean(sample.passed for sample in samples),
            "outcomes": dict(outcomes),
            "groups": dict(kinds),
            "no_code_or_syntax": (outcomes["NO_CODE"] + outcomes["SYNTAX_ERROR"]) / len(samples),
            "compression_ratio": _compression_ratio([str(sample.completion) for sample in samples[:48]]),
            "top_reward": top,
            "top_reward_share": count / len(samples),
            "truncated": fmean(sample.truncated for sample in samples),
            "mean_errors": fmean(sample.errors for sample in samples),
            "degenerate": fmean(sample.degenerate for sample in samples),
            "faults": 0,
            "seconds": {"verify": 0.03, "glue": 0.01, "step": 2.1},
        }

    # --- files --------------------------------------------------------------------------------------------------------

    def write(self, folder: Path, *, completions: bool = True) -> Path:
        """Writes the run directory, and returns it."""
        (folder / "reward_logs").mkdir(parents=True)
        folder.joinpath("config.yaml").write_text(
            "model: tiny\ntemperature: 1.0\nnum_generations: 8\nlearning_rate: 1.0e-05\nmax_completion_length: 512\n"
            "per_device_train_batch_size: 8\ngradient_accumulation_steps: 6\nreward: staged\nmax_grad_norm: 1.0\n"
            "lora_target_modules:\n- q_proj\n- k_proj\n"
        )
        folder.joinpath("metrics.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in self.metrics))
        folder.joinpath("learning.log").write_text("".join(map(log_line, self.metrics)), encoding="utf-8")
        if completions:
            with (folder / "reward_logs" / "completions.jsonl").open("w") as file:
                file.writelines(sample.to_json() + "\n" for samples in self.steps for sample in samples)
        return folder


class Healthy(Simulation):
    """A learning run of any length, level and course; every third has only the metrics of TRL's own log."""

    def __init__(self, seed: int, courses: Sequence[Course] = (Course.STEADY, Course.SATURATING, Course.LATE)) -> None:
        chance = random.Random(f"healthy/{seed}")
        super().__init__(
            Illness.NONE,
            seed,
            length=round(math.exp(chance.uniform(math.log(8), math.log(250)))),
            only=TRL_ALONE if chance.random() < 1 / 3 else (),
            course=chance.choice(courses),
        )

    def vary(self) -> None:
        chance = self.chance
        self.groups, self.size = chance.choice((2, 4, 8, 16)), chance.choice((4, 8, 16))
        self.skill = chance.uniform(-3.0, 0.5)
        self.gain = chance.uniform(1.5, 3.5)
        if self.course is Course.SATURATING:  # up to 80 to 95% of passes
            self.gain = chance.uniform(2.0, 3.5) - self.skill
        self.falls = chance.uniform(0.1, 0.6)


TRL_ALONE = (
    *("step", "epoch", "progress", "loss", "grad_norm", "learning_rate", "entropy", "reward", "reward_std"),
    *("frac_reward_zero_std", "completions/clipped_ratio"),
)
"""The metrics of TRL's own log: no outcomes, pass rate or kinds of groups."""


def log_line(entry: dict[str, Any]) -> str:
    """Returns one line of ``learning.log``."""
    value = {name: math.nan if number is None else number for name, number in entry.items()}
    return (
        "[Epoch {epoch:.2f}]  loss={loss:<7.4f}  grad={grad_norm:.4f}  lr={learning_rate:.2e}  "
        "reward={reward:.3f}±{reward_std:.3f}  syntax_rew={mean:.3f}±{std:.3f}  entropy={entropy:.3f}  "
        "frac_zero_std={frac_reward_zero_std:.2f}\n"
    ).format(mean=value["rewards/syntax_aware_reward/mean"], std=value["rewards/syntax_aware_reward/std"], **value)
