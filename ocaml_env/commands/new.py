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
from ocaml_env.commands.draft_tests import proposal_key, propose_tests, table_functions, tests_of
from ocaml_env.commands.drafts import PARTS, Draft, read_tests, write_tests, wrong_tests
from ocaml_env.display.terminal import Colour, Paint, columns, printable, screen_width
from ocaml_env.errors import ConfigError, ProblemError
from ocaml_env.kills.propose import INPUTS, Proposal, Proposals
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
    "prelude": "Prelude: OCaml in front of the tests, hidden from the solver, such as functions that they use",
    "examples": "Examples: shown to the solver, one a line, such as `double 2 = 4`; three or more are good",
}
_RUNS = "Examples: shown to the solver; an input, a line `=>` and its output; a line `---` between two examples"


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
The prelude's functions that use the reference are called, too: so functors and GADTs are reached. Its function
NAME_domain tells which arguments of NAME are allowed.

examples:
  ocaml-env new my_problems/double.md
  ocaml-env new double.md --statement @double.txt --signature 'val double : int -> int' \\
      --reference @double.ml --example 'double 2 = 4' --example 'double (-3) = -6' --yes
  ocaml-env new sum.md --program --statement @sum.txt --reference @sum.ml --example @examples.txt

exit codes: 0 written and clean, 1 not finished or not clean, 2 usage, 3 infrastructure error""",
    )
    parser.add_argument("file", metavar="FILE.md", type=Path, help="the problem file; its name gives the id")
    for part in PARTS[:-1]:
        parser.add_argument(f"--{part}", metavar="TEXT", help=f"the {part}, or @FILE to read it from a file")
    parser.add_argument(
        "--example", metavar="TEST", action="append", help="an example, or @FILE with one a line; repeat it for more"
    )
    parser.add_argument("--program", action="store_true", help="a program, from standard input to standard output")
    parser.add_argument("--complete-examples", action="store_true", help="the examples show every possible input")
    parser.add_argument("--level", type=int, choices=LEVELS, help="1 to 6 (default: by the size, see docs/levels.md)")
    parser.add_argument("--topic", metavar="NAME", action="append", help="a topic; repeat it for more")
    parser.add_argument("--split", choices=("train", "eval"), help="the split of the problem")
    parser.add_argument("--yes", action="store_true", help="keep all proposed tests without a question")


def run(arguments: argparse.Namespace) -> ExitCode:
    """Writes the problem."""
    draft = Draft.open(arguments.file)
    asks = has_terminal()
    _take_options(draft, arguments)
    if draft.missing and not asks:
        options = ", ".join(f"--{part.removesuffix('s')}" for part in draft.missing)
        raise ConfigError(
            f"{draft.path} has no {' and no '.join(draft.missing)}: give {options}, or run it in a terminal"
        )
    with Verifier(cache_size=0) as verifier:
        try:
            for part in draft.parts:
                _complete(draft, part, verifier, asks)
            _reach_tables(draft)
            proposals = _add_tests(draft, verifier, asks=asks, yes=arguments.yes)
            _explain_survivors(draft, proposals, asks=asks and not arguments.yes)
            return _finish(draft, verifier, arguments.level)
        except (Stopped, KeyboardInterrupt) as stop:
            print(f"Not finished. {draft.path} is kept: `ocaml-env new {draft.path}` goes on.")
            return ExitCode.NOT_PASSED if isinstance(stop, Stopped) else ExitCode.INTERRUPTED


def _take_options(draft: Draft, arguments: argparse.Namespace) -> None:
    given = {part: _text(value) for part in PARTS[:-1] if (value := getattr(arguments, part)) is not None}
    if arguments.program:
        if any(draft.has(part) or part in given for part in ("signature", "prelude")):
            raise ConfigError("a program has neither a signature nor a prelude: leave them out, or leave out --program")
        draft.fields["kind"] = "program"
    if arguments.complete_examples:
        draft.fields["complete_examples"] = True
    if arguments.example:
        given["examples"] = ("\n---\n" if draft.is_program else "\n").join(map(_text, arguments.example))
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
    fault = draft.fault(part, verifier) if draft.has(part) else "missing" if part in draft.missing else ""
    while fault:
        if fault != "missing":
            if not asks:
                raise ProblemError(f"{draft.path}: the {part}: {fault}")
            print(f"The {part}: {printable(fault)}\n")
        try:
            title = _RUNS if part == "examples" and draft.is_program else _TITLES[part]
            text = ask_text(title, draft.text(part), suffix=".md" if part == "statement" else ".ml")
            draft.put(part, text)
            fault = draft.fault(part, verifier) if draft.has(part) else "it is empty"
        except ProblemError as error:
            fault = str(error)


# --- tests ------------------------------------------------------------------------------------------------------------


def _reach_tables(draft: Draft) -> None:
    """Adds functions to the prelude that reach those over hash tables by lists of bindings."""
    if not draft.is_program and (added := table_functions(draft.problem())):
        print(f"For functions over hash tables the prelude gets functions over lists of bindings:\n\n{added}\n")
        draft.put("prelude", f"{draft.text('prelude')}\n\n{added}")


def _add_tests(draft: Draft, verifier: AuthoringVerifier, *, asks: bool, yes: bool) -> Proposals:
    """Proposes tests and adds the confirmed ones, until no further input kills a mutant. Returns the last proposals."""
    if wrong := wrong_tests(draft, draft.hidden, verifier) if draft.hidden else []:
        raise ProblemError("\n".join([f"{draft.path}: its hidden tests:", *wrong]))
    dropped: set[str] = set()
    while True:
        equivalent = read_equivalents(draft.path)
        problem = draft.problem()
        proposals = propose_tests(problem, verifier, equivalent=equivalent, dropped=dropped)
        for note in proposals.notes:
            print(printable(f"note: {note}"))
        if not proposals.tests:
            return proposals
        print(f"{len(proposals.tests)} tests, with the answers of your reference:")
        kept = list(proposals.tests) if yes else []
        _show(proposals.tests)
        edited: list[Test] = []
        if not yes:
            if not asks:
                print("Read them, and run the command again with --yes to keep them all, or in a terminal to choose.")
                raise Stopped
            kept, edited = _confirm(draft, proposals.tests, verifier)
        dropped |= {proposal_key(problem, each) for each in proposals.tests if each not in kept}
        draft.add([*tests_of(problem, kept), *edited])
        if len(kept) == len(proposals.tests):
            return proposals


def _show(tests: Sequence[Proposal]) -> None:
    rows = [(str(number), printable(_shown(each)), each.reason) for number, each in enumerate(tests, start=1)]
    for line in columns(rows, right=(0,), indent="  ", width=screen_width(sys.stdout)):
        print(line)


def _shown(proposal: Proposal) -> str:
    if not proposal.function:  # a run of a program
        return f"{json.dumps(proposal.call)} => {json.dumps(proposal.answer)}"
    return f"{proposal.call} {'raises' if proposal.raises else '='} {proposal.answer}"


def _confirm(draft: Draft, tests: Sequence[Proposal], verifier: AuthoringVerifier) -> tuple[list[Proposal], list[Test]]:
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


def _edited(draft: Draft, tests: Sequence[Proposal], verifier: AuthoringVerifier) -> tuple[list[Proposal], list[Test]]:
    before = {write_tests([test]): each for each in tests for test in [_one_test(each)]}
    text = write_tests([_one_test(each) for each in tests])
    while True:
        text = edit(text, suffix=".ml")
        try:
            read = read_tests(text, program=draft.is_program) if text.strip() else []
            wrong = wrong_tests(draft, read, verifier) if read else []
        except ProblemError as error:
            wrong = [str(error)]
        if not wrong:
            codes = [write_tests([test]) for test in read]
            kept = [each for code, each in before.items() if code in codes]
            return kept, [test for test, code in zip(read, codes, strict=True) if code not in before]
        for line in wrong:
            print(printable(line))
        if ask_line("Enter edits again; q stops, so that you can correct the reference: ") == "q":
            raise Stopped


def _one_test(proposal: Proposal) -> Test:
    """A proposal as a test of its own."""
    if not proposal.function:
        return Test(stdin=proposal.call, stdout=proposal.answer)
    return Test(proposal.code)


# --- mutants that no test kills ---------------------------------------------------------------------------------------


def _explain_survivors(draft: Draft, proposals: Proposals, *, asks: bool) -> None:
    if not proposals.survivors:
        return
    path = equivalents_path(draft.path)
    print(
        f"{len(proposals.survivors)} mutants of the reference pass on all {proposals.inputs:,} inputs. "
        f"If no answer can show the difference, the reason belongs in {path}:"
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
