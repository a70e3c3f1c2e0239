"""``ocaml-env audit``: can a set of problems be trusted? It needs no model."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from ocaml_env.audit.audit import Audit, Audited, audit
from ocaml_env.audit.finding import CHECKS
from ocaml_env.audit.page import page
from ocaml_env.audit.rows import read_rows
from ocaml_env.audit.rules import LARGE, THRESHOLDS, Rules
from ocaml_env.commands import AddParser, ExitCode, add_command, print_json
from ocaml_env.commands.import_set import add_columns, read_columns
from ocaml_env.display.terminal import Colour, Paint, columns, printable, screen_width
from ocaml_env.errors import ConfigError
from ocaml_env.problem import Problem
from ocaml_env.problems import to_jsonl
from ocaml_env.problems.rows import Tally
from ocaml_env.verifiers.base import AuthoringVerifier
from ocaml_env.verifiers.choose import HELP as WHICH_VERIFIER
from ocaml_env.verifiers.choose import open_authoring_verifier

__all__ = ["add_to", "run"]

# Findings shown for each check; --json and --html have them all.
_SHOWN = 5


def add_to(add_parser: AddParser) -> None:
    """Declares the subcommand."""
    small, large = Rules(size="small"), Rules(size="large")
    checks = "\n".join(
        f"  {name:<17} {_weights(small.severity(name), large.severity(name)):<12} {meaning}"
        for name, meaning in CHECKS.items()
    )
    thresholds = "\n".join(
        f"  {name:<17} {_weights(f'{figure.small:g}', f'{figure.large:g}'):<12} {figure.meaning}"
        for name, figure in THRESHOLDS.items()
    )
    parser = add_command(
        add_parser,
        "audit",
        run,
        help="check a set of problems: do its tests compile, pass and fail as they should?",
        description="Checks every problem of a set, without a model: its statement, tests, examples and reference, "
        "wrong answers that pass, and its likeness to others. It repairs nothing.",
        epilog=f"""\
checks and their severity (in a small / in a large set, of {LARGE} rows or more):
{checks}

thresholds (in a small / in a large set):
{thresholds}

Only an error makes a set unclean and keeps a row out of --write. Mutants are copies of a reference with one small fault
each. If no test could tell a mutant from the reference, list it with the reason in <id>.mutants.toml beside <id>.md.

examples:
  ocaml-env audit bundled:train
  ocaml-env audit my_problems/ --html report.html
  ocaml-env audit their_data.csv --no-mutation --write good.jsonl
  ocaml-env audit mine.jsonl --against bundled:eval --severity weak-tests=error --threshold killed=0.7

