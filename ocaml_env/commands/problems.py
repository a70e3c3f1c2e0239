"""``ocaml-env problems``: lists the problems of a set, or shows one."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ocaml_env.commands import AddParser, ExitCode, add_command, print_json
from ocaml_env.commands.import_set import add_columns, read_columns
from ocaml_env.display.terminal import Colour, Paint, columns, printable, screen_width
from ocaml_env.errors import ConfigError
from ocaml_env.problem import Problem, Test
from ocaml_env.problem.record import problem_summary, problem_to_record
from ocaml_env.problems import ProblemSet, load_problems
from ocaml_env.problems.importers.files import READERS
from ocaml_env.problems.sources import problem_of_id
from ocaml_env.prompt import PromptSpec

__all__ = ["add_to", "find_problem", "run"]

_LEVEL_COLOURS = {1: Colour.GREEN, 2: Colour.GREEN, 3: Colour.YELLOW, 4: Colour.YELLOW, 5: Colour.RED, 6: Colour.RED}


def add_to(add_parser: AddParser) -> None:
    """Declares the subcommand."""
    parser = add_command(
        add_parser,
        "problems",
        run,
        help="list, filter and show problems",
        usage="ocaml-env problems [SET] [--topic T] [--level L] [--kind K]\n"
        "                          [--search TEXT] [--json]\n"
        "       ocaml-env problems [show] ID [--solution] [--json]\n"
        "       ocaml-env problems generated",
        description="Lists the problems of a set, or shows one problem.",
        epilog="""\
