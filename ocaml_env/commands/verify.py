"""``ocaml-env verify``: evaluates an answer to a problem in the same way as the environment, and shows the result."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

from ocaml_env.commands import AddParser, ExitCode, add_command, add_trust, count, print_json
from ocaml_env.commands.problems import find_problem
from ocaml_env.display.terminal import Colour, Paint, code_frame, columns, printable, screen_width
from ocaml_env.episode import Evaluation, edit_lines, evaluate
from ocaml_env.problem import Problem, Test
from ocaml_env.reward import Preset, RewardSpec, group_results, progress
from ocaml_env.verdict import Diagnostic, Stage, TestOutcome
from ocaml_env.verifiers.local import Verifier

__all__ = ["add_to", "run"]

_MAX_DIAGNOSTICS = 20
_CODE_WIDTH = 100
_GUTTER = len("   1 | ")
_TEST_WIDTH = 120


def add_to(add_parser: AddParser) -> None:
    """Declares the subcommand."""
    parser = add_command(
        add_parser,
        "verify",
        run,
        help="evaluate an answer to a problem",
        description="Evaluates an answer like the environment: extracts the code, evaluates it, pays the reward.",
        epilog="""\
examples:
  ocaml-env verify settle answer.ml
  ocaml-env verify settle < completion.txt
  ocaml-env verify settle DIR/samples.jsonl --sample 3
  ocaml-env verify my_problem.md answer.ml --reward binary --json
  ocaml-env verify data.jsonl:two_sum answer.ml

