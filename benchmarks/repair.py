"""Checks the rewards of repair problems with faults of every kind and level.

    python -m benchmarks.repair [--problems SOURCE] [--faults type,value,syntax] [--n 500] [--seed S] [--workers N]

The returned attempt must earn 0, the reference 1, and each stub 0. Each attempt must fail in the way of its kind of
fault, in a fresh evaluation without earlier results. Two tables show the drawn problems by kind and by level.

Answers that cut the fault out must earn next to nothing: at most .03, in the mean of the best paid one of each problem.
They are made by lines: the lines that differ from the reference are left out, or raise after their ``->``, ``then``,
``else`` or ``=``. ``Problem.attempt_kept`` rests on cuts of another kind, so this is an independent check.

Exit codes: 0 all of this holds; 1 a problem pays or fails otherwise; 2 wrong usage; 3 an infrastructure error.
"""

from __future__ import annotations

import difflib
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from tqdm import tqdm

from ocaml_env import Problem, PromptSpec, RewardSpec, Verifier, load_problems
from ocaml_env.commands import parser_of, reports_errors
from ocaml_env.display.terminal import columns
from ocaml_env.episode import Evaluation, edit_lines, evaluate_many
from ocaml_env.problems.repair import KINDS
from ocaml_env.problems.repair.draw import Draws, draw_repairs
from ocaml_env.problems.repair.planted import why_not
from ocaml_env.problems.repair.request import parse_source

__all__ = ["main"]

Row: TypeAlias = tuple[str, ...]

_BATCH = 32
_MOST_OF_CUTS = 0.03
_OPENS = ("->", "then", "else", "=")
_SILENT = "let () = ()"  # the stub of a program


def kind_of(problem: Problem) -> str:
    """Returns the kind of fault in a repair problem's id."""
    return problem.id.split("/")[2]


def wrongs(problem: Problem, answers: Sequence[Evaluation]) -> Iterator[str]:
    """Describes wrong rewards and verdicts.

    Args:
        problem: the repair problem.
        answers: evaluations of the attempt, the reference and the stubs, in this order.
    """
    attempt, reference, *stubs = answers
    if attempt.reward.total != 0:
        yield f"the attempt given back earns {attempt.reward.total:.3f}"
    if reason := why_not(problem, KINDS[kind_of(problem)], attempt.verdict):
        yield f"the attempt fails otherwise: {reason}"
    if reference.reward.total != 1:
        yield f"the reference earns {reference.reward.total:.3f}"
    paid = [stub.reward.total for stub in stubs if stub.reward.total != 0]
    if paid:
        yield f"{len(paid)} of {len(stubs)} stubs earn up to {max(paid):.3f}"


def cut_by_lines(problem: Problem) -> list[str]:
    """The reference without the lines in which it differs from the attempt, or with a raise in each."""
    lines = problem.reference.strip().split("\n")
    matcher = difflib.SequenceMatcher(None, problem.attempt.split("\n"), lines, autojunk=False)
    faulty = {place for tag, _, _, first, end in matcher.get_opcodes() if tag != "equal" for place in range(first, end)}
    found = ["\n".join(line for place, line in enumerate(lines) if place not in faulty)]
    for place in sorted(faulty):
        for word in _OPENS:
            for at in {lines[place].find(word), lines[place].rfind(word)} - {-1}:
                changed = f"{lines[place][: at + len(word)]} raise Exit"
                found.append("\n".join([*lines[:place], changed, *lines[place + 1 :]]))
    return list(dict.fromkeys(found))


