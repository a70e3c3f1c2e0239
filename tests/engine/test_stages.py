"""Each outcome is reached at the right stage, with the right diagnostics."""

from __future__ import annotations

import pytest

from ocaml_env.problem import Limits, Problem
from ocaml_env.verdict import Outcome, Stage
from ocaml_env.verifiers.local import Verifier
from tests.engine.cases import function, outcomes, prints

GOOD = "let add a b = a + b\nlet negate a = -a"

FOR_ADD = {
    "right": (GOOD, Outcome.PASSED, Stage.TEST),
    "wrong": ("let add a b = a\nlet negate a = -a", Outcome.TEST_FAILURE, Stage.TEST),
    "raises": ('let add _ _ = failwith "no"\nlet negate a = -a', Outcome.RUNTIME_ERROR, Stage.TEST),
    "loops": ("let rec add a b = add b a\nlet negate a = -a", Outcome.TIMEOUT, Stage.TEST),
    "memory": (
        "let add a b = Array.length (Array.make 100_000_000 a) + b\nlet negate a = -a",
        Outcome.MEMORY_LIMIT,
        Stage.TEST,
    ),
    "ill-typed": ('let add a b = a ^ b\nlet negate a = "-"', Outcome.TYPE_ERROR, Stage.TYPECHECK),
    "unbound": ("let add a b = plus a b\nlet negate a = -a", Outcome.TYPE_ERROR, Stage.TYPECHECK),
    "withheld": ("let add a b = Obj.magic (a + b)\nlet negate a = -a", Outcome.FORBIDDEN, Stage.TYPECHECK),
    "does not parse": ("let add a b = (a + b", Outcome.SYNTAX_ERROR, Stage.PARSE),
    "no lexeme": ('let add a b = "', Outcome.SYNTAX_ERROR, Stage.PARSE),
    "prose": ("Hello world", Outcome.NO_CODE, Stage.PARSE),
    "marker": ("(* END *)", Outcome.NO_CODE, Stage.PARSE),
    "empty": ("", Outcome.NO_CODE, Stage.PARSE),
    "blank": (" \n\t\n", Outcome.NO_CODE, Stage.PARSE),
    "expression": ("1 + 1", Outcome.NO_CODE, Stage.PARSE),
    "open": ("open List", Outcome.NO_CODE, Stage.PARSE),
    "attribute": ('[@@@ocaml.warning "-a"]', Outcome.NO_CODE, Stage.PARSE),
}


@pytest.mark.parametrize(("code", "outcome", "stage"), FOR_ADD.values(), ids=FOR_ADD)
def test_a_function_reaches_its_stage_and_outcome(
    verifier: Verifier, add: Problem, code: str, outcome: Outcome, stage: Stage
) -> None:
    verdict = verifier.verify(add, code)
    assert (verdict.outcome, verdict.stage) == (outcome, stage)
    assert verdict.passed == (outcome is Outcome.PASSED)
    assert verdict.tests_total == (len(add.tests) if stage is Stage.TEST or verdict.partial else 0)
    assert bool(verdict.errors) == (outcome is Outcome.TYPE_ERROR)


FOR_TOTAL = {
    "right": (
        "let rec go n = match read_int () with k -> go (n + k) | exception End_of_file -> n\nlet () = print_int (go 0)",
        Outcome.PASSED,
        Stage.TEST,
    ),
    "an expression": (
        "let rec go n = match read_int () with k -> go (n + k) | exception End_of_file -> n in print_int (go 0)",
        Outcome.PASSED,
        Stage.TEST,
    ),
    "wrong": ("let () = print_int 3", Outcome.TEST_FAILURE, Stage.TEST),
    "silent": ("let () = ()", Outcome.TEST_FAILURE, Stage.TEST),
    "raises": ('let () = print_int 3; failwith "no"', Outcome.RUNTIME_ERROR, Stage.TEST),
    "exit code": ("let () = print_int 3; exit 1", Outcome.RUNTIME_ERROR, Stage.TEST),
    "loops": ("let () = print_int 3; while true do () done", Outcome.TIMEOUT, Stage.TEST),
    "endless output": ('let () = while true do print_string "3" done', Outcome.OUTPUT_LIMIT, Stage.TEST),
    "memory": ("let () = print_int (Array.length (Array.make 100_000_000 3))", Outcome.MEMORY_LIMIT, Stage.TEST),
    "ill-typed": ('let () = print_int "3"', Outcome.TYPE_ERROR, Stage.TYPECHECK),
    "withheld": ('let () = exit (Sys.command "true")', Outcome.FORBIDDEN, Stage.TYPECHECK),
    "does not parse": ("let () = print_int (3", Outcome.SYNTAX_ERROR, Stage.PARSE),
    "prose": ("Hello world", Outcome.NO_CODE, Stage.PARSE),
    "marker": ("(* END *)", Outcome.NO_CODE, Stage.PARSE),
    "empty": ("", Outcome.NO_CODE, Stage.PARSE),
}


