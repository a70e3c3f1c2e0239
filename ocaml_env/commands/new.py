"""``ocaml-env new``: writes a problem of your own, with tests that kill the mutants of its reference."""

from __future__ import annotations

import argparse
import difflib
import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ocaml_env.audit.audit import audit
from ocaml_env.audit.mutation import equivalents_path, read_equivalents
from ocaml_env.audit.rows import Row
from ocaml_env.commands import AddParser, ExitCode, add_command
from ocaml_env.commands.dialogue import Stopped, ask_line, ask_text, edit, has_terminal
from ocaml_env.commands.drafts import PARTS, Draft, read_tests, wrong_tests
from ocaml_env.display.terminal import Colour, Paint, columns, printable, screen_width
from ocaml_env.errors import ConfigError, ProblemError
from ocaml_env.kills.propose import INPUTS, Proposal, Proposals, as_tests, call_key, propose
from ocaml_env.problem import LEVELS, Test
from ocaml_env.problems.format import format_problem
from ocaml_env.problems.level import level_of
from ocaml_env.verifiers.base import AuthoringVerifier, Mutant
from ocaml_env.verifiers.local import Verifier

__all__ = ["add_to", "run"]

_TITLES = {
    "statement": "Statement: what is asked, with every edge case, in Markdown",
    "signature": "Signature: OCaml `val` lines, and types and exceptions",
    "reference": "Reference: your solution in OCaml",
    "examples": "Examples: shown to the solver, one a line, such as `double 2 = 4`; three or more are good",
}


def add_to(add_parser: AddParser) -> None:
    """Declares the subcommand."""
    parser = add_command(
        add_parser,
        "new",
        run,
        help="write a problem of your own, with tests that kill wrong answers",
        description="Takes a statement, a signature, a reference and examples, checks each at once, and proposes "
        f"hidden tests: edge cases, and a killer of each mutant of the reference that any of {INPUTS:,} inputs kills. "
        "You confirm the reference's answers. Then it writes the level, limits and baselines, and audits the problem.",
        epilog="""\
A part is taken from an option, or from FILE.md, or asked for in a terminal. FILE.md is written after each step, so stop
when you like and run the command again to go on. A file that has tests keeps them, and gets those that are missing.

examples:
  ocaml-env new my_problems/double.md
  ocaml-env new double.md --statement @double.txt --signature 'val double : int -> int' \\
      --reference @double.ml --example 'double 2 = 4' --example 'double (-3) = -6' --yes

exit codes: 0 written and clean, 1 not finished or not clean, 2 usage, 3 infrastructure error""",
    )
    parser.add_argument("file", metavar="FILE.md", type=Path, help="the problem file; its name gives the id")
    for part in PARTS[:-1]:
        parser.add_argument(f"--{part}", metavar="TEXT", help=f"the {part}, or @FILE to read it from a file")
    parser.add_argument(
        "--example", metavar="TEST", action="append", help="an example, or @FILE with one a line; repeat it for more"
    )
    parser.add_argument("--level", type=int, choices=LEVELS, help="1 to 6 (default: by the size, see docs/levels.md)")
    parser.add_argument("--topic", metavar="NAME", action="append", help="a topic; repeat it for more")
    parser.add_argument("--split", choices=("train", "eval"), help="the split of the problem")
    parser.add_argument("--yes", action="store_true", help="keep all proposed tests without a question")


def run(arguments: argparse.Namespace) -> ExitCode:
    """Writes the problem."""
    draft = Draft.open(arguments.file)
    asks = has_terminal()
    _take_options(draft, arguments)
    missing = [part for part in PARTS if not draft.has(part)]
    if missing and not asks:
        options = ", ".join(f"--{part.removesuffix('s')}" for part in missing)
        raise ConfigError(f"{draft.path} has no {' and no '.join(missing)}: give {options}, or run it in a terminal")
    with Verifier(cache_size=0) as verifier:
        try:
            for part in PARTS:
                _complete(draft, part, verifier, asks)
            proposals = _add_tests(draft, verifier, asks=asks, yes=arguments.yes)
            _explain_survivors(draft, proposals, asks=asks and not arguments.yes)
            return _finish(draft, verifier, arguments.level)
        except (Stopped, KeyboardInterrupt) as stop:
            print(f"Not finished. {draft.path} is kept: `ocaml-env new {draft.path}` goes on.")
            return ExitCode.NOT_PASSED if isinstance(stop, Stopped) else ExitCode.INTERRUPTED


