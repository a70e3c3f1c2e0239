"""Turns a verdict into a reward: ``(Problem, Extraction, Verdict) -> Reward``, a pure function.

A preset computes the share earned of each part, from 0 to 1, and weighs the four parts. ``staged`` is the default: it
pays only for doing better than a degenerate answer, such as a constant. ``staged-1`` is its first edition, and
paid up to .51 for giving up. ``seed-2025-12-10`` is this project's original reward, kept literally so that its
flaws can be measured: it pays for code that does not parse, lets a cut-off answer keep 0.3 of its total, and gives
nothing for a right answer of one line.

If a problem has an ``attempt``, every preset and function pays only for doing better than the attempt. The total is
then the ``repair_value``, and the penalty takes off the attempt's worth.

Long, because the presets share their parts, and stand side by side to be compared.
"""

from __future__ import annotations

import difflib
import enum
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, NamedTuple, Self

from ocaml_env.errors import ConfigError, import_attribute
from ocaml_env.extract import Extraction
from ocaml_env.problem import Group, Problem
from ocaml_env.verdict import Outcome, Stage, TestOutcome, Verdict

__all__ = [
    "GroupResult",
    "Preset",
    "Reward",
    "RewardHook",
    "RewardSpec",
    "group_results",
    "is_degenerate",
    "progress",
    "repair_value",
]

# Shares of the typecheck part for 0, 1, 2, 3, 4 and 5 or more errors.
_LADDER = (1.0, 0.85, 0.7, 0.55, 0.4, 0.25)  # .20/.17/.14/.11/.08/.05 at a weight of .20
_UNPARSED_TOTAL = 0.25  # the least total of an attempt that does not parse
_FIRST_LADDER = (1.0, 0.75, 0.5, 0.3, 0.15, 0.1)  # .20/.15/.10/.06/.03/.02


class Preset(enum.StrEnum):
    """The kinds of reward. ``RewardSpec.preset`` has the table of the presets."""

    STAGED = "staged"
    STAGED_1 = "staged-1"
    SEED = "seed-2025-12-10"
    PASS_DOMINANT = "pass-dominant"
    BINARY = "binary"

    @classmethod
    def _missing_(cls, value: object) -> Preset | None:
        return cls.STAGED if value == _STAGED_EDITION else None


_STAGED_EDITION = "staged-2"  # the edition of `staged`, in records; it may be asked for by this name, too


@dataclass(frozen=True, slots=True, kw_only=True)
class Reward:
    """The reward of one completion, by parts.

    Attributes:
        structure: for an answer of the right form.
        typecheck: for code that typechecks, or nearly does.
        compile: for code that compiles; under ``staged``, for its progress, under ``staged-1`` for tests that return.
        tests: for tests that pass; under ``staged``, for progress.
        penalty: 0 or less: the deductions of the seed's rules, and the worth of the problem's attempt.
    """

    structure: float = 0.0
    typecheck: float = 0.0
    compile: float = 0.0
    tests: float = 0.0
    penalty: float = 0.0

    @property
    def parts(self) -> dict[str, float]:
        """The parts by name, in the order of addition. The caller may change the result."""
        return {name: getattr(self, name) for name in self.__slots__}  # a twelfth of a step faster than asdict

    @property
    def total(self) -> float:
        """The sum of the parts as floats, added from left to right."""
        return self.structure + self.typecheck + self.compile + self.tests + self.penalty