examples:
  ocaml-env problems                                  every bundled problem
  ocaml-env problems bundled:eval --level 1-2         easy ones, for evaluation
  ocaml-env problems my_problems/ --search tree       a folder of yours
  ocaml-env problems data.csv                         your file; data.csv:7 is one row of it
  ocaml-env problems settle                           one problem
  ocaml-env problems settle --solution                with its solution and tests
  ocaml-env problems generated                        families of generated problems
  ocaml-env problems 'generated:lists?level=2&n=20'   some of them
  ocaml-env problems generated/2/lists.pipeline/2/0/7 one of them
  ocaml-env problems 'repair:bundled?fault=type&n=20' faulty answers to repair""",
    )
    parser.add_argument(
        "what",
        nargs="*",
        metavar="SET | ID",
        help="a set is listed: bundled (the default), bundled:train, bundled:eval, a folder, a .jsonl, .csv, .json "
        "or .parquet file (also with ?split=eval&holdout=0.2), or "
        "generated:NAMES?level=L&split=train&seed=S&n=N, with families or topics (or all) and a level from 1 to 5; "
        "or repair:SET?fault=type,value,syntax&seed=S&n=N. "
        "A single problem is shown: the id of a bundled, generated or repair problem, a problem's .md file, or FILE:ID",
    )
    parser.add_argument("--topic", action="append", metavar="T", help="only this topic; several are alternatives")
    parser.add_argument(
        "--level",
        action="append",
        metavar="L",
        help="only this level, from 1 (one expression) to 6 (expert), a range such as 1-3, or a label of the set; "
        "several are alternatives",
    )
    parser.add_argument("--kind", metavar="K", help="only function or program")
    parser.add_argument("--max-lines", type=int, metavar="N", help="only problems with a reference of at most N lines")
    parser.add_argument(
        "--solve-rate", metavar="LOW-HIGH", help="only problems that were solved so often, as in 0.1-0.9; see --rates"
    )
    parser.add_argument("--rates", type=Path, metavar="DIR", help="take solve rates from this evaluation")
    add_columns(parser)
    parser.add_argument("--search", metavar="TEXT", help="only problems with this text in id, topics or statement")
    parser.add_argument("--solution", action="store_true", help="with an id: show the reference and the hidden tests")
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def run(arguments: argparse.Namespace) -> ExitCode:
    """Lists a set or shows a problem, by the given name."""
    words = arguments.what
    verb = words[0] if words and words[0] in ("show", "list") else ""
    names = words[1:] if verb else words
    if len(names) > 1 or (verb == "show" and not names):
        raise ConfigError(f"name one set or one problem, not {len(names)}")
    name = names[0] if names else "bundled"
    filters = (
        arguments.topic,
        arguments.level,
        arguments.kind,
        arguments.search,
        arguments.max_lines,
        arguments.solve_rate,
        arguments.rates,
    )
    if verb != "list" and (verb == "show" or _is_one(name)):
        if any(value is not None for value in filters):
            raise ConfigError(f"--topic, --level and other filters are for a set, and {name} is one problem")
        _show(find_problem(name), arguments)
    elif name == "generated":
        _list_families(arguments)
    elif arguments.solution:
        raise ConfigError(f"--solution is for one problem, and {name} is a set")
    else:
        _list(load_problems(name, columns=read_columns(arguments), skip_bad=True), arguments)
    return ExitCode.PASSED


def find_problem(name: str) -> Problem:
    """Finds a problem by the path of a file with just one, by its id, or as ``FILE:ID``.

    Raises:
        ConfigError: if there is none; the message names the nearest id.
        ProblemError: if the file or the row is not a problem.
    """
    path = Path(name)
    if path.is_file() or path.suffix == ".md":
        problems = load_problems(name, skip_bad=path.suffix != ".md")
        if len(problems) != 1:
            raise ConfigError(f"{name} holds {len(problems)} problems: name one, as {name}:{problems[0].id}")
        return problems[0]
    if name and path.is_dir():
        raise ConfigError(f"{name} is a folder: name a file that holds one problem, {name}:ID, or a bundled id")
    return problem_of_id(name)


def _is_one(name: str) -> bool:
    path = Path(name.partition("?")[0])
    is_set = (
        name.partition(":")[0] in ("bundled", "generated", "repair", "hub", "exercism")
        or path.is_dir()
        or path.suffix in READERS
        or name.endswith("/")
    )
    return not is_set


# --- a list -----------------------------------------------------------------------------------------------------------


def _with_rates(problems: ProblemSet, evaluation: Path) -> ProblemSet:
    """The problems, each with its share of passed samples in an evaluation, if its tests are still the same.

    Raises:
        ConfigError: if there is no evaluation, or it has no sample of these problems.
    """
    from ocaml_env.evaluation.directory import read_samples  # other uses of this command need no evaluation

    solved: dict[tuple[str, str], list[bool]] = {}
    for record in read_samples(evaluation):
        if not record.fault:
            solved.setdefault((record.problem_id, record.problem_digest), []).append(record.passed)
    if solved.keys().isdisjoint((problem.id, problem.digest) for problem in problems):
        raise ConfigError(f"{evaluation} has no sample of {problems.name!r}, as its problems are now")

    def rated(problem: Problem) -> Problem:
        passed = solved.get((problem.id, problem.digest))
        return replace(problem, solve_rate=sum(passed) / len(passed)) if passed else problem

    return ProblemSet(map(rated, problems), name=problems.name)


def _list(problems: ProblemSet, arguments: argparse.Namespace) -> None:
    if arguments.rates is not None:
        problems = _with_rates(problems, arguments.rates)
    chosen = problems.filter(
        level=arguments.level,
        topics=arguments.topic,
        kind=arguments.kind,
        lines=None if arguments.max_lines is None else (0, arguments.max_lines),
        solve_rate=None if arguments.solve_rate is None else _interval(arguments.solve_rate),
    )
    found = [problem for problem in chosen if _mentions(problem, arguments.search)]
    if arguments.json:
        print_json([_summary(problem) for problem in found])
        return
    for line in _table(found, Paint.choose(sys.stdout), screen_width(sys.stdout)):
        print(line)
    print(
        f"{len(found)} of {len(problems)} problems in {problems.name}" + (f": {problems.note}" if problems.note else "")
    )
    if not found and arguments.topic:
        print(f"its topics are {', '.join(problems.topics)}")


def _interval(text: str) -> tuple[float, float]:
    low, dash, high = text.partition("-")
    try:
        bounds = (float(low), float(high)) if dash else (0.0, -1.0)
    except ValueError:
        bounds = (0.0, -1.0)
    if not 0 <= bounds[0] <= bounds[1] <= 1:
        raise ConfigError(f"--solve-rate must be two numbers from 0 to 1, such as 0.1-0.9, not {text!r}")
    return bounds


def _list_families(arguments: argparse.Namespace) -> None:
    """Lists the families of generated problems."""
    from ocaml_env.problems.generators import families

    given = {"--level": arguments.level, "--kind": arguments.kind, "--solution": arguments.solution or None}
    for option in (option for option, value in given.items() if value is not None):
        raise ConfigError(f"{option} is for problems, and `generated` lists families: name some, as generated:lists")
    found = [
        family
        for family in families().values()
        if (arguments.topic is None or not set(arguments.topic).isdisjoint(family.topics))
        and (
            arguments.search is None or arguments.search.casefold() in f"{family.name} {family.description}".casefold()
        )
    ]
    if arguments.json:
        print_json(
            [{"name": family.name, "topics": family.topics, "description": family.description} for family in found]
        )
        return
    paint = Paint.choose(sys.stdout)
    head = tuple(paint(title, Colour.DIM) for title in ("family", "topics", "problems"))
    rows = [(paint(family.name, Colour.BOLD), ", ".join(family.topics), family.description) for family in found]
    for line in columns([head, *rows], width=screen_width(sys.stdout)) if rows else ():
        print(line)
    print(f"{len(found)} of {len(families())} families; `generated:NAME?level=1-5` draws problems of one")


def _mentions(problem: Problem, text: str | None) -> bool:
    if text is None:
        return True
    return any(text.casefold() in part.casefold() for part in (problem.id, problem.statement, *problem.topics))


def _summary(problem: Problem) -> dict[str, object]:
    return {
        **problem_summary(problem),
        "reference_lines": problem.reference_lines,
        "solve_rate": problem.solve_rate,
    }


def _level(problem: Problem, paint: Paint) -> str:
    colour = None if problem.level is None else _LEVEL_COLOURS[problem.level]
    return problem.level_name if colour is None else paint(problem.level_name, colour)


def _table(problems: Sequence[Problem], paint: Paint, width: int | None) -> list[str]:
    if not problems:
        return []
    head = tuple(paint(title, Colour.DIM) for title in ("id", "split", "level", "kind", "tests", "topics"))
    rows = [
        (
            paint(problem.id, Colour.BOLD),
            problem.split or "-",
            _level(problem, paint),
            problem.kind,
            str(len(problem.tests)),
            ", ".join(problem.topics),
        )
        for problem in problems
    ]
    return [*columns([head, *rows], right=(4,), width=width), ""]


# --- one problem ------------------------------------------------------------------------------------------------------


def _show(problem: Problem, arguments: argparse.Namespace) -> None:
    if arguments.json:
        print_json(problem_to_record(problem))
        return
    for line in _page(problem, Paint.choose(sys.stdout), solution=arguments.solution):
        print(line)


def _page(problem: Problem, paint: Paint, *, solution: bool) -> Iterator[str]:
    about = (problem.split, f"level {problem.level}" if problem.level else problem.label, problem.kind, *problem.topics)
    yield f"{paint(problem.id, Colour.BOLD)}  {paint(', '.join(filter(None, about)), Colour.DIM)}"
    yield ""
    yield printable(problem.statement)
    yield from _section("Signature", problem.signature, paint)
    yield from _section("Examples", _tests(problem.public_tests), paint)
    if problem.attempt_verdict is not None:
        yield from _section(f"Attempt ({problem.attempt_verdict.outcome.value})", problem.attempt, paint)
        yield from _section("Feedback", PromptSpec().told(problem, problem.attempt_verdict, problem.attempt), paint)
    if solution:
        yield from _section("Prelude", problem.prelude, paint)
        yield from _section("Reference", problem.reference, paint)
        yield from _section("Hidden tests", _tests(problem.hidden_tests), paint)
    else:
        yield ""
        yield paint(f"and {len(problem.hidden_tests)} hidden tests (--solution shows them)", Colour.DIM)


def _section(title: str, text: str, paint: Paint) -> Iterator[str]:
    if text.strip():
        yield ""
        yield paint(title, Colour.CYAN)
        yield from (f"  {printable(line)}" for line in text.strip("\n").split("\n"))


def _tests(tests: Sequence[Test]) -> str:
    return "\n".join(test.code or f"input:\n{test.stdin}\noutput:\n{test.stdout}" for test in tests)