def _take_options(draft: Draft, arguments: argparse.Namespace) -> None:
    given = {part: _text(value) for part in PARTS[:-1] if (value := getattr(arguments, part)) is not None}
    if arguments.example:
        given["examples"] = "\n".join(map(_text, arguments.example))
    for part, text in given.items():
        if not text.strip():
            raise ConfigError(f"the {part} is empty")
        if draft.has(part) and draft.text(part) != text.strip():
            raise ConfigError(f"{draft.path} has a {part} already: change it there, or name a new file")
    for name in ("level", "split"):
        if getattr(arguments, name):
            draft.fields[name] = getattr(arguments, name)
    if arguments.topic:
        draft.fields["topics"] = arguments.topic
    for part, text in given.items():
        draft.put(part, text)


def _text(value: str) -> str:
    """The value of an option, or the content of the file that it names after ``@``."""
    if not value.startswith("@"):
        return value
    try:
        return Path(value[1:]).read_bytes().decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{value[1:]}: the file is not UTF-8 text ({error})") from None


def _complete(draft: Draft, part: str, verifier: AuthoringVerifier, asks: bool) -> None:
    """Asks for a part until it is right. Without a terminal a wrong part is an error."""
    fault = draft.fault(part, verifier) if draft.has(part) else "missing"
    while fault:
        if fault != "missing":
            if not asks:
                raise ProblemError(f"{draft.path}: the {part}: {fault}")
            print(f"The {part}: {printable(fault)}\n")
        try:
            text = ask_text(_TITLES[part], draft.text(part), suffix=".md" if part == "statement" else ".ml")
            draft.put(part, text)
            fault = draft.fault(part, verifier) if draft.has(part) else "it is empty"
        except ProblemError as error:
            fault = str(error)


# --- tests ------------------------------------------------------------------------------------------------------------


def _add_tests(draft: Draft, verifier: AuthoringVerifier, *, asks: bool, yes: bool) -> Proposals:
    """Proposes tests and adds the confirmed ones, until no further input kills a mutant. Returns the last proposals."""
    if wrong := wrong_tests(draft, draft.hidden, verifier) if draft.hidden else []:
        raise ProblemError("\n".join([f"{draft.path}: its hidden tests:", *wrong]))
    dropped: set[str] = set()
    while True:
        equivalent = read_equivalents(draft.path)
        proposals = propose(draft.problem(), verifier, equivalent=equivalent, dropped=dropped)
        for note in proposals.notes:
            print(printable(f"note: {note}"))
        if not proposals.tests:
            return proposals
        print(f"{len(proposals.tests)} tests, with the answers of your reference:")
        kept = list(proposals.tests) if yes else []
        _show(proposals.tests)
        edited: list[str] = []
        if not yes:
            if not asks:
                print("Read them, and run the command again with --yes to keep them all, or in a terminal to choose.")
                raise Stopped
            kept, edited = _confirm(draft, proposals.tests, verifier)
        dropped |= {call_key(each.call) for each in proposals.tests if each not in kept}
        draft.add([*as_tests(kept), *edited])
        if len(kept) == len(proposals.tests):
            return proposals


def _show(tests: Sequence[Proposal]) -> None:
    rows = [
        (str(number), printable(f"{each.call} {'raises' if each.raises else '='} {each.answer}"), each.reason)
        for number, each in enumerate(tests, start=1)
    ]
    for line in columns(rows, right=(0,), indent="  ", width=screen_width(sys.stdout)):
        print(line)


def _confirm(draft: Draft, tests: Sequence[Proposal], verifier: AuthoringVerifier) -> tuple[list[Proposal], list[str]]:
    """Lets the user drop and edit tests. Returns the proposals that are kept, and the edited tests."""
    kept = list(tests)
    while True:
        answer = ask_line("Enter keeps them all; numbers (3 5-7) drop tests; e edits; q stops: ")
        if answer == "q":
            raise Stopped
        if answer == "e":
            return _edited(draft, kept, verifier)
        if not answer:
            return kept, []
        places = _places(answer, len(kept))
        if places is None:
            print(f"Give numbers from 1 to {len(kept)}, such as 3 5-7.")
            continue
        kept = [each for place, each in enumerate(kept, start=1) if place not in places]
        _show(kept)