class _Shares(NamedTuple):
    """The share earned of each part, from 0 to 1."""

    structure: float = 0.0
    typecheck: float = 0.0
    compile: float = 0.0
    tests: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RewardSpec:
    """A preset and its weights. Usually made by ``RewardSpec.preset``.

    Comparable, hashable, picklable; ``to_dict`` and ``from_dict`` write it to a configuration and read it back.

    Attributes:
        preset_name: the preset.
        structure: the weight of that part; a part's ladder scales with its weight. The four weights add up to 1.
        typecheck: likewise.
        compile: likewise.
        tests: likewise.
        min_non_empty_lines: seed only: code of fewer lines gets 0. Blank lines and lines that start with ``(*`` do not
            count.
        runaway_penalty_multiplier: seed only: the share of its total that a cut-off completion without the END marker
            keeps.

    Raises:
        ConfigError: for weights outside 0 to 1 or that do not add up to 1, or the seed's settings in another preset.
    """

    preset_name: Preset
    structure: float
    typecheck: float
    compile: float
    tests: float
    min_non_empty_lines: int = 0
    runaway_penalty_multiplier: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "preset_name", _known_preset(self.preset_name))
        for name in ("structure", "typecheck", "compile", "tests", "runaway_penalty_multiplier"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
                raise ConfigError(f"{name} must be a number from 0 to 1, not {value!r}")
            object.__setattr__(self, name, float(value))
        total = self.structure + self.typecheck + self.compile + self.tests
        if not math.isclose(total, 1.0, abs_tol=1e-9):
            raise ConfigError(f"the weights of structure, typecheck, compile and tests must add up to 1, not {total:g}")
        lines = self.min_non_empty_lines
        if isinstance(lines, bool) or not isinstance(lines, int) or lines < 0:
            raise ConfigError(f"min_non_empty_lines must be a whole number from 0, not {lines!r}")
        if self.preset_name is not Preset.SEED and (lines != 0 or self.runaway_penalty_multiplier != 1.0):
            raise ConfigError(
                f"min_non_empty_lines and runaway_penalty_multiplier belong to the preset {Preset.SEED.value!r}: "
                f"{self.preset_name.value!r} has no such penalties"
            )

    @classmethod
    def preset(cls, name: str, **settings: Any) -> RewardSpec:
        """Returns a preset by its name.

        ====================  =========  ==========================  ===================  ==========================
        preset                structure  typecheck                   compile              tests
        ====================  =========  ==========================  ===================  ==========================
        ``staged``            .05        .20/.17/.14/.11/.08/.05     .10 x progress       .65 x progress
                                         for 0/1/2/3/4/5+ errors
        ``staged-1``          .05        .20/.15/.10/.06/.03/.02     .10 x the share of   .65 x the fraction passed
                                                                     tests that returned
        ``seed-2025-12-10``   .05        as ``staged-1``; what does  .10; .05 if only     .65 if all pass
                              marker     not parse has one error     typed; .01 else
        ``pass-dominant``     0          .05 or 0                    .05 or 0             .1 x fraction; .9 if all pass
        ``binary``            0          0                           0                    1 if all pass
        ====================  =========  ==========================  ===================  ==========================

        See ``progress`` for its formula. The fraction is hidden tests passed / (hidden tests + public ones failed), so
        hard-coding the examples of a prompt pays nothing. If no test is hidden, it is the fraction of all tests passed.
        Only ``staged`` reads the tests of a partial evaluation (``Verdict.partial``).

        ``seed-2025-12-10`` differs from its authors' function of that day in the following cases. They cover 83 of 255
        completions of that time:

        ==========================================  ============================  ==================================
        an answer                                   their function                here
        ==========================================  ============================  ==================================
        with ``(* END *)`` within its fence and     it has the marker             it has none: nothing but a fence
        more text after the fence                                                 and blanks may follow the marker
        with a fence that is never closed, or with  it is no block, or the first  it is a block, and the block that is
        a second one                                one counts                    wanted counts
        with several type errors                    one: OCaml stops at the       all: typing goes on after an error
                                                    first
        that names something withheld               it is compiled and run        one error
        without the interface's types               they are errors               so many errors (``Verdict.given``)
        ==========================================  ============================  ==================================

        Args:
            name: one of the table.
            settings: for the seed's preset, ``min_non_empty_lines`` (8) and ``runaway_penalty_multiplier`` (0.3).

        Raises:
            ConfigError: for an unknown name or setting, or an unusable value.
        """
        spec = _PRESETS[_known_preset(name)]
        for setting in settings:
            if setting not in _SETTINGS:
                raise ConfigError(f"there is no reward setting {setting!r}{_nearest(setting, _SETTINGS)}")
            if spec.preset_name is not Preset.SEED:
                raise ConfigError(
                    f"{setting} is a setting of {Preset.SEED.value!r} alone, not of {spec.preset_name.value!r}"
                )
        return replace(spec, **settings)

    @classmethod
    def of(cls, value: str | RewardSpec | Callable[..., Reward | float]) -> RewardSpec:
        """Makes a reward from a setting: a preset's name, a spec, a function, or the ``module:attribute`` of one.

        The function is called with ``(problem, extraction, verdict)``, like a spec. It returns a ``Reward`` or a
        number. A number is a reward for tests alone.

        Raises:
            ConfigError: if the setting cannot be used.
        """
        if isinstance(value, str) and ":" in value:
            found = import_attribute(value)
            if not callable(found):
                raise ConfigError(f"the reward {value!r} is no function: it is of type {type(found).__name__}")
            return found if isinstance(found, RewardSpec) else _hook(found, value)
        if isinstance(value, RewardSpec):
            return value
        if callable(value) and not isinstance(value, str):
            return _hook(value, getattr(value, "__qualname__", type(value).__name__))
        return RewardSpec.preset(value)

    @classmethod
    def presets(cls) -> tuple[str, ...]:
        """The names of the presets, the default first."""
        return tuple(name.value for name in Preset)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Makes a spec from the values of ``to_dict``.

        Raises:
            ConfigError: for missing or unknown names, or unusable values.
        """
        names = [field.name for field in fields(cls)]
        for name in values:
            if name not in names:
                raise ConfigError(f"a reward spec has no field {name!r}{_nearest(str(name), names)}")
        missing = [name for name in names if name not in values and name not in _SETTINGS]
        if missing:
            raise ConfigError(f"a reward spec needs {', '.join(missing)}")
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON or YAML."""
        return {**asdict(self), "preset_name": self.preset_name.value}

    def reweighted(self, *, structure: float, typecheck: float, compile: float, tests: float) -> RewardSpec:
        """The same preset with other weights; they must add up to 1."""
        return replace(self, structure=structure, typecheck=typecheck, compile=compile, tests=tests)

    @property
    def version(self) -> str:
        """The name in records; that of ``staged`` has the edition. Changed weights are appended."""
        name = _STAGED_EDITION if self.preset_name is Preset.STAGED else self.preset_name.value
        if self == _PRESETS[self.preset_name]:
            return name
        return " ".join([name, *(f"{part}={getattr(self, part):g}" for part in _WEIGHTS)])

    def __call__(self, problem: Problem, extraction: Extraction, verdict: Verdict) -> Reward:
        """The reward of an answer; if the problem has an attempt, only what exceeds the attempt's worth."""
        earned = self._earned(problem, extraction, verdict)
        if problem.attempt_verdict is None:
            return earned
        value = repair_value(earned.total, self.attempt_total(problem))
        return replace(earned, penalty=earned.penalty + (value - earned.total))

    def attempt_total(self, problem: Problem) -> float:
        """The worth of the problem's attempt, set so that giving up repairs nothing. 0 if there is no attempt.

        It is at least the total of each answer that repairs nothing: the attempt, also behind a table of the examples;
        code that raises in the place of each type error; and the attempt with the fault cut out
        (``Problem.attempt_kept``). If it does not parse, it is at least .25: the total of an answer that only raises,
        under ``staged``. ``min_non_empty_lines`` does not apply.
        """
        verdict = problem.attempt_verdict
        if verdict is None:
            return 0.0
        if self.min_non_empty_lines:  # a padded copy of the attempt would meet this rule without repairing anything
            return replace(self, min_non_empty_lines=0).attempt_total(problem)
        answer = Extraction(code=problem.attempt, marker=True)
        ran = {test.name for test in verdict.tests if test.passed}
        lazy = [_passing(problem, verdict, names) for names in (ran, problem.attempt_kept)]
        total = max(self._earned(problem, answer, found).total for found in (verdict, *lazy))
        return max(total, _UNPARSED_TOTAL) if verdict.outcome is Outcome.SYNTAX_ERROR else total

    def _earned(self, problem: Problem, extraction: Extraction, verdict: Verdict) -> Reward:
        """The reward of the code by itself, without regard to an attempt."""
        shares = _EVALUATES[self.preset_name](problem, extraction, verdict)
        earned = Reward(
            structure=_credit(self.structure, shares.structure),
            typecheck=_credit(self.typecheck, shares.typecheck),
            compile=_credit(self.compile, shares.compile),
            tests=_credit(self.tests, shares.tests),
        )
        penalty = self._penalty(extraction, earned.total)
        return replace(earned, penalty=penalty) if penalty else earned

    def _penalty(self, extraction: Extraction, total: float) -> float:
        """The deductions of the seed's rules; 0 in the other presets, by the defaults of their settings."""
        if self.min_non_empty_lines and _code_lines(extraction) < self.min_non_empty_lines:
            return 0.0 - total
        if extraction.truncated and not extraction.marker:
            return self.runaway_penalty_multiplier * total - total
        return 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RewardHook(RewardSpec):
    """A user's own function in the form of a spec, made by ``RewardSpec.of``. Its weights have no effect.

    Attributes:
        function: takes ``(problem, extraction, verdict)`` and returns a ``Reward`` or a number.
        name: the name in records.
    """

    function: Callable[..., Reward | float]
    name: str

    @property
    def version(self) -> str:
        return self.name

    def to_dict(self) -> dict[str, Any]:
        raise ConfigError(f"the reward {self.name!r} is a function, which cannot be written down: write its name")

    def _earned(self, problem: Problem, extraction: Extraction, verdict: Verdict) -> Reward:
        """Calls the function.

        Raises:
            ConfigError: if it returns anything but a ``Reward`` or a finite number.
        """
        # The function may call a preset, which would deduct the attempt's worth a second time.
        asked = replace(problem, attempt="", attempt_verdict=None) if problem.attempt else problem
        found = self.function(asked, extraction, verdict)
        reward = found if isinstance(found, Reward) else None
        if reward is None and isinstance(found, int | float) and not isinstance(found, bool):
            reward = Reward(tests=float(found))
        if reward is None or not math.isfinite(reward.total):
            raise ConfigError(f"the reward {self.name!r} returned {found!r:.80}, and not a Reward or a finite number")
        return reward


def _hook(function: Callable[..., Reward | float], name: str) -> RewardHook:
    return RewardHook(
        preset_name=Preset.BINARY, structure=0.0, typecheck=0.0, compile=0.0, tests=1.0, function=function, name=name
    )


def _credit(weight: float, share: float) -> float:
    # Twelve decimals, so that .20 x .75 is exactly .15. Rounding keeps the order of shares.
    return round(weight * share, 12)


# --- the presets' rules -----------------------------------------------------------------------------------------------


def progress(problem: Problem, verdict: Verdict) -> float:
    """The share of the way from a degenerate answer to a passing one, from 0 to 1.

    It is the sum over groups of tests of max(0, p - b) h / (h + f), divided by the sum of h - b. A group has h hidden
    tests; p of them pass. f of its examples fail. Its baseline b is the most that a degenerate answer passes. Only a
    passing answer has 1; others have at most 1 - 1 / (number of tests). If the baselines were not measured, or no
    test is hidden, all tests are one group with the baseline 0.
    """
    if verdict.passed:
        return 1.0
    if not verdict.tests:
        return 0.0
    results = group_results(problem, verdict)
    most = sum([len(group.tests) - group.baseline for group, _, _ in results])
    if most == 0:
        return 0.0
    gained = 0.0
    for group, passed, failed_examples in results:
        hidden = len(group.tests)
        gained += max(0, passed - group.baseline) * hidden / (hidden + failed_examples)
    return min(gained / most, 1 - 1 / len(verdict.tests))


class GroupResult(NamedTuple):
    """A group of tests, its hidden tests that passed, and its examples that failed."""

    group: Group
    passed: int
    failed_examples: int


def group_results(problem: Problem, verdict: Verdict) -> list[GroupResult]:
    """The counts that ``progress`` is made of, for each group of tests."""
    passed = {test.name for test in verdict.tests if test.passed}
    return [
        GroupResult(
            group, len(passed.intersection(group.tests)), len(group.examples) - len(passed.intersection(group.examples))
        )
        for group in _groups(problem)
    ]


def repair_value(total: float, attempt_total: float) -> float:
    """The value of an answer as the repair of an attempt: 0 if it is no better, and 1 if it is perfect.

    For the answer's total T and the attempt's total A it is max(0, (T - A) / (1 - A)), and 0 if A is 1.
    """
    return 0.0 if attempt_total >= 1 else max(0.0, (total - attempt_total) / (1 - attempt_total))


def is_degenerate(problem: Problem, verdict: Verdict) -> bool:
    """True if the tests ran and the answer does no better, in any group, than a degenerate one."""
    return bool(verdict.tests) and not verdict.partial and not verdict.passed and progress(problem, verdict) == 0


def _groups(problem: Problem) -> Sequence[Group]:
    if problem.baseline:
        return problem.groups
    tests, examples = (tuple(test.name for test in part) for part in (problem.hidden_tests, problem.public_tests))
    return (Group(items=(), tests=tests or examples, examples=examples if tests else ()),)


def _staged(problem: Problem, extraction: Extraction, verdict: Verdict) -> _Shares:
    """Pays for parsing, typechecking and progress beyond a degenerate answer. Code that does not parse gets nothing."""
    if extraction.code is None or verdict.outcome in _UNPARSED:
        return _Shares()
    structure = 0.0 if extraction.truncated else 1.0
    if verdict.outcome is Outcome.FORBIDDEN:
        return _Shares(structure=structure)
    share = progress(problem, verdict)
    return _Shares(structure=structure, typecheck=_LADDER[min(_errors(verdict), 5)], compile=share, tests=share)


def _staged_1(problem: Problem, extraction: Extraction, verdict: Verdict) -> _Shares:
    """The first edition of ``staged``: it pays for returning tests, also if a constant passes them."""
    if extraction.code is None or verdict.outcome in _UNPARSED:
        return _Shares()
    structure = 0.0 if extraction.truncated else 1.0
    if verdict.outcome is Outcome.FORBIDDEN:
        return _Shares(structure=structure)
    tests = () if verdict.partial else verdict.tests
    return _Shares(
        structure=structure,
        typecheck=_FIRST_LADDER[min(_errors(verdict), 5)],
        compile=_fraction([test.returned for test in tests]),
        tests=_tests_fraction(verdict),
    )


def _seed(problem: Problem, extraction: Extraction, verdict: Verdict) -> _Shares:
    """The seed's rules.

    The seed counted lines with "Error:" in the compiler's output. Code that does not parse gives at most one such line.
    The seed never refused code, so FORBIDDEN counts as one error. It added no definitions, so each missing one that the
    interface defines in full (``Verdict.given``) counts as an error.
    """
    if verdict.given and _typed(verdict):
        verdict = Verdict(outcome=Outcome.TYPE_ERROR, stage=Stage.TYPECHECK, errors=len(verdict.given))
    return _Shares(
        structure=1.0 if extraction.marker else 0.0,
        typecheck=_FIRST_LADDER[min(_errors(verdict), 5)],
        compile=1.0 if _linked(verdict) else 0.5 if _typed(verdict) else 0.1,
        tests=1.0 if verdict.passed else 0.0,
    )


def _pass_dominant(problem: Problem, extraction: Extraction, verdict: Verdict) -> _Shares:
    """Pays nearly all for passing, and a little to tell near misses apart."""
    return _Shares(
        typecheck=1.0 if _typed(verdict) else 0.0,
        compile=1.0 if _linked(verdict) else 0.0,
        # .1 x fraction, of a weight of .9
        tests=1.0 if verdict.passed else _tests_fraction(verdict) / 9,
    )


def _binary(problem: Problem, extraction: Extraction, verdict: Verdict) -> _Shares:
    return _Shares(tests=1.0 if verdict.passed else 0.0)


# Sets made once: before Python 3.12 each `Outcome.NAME` is a call.
_UNPARSED = frozenset({Outcome.NO_CODE, Outcome.SYNTAX_ERROR})
_UNTYPED = _UNPARSED | {Outcome.TYPE_ERROR, Outcome.FORBIDDEN}
_UNLINKED = _UNTYPED | {Outcome.COMPILE_ERROR}


def _typed(verdict: Verdict) -> bool:
    return verdict.outcome not in _UNTYPED


def _linked(verdict: Verdict) -> bool:
    return verdict.outcome not in _UNLINKED


def _passing(problem: Problem, verdict: Verdict, names: Collection[str]) -> Verdict:
    """The verdict on an answer that passes these tests and the examples, and raises in the others."""
    has_table = bool(problem.hidden_tests)  # if all tests are examples, progress counts them
    tests = []
    for test in problem.tests:
        passes = test.name in names or (has_table and test.public)
        outcome = Outcome.PASSED if passes else Outcome.RUNTIME_ERROR
        tests.append(TestOutcome(name=test.name, public=test.public, outcome=outcome, returned=passes))
    return Verdict(outcome=Outcome.RUNTIME_ERROR, stage=Stage.TEST, tests=tuple(tests), given=verdict.given)


def _errors(verdict: Verdict) -> int:
    """The number of type errors; at least 1 if the code does not typecheck."""
    return 0 if _typed(verdict) else max(verdict.errors, 1)


def _tests_fraction(verdict: Verdict) -> float:
    if verdict.partial:
        return 0.0
    hidden = [test.passed for test in verdict.tests if not test.public]
    if not hidden:
        return _fraction([test.passed for test in verdict.tests])
    failed_examples = sum([test.public and not test.passed for test in verdict.tests])
    return sum(hidden) / (len(hidden) + failed_examples)


def _fraction(values: Sequence[bool]) -> float:
    return sum(values) / len(values) if values else 0.0


def _code_lines(extraction: Extraction) -> int:
    lines = (extraction.code or "").split("\n")
    return sum(bool(line.strip()) and not line.lstrip().startswith("(*") for line in lines)


_EVALUATES: dict[Preset, Callable[[Problem, Extraction, Verdict], _Shares]] = {
    Preset.STAGED: _staged,
    Preset.STAGED_1: _staged_1,
    Preset.SEED: _seed,
    Preset.PASS_DOMINANT: _pass_dominant,
    Preset.BINARY: _binary,
}


# --- the table of presets ---------------------------------------------------------------------------------------------

_WEIGHTS = ("structure", "typecheck", "compile", "tests")
_SETTINGS = ("min_non_empty_lines", "runaway_penalty_multiplier")


def _known_preset(name: object) -> Preset:
    try:
        return Preset(name)  # type: ignore[arg-type]  # whatever it is, it is checked here
    except ValueError:
        raise ConfigError(
            f"there is no reward preset {name!r}{_nearest(str(name), RewardSpec.presets())}; "
            f"known are {', '.join(RewardSpec.presets())}"
        ) from None


def _nearest(name: str, known: Iterable[str]) -> str:
    known = list(known)
    shortened = [whole for whole in known if name and whole.startswith(name.lower())]
    close = shortened or difflib.get_close_matches(name.lower(), known, n=1)
    return f"; did you mean {close[0]!r}?" if close else ""


_PRESETS = {
    spec.preset_name: spec
    for spec in (
        RewardSpec(preset_name=Preset.STAGED, structure=0.05, typecheck=0.20, compile=0.10, tests=0.65),
        RewardSpec(preset_name=Preset.STAGED_1, structure=0.05, typecheck=0.20, compile=0.10, tests=0.65),
        RewardSpec(
            preset_name=Preset.SEED,
            structure=0.05,
            typecheck=0.20,
            compile=0.10,
            tests=0.65,
            min_non_empty_lines=8,
            runaway_penalty_multiplier=0.3,
        ),
        RewardSpec(preset_name=Preset.PASS_DOMINANT, structure=0.0, typecheck=0.05, compile=0.05, tests=0.90),
        RewardSpec(preset_name=Preset.BINARY, structure=0.0, typecheck=0.0, compile=0.0, tests=1.0),
    )
}