@pytest.mark.parametrize(("code", "outcome", "stage"), FOR_TOTAL.values(), ids=FOR_TOTAL)
def test_a_program_reaches_its_stage_and_outcome(
    verifier: Verifier, total: Problem, code: str, outcome: Outcome, stage: Stage
) -> None:
    verdict = verifier.verify(total, code)
    assert (verdict.outcome, verdict.stage) == (outcome, stage)
    assert verdict.tests_total == (len(total.tests) if stage is Stage.TEST else 0)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("function 1 -> 0 | 2 -> raise Exit | _ -> 3", ["TEST_FAILURE", "RUNTIME_ERROR", "PASSED"]),
        ("function 1 -> raise Exit | 2 -> 0 | _ -> 3", ["RUNTIME_ERROR", "TEST_FAILURE", "PASSED"]),
        ("function 1 -> 1 | 2 -> while true do () done; 0 | _ -> 0", ["PASSED", "TIMEOUT", "TEST_FAILURE"]),
        ("function 1 -> 1 | 2 -> 2 | _ -> raise Exit", ["PASSED", "PASSED", "RUNTIME_ERROR"]),
    ],
)
def test_the_outcome_is_that_of_the_first_failing_test(verifier: Verifier, code: str, expected: list[str]) -> None:
    problem = function("val f : int -> int", "f 1 = 1", "f 2 = 2", "f 3 = 3")
    verdict = verifier.verify(problem, f"let f = {code}")
    assert outcomes(verdict) == [Outcome(name) for name in expected]
    assert verdict.outcome is next(outcome for outcome in outcomes(verdict) if outcome is not Outcome.PASSED)


@pytest.mark.parametrize(
    ("initialisation", "outcome"),
    [
        ('failwith "at start"', Outcome.RUNTIME_ERROR),
        ("raise Stack_overflow", Outcome.RUNTIME_ERROR),
        ("assert false", Outcome.RUNTIME_ERROR),
        ("while true do () done", Outcome.TIMEOUT),
        ("ignore (Array.make 100_000_000 0)", Outcome.MEMORY_LIMIT),
    ],
)
def test_a_module_that_fails_to_initialise_passes_no_test(
    verifier: Verifier, add: Problem, initialisation: str, outcome: Outcome
) -> None:
    verdict = verifier.verify(add, f"{GOOD}\nlet () = {initialisation}")
    assert outcomes(verdict) == [outcome] * len(add.tests)
    assert verdict.tests_passed == 0
    assert not any(test.returned for test in verdict.tests)


def test_details_name_the_exception_and_the_moment(verifier: Verifier, add: Problem) -> None:
    in_test = verifier.verify(add, 'let add _ _ = failwith "in add"\nlet negate a = -a').tests[0]
    at_start = verifier.verify(add, f'{GOOD}\nlet () = failwith "at start"').tests[0]
    assert in_test.detail == '`add 1 2` raised `Failure "in add"`'
    assert "initialised" in at_start.detail
    assert "at start" in at_start.detail


def test_output_of_functions_is_discarded(verifier: Verifier, add: Problem) -> None:
    noisy = (
        'let () = print_string "start"\nlet add a b = prerr_endline "x"; print_endline "y"; a + b\nlet negate a = -a'
    )
    assert verifier.verify(add, noisy).passed


# --- the signature ---


@pytest.mark.parametrize(
    ("code", "found", "errors"),
    [
        ("let add a b = a + b", [("missing-item", "value negate")], 1),
        ("let negate a = -a", [("missing-item", "value add")], 1),
        ("let add a b = a +. b\nlet negate a = -a", [("ill-typed-item", "value add")], 1),
        (
            "let add a b = a +. b\nlet negate a = -.a",
            [("ill-typed-item", "value add"), ("ill-typed-item", "value negate")],
            2,
        ),
        ("let add a b = a +. b", [("ill-typed-item", "value add"), ("missing-item", "value negate")], 2),
    ],
)
def test_each_item_that_does_not_fit_the_signature_is_one_error(
    verifier: Verifier, add: Problem, code: str, found: list[tuple[str, str]], errors: int
) -> None:
    verdict = verifier.verify(add, code)
    assert verdict.outcome is Outcome.TYPE_ERROR
    assert [(diagnostic.kind, diagnostic.name) for diagnostic in verdict.diagnostics] == found
    assert verdict.errors == errors


