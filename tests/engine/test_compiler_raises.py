"""Programs on which OCaml's own compiler raises an exception, one a file in ``compiler_raises/``: each has a verdict.

The first comment of a file has the signature, a part of OCaml 4's exception, and the expected number of errors.
OCaml 5 reports most of them as ordinary errors, or accepts them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from ocaml_env.engine import build_engine
from ocaml_env.engine.messages import evaluate_message
from ocaml_env.engine.worker import Worker
from ocaml_env.errors import ProblemError
from ocaml_env.problem import Problem
from ocaml_env.verdict import Outcome, Stage
from ocaml_env.verifiers.local import Verifier
from tests.engine.cases import function

_FOLDER = Path(__file__).parent / "compiler_raises"
_HEADER = re.compile(
    r"\(\* .*?\n   signature: (?P<signature>.*?)\n   raises: (?P<raises>.*?)\n   errors: (?P<errors>\d) \*\)\n",
    re.DOTALL,
)


@dataclass(frozen=True, kw_only=True)
class Case:
    name: str
    problem: Problem
    code: str
    raises: str
    errors: int


def _read(path: Path) -> Case:
    text = path.read_text()
    header = _HEADER.match(text)
    assert header, f"{path.name}: its first comment is no header"
    problem = function(header["signature"], "1 = 1")
    code = text[header.end() :]
    return Case(name=path.stem, problem=problem, code=code, raises=header["raises"], errors=int(header["errors"]))


CASES = [_read(path) for path in sorted(_FOLDER.glob("*.ml"))]


def only_on_ocaml_4(verifier: Verifier) -> None:
    if not verifier.ocaml_version.startswith("4."):
        pytest.skip("this compiler does not raise on it")


def test_types_that_ocaml_5_cannot_undo_are_evaluated(verifier: Verifier) -> None:
    """ocaml/ocaml 13808: undoing these types raises below OCaml 5.4, but they are well typed."""
    if verifier.ocaml_version.startswith("4."):
        pytest.skip("OCaml 4 finds an ambiguous type in it")
    code = (_FOLDER / "ocaml5" / "types_that_cannot_be_undone.ml").read_text()
    assert verifier.verify(function("val witness : int", "witness = 0"), code).passed
    incomplete = verifier.verify(function("val witness : int\nval other : int", "other = 0"), code)
    assert (incomplete.errors, [diagnostic.kind for diagnostic in incomplete.diagnostics]) == (1, ["missing-item"])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_compilers_exception_is_a_type_error(case: Case, verifier: Verifier) -> None:
    verdict = verifier.verify(case.problem, case.code)
    if not verifier.ocaml_version.startswith("4."):
        assert verdict.stage is not Stage.TEST or not verdict.compiler_raised
        return
    assert (verdict.outcome, verdict.stage, verdict.tests) == (Outcome.TYPE_ERROR, Stage.TYPECHECK, ())
    assert case.raises in next(found.message for found in verdict.diagnostics if found.kind == "compiler")
    assert verdict.errors == case.errors


def test_the_count_does_not_depend_on_what_was_evaluated_before() -> None:
    todo = [(case.problem, case.code) for case in CASES]
    with Verifier(workers=1, cache_size=0) as one, Verifier(workers=1, cache_size=0) as other:
        first = one.verify_many(todo)
        assert other.verify_many(todo[::-1])[::-1] == first
        assert one.verify_many(todo) == first


def test_a_good_candidate_after_each_case_passes(add: Problem) -> None:
    with Verifier(workers=1, cache_size=0) as verifier:
        for case in CASES:
            verifier.verify(case.problem, case.code)
            assert verifier.verify(add, add.reference).passed, case.name


def test_program_problems_get_the_same_verdict(total: Problem, verifier: Verifier) -> None:
    only_on_ocaml_4(verifier)
    case = next(case for case in CASES if case.name == "escape")
    verdict = verifier.verify(total, case.code)
    assert verdict.outcome is Outcome.TYPE_ERROR
    assert verdict.errors == 1


def test_a_type_of_wrong_arity_is_one_error(verifier: Verifier) -> None:
    """The compiler raises on the whole signature, but reports the item alone."""
    problem = function("type 'a money  val money : int -> 'a money  val units : 'a money -> int", "1 = 1")
    verdict = verifier.verify(problem, "type ('a, 'b) money = int\nlet money n = n\nlet units n = n")
    assert (verdict.errors, [diagnostic.name for diagnostic in verdict.diagnostics]) == (1, ["type money"])


def test_the_whole_is_one_error_if_no_item_raises_alone(verifier: Verifier) -> None:
    case = next(case for case in CASES if case.name == "arity_of_a_type")
    signature = case.code[case.code.index("module Table") : case.code.index(" = struct")]
    code = "module Table = struct\n  type 'value t = (string * 'value) list\n  let find table key = None\nend"
    verdict = verifier.verify(function(signature, "1 = 1"), code)
    assert verdict.outcome is Outcome.TYPE_ERROR
    assert verdict.errors >= 1


def test_a_problem_whose_tests_make_the_compiler_raise_is_an_error(add: Problem) -> None:
    case = next(case for case in CASES if case.name == "escape")
    broken = function("val f : int -> int", "1 = 1", prelude=case.code)
    with Verifier(workers=1) as verifier:
        only_on_ocaml_4(verifier)
        with pytest.raises(ProblemError):
            verifier.check(broken)
        assert verifier.verify(add, add.reference).passed


def test_the_serving_process_is_replaced_but_not_the_started_one(add: Problem) -> None:
    case = next(case for case in CASES if case.name == "escape")
    worker = Worker(build_engine(), sandbox="best-effort")
    try:
        worker.install(add)
        started = worker._checker("function")
        worker.evaluate(case.problem, case.code, case.problem.limits)
        assert worker._checker("function") is started
        assert worker.evaluate(add, add.reference, add.limits).status == "tested"
    finally:
        worker.close()


def test_the_second_try_is_marked_in_the_message(add: Problem) -> None:
    """The compiler's exception counts on the second try only: the state of the first process may have caused it."""
    message = evaluate_message(add, "let add = 1", add.limits, None)
    assert "second" not in message
    assert evaluate_message(add, "let add = 1", add.limits, None, second=True) == {**message, "second": 1}