exit codes: 0 passed, 1 did not pass, 2 usage, 3 infrastructure error""",
    )
    parser.add_argument(
        "problem",
        metavar="PROBLEM",
        help="the id of a bundled, generated or repair problem, an .md file, or a row of your file, as data.jsonl:ID",
    )
    parser.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        default="-",
        help="OCaml code, or a model's whole answer with the code in it; or a .jsonl file of samples, rollouts or "
        "completions, which holds an answer to the problem; - or nothing reads standard input",
    )
    parser.add_argument(
        "--sample",
        metavar="N",
        type=count,
        default=0,
        help="of a .jsonl file: which of its answers to the problem, from 0 (default: 0)",
    )
    parser.add_argument(
        "--reward",
        metavar="PRESET",
        default="staged",
        help=f"one of {', '.join(RewardSpec.presets())}, or module:attribute of a function (default: staged)",
    )
    add_trust(parser)
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def run(arguments: argparse.Namespace) -> ExitCode:
    """Evaluates the answer, and prints the result."""
    problem = find_problem(arguments.problem)
    spec = RewardSpec.of(arguments.reward)
    completion = _read(arguments.file, problem.id, arguments.sample)
    with Verifier(workers=1, sandbox=arguments.sandbox, inside=arguments.inside) as verifier:
        evaluation = evaluate(problem, completion, verifier=verifier, reward=spec)
    if arguments.json:
        print_json(_as_json(evaluation, arguments.reward))
    else:
        paint, width = Paint.choose(sys.stdout), screen_width(sys.stdout)
        for line in _as_text(evaluation, arguments.reward, paint, width, progresses=spec.preset_name is Preset.STAGED):
            print(line)
    return ExitCode.PASSED if evaluation.verdict.passed else ExitCode.NOT_PASSED


def _read(file: str, problem_id: str, sample: int) -> str:
    if file.endswith(".jsonl"):
        from ocaml_env.evaluation.models.completions import find_completion  # an answer of one's own needs less

        return find_completion(file, problem_id, sample)
    if file != "-":
        data = Path(file).read_bytes()
    else:
        if sys.stdin.isatty():
            sys.stderr.write("reading the answer from the terminal; Ctrl-D ends it\n")
        data = sys.stdin.buffer.read()
    return data.decode("utf-8", "surrogateescape")


# --- as JSON ----------------------------------------------------------------------------------------------------------


def _as_json(evaluation: Evaluation, preset: str) -> dict[str, object]:
    verdict = evaluation.verdict
    return {
        "problem_id": evaluation.problem.id,
        "outcome": verdict.outcome,
        "stage": verdict.stage.name,
        "passed": verdict.passed,
        "tests_passed": verdict.tests_passed,
        "tests_passed_inside": verdict.tests_passed_inside,
        "tests_total": verdict.tests_total,
        "errors": verdict.errors,
        "diagnostics": [diagnostic.as_dict() for diagnostic in verdict.diagnostics],
        "tests": [asdict(test) for test in verdict.tests],
        "reward": {"preset": preset, "total": evaluation.reward.total, "parts": dict(evaluation.reward.parts)},
        "progress": progress(evaluation.problem, verdict),
        "groups": [
            {
                "items": list(group.items),
                "tests": len(group.tests),
                "passed": passed,
                "baseline": group.baseline,
                "failed_examples": failed,
            }
            for group, passed, failed in group_results(evaluation.problem, verdict)
        ],
        "code": evaluation.extraction.code,
        "reason": evaluation.reason,
        **({} if (size := _edit_lines(evaluation)) is None else {"edit_lines": size}),
        "ocaml_version": verdict.ocaml_version,
        "sandbox": verdict.sandbox,
        "cpu_seconds": verdict.cpu_seconds,
    }


# --- as text ----------------------------------------------------------------------------------------------------------


def _as_text(
    evaluation: Evaluation, preset: str, paint: Paint, width: int | None, *, progresses: bool
) -> Iterator[str]:
    verdict = evaluation.verdict
    yield from columns(list(_stages(evaluation, paint)))
    for diagnostic in verdict.diagnostics[:_MAX_DIAGNOSTICS]:
        yield ""
        yield from _diagnostic(diagnostic, evaluation.extraction.code or "", paint, width)
    if len(verdict.diagnostics) > _MAX_DIAGNOSTICS:
        yield f"and {len(verdict.diagnostics) - _MAX_DIAGNOSTICS} more"
    if verdict.tests:
        yield ""
        yield from _tests(evaluation.problem, verdict.tests, paint, width)
        if progresses and not verdict.passed:
            yield ""
            yield from _progress(evaluation)
    yield ""
    yield _summary(evaluation, preset, paint)


def _stages(evaluation: Evaluation, paint: Paint) -> Iterator[tuple[str, str]]:
    """Yields a line for each stage: those before the last entered stage went well."""
    verdict = evaluation.verdict
    for stage in Stage:
        if stage > verdict.stage:
            state = paint("-", Colour.DIM)
        elif stage < verdict.stage or verdict.passed:
            state = paint("ok", Colour.GREEN)
        else:
            state = paint(verdict.outcome, Colour.RED)
        yield stage.name.lower(), state + _remark(evaluation, stage)


def _remark(evaluation: Evaluation, stage: Stage) -> str:
    verdict = evaluation.verdict
    if stage is Stage.EXTRACT and evaluation.extraction.code is None:
        return f"  {printable(evaluation.reason)}"
    if stage is Stage.TYPECHECK and verdict.errors:
        return f"  {_count(verdict.errors, 'error')}"
    if stage is Stage.TEST and verdict.tests:
        return f"  {verdict.tests_passed} of {verdict.tests_total} tests passed"
    return ""


def _diagnostic(diagnostic: Diagnostic, code: str, paint: Paint, width: int | None) -> Iterator[str]:
    place = f"line {diagnostic.line}, column {diagnostic.column}: " if diagnostic.line else ""
    cascade = paint(" (follows from an earlier error)", Colour.DIM) if diagnostic.cascade else ""
    message = printable(diagnostic.message)
    kind = "" if message.lower().startswith(diagnostic.kind) else f"{diagnostic.kind}: "  # "syntax: Syntax error"
    yield f"{place}{paint(kind, Colour.YELLOW if diagnostic.cascade else Colour.RED)}{message}{cascade}"
    room = _CODE_WIDTH if width is None else max(min(_CODE_WIDTH, width - _GUTTER), 1)
    yield from code_frame(code, diagnostic.line, diagnostic.column, width=room)


def _tests(problem: Problem, outcomes: Iterable[TestOutcome], paint: Paint, width: int | None) -> Iterator[str]:
    """Yields a line for each test, and below a failed one its code or input: the caller has the problem anyway."""
    tests = {test.name: test for test in problem.tests}
    outcomes = tuple(outcomes)
    states = [
        paint("ok", Colour.GREEN) if outcome.passed else paint(outcome.outcome, Colour.RED) for outcome in outcomes
    ]
    lines = columns([(outcome.name, state) for outcome, state in zip(outcomes, states, strict=True)], width=width)
    for outcome, line in zip(outcomes, lines, strict=True):
        yield line
        below = [] if outcome.passed else list(_asked(tests[outcome.name]))
        if outcome.detail:
            below.append(paint(printable(outcome.detail), Colour.DIM))
        yield from columns([(text,) for text in below], indent="    ", width=min(width or _TEST_WIDTH, _TEST_WIDTH))


def _asked(test: Test) -> Iterator[str]:
    if test.code:
        yield _one_line(test.code)
    else:
        yield f"input  {test.stdin!r}"
        yield f"output {test.stdout!r}"


def _one_line(text: str) -> str:
    return printable(" ".join(text.split()))


def _progress(evaluation: Evaluation) -> Iterator[str]:
    """Yields the counts behind the shares of ``compile`` and ``tests``, see ``reward.progress``."""
    problem, verdict = evaluation.problem, evaluation.verdict
    results = group_results(problem, verdict)
    for group, passed, failed in results:
        name = f"{', '.join(group.items)}: " if len(results) > 1 else ""
        yield (
            f"{name}{_count(len(group.tests), 'hidden test')}, {passed} passed, a degenerate answer passes "
            f"{group.baseline}; {_count(failed, 'example')} failed"
        )
    yield f"progress {progress(problem, verdict):.3f}, the share of `compile` and `tests`"


def _summary(evaluation: Evaluation, preset: str, paint: Paint) -> str:
    verdict, reward = evaluation.verdict, evaluation.reward
    parts = " + ".join(f"{name} {worth:.3g}" for name, worth in reward.parts.items() if worth)
    outcome = paint(verdict.outcome, Colour.BOLD, Colour.GREEN if verdict.passed else Colour.RED)
    size = _edit_lines(evaluation)
    repair = "" if size is None else f", a repair of {_count(size, 'line')}"
    return f"{outcome}  reward {reward.total:.3f} ({preset}{': ' + parts if parts else ''}){repair}"


def _edit_lines(evaluation: Evaluation) -> int | None:
    """The size of a repair; None if the problem has no attempt."""
    attempt = evaluation.problem.attempt
    return edit_lines(attempt, evaluation.extraction.code or "") if attempt else None


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
