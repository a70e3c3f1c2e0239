"""Every bundled problem is fit to be set: complete, fair, solved by its reference, and not solved by nothing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import ocaml_env.problems
from ocaml_env.problems import format_problem, load_problems, parse_problem
from ocaml_env.verdict import Outcome, Stage

if TYPE_CHECKING:
    from ocaml_env.problem import Problem
    from ocaml_env.verifier import Verifier

FOLDER = Path(ocaml_env.problems.__file__).parent / "bundled"
PROBLEMS = load_problems("bundled")
every_problem = pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.id)


# --- the suite --------------------------------------------------------------------------------------------------------


def test_the_suite_has_the_promised_size_and_splits() -> None:
    assert len(PROBLEMS) >= 40
    assert len(PROBLEMS.split("eval")) >= 20
    assert len(PROBLEMS.split("train")) + len(PROBLEMS.split("eval")) == len(PROBLEMS)


def test_the_suite_covers_topics_difficulties_and_kinds() -> None:
    assert len({problem.topics[0] for problem in PROBLEMS}) >= 8
    assert {problem.difficulty for problem in PROBLEMS} == {"easy", "medium", "hard"}
    assert {problem.kind for problem in PROBLEMS} == {"function", "program"}


def test_a_third_of_the_references_have_twenty_lines_or_more() -> None:
    long = [problem for problem in PROBLEMS if sum(map(bool, map(str.strip, problem.reference.split("\n")))) >= 20]
    assert len(long) * 3 >= len(PROBLEMS)


def test_files_are_named_after_their_problem_in_the_folder_of_its_first_topic() -> None:
    files = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.md"))
    assert files == sorted(f"{problem.topics[0]}/{problem.id}.md" for problem in PROBLEMS)


# --- each problem -----------------------------------------------------------------------------------------------------


@every_problem
def test_a_problem_has_enough_tests(problem: Problem) -> None:
    assert len(problem.public_tests) >= 3
    assert len(problem.hidden_tests) >= 8


@every_problem
def test_no_hidden_test_repeats_an_example(problem: Problem) -> None:
    examples = {(test.code, test.stdin) for test in problem.public_tests}
    assert examples.isdisjoint((test.code, test.stdin) for test in problem.hidden_tests)


@every_problem
def test_a_problem_says_where_it_comes_from(problem: Problem) -> None:
    assert problem.source


@every_problem
def test_the_statement_speaks_of_every_function_asked_for(problem: Problem) -> None:
    names = re.findall(r"^\s*val\s+([a-z_][\w']*)", problem.signature, re.MULTILINE)
    assert [name for name in names if not re.search(rf"\b{re.escape(name)}\b", problem.statement)] == []


@every_problem
def test_the_tests_use_every_function_asked_for(problem: Problem) -> None:
    names = re.findall(r"^\s*val\s+([a-z_][\w']*)", problem.signature, re.MULTILINE)
    code = problem.prelude + "\n".join(test.code for test in problem.tests)
    assert [name for name in names if not re.search(rf"\b{re.escape(name)}\b", code)] == []


@every_problem
def test_a_problem_survives_being_written_and_read(problem: Problem) -> None:
    assert parse_problem(format_problem(problem)) == problem


@every_problem
def test_the_reference_passes(problem: Problem, verifier: Verifier) -> None:
    verdict = verifier.verify(problem, problem.reference)
    assert [(test.name, test.outcome, test.detail) for test in verdict.tests if not test.passed] == []
    assert verdict.outcome is Outcome.PASSED, verdict.diagnostics


@every_problem
def test_the_reference_earns_everything(problem: Problem, verifier: Verifier) -> None:
    from ocaml_env.extract import extract
    from ocaml_env.reward import RewardSpec

    completion = f"```ocaml\n{problem.reference}\n```"
    verdict = verifier.verify(problem, problem.reference)
    assert RewardSpec.preset("staged")(extract(completion, kind=problem.kind), verdict).total == pytest.approx(1.0)


@every_problem
def test_a_stub_that_raises_passes_no_test(problem: Problem, verifier: Verifier) -> None:
    verdict = verifier.verify(problem, stub(problem))
    assert verdict.diagnostics == ()
    assert [test.name for test in verdict.tests if test.passed] == []
    assert verdict.stage is Stage.TEST


# --- stubs ------------------------------------------------------------------------------------------------------------

_WORD = re.compile(r"\b(?:sig|object|end|val|type|exception|module|include|open|class|external|with|and)\b|[()]")
_CONSTANTS = {"int": "min_int", "int option": "(Some min_int)"}  # what no right answer has
_ITEM_WORDS = {"val", "type", "exception", "module", "include", "open", "class", "external"}


def stub(problem: Problem) -> str:
    """Code that fits the signature, whose every function raises ``Failure``.

    It reads the signature as text and knows what the bundled signatures use: values, types (an abstract one gets a
    constructor of its own, so that its constants exist), exceptions, includes, module types, modules and functors
    whose result is written out or named, with or without ``with type t = ...``. A constant of a type that it does not
    know raises when the module is initialised.
    """
    return 'let () = failwith "stub"' if problem.kind == "program" else _structure(problem.signature, {}, {}, {})


def _structure(signature: str, constraints: dict[str, str], known: dict[str, str], outside: dict[str, str]) -> str:
    """Constraints say what a type is, ``known`` what a module type holds, and ``outside`` a constant of a type."""
    module_types, constants = dict(known), outside | _CONSTANTS
    made = []
    for item in _items(re.sub(r"\(\*.*?\*\)", "", signature, flags=re.DOTALL)):
        word = item.split()[0]
        if word == "val":
            # The name of an operator may hold a colon, but not a space before one.
            name, kind = re.split(r"(?<=[\w')])\s*:", item.removeprefix("val"), maxsplit=1)
            made.append(f"let {name.strip()} = {_value(kind.strip(), constants)}")
        elif word == "type" and not re.search(r"=|\+=", item):
            name = item.split()[-1]
            kind = constraints.get(name, f"Stub_{name}")
            constants[name] = _CONSTANTS.get(kind, kind if kind.startswith("Stub") else "")
            made.append(f"{item} = {kind}")
        elif declared := re.fullmatch(r"module\s+type\s+(\w+)\s*=\s*sig\b(.*)\bend", item, re.DOTALL):
            module_types[declared[1]] = declared[2]
            made.append(item)
        elif word == "module":
            header, body = _module(item)
            content = re.fullmatch(r"sig\b(.*)\bend\s*", body, re.DOTALL)
            inner = content[1] if content else module_types[body.split()[0]]
            made.append(f"{header} = struct\n{_structure(inner, _constraints(body), module_types, constants)}\nend")
        elif word == "include":
            _, included, *conditions = item.split(maxsplit=2)
            made.append(_structure(module_types[included], _constraints("".join(conditions)), module_types, constants))
        elif word in ("type", "exception", "open"):
            made.append(item)
        else:
            raise NotImplementedError(f"no stub for {item!r}")
    return "\n".join(made)


def _items(signature: str) -> list[str]:
    """The items at the top of a signature, as text."""
    starts, depth, before = [], 0, ""
    for match in _WORD.finditer(signature):
        word = match[0]
        if word in ("sig", "object", "("):
            depth += 1
        elif word in ("end", ")"):
            depth -= 1
        elif word in _ITEM_WORDS and depth == 0 and before not in ("with", "and", "module"):
            starts.append(match.start())
        before = word
    return [signature[start:end].strip() for start, end in zip(starts, [*starts[1:], len(signature)], strict=True)]


def _module(item: str) -> tuple[str, str]:
    """``module F (X : S) : T`` as the part before the colon of its own type, and that type."""
    depth = 0
    for index, character in enumerate(item):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == ":" and depth == 0:
            return item[:index].strip(), item[index + 1 :].strip()
    raise NotImplementedError(f"no stub for {item!r}")


def _constraints(text: str) -> dict[str, str]:
    """What ``with type t = ... and type u = ...`` makes of each type."""
    return dict(re.findall(r"\b(?:with|and)\s+type\s+(?:'\w+\s+)?(\w+)\s*=\s*([^=]+?)\s*(?=\band\b|$)", text))


def _value(kind: str, constants: dict[str, str]) -> str:
    parts, depth, start = [], 0, 0
    for match in re.finditer(r"[(\[{<]|->|[)\]}>]", kind):
        if match[0] == "->" and depth == 0:
            parts.append(kind[start : match.start()].strip())
            start = match.end()
        elif match[0] != "->":
            depth += 1 if match[0] in "([{<" else -1
    if parts:
        labels = (re.match(r"(\??)(\w+)\s*:", part) for part in parts)
        names = (f"{label[1] or '~'}{label[2]}:_" if label else "_" for label in labels)
        return f'fun {" ".join(names)} -> failwith "stub"'
    constant = constants.get(kind) or constants.get(kind.split()[-1])
    return constant or 'failwith "stub"'