@reports_errors()
def main(arguments: Sequence[str] | None = None) -> int:
    parser = parser_of("python -m benchmarks.repair", __doc__)
    parser.add_argument("--problems", default="bundled", help="source of the references (default: bundled)")
    parser.add_argument("--faults", default="type,value,syntax", help="faults or kinds of them (default: all)")
    parser.add_argument("--n", type=int, default=500, help="number of problems (default: 500)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args(arguments)
    text = f"repair:{options.problems}{'' if '?' in options.problems else '?'}"
    text += f"?fault={options.faults}&seed={options.seed}&n={options.n}"
    request = parse_source(text)
    problems = load_problems(request.source)
    with Verifier(workers=options.workers) as verifier:
        found = draw_repairs(problems, request, verifier, keep=False)
        wrong = _evaluate(found.problems, verifier)
        cuts = _paid_for_cuts(found.problems, verifier)
    _say(_by_kind(found), _by_level(found.problems))
    print(f"{found.note}; {len({p.id.split('/', 4)[4] for p in found.problems})} problems were used")
    for line in wrong:
        print(line)
    print(f"{len(wrong)} of {len(found.problems)} problems do not pay as they should")
    mean = statistics.mean(cuts) if cuts else 0.0
    paid = sum(value > 0 for value in cuts)
    print(f"{paid} of {len(cuts)} pay for a fault that is cut out; the mean is {mean:.4f}, at most {_MOST_OF_CUTS}")
    return int(bool(wrong) or mean > _MOST_OF_CUTS)


def _evaluate(problems: Sequence[Problem], verifier: Verifier) -> list[str]:
    reward = RewardSpec.preset("staged")
    found = []
    with tqdm(total=len(problems), unit="problem", desc="evaluating", disable=None) as bar:
        for start in range(0, len(problems), _BATCH):
            some = problems[start : start + _BATCH]
            answers = [[problem.attempt, problem.reference, *_stubs(problem, verifier)] for problem in some]
            pairs = [
                (problem, f"```ocaml\n{code}\n```")
                for problem, codes in zip(some, answers, strict=True)
                for code in codes
            ]
            left = iter(evaluate_many(pairs, verifier=verifier, reward=reward))
            for problem, codes in zip(some, answers, strict=True):
                evaluations = [next(left) for _ in codes]
                found += [f"{problem.id}: {wrong}" for wrong in wrongs(problem, evaluations)]
            bar.update(len(some))
    return found


def _paid_for_cuts(problems: Sequence[Problem], verifier: Verifier) -> list[float]:
    """The reward of the best paid cut of each problem. A cut that passes is a right answer, not a cut."""
    reward = RewardSpec.preset("staged")
    best = []
    for problem in tqdm(problems, unit="problem", desc="cutting", disable=None):
        pairs = [(problem, f"```ocaml\n{code}\n```") for code in cut_by_lines(problem)]
        found = evaluate_many(pairs, verifier=verifier, reward=reward)
        best.append(max((cut.reward.total for cut in found if not cut.verdict.passed), default=0.0))
    return best


def _stubs(problem: Problem, verifier: Verifier) -> list[str]:
    return [_SILENT] if problem.kind == "program" else [stub.code for stub in verifier.stubs(problem)]


def _by_kind(found: Draws) -> list[Row]:
    counts = Counter(kind_of(problem) for problem in found.problems)
    failed: Counter[str] = Counter()
    why: dict[str, Counter[str]] = defaultdict(Counter)
    for (name, reason), times in found.failed.items():
        failed[name] += times
        why[name][reason] += times
    rows: list[Row] = [("fault", "kind", "problems", "draws failed", "most often")]
    for kind in KINDS.values():
        tried = counts[kind.name] + failed[kind.name]
        share = f"{failed[kind.name] / tried:.0%}" if tried else "-"
        most = why[kind.name].most_common(1)[0][0] if failed[kind.name] else ""
        rows.append((kind.fault, kind.name, str(counts[kind.name]), share, most))
    return rows


def _by_level(problems: Sequence[Problem]) -> list[Row]:
    prompts = PromptSpec()
    rows: list[Row] = [
        ("level", "problems", "type", "value", "syntax", "lines to edit", "longest attempt", "longest prompt")
    ]
    for level in sorted({problem.level_name for problem in problems}):
        here = [problem for problem in problems if problem.level_name == level]
        faults = Counter(KINDS[kind_of(problem)].fault for problem in here)
        lines = statistics.median(edit_lines(problem.attempt, problem.reference) for problem in here)
        longest = max(len(problem.attempt) for problem in here), max(len(prompts.text(problem)) for problem in here)
        counts = (len(here), faults["type"], faults["value"], faults["syntax"])
        rows.append((level, *map(str, counts), f"{lines:g}", *(f"{characters:,}" for characters in longest)))
    return rows


def _say(*tables: list[Row]) -> None:
    for rows in tables:
        print("\n".join([*columns(rows), ""]))


if __name__ == "__main__":
    sys.exit(main())