exit codes: 0 clean, 1 not clean, 2 usage, 3 infrastructure error""",
    )
    parser.add_argument(
        "dataset",
        metavar="DATASET",
        help="a source for load_problems: bundled:train, a folder, a .md, .jsonl, .csv or .parquet file, or a data set "
        "of the hub",
    )
    parser.add_argument("--no-mutation", action="store_true", help="leave out the mutants, which take most of the time")
    parser.add_argument(
        "--against",
        metavar="DATASET",
        action="append",
        default=[],
        help="report problems that stand in this set, too, such as the one for evaluation; may be repeated",
    )
    parser.add_argument(
        "--severity",
        metavar="CHECK=LEVEL",
        action="append",
        default=[],
        help="error, note or off for a check; may be repeated",
    )
    parser.add_argument(
        "--threshold", metavar="NAME=N", action="append", default=[], help="another figure; may be repeated"
    )
    parser.add_argument(
        "--size", choices=("auto", "small", "large"), default="auto", help="the defaults (default: by the rows)"
    )
    add_columns(parser)
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N rows")
    parser.add_argument("--verifier", metavar="SPEC", default="local", help=f"{WHICH_VERIFIER} (default: local)")
    parser.add_argument("--workers", type=int, metavar="N", help="worker processes (default: one for each CPU)")
    parser.add_argument("--json", metavar="FILE", help="write all results as JSON; - prints only that")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a page with plots; it needs no network")
    parser.add_argument(
        "--write",
        type=Path,
        metavar="CLEAN.jsonl",
        help="write the problems without an error, with limits that fit their references, and a report of the others "
        "beside them (CLEAN.rejected.jsonl)",
    )


def run(arguments: argparse.Namespace) -> ExitCode:
    """Audits the set, writes the wanted files, and prints the findings."""
    for name in ("limit", "workers"):
        if (value := getattr(arguments, name)) is not None and value < 1:
            raise ConfigError(f"--{name} must be 1 or more, not {value}")
    for path in (arguments.html, arguments.write, None if arguments.json == "-" else arguments.json):
        if path is not None and not Path(path).absolute().parent.is_dir():
            raise ConfigError(f"{path}: there is no folder {Path(path).parent}")
    rules = _rules(arguments)
    with open_authoring_verifier(arguments.verifier, workers=arguments.workers, cache_size=0) as verifier:
        found = audit(
            arguments.dataset,
            read_rows(arguments.dataset, verifier=verifier, limit=arguments.limit, columns=read_columns(arguments)),
            verifier=verifier,
            mutants=not arguments.no_mutation,
            rules=rules,
            against=_others(arguments.against, verifier),
            progress=True,
        )
    if not found.rows:
        raise ConfigError(f"{arguments.dataset} holds no rows")
    if arguments.write:
        _write(found, arguments.write)
    if arguments.html:
        arguments.html.write_text(page(found), encoding="utf-8")
    if arguments.json == "-":
        print_json(found.as_json())
    else:
        if arguments.json:
            text = json.dumps(found.as_json(), indent=2, ensure_ascii=False)
            Path(arguments.json).write_text(text + "\n", encoding="utf-8", errors="backslashreplace")
        for line in _summary(found, Paint.choose(sys.stdout), screen_width(sys.stdout)):
            print(line)
        if arguments.write:
            for line in _written(found, arguments.write):
                print(line)
    return ExitCode.PASSED if found.clean else ExitCode.NOT_PASSED


def _weights(small: str, large: str) -> str:
    return small if small == large else f"{small} / {large}"


def _rules(arguments: argparse.Namespace) -> Rules:
    figures = {}
    for name, text in _pairs("threshold", arguments.threshold).items():
        try:
            figures[name] = float(text)
        except ValueError:
            raise ConfigError(f"--threshold {name}={text}: {text!r} is no number") from None
    # Rules checks the names and the levels.
    severities = _pairs("severity", arguments.severity)
    return Rules(size=arguments.size, severities=severities, thresholds=figures)  # type: ignore[arg-type]


def _pairs(option: str, given: Sequence[str]) -> dict[str, str]:
    pairs = {}
    for text in (part for several in given for part in several.split(",")):
        name, equals, value = text.partition("=")
        if not equals:
            raise ConfigError(f"--{option} takes NAME=VALUE, not {text!r}")
        pairs[name.strip()] = value.strip()
    return pairs


def _others(sources: Sequence[str], verifier: AuthoringVerifier) -> Iterator[tuple[str, Problem]]:
    """The problems of other sets, with the names of their sets."""
    for source in sources:
        problems = [row.problem for row in read_rows(source, verifier=verifier) if row.problem is not None]
        if not problems:
            raise ConfigError(f"--against {source}: no problem can be read from it")
        yield from ((source, problem) for problem in problems)


def _write(found: Audit, path: Path) -> None:
    """Writes good problems with limits that fit their references, and a JSON object with reasons for each other one."""
    to_jsonl([row.usable for row in found.rows if row.usable is not None], path)
    records = zip(found.rows, found.as_json()["problems"], strict=True)  # type: ignore[call-overload]
    rejected = [record for row, record in records if row.usable is None]
    lines = (json.dumps(record) + "\n" for record in rejected)
    path.with_suffix(".rejected.jsonl").write_text("".join(lines), encoding="utf-8")


def _written(found: Audit, path: Path) -> Iterator[str]:
    """How many rows were written, and why the others were not, by cause, with one example of each."""
    kept = [row.usable for row in found.rows if row.usable is not None]
    grown = sum(
        row.examined is not None and row.usable.limits != row.examined.problem.limits
        for row in found.rows
        if row.usable is not None
    )
    yield f"{printable(str(path))}: {len(kept)} of {len(found.rows)} rows, {grown} with greater limits"
    causes: dict[str, list[Audited]] = {}
    for row in found.rows:
        if row.usable is None:
            errors = [finding for finding in row.findings if finding.severity == "error"]
            causes.setdefault(errors[0].check, []).append(row)
    for check, rows in sorted(causes.items(), key=lambda cause: -len(cause[1])):
        example = next(finding for finding in rows[0].findings if finding.check == check)
        message = printable(" ".join(example.message.split()))
        yield f"  {len(rows)} not: {check}, such as {printable(example.problem_id)}: {message}"


def _summary(found: Audit, paint: Paint, width: int | None) -> Iterator[str]:
    yield from _findings(found, paint, width)
    rows = [("problems", str(len(found.rows))), ("clean", str(sum(row.clean for row in found.rows)))]
    tests = sum(len(row.examined.problem.tests) for row in found.rows if row.examined is not None)
    rows.append(("tests", f"{tests}"))
    inside = sum(found.inside.values())
    rows.append(("  decided by data", f"{(tests - inside) / tests if tests else 1:.1%} ({tests - inside})"))
    rows += [(f"  inside: {clause}", f"{count}") for clause, count in found.inside.items()]
    groups = found.groups
    rows.append(("groups of hidden tests", f"{groups['groups']}, {groups['above_0']} with a baseline above 0"))
    share = groups["baseline"] / groups["tests"] if groups["tests"] else 0.0
    rows.append(("  passed by giving up", f"{share:.1%} ({groups['baseline']} of {groups['tests']} hidden tests)"))
    passing = sum(row.examined.reference_passes for row in found.rows if row.examined is not None)
    rows.append(("references that pass", f"{passing}"))
    if found.mutation_score is not None:
        scores = [row.mutants for row in found.rows if row.mutants is not None]
        killed, total = sum(score.killed for score in scores), sum(score.total for score in scores)
        lowest = min(scores, key=lambda score: score.score)
        rows.append(("mutants killed", f"{found.mutation_score:.1%} ({killed} of {total})"))
        rows.append(("  the lowest", f"{lowest.score:.0%}, {lowest.problem_id}"))
        rows.append(
            ("  a problem", f"{total / len(scores):.0f} mutants, fewest {min(score.total for score in scores)}")
        )
        equivalent = sum(len(score.equivalent) for score in scores)
        rows.append(("  listed as equivalent", f"{equivalent}"))
    rows.append(("time", f"{found.seconds:.0f} s, OCaml {found.ocaml_version}"))
    yield from columns(rows)
    yield ""
    verdict = paint("clean", Colour.GREEN, Colour.BOLD) if found.clean else paint("not clean", Colour.RED, Colour.BOLD)
    weak = f": the set's mutation score is below {found.rules.threshold('set-killed'):.0%}" if found.weak else ""
    yield f"{printable(found.source)} is {verdict}{weak}; {printable(str(_tally(found)))}"


def _tally(found: Audit) -> Tally:
    """The rows without an error, and the others by their first one."""
    tally = Tally()
    for row in found.rows:
        if row.usable is not None:
            tally.kept += 1
        else:
            error = next(finding for finding in row.findings if finding.severity != "note")
            message = " ".join(error.message.split())
            tally.leave_out(error.check, message if row.row.problem is None else f"{error.problem_id!r}: {message}")
    return tally


def _findings(found: Audit, paint: Paint, width: int | None) -> Iterator[str]:
    by_check = Counter(finding.check for finding in found.findings)
    for check in CHECKS:
        if not by_check[check]:
            continue
        is_note = found.rules.severity(check) == "note"
        colour = Colour.DIM if is_note else Colour.YELLOW
        yield f"{paint(check, colour, Colour.BOLD)}: {by_check[check]}, {CHECKS[check]}{' (a note)' if is_note else ''}"
        these = [finding for finding in found.findings if finding.check == check]
        cells = [
            (finding.problem_id, finding.test, printable(" ".join(finding.message.split())))
            for finding in these[:_SHOWN]
        ]
        yield from columns(cells, indent="  ", width=width or 160)
        if len(these) > _SHOWN:
            yield f"  and {len(these) - _SHOWN} more (--json or --html has them all)"
        yield ""
