"""Writes the tables of the environment card, docs/card.md, from the bundled problems and the kept results.

    python -m benchmarks.card            # after a change of problems or of benchmarks/results
    python -m benchmarks.card --check

The prose of the card is written by people. Each table goes between two lines, ``<!-- NAME -->`` and ``<!-- /NAME -->``.
``--check`` writes nothing, and says if the tables are current.

Exit codes: 0 done; 1 --check, and the page is not current; 2 wrong usage.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import fmean, median

from benchmarks.reward_quality.ladder import Severity
from benchmarks.reward_quality.strategies import STRATEGIES
from ocaml_env.commands import parser_of, reports_errors
from ocaml_env.errors import ConfigError
from ocaml_env.evaluation.benchmark.quick import draw_quick
from ocaml_env.evaluation.benchmark.score import mean_over_levels, standard_error
from ocaml_env.evaluation.leaderboard.runs import find_runs
from ocaml_env.evaluation.levels import Rung, rungs
from ocaml_env.evaluation.models.agents import STUBS
from ocaml_env.problem import LEVELS, Problem
from ocaml_env.problems import load_problems
from ocaml_env.problems.generators import families

__all__ = ["Ladder", "QuickCheck", "fill", "main", "quick_checks", "read_ladders", "separated"]

CARD = Path(__file__).parents[1] / "docs" / "card.md"
RESULTS = Path(__file__).parent / "results"
REWARDS = RESULTS / "reward-quality.json"

_NO_LEARNERS = ("agent:reference", *(f"agent:{name}" for name in STUBS), "completions:")
"""Beginnings of the names of models that learn nothing: they cannot tell which level is harder for a learner."""

_SEVERITIES = (
    Severity.REFERENCE,
    Severity.FAILS_FEW,
    Severity.FAILS_MOST,
    Severity.ONE_TYPE_ERROR,
    Severity.SYNTAX_ERROR,
    Severity.NO_ANSWER,
)
"""The rows of the table of rewards, best first."""

_PLACE = re.compile(r"(?P<begin><!-- (?P<name>[a-z]+) -->\n).*?(?P<end><!-- /(?P=name) -->)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """The levels of one kept run.

    Attributes:
        name: the run's directory, relative to the results.
        model: the model's name.
        problems: number of problems.
        rungs: pass@1 by level, from the easiest; levels without problems are missing.
    """

    name: str
    model: str
    problems: int
    rungs: tuple[Rung, ...]


def fill(text: str, tables: Mapping[str, Callable[[], Iterator[str]]]) -> str:
    """Returns the page with each table made again.

    Raises:
        ConfigError: if the page lacks the place of a table, or has one twice.
    """
    places = [place["name"] for place in _PLACE.finditer(text)]
    if sorted(places) != sorted(tables):
        lines = ", ".join(f"<!-- {name} --> and <!-- /{name} -->" for name in tables)
        raise ConfigError(f"the card needs these lines, once each: {lines}")
    return _PLACE.sub(lambda at: at["begin"] + "".join(f"{line}\n" for line in tables[at["name"]]()) + at["end"], text)


def read_ladders(results: Path) -> list[Ladder]:
    """The kept runs that have levels, in the order of their names."""
    found = []
    for run in find_runs(results)[0]:
        levels = tuple(rungs(run.summary.by_level))
        if levels and not run.suite.protocol:
            found.append(Ladder(name=run.name, model=run.model, problems=run.suite.problems, rungs=levels))
    return found


def separated(ladders: Sequence[Ladder]) -> dict[tuple[int, int], list[str]]:
    """For each level and the next, the learners that solve the easier one more often, with intervals that do not touch.

    Intervals that do not touch are a stricter demand than a test at 5%.
    """
    found: dict[tuple[int, int], list[str]] = {pair: [] for pair in pairwise(LEVELS)}
    for ladder in ladders:
        if ladder.model.startswith(_NO_LEARNERS):
            continue
        by_level = {rung.level: rung for rung in ladder.rungs}
        for easy, hard in found:
            if easy in by_level and hard in by_level and by_level[easy].low > by_level[hard].high:
                found[easy, hard].append(ladder.name)
    return found


# --- tables -----------------------------------------------------------------------------------------------------------


def _sizes() -> Iterator[str]:
    problems = list(load_problems("bundled"))
    yield "| level | for training | for evaluation | hidden tests | lines of the reference | words | families |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for level in LEVELS:
        drawn = sum(level in family.levels for family in families().values())
        yield _size(str(level), [problem for problem in problems if problem.level == level], drawn)
    yield _size("all", problems, len(families()))


def _size(name: str, problems: Sequence[Problem], drawn: int) -> str:
    training = sum(problem.split == "train" for problem in problems)
    tests = median(len(problem.hidden_tests) for problem in problems)
    lines = median(problem.reference_lines for problem in problems)
    words = median(len(problem.statement.split()) for problem in problems)
    return f"| {name} | {training} | {len(problems) - training} | {tests:.0f} | {lines:.0f} | {words:.0f} | {drawn} |"


def _scores() -> Iterator[str]:
    yield f"| run | problems | {' | '.join(map(str, LEVELS))} |"
    yield f"| --- | ---: |{' ---: |' * len(LEVELS)}"
    for ladder in read_ladders(RESULTS):
        by_level = {rung.level: rung for rung in ladder.rungs}
        cells = " | ".join(_rate(by_level.get(level)) for level in LEVELS)
        yield f"| {ladder.name} | {ladder.problems} | {cells} |"


def _rate(rung: Rung | None) -> str:
    return "-" if rung is None else f"{100 * rung.rate:.1f} ({100 * rung.low:.1f} to {100 * rung.high:.1f})"


def _order() -> Iterator[str]:
    for (easy, hard), names in separated(read_ladders(RESULTS)).items():
        shown = ", ".join(f"`{name}`" for name in names)
        yield f"- {easy} before {hard}: {f'verified by {shown}' if names else 'verified by no learner'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuickCheck:
    """The score of one run on the whole benchmark, beside that on its problems of the quick track.

    Attributes:
        name: the run's directory, relative to the results.
        whole: the mean of pass@1 over levels, of all problems.
        quick: the same of the quick ones alone.
        error: the standard error of ``quick``.
    """

    name: str
    whole: float
    quick: float
    error: float

    @property
    def inside(self) -> bool:
        """True if the whole lies within the 95% interval of quick."""
        return abs(self.whole - self.quick) <= 1.96 * self.error


def quick_checks(results: Path) -> list[QuickCheck]:
    """Compares quick with the whole for every kept run that has all problems of the benchmark."""
    frozen = load_problems("bundled:eval")
    whole = {problem.id: problem.level for problem in frozen}
    quick = [problem.id for problem in draw_quick(frozen)]
    found = []
    for run in find_runs(results)[0]:
        rates = {name: count.passed / count.n for name, count in run.summary.by_problem.items() if count.n}
        if rates.keys() >= whole.keys():
            all_of_them = _by_level({name: rates[name] for name in whole}, whole)
            few = _by_level({name: rates[name] for name in quick}, whole)
            scores = mean_over_levels(all_of_them), mean_over_levels(few)
            found.append(QuickCheck(name=run.name, whole=scores[0], quick=scores[1], error=standard_error(few)))
    return found


def _by_level(rates: Mapping[str, float], level_of: Mapping[str, int | None]) -> list[Rung]:
    ladder = []
    for level in LEVELS:
        seen = [rate for name, rate in rates.items() if level_of[name] == level]
        # The score does not read the intervals of levels.
        ladder.append(Rung(level=level, problems=len(seen), rate=fmean(seen), low=0.0, high=1.0))
    return ladder


def _quick() -> Iterator[str]:
    yield "| run | score of the whole | of its 120 quick problems, 95% interval | whole within it |"
    yield "| --- | ---: | ---: | --- |"
    for check in quick_checks(RESULTS):
        low, high = max(0.0, check.quick - 1.96 * check.error), min(1.0, check.quick + 1.96 * check.error)
        cells = f"{check.whole:.1%} | {check.quick:.1%} ({100 * low:.1f} to {100 * high:.1f})"
        yield f"| {check.name} | {cells} | {'yes' if check.inside else 'no'} |"


def _rewards() -> Iterator[str]:
    kept = json.loads(REWARDS.read_text(encoding="utf-8"))
    presets = kept["presets"]
    yield f"| answer | number | {' | '.join(f'`{name}`' for name in presets)} |"
    yield f"| --- | ---: |{' ---: |' * len(presets)}"
    for severity in _SEVERITIES:
        name = severity.name.lower()
        means = " | ".join(f"{preset['mean_by_severity'][name]:.2f}" for preset in presets.values())
        yield f"| {severity.title} | {kept['answers'][name]} | {means} |"
    problems = len(kept["problem_ids"])
    giving_up = [preset["giving_up"] for preset in presets.values()]
    best = " | ".join(f"{found['means'][found['best']]:.2f}" for found in giving_up)
    most = " | ".join(f"{found['most']:.2f}" for found in giving_up)
    yield f"| giving up: the best strategy of {len(STRATEGIES)} | {problems} | {best} |"
    yield f"| giving up: the most on any problem | {problems * len(STRATEGIES)} | {most} |"


_TABLES = {"sizes": _sizes, "scores": _scores, "order": _order, "quick": _quick, "rewards": _rewards}


@reports_errors()
def main(arguments: Sequence[str] | None = None) -> int:
    """Fills the card, or checks it, and returns the exit code."""
    parser = parser_of("python -m benchmarks.card", __doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, and say if the tables are current")
    options = parser.parse_args(arguments)
    before = CARD.read_text(encoding="utf-8")
    now = fill(before, _TABLES)
    if options.check:
        print(f"{CARD}: {'current' if now == before else 'not current: run python -m benchmarks.card'}")
        return int(now != before)
    CARD.write_text(now, encoding="utf-8")
    print(f"{CARD}: {len(_TABLES)} tables")
    return 0


if __name__ == "__main__":
    sys.exit(main())