@pytest.mark.parametrize("code", ["let plus a b = a + b", "type t = int", "let x = 1 let y = x + true"])
def test_a_candidate_without_any_item_of_the_signature_has_five_errors(
    verifier: Verifier, add: Problem, code: str
) -> None:
    verdict = verifier.verify(add, code)
    assert verdict.outcome is Outcome.TYPE_ERROR
    assert verdict.errors == 5


def test_misfits_are_counted_beside_other_errors(verifier: Verifier, add: Problem) -> None:
    verdict = verifier.verify(add, "let add a b = a + b\nlet other = missing_one 1")
    assert [diagnostic.kind for diagnostic in verdict.diagnostics] == ["unbound-value", "missing-item"]
    assert verdict.errors == 2


def test_a_candidate_defines_the_types_modules_and_exceptions_of_its_signature(verifier: Verifier) -> None:
    problem = function(
        "type t = Leaf | Node of t * t\nexception Bad of int\n"
        "module M : sig val size : t -> int end\nval fail : int -> t",
        "M.size (Node (Leaf, Node (Leaf, Leaf))) = 3",
        "(match fail 7 with _ -> false | exception Bad n -> n = 7)",
    )
    code = (
        "type t = Leaf | Node of t * t\nexception Bad of int\nlet fail n = raise (Bad n)\n"
        "module M = struct let rec size = function Leaf -> 1 | Node (a, b) -> size a + size b end"
    )
    assert verifier.verify(problem, code).passed
    without = verifier.verify(problem, code.replace("exception Bad of int", "exception Bad of string"))
    assert without.outcome is Outcome.TYPE_ERROR


def test_a_more_general_value_fits(verifier: Verifier) -> None:
    problem = function("val id : int -> int", "id 3 = 3")
    assert verifier.verify(problem, "let id x = x").passed
    assert verifier.verify(problem, "let id : 'a. 'a -> 'a = fun x -> x").passed


def test_an_abstract_type_may_have_any_representation(verifier: Verifier) -> None:
    problem = function("type t\nval make : int -> t\nval get : t -> int", "get (make 3) = 3")
    assert verifier.verify(problem, "type t = string\nlet make = string_of_int\nlet get = int_of_string").passed
    assert verifier.verify(problem, "type t = int ref\nlet make = ref\nlet get = ( ! )").passed


def test_warnings_do_not_count(verifier: Verifier, add: Problem) -> None:
    verdict = verifier.verify(add, f"{GOOD}\nlet f x = match x with 1 -> 2\nlet unused = let y = 1 in 2")
    assert verdict.passed
    assert (verdict.errors, verdict.diagnostics) == (0, ())


# --- withheld names ---

# The withheld name: a value, or a wholly absent module.
FORBIDDEN = {
    "Obj": "Obj.magic",
    "Sys.command": 'Sys.command "true"',
    "exit": "exit 0",
    "Unix": "Unix.gettimeofday ()",
    "open_in": 'open_in "x"',
    "Stdlib.open_in": 'Stdlib.open_in "x"',
    "Marshal": 'Marshal.from_string "" 0',
    "Stdlib__Obj": "Stdlib__Obj.magic 0",
    "CamlinternalOO": "CamlinternalOO.new_method",
    "extension node": "[%ext 1]",
}


@pytest.mark.parametrize(("name", "expression"), FORBIDDEN.items(), ids=FORBIDDEN)
def test_a_withheld_name_is_forbidden_and_named(verifier: Verifier, add: Problem, name: str, expression: str) -> None:
    verdict = verifier.verify(add, f"{GOOD}\nlet x () =\n  {expression}")
    assert verdict.outcome is Outcome.FORBIDDEN
    (diagnostic,) = verdict.diagnostics
    assert (diagnostic.kind, diagnostic.name, diagnostic.line, diagnostic.column) == ("forbidden", name, 4, 2)
    assert name in diagnostic.message


def test_external_is_forbidden(verifier: Verifier, add: Problem) -> None:
    verdict = verifier.verify(add, f'{GOOD}\nexternal magic : int -> string = "%identity"')
    assert verdict.outcome is Outcome.FORBIDDEN
    assert [(diagnostic.name, diagnostic.line, diagnostic.column) for diagnostic in verdict.diagnostics] == [
        ("external", 3, 0)
    ]


@pytest.mark.parametrize(
    "access",
    [
        "let f = Obj.magic",
        "open Obj let f = magic 1",
        "module O = Obj",
        "module O = Stdlib.Obj let f = O.magic",
        "include Obj",
        "let f = let open Obj in magic",
        "let f = Obj.(magic 1)",
    ],
)
def test_a_withheld_module_cannot_be_reached_in_other_ways(verifier: Verifier, add: Problem, access: str) -> None:
    verdict = verifier.verify(add, f"{GOOD}\n{access}")
    assert verdict.outcome is Outcome.FORBIDDEN
    assert any("Obj" in diagnostic.name for diagnostic in verdict.diagnostics)


