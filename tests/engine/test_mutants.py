"""Mutants of a program: each operator's faults, their text and position. Probes stop at the first failing test."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from ocaml_env import load_problems
from ocaml_env.engine import Mutant, ProbeSpec, Worker, build_engine
from ocaml_env.engine.authoring import mutants as mutants_of
from ocaml_env.engine.messages import RunStatus
from ocaml_env.errors import ProblemError
from ocaml_env.problem import Limits, Problem
from ocaml_env.verdict import Outcome, Stage
from ocaml_env.verifiers.local import Verifier

Mutate = Callable[[str], tuple[Mutant, ...]]

BODIES = [f"let f : type a. a t -> int = (fun _ -> {n})" for n in (1, 2)]

# A program, an operator, and the operator's mutants of the program.
GOLDEN = [
    ("let f a b = a + b", "arithmetic", ["let f a b = a - b"]),
    ("let f a b = a - b - 1", "arithmetic", ["let f a b = a - b + 1", "let f a b = a + b - 1"]),
    ("let f a b c = a * b - c", "arithmetic", ["let f a b c = a * b + c", "let f a b c = (a + b) - c"]),
    ("let f a b = 2 * (a / b)", "arithmetic", ["let f a b = (2 + (a / b))", "let f a b = 2 * (a * b)"]),
    ("let f a b = a mod b", "arithmetic", ["let f a b = a / b"]),
    ("let f a b = a *. b /. 2.", "arithmetic", ["let f a b = a *. b *. 2.", "let f a b = (a +. b) /. 2."]),
    ("let f a = g (-a)", "arithmetic", ["let f a = g a"]),
    ("let f = List.fold_left ( + ) a", "arithmetic", ["let f = List.fold_left ( - ) a"]),
    ("let f = List.fold_left (+.) a", "arithmetic", ["let f = List.fold_left ( -. ) a"]),
    ("let f a b = a lsl b land c", "arithmetic", ["let f a b = a lsl b lor c", "let f a b = a lsr b land c"]),
    ("let f a b = a < b", "comparison", ["let f a b = a <= b", "let f a b = a >= b"]),
    ("let f a b = (a >= b)", "comparison", ["let f a b = (a > b)", "let f a b = (a < b)"]),
    ("let f a b = a = b", "comparison", ["let f a b = a <> b"]),
    ("let f a b = a != b", "comparison", ["let f a b = a == b"]),
    ("let f = List.sort (<)", "comparison", ["let f = List.sort ( <= )", "let f = List.sort ( >= )"]),
    ("let f a b = a < 1 && b", "connective", ["let f a b = (a < 1 || b)"]),
    ("let f a b c = a || b && c", "connective", ["let f a b c = a && b && c", "let f a b c = a || (b || c)"]),
    ("let f a = not (g a)", "connective", ["let f a = (g a)"]),
    ("let f a = 3", "constant", ["let f a = 4", "let f a = 2"]),
    ("let f a = g 0", "constant", ["let f a = g 1", "let f a = g (-1)"]),
    ("let f a = -1", "constant", ["let f a = 0", "let f a = (-2)"]),
    ("let f a = 0x10L", "constant", ["let f a = 17L", "let f a = 15L"]),
    ("let f a = 'z'", "constant", ["let f a = '{'"]),
    ("let f a = '\\255'", "constant", ["let f a = '\\000'"]),
    ('let f a = "ab"', "constant", ['let f a = ""']),
    ('let f a = ""', "constant", ['let f a = "?"']),
    ("let f a = 1.5", "constant", ["let f a = 2.5"]),
    ("let f a = true", "constant", ["let f a = false"]),
    (
        "let f (3 | 'a' .. 'c') = 0",
        "constant",
        [
            *("let f (4 | 'a' .. 'c') = 0", "let f (2 | 'a' .. 'c') = 0"),
            *("let f (3 | 'b' .. 'c') = 0", "let f (3 | 'a' .. 'b') = 0"),
            *("let f (3 | 'a' .. 'c') = 1", "let f (3 | 'a' .. 'c') = (-1)"),
        ],
    ),
    (
        "let f a = if g a then b else c",
        "condition",
        [
            "let f a = if (not (g a)) then b else c",
            "let f a = if true then b else c",
            "let f a = if false then b else c",
        ],
    ),
    (
        "let f a = if a < b then c else d",  # the comparison operator negates it
        "condition",
        ["let f a = if true then c else d", "let f a = if false then c else d"],
    ),
    (
        "let f a = while !a do g () done",
        "condition",
        ["let f a = while (not !a) do g () done", "let f a = while false do g () done"],
    ),
    ("let f = function A -> 1 | B -> 2", "case", ["let f = function B -> 2", "let f = function A -> 1"]),
    (
        "let f a = match a with\n  | A -> g (* why *)\n  (* then *)\n  | B | C -> 2",
        "case",
        ["let f a = match a with\n  | B | C -> 2", "let f a = match a with\n  | A -> g"],
    ),
    ("let f a = match a with A -> 1", "case", []),
    ("let f = function A -> 1, 2 | B -> c", "cases", ["let f = function A -> c | B -> (1, 2)"]),
    ("let f = function (A | B) -> 1", "pattern", ["let f = function B -> 1", "let f = function A -> 1"]),
    (
        "let f = function A when g a -> 1 | _ -> 2",
        "guard",
        ["let f = function A -> 1 | _ -> 2", "let f = function A when (not (g a)) -> 1 | _ -> 2"],
    ),
    ("let f a = 1 + (try g a with Not_found -> 1)", "handler", ["let f a = 1 + (g a)"]),
    ("let f a b = a :: g b", "cons", ["let f a b = (g b)"]),
    ("let f a b = [ a; b ]", "cons", []),
    ("let f a b = a @ g b", "append", ["let f a b = ((g b) @ a)"]),
    ("let f a b = g ~c:1 a (b 2)", "arguments", ["let f a b = g ~c:1 (b 2) a"]),
    ("let f a b = max a b", "arguments", []),
    ("let f a b = a.(b) <- b ; a.(b)", "arguments", []),
    ("let rec f a b = g (f (a - 1) b)", "recursion", ["let rec f a b = g (a - 1)", "let rec f a b = g b"]),
    ("let f a b = g (f (a - 1) b)", "recursion", []),
    ("let rec f = function 0 -> 1 | n -> n * f n", "body", ["let rec f = (fun _ -> 1)"]),
    (
        "let f a : int = if a then 1 else g 2",
        "body",
        ["let f a : int = 1", "let f a : int = (g 2)"],
    ),
    ("let f : type a. a t -> int = function A -> 1 | B -> 2", "body", BODIES),
    ("let f a = Some (g a)", "option", ["let f a = None"]),
    ("let f a b = min a b", "function", ["let f a b = max a b"]),
    ("let f a = fst a", "function", ["let f a = snd a"]),
    ("let f a = M.min_elt a", "function", ["let f a = M.max_elt a"]),
    ("let f = List.map List.rev", "function", ["let f = List.map Fun.id"]),
    ("let f a = List.rev (g a)", "call", ["let f a = (g a)"]),
    ("let f a = List.sort compare a", "call", ["let f a = a"]),
    ("let f a = g a |> List.rev |> h", "call", ["let f a = (g a) |> h"]),
    ("let f a = a |> List.sort compare", "call", ["let f a = a"]),
    ("let f a = g a; h a", "sequence", ["let f a = (h a)", "let f a = (g a)"]),
    ("let f a = a := 1; h a", "sequence", ["let f a = (a := 1)"]),
    (
        "let f a = a := 1; a.b <- 2; a.(0) <- 3",
        "assignment",
        ["let f a = (); a.b <- 2; a.(0) <- 3", "let f a = a := 1; (); a.(0) <- 3", "let f a = a := 1; a.b <- 2; ()"],
    ),
    (
        "let f a = for i = a to 9 do g i done",
        "bound",
        ["let f a = for i = (a + 1) to 9 do g i done", "let f a = for i = (a - 1) to 9 do g i done"],
    ),
]


@pytest.fixture(scope="module")
def worker(verifier: Verifier) -> Iterator[Worker]:
    worker = Worker(build_engine())
    yield worker
    worker.close()


@pytest.fixture(scope="module")
def mutate(worker: Worker) -> Mutate:
    return lambda source: mutants_of(worker, "function", source)


@pytest.mark.parametrize(("source", "operator", "expected"), GOLDEN, ids=[row[0] for row in GOLDEN])
def test_operator_makes_these_mutants(mutate: Mutate, source: str, operator: str, expected: list[str]) -> None:
    assert [mutant.code for mutant in mutate(source) if mutant.operator == operator] == expected


@pytest.mark.parametrize(
    "source",
    [
        'let f a = failwith "why"',
        'let f a = raise (Invalid_argument ("f: " ^ a))',
        "let f a = assert false",
        "let f () = Buffer.create (2 * 3)",
        "module H = Hashtbl.Make (K) let f () = H.create 16",
        "type t = A of int [@@deriving (1 + 1)] module type S = sig val a : int end",
        "",
    ],
)
def test_some_code_has_no_mutants(mutate: Mutate, source: str) -> None:
    assert mutate(source) == ()


def test_a_mutant_records_its_change_and_position(mutate: Mutate) -> None:
    [_, second] = [m for m in mutate("let f a b =\n  if g a then\n    a < b\n  else c") if m.operator == "comparison"]
    assert second == Mutant(
        operator="comparison",
        line=3,
        column=4,
        before="a < b",
        after="a >= b",
        code="let f a b =\n  if g a then\n    a >= b\n  else c",
    )
    assert second.key == "3:4 comparison: a < b -> a >= b"


def test_long_changes_have_short_distinct_keys(mutate: Mutate) -> None:
    source = f"let f = function A -> {'g a + ' * 20} b | B -> {'g a + ' * 20} c"
    dropped = [mutant.key for mutant in mutate(source) if mutant.operator == "case"]
    assert len(set(dropped)) == 2
    assert all(len(key) < 120 and "\n" not in key for key in dropped)


def test_mutants_of_real_programs_parse_and_are_distinct(worker: Worker, verifier: Verifier) -> None:
    for problem in load_problems("bundled?level=5-6")[::18]:
        mutants = mutants_of(worker, problem.kind, problem.reference)
        assert len(mutants) >= 15
        assert len({mutant.code for mutant in mutants} | {problem.reference}) == len(mutants) + 1
        assert len({mutant.key for mutant in mutants}) == len(mutants)
        # Nothing defines this name, so each mutant that parses ends early with a type error.
        fits_none = Problem(id="x", statement="x", signature="val not_there : int", tests=["not_there = 0"])
        outcomes = Counter(probe.outcome for probe in verifier.probe(fits_none, [m.code for m in mutants]))
        assert set(outcomes) <= {Outcome.TYPE_ERROR, Outcome.NO_CODE, Outcome.FORBIDDEN}


def test_mutants_are_always_the_same(worker: Worker) -> None:
    problem = load_problems("bundled").get("first_true")
    first = mutants_of(worker, "function", problem.reference)
    assert mutants_of(worker, "function", problem.reference) == first
    assert mutants_of(worker, "program", problem.reference) == first
    other = Worker(build_engine())
    assert mutants_of(other, "function", problem.reference) == first
    other.close()


@pytest.mark.parametrize("source", ["let f = ", "let f = 'ab'", '"', "(* let f = 1"])
def test_code_that_does_not_parse_has_no_mutants(worker: Worker, source: str) -> None:
    with pytest.raises(ProblemError, match="does not parse"):
        mutants_of(worker, "function", source)
    assert mutants_of(worker, "function", "let f = 1") != ()


# --- probes -----------------------------------------------------------------------------------------------------------

STEPS = Problem(
    id="steps",
    statement="`f n` is n.",
    signature="val f : int -> int\nval is : int -> bool",
    tests=("f 1 = 1", "is 2", "f 3 = 3", "is 4", "f 5 = 5"),
)
IS = "let is n = f n = n\n"


@pytest.mark.parametrize("first", [1, 2, 5, 99])
@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("let f n = n ", ["passed"] * 5),
        ("let f n = min n 2 ", ["passed", "passed", "wrong", "not-run", "not-run"]),
        ("let f n = min n 3 ", ["passed", "passed", "passed", "wrong", "not-run"]),
        ("let f n = if n > 1 then raise Exit else n ", ["passed", "raised", "not-run", "not-run", "not-run"]),
        ("let rec f n = if n > 2 then f n else n ", ["passed", "passed", "timeout", "not-run", "not-run"]),
        ("let rec f n = if n > 3 then 1 + f n else n ", ["passed", "passed", "passed", "timeout", "not-run"]),
        ("let f n = if n > 4 then List.length (List.init (1 lsl 40) Fun.id) else n ", ["passed"] * 4 + ["timeout"]),
        ("let f n = n let () = raise Exit ", ["raised", "not-run", "not-run", "not-run", "not-run"]),
        ("let f n = n let () = while true do () done ", ["timeout", "not-run", "not-run", "not-run", "not-run"]),
    ],
)
def test_probe_stops_at_the_first_failure(worker: Worker, code: str, expected: list[str], first: int) -> None:
    limits = replace(STEPS.limits, test_cpu_seconds=0.02)
    evaluated = worker.evaluate(STEPS, code + IS, limits, probe=ProbeSpec(first=first, exact=True))
    assert [test.status for test in evaluated.tests] == expected


def test_a_probe_that_runs_out_of_time_fails(worker: Worker) -> None:
    slow = "let f n = let rec spin i = if i > 0 then spin (i - 1) in spin 1_000_000_000; n "
    limits = Limits(test_cpu_seconds=0.05, total_cpu_seconds=0.05)
    evaluated = worker.evaluate(STEPS, slow + IS, limits, probe=ProbeSpec(first=1, exact=True))
    statuses = [test.status for test in evaluated.tests]
    ran = statuses.index(RunStatus.TIMEOUT)
    assert statuses == [RunStatus.PASSED] * ran + [RunStatus.TIMEOUT] + [RunStatus.NOT_RUN] * (4 - ran)


def test_probe_agrees_with_the_verdict(verifier: Verifier) -> None:
    problem = load_problems("bundled").get("snake_case")
    codes = [problem.reference] + [mutant.code for mutant in verifier.mutants(problem)[::4]]
    for code, probe in zip(codes, verifier.probe(problem, codes), strict=True):
        verdict = verifier.verify(problem, code)
        failed = sorted((test for test in verdict.tests if not test.passed), key=lambda test: not test.public)
        assert probe.outcome is (failed[0].outcome if failed else verdict.outcome)
        assert probe.failed == (failed[0].name if failed else "")
        assert probe.stage is verdict.stage


def test_probe_is_not_remembered(add: Problem) -> None:
    with Verifier(workers=1) as verifier:
        code = "let add a b = a\nlet negate a = a"
        [probe] = verifier.probe(add, [code])
        assert (probe.outcome, probe.failed) == (Outcome.TEST_FAILURE, "example 1")
        assert [test.outcome for test in verifier.verify(add, code).tests].count(Outcome.PASSED) == 2


def test_a_probe_ends_at_code_that_does_not_compile(verifier: Verifier, add: Problem) -> None:
    codes = ["let add = ", "let add a b = a + c", 'let add = Sys.command "x"', "open List"]
    probes = verifier.probe(add, codes)
    assert [probe.outcome for probe in probes] == [
        *(Outcome.SYNTAX_ERROR, Outcome.TYPE_ERROR, Outcome.TYPE_ERROR, Outcome.NO_CODE),
    ]
    assert all(probe.stage < Stage.TEST and probe.image == "" for probe in probes)


def test_code_with_equal_bytecode_has_an_equal_image(verifier: Verifier, add: Problem) -> None:
    code = "let add a b = a + b let negate a = -a let h = function true -> 1 | false -> assert false"
    same = code.replace(" let", "\n\n  let").replace("assert false", "assert  false | _ -> 2")
    first, second, other = verifier.probe(add, [code, same, code.replace("1", "3")])
    assert first.image == second.image != ""
    assert other.image != first.image


def test_a_program_passes_despite_trailing_blanks(verifier: Verifier, total: Problem) -> None:
    right = total.reference.replace("string_of_int (go 0)", 'string_of_int (go 0) ^ "  \\n"')
    assert right != total.reference
    wrong = total.reference.replace("string_of_int (go 0)", '"1" ^ string_of_int (go 0)')
    dies = total.reference + "let () = exit 3"
    probes = verifier.probe(total, [total.reference, right, wrong, dies])
    outcomes = [probe.outcome for probe in probes]
    assert outcomes == [Outcome.PASSED, Outcome.PASSED, Outcome.TEST_FAILURE, Outcome.RUNTIME_ERROR]
    assert probes[2].failed == total.tests[0].name


def test_program_stops_at_the_first_wrong_output(worker: Worker, total: Problem) -> None:
    evaluated = worker.evaluate(total, 'let () = print_string "x"', total.limits, probe=ProbeSpec(first=1, exact=True))
    assert [test.status for test in evaluated.tests] == ["ran"] + ["not-run"] * (len(total.tests) - 1)