def _places(answer: str, most: int) -> set[int] | None:
    found: set[int] = set()
    for part in re.split(r"[\s,]+", answer):
        match = re.fullmatch(r"(\d+)(?:-(\d+))?", part)
        if match is None or not 1 <= int(match[1]) <= int(match[2] or match[1]) <= most:
            return None
        found.update(range(int(match[1]), int(match[2] or match[1]) + 1))
    return found


def _edited(draft: Draft, tests: Sequence[Proposal], verifier: AuthoringVerifier) -> tuple[list[Proposal], list[str]]:
    text = "\n".join(each.code for each in tests)
    while True:
        text = edit(text, suffix=".ml")
        try:
            codes = [test.code for test in read_tests(text)]
            wrong = wrong_tests(draft, [Test(code) for code in codes], verifier) if codes else []
        except ProblemError as error:
            wrong = [str(error)]
        if not wrong:
            kept = [each for each in tests if each.code in codes]
            known = {each.code for each in kept}
            return kept, [code for code in codes if code not in known]
        for line in wrong:
            print(printable(line))
        if ask_line("Enter edits again; q stops, so that you can correct the reference: ") == "q":
            raise Stopped


# --- mutants that no test kills ---------------------------------------------------------------------------------------


def _explain_survivors(draft: Draft, proposals: Proposals, *, asks: bool) -> None:
    if not proposals.survivors:
        return
    path = equivalents_path(draft.path)
    print(
        f"{len(proposals.survivors)} of {proposals.mutants} mutants of the reference pass on all {proposals.inputs:,} "
        f"inputs. If no answer can show the difference, the reason belongs in {path}:"
    )
    for mutant in proposals.survivors:
        for line in _difference(draft.text("reference"), mutant):
            print(printable(line))
        if asks and (reason := ask_line("    the reason (Enter: none): ")):
            _write_equivalent(path, mutant, reason)


def _difference(reference: str, mutant: Mutant) -> Iterator[str]:
    yield f"  {json.dumps(mutant.key, ensure_ascii=False)}"
    for line in difflib.ndiff(reference.splitlines(), mutant.code.splitlines()):
        if line[0] in "-+":
            yield f"    {line}"


def _write_equivalent(path: Path, mutant: Mutant, reason: str) -> None:
    before = path.read_text(encoding="utf-8") if path.exists() else "[equivalent]\n"
    entry = f"{json.dumps(mutant.key, ensure_ascii=False)} = {json.dumps(reason, ensure_ascii=False)}\n"
    path.write_text(before + entry, encoding="utf-8")


# --- the end ----------------------------------------------------------------------------------------------------------


def _finish(draft: Draft, verifier: AuthoringVerifier, level: int | None) -> ExitCode:
    """Writes level, limits and baselines, audits the problem, and says what to do next."""
    problem = draft.problem()
    level = level or draft.fields.get("level") or level_of(problem, verifier.measure(problem))
    row = Row(name=problem.id, problem=replace(problem, level=level), equivalent=read_equivalents(draft.path))
    found = audit(str(draft.path), [row], verifier=verifier)
    [audited] = found.rows
    if audited.examined is None or audited.mutants is None:
        raise ProblemError("\n".join([f"{draft.path}:", *(finding.message for finding in audited.findings)]))
    draft.save(format_problem(audited.examined.fitted))
    paint, score = Paint.choose(sys.stdout), audited.mutants
    print(
        f"{draft.path}: level {level}, {len(problem.public_tests)} examples, {len(problem.hidden_tests)} hidden tests; "
        f"they kill {score.killed} of {score.total} mutants"
    )
    for finding in audited.findings:
        colour = Colour.DIM if finding.severity == "note" else Colour.YELLOW
        where = f" ({finding.test})" if finding.test else ""
        print(f"{paint(finding.check, colour)}{where}: {printable(finding.message)}")
    if not audited.clean:
        print(f"The audit is not clean: correct {draft.path}, and run `ocaml-env new {draft.path}` again.")
        return ExitCode.NOT_PASSED
    folder = draft.path.parent
    print(
        "The audit is clean. Next:\n"
        + "\n".join(
            columns(
                [
                    (f"ocaml-env verify {draft.path} ANSWER.ml", "evaluate an answer"),
                    (f"ocaml-env audit {folder}", "audit your set, once it has more problems"),
                    (f"python -m agents.grpo --problems {folder} --output_dir DIR", "train on it"),
                ],
                indent="  ",
            )
        )
    )
    return ExitCode.PASSED