def test_a_candidates_own_module_may_have_any_name(verifier: Verifier, add: Problem) -> None:
    own = (
        "module Obj = struct let magic x = x + 1 let repr = 2 end\nmodule Unix = struct let gettimeofday () = 0. end\n"
        "let exit x = x\nlet open_in = Obj.magic 1\nlet t = Unix.gettimeofday () and u = exit 3 and v = Obj.repr"
    )
    assert verifier.verify(add, f"{own}\n{GOOD}").passed


def test_a_missing_name_is_unbound_and_not_forbidden(verifier: Verifier, add: Problem) -> None:
    verdict = verifier.verify(add, f"{GOOD}\nlet x = List.no_such_function")
    assert verdict.outcome is Outcome.TYPE_ERROR
    assert [(diagnostic.kind, diagnostic.name) for diagnostic in verdict.diagnostics] == [
        ("unbound-value", "List.no_such_function")
    ]


def test_words_that_only_look_forbidden_are_not(verifier: Verifier, add: Problem) -> None:
    code = f'(* Obj.magic external *)\nlet s = "external Obj.magic [%ext]" and c = {{|Sys.command|}}\n{GOOD}'
    assert verifier.verify(add, code).passed


def test_a_program_may_exit_and_a_function_may_not(verifier: Verifier, add: Problem) -> None:
    assert verifier.verify(prints("x"), 'let () = at_exit (fun () -> print_string "x"); exit 0').passed
    assert verifier.verify(add, f"{GOOD}\nlet () = at_exit ignore").outcome is Outcome.FORBIDDEN


# --- positions ---


@pytest.mark.parametrize(
    ("code", "line", "column"),
    [
        ("let a = 1\nlet add = oops", 2, 10),
        ("let a = 1\r\nlet add = oops", 2, 10),
        ('# 100 "other.ml"\nlet add = oops', 2, 10),
        ('let a = 1\n# 1 "x.ml"\n\n  let add =\n    oops', 5, 4),
        ('let s = "é" let add = oops', 1, 23),
        ("let s = {|\n\n|}\nlet add = oops", 4, 10),
    ],
)
def test_positions_ignore_line_directives(verifier: Verifier, add: Problem, code: str, line: int, column: int) -> None:
    diagnostic = verifier.verify(add, code).diagnostics[0]
    assert (diagnostic.kind, diagnostic.name, diagnostic.line, diagnostic.column) == (
        "unbound-value",
        "oops",
        line,
        column,
    )


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("let add = )", 1),
        ("let a = 1\n\nlet = 2", 3),
        ('# 50 "f"\nlet = 2', 2),
        ('let a = 1\nlet s = "abc', 2),
        ("(* a", 1),
    ],
)
def test_a_syntax_error_says_its_line(verifier: Verifier, add: Problem, code: str, line: int) -> None:
    verdict = verifier.verify(add, code)
    assert verdict.outcome is Outcome.SYNTAX_ERROR
    (diagnostic,) = verdict.diagnostics
    assert (diagnostic.kind, diagnostic.line) == ("syntax", line)


def test_diagnostics_come_in_source_order_on_one_line_each(verifier: Verifier, add: Problem) -> None:
    code = 'let b = missing_b\nlet add a b : int = "x"\nlet negate a = missing_a + a\nlet t = (1 : string)'
    verdict = verifier.verify(add, code)
    positions = [(diagnostic.line, diagnostic.column) for diagnostic in verdict.diagnostics if diagnostic.line]
    assert positions == sorted(positions)
    assert [line for line, _ in positions] == [1, 2, 3, 4]
    assert verdict.errors == 4
    assert all("\n" not in diagnostic.message and diagnostic.message for diagnostic in verdict.diagnostics)


def test_an_error_message_is_bounded(verifier: Verifier, add: Problem) -> None:
    wide = " * ".join(["int"] * 3000)
    verdict = verifier.verify(add, f"type t = {wide}\nlet add (x : {wide}) = (x : string)\nlet negate = 1")
    assert verdict.outcome is Outcome.TYPE_ERROR
    assert all(len(diagnostic.message) < 1000 for diagnostic in verdict.diagnostics)


def test_limits_of_tests_do_not_limit_the_compiler(verifier: Verifier) -> None:
    tight = Limits(test_cpu_seconds=0.05, total_cpu_seconds=0.05, memory_mb=16)
    problem = function("val f : int -> int", "f 1 = 999", limits=tight)
    chain = "\n".join(f"let f{i + 1} x = f{i} x + 1" for i in range(1, 1000))
    assert verifier.verify(problem, f"let f1 x = x - 1\n{chain}\nlet f = f1000").passed