# --- our own bugs that looked like the compiler's ---

APPLIED = "val f : int Map.Make(String).t -> int"


@pytest.mark.parametrize(
    ("code", "errors", "kind"),
    [
        ("let f x = x + 1", 1, "ill-typed-item"),
        ("let f x = x ^ 1", 1, "type-clash"),
        ("let g x = x", 5, "missing-item"),
        ("let f (x : int Map.Make(Strin).t) = 1", 1, "unbound-module"),
        ("let f (x : int Map.Make(String).q) = 1", 1, "unbound-type"),
        ("let f (x : int Map.Make(Obj).t) = 1", None, None),
    ],
)
def test_an_error_under_a_signature_with_an_applied_functor(
    code: str, errors: int | None, kind: str | None, verifier: Verifier
) -> None:
    verdict = verifier.verify(function(APPLIED, "1 = 1"), code)
    assert not verdict.compiler_raised
    if errors is not None:
        assert verdict.errors == errors
        assert verdict.diagnostics[0].kind == kind


def test_stubs_of_a_signature_with_an_applied_functor(verifier: Verifier) -> None:
    signature = f"{APPLIED}\nval keys : int Map.Make(String).t -> Set.Make(String).t"
    problem = function(signature, "f (let module M = Map.Make (String) in M.empty) = 0")
    stubs = verifier.stubs(problem)
    assert [stub.name for stub in stubs][:2] == ["raising", "constant 1"]
    assert all(verifier.verify(problem, stub.code).stage is Stage.TEST for stub in stubs)


def test_stamps_are_numbered_by_the_message(verifier: Verifier) -> None:
    code = "include struct type t = A let print A = () end include struct type t = B let x = B end"
    seen = {
        verifier.verify(function("val x : int", "1 = 1"), f"(* {n} *) {code}").diagnostics[0].message for n in range(3)
    }
    assert len(seen) == 1
    assert not re.search(r"/\d{3}", seen.pop())


def test_weak_variables_are_numbered_by_the_message(verifier: Verifier) -> None:
    problem = function("module M : sig val r : int list ref end", "1 = 1")
    seen = set()
    for number in range(3):
        verdict = verifier.verify(
            problem, f"(* {number} *) module M : sig val r : 'a list ref end = struct let r = ref [] end"
        )
        seen.add(verdict.diagnostics[0].message)
    assert len(seen) == 1
    assert "'_weak1" in seen.pop()
