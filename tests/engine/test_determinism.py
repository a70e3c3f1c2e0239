"""Equal inputs give equal verdicts. Randomness, clocks, the environment and other candidates change nothing."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from dataclasses import replace

import pytest

from ocaml_env.problem import Limits, Problem
from ocaml_env.verdict import Outcome, Verdict
from ocaml_env.verifiers.local import Verifier
from tests.engine.cases import function, outcomes, printed, prints
from tests.engine.processes import children

WANTED = prints("nothing prints this")

OBSERVATIONS = {
    "Random.self_init": 'Random.self_init (); for _ = 1 to 5 do Printf.printf "%d " (Random.bits ()) done',
    "Random": 'for _ = 1 to 5 do Printf.printf "%d " (Random.bits ()) done',
    "Random.State.make_self_init": "print_int (Random.State.bits (Random.State.make_self_init ()))",
    "random hash table": (
        "let t = Hashtbl.create ~random:true 8 in for i = 1 to 50 do Hashtbl.add t i i done; "
        'Hashtbl.iter (fun k _ -> Printf.printf "%d " k) t'
    ),
    "hash of a closure": (
        "let f x = x + 1 and g = List.map succ in "
        'Printf.printf "%d %d %d" (Hashtbl.hash f) (Hashtbl.hash g) (Hashtbl.hash (fun () -> f))'
    ),
    "Sys.time": 'for _ = 1 to 3 do Printf.printf "%f " (Sys.time ()) done',
    "Sys.argv": "Array.iter print_endline Sys.argv; print_int (Array.length Sys.argv)",
    "Sys.executable_name": "print_string Sys.executable_name",
    "Sys.getenv_opt": 'List.iter (fun n -> print_string (Option.value ~default:"none" (Sys.getenv_opt n))) '
    '["PATH"; "HOME"; "OCAMLRUNPARAM"]',
    "heap": 'let s = Gc.quick_stat () in Printf.printf "%d %d" s.Gc.heap_words s.Gc.minor_collections',
    "objects": "let o = object end in print_int (Oo.id o)",
    "backtraces": "(try raise Not_found with _ -> print_string (Printexc.get_backtrace ())); "
    "print_string (string_of_bool (Printexc.backtrace_status ()))",
    "depth of the stack": (
        "let rec depth n = try 1 + depth (n + 1) with Stack_overflow -> n in "
        'let rec deep n = max n (deep (n + 1)) in (try ignore (deep 0) with Stack_overflow -> print_string "over"); '
        "ignore depth"
    ),
}


def observe(verifier: Verifier, expression: str) -> str:
    return printed(verifier.verify(WANTED, f"let () = {expression}"))


@pytest.fixture(scope="module")
def uncached() -> Iterator[Verifier]:
    with Verifier(workers=1, cache_size=0) as verifier:
        yield verifier


@pytest.mark.parametrize("expression", OBSERVATIONS.values(), ids=OBSERVATIONS)
def test_observations_are_equal_in_every_run_and_on_every_worker(
    uncached: Verifier, expression: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = {observe(uncached, expression) for _ in range(3)}
    monkeypatch.setenv("OCAMLRUNPARAM", "v=0x400,R")
    monkeypatch.setenv("SOMETHING", "else" * 1000)
    monkeypatch.chdir("/")
    with Verifier(workers=1, cache_size=0) as other:
        seen |= {observe(other, expression) for _ in range(2)}
    assert len(seen) == 1


def test_counters_of_the_collector_are_the_same_in_every_run(uncached: Verifier) -> None:
    assert len({observe(uncached, "print_float (Gc.minor_words ())") for _ in range(3)}) == 1


def test_programs_and_functions_draw_the_same_random_numbers(uncached: Verifier) -> None:
    roll = "let () = Random.self_init ()\nlet roll () = Random.int 1000"
    first = printed(uncached.verify(WANTED, f"{roll}\nlet () = print_int (roll ())"))
    problem = function("val roll : unit -> int", f"roll () = {first}")
    assert uncached.verify(problem, roll).passed


def test_self_init_gives_a_new_seed_each_time(verifier: Verifier) -> None:
    code = (
        "let draw () = Random.self_init (); Random.bits ()\n"
        "let early = draw ()\nlet two () = let a = draw () in (a, draw ())\nlet all = [early]"
    )
    problem = function(
        "val two : unit -> int * int\nval draw : unit -> int\nval all : int list",
        "(let a, b = two () in a <> b && not (List.mem a all) && not (List.mem b all))",
        "(let a, b = two () in ignore (draw ()); two () <> (a, b))",
    )
    assert verifier.verify(problem, code).passed


def test_earlier_tests_do_not_change_a_tests_seeds(verifier: Verifier) -> None:
    code = "let () = Random.self_init ()\nlet draw () = Random.self_init (); Random.bits ()"
    first = printed(verifier.verify(WANTED, f"{code}\nlet () = print_int (draw ())"))
    for before in ([], ["draw () <> 0"] * 3, ["(for _ = 1 to 9 do ignore (draw ()) done; true)"]):
        problem = function("val draw : unit -> int", *before, f"draw () = {first}")
        assert verifier.verify(problem, code).passed, before


NAMES = """
exception Top
include struct exception Included of int let place = __FUNCTION__ end
module M = struct exception Inner include struct exception Deep end end
let local () = let module L = struct exception In_function include struct exception Local end end in
  [L.In_function; L.Local; (let open struct exception Opened end in Opened); (let exception One in One)]
let names () = List.map Printexc.to_string ([Top; Included 3; M.Inner; M.Deep] @ local ()) @ [__MODULE__]
"""


def test_code_sees_the_names_that_ocaml_gives(verifier: Verifier) -> None:
    expected = [
        "Solution.Top",
        "Included(3)",
        "Solution.M.Inner",
        "Deep",
        "In_function",
        "Local",
        "Opened",
        "One",
        "Solution",
    ]
    listed = "; ".join(f'"{name}"' for name in expected)
    for number in range(3):  # earlier problems must not matter
        problem = function("val names : unit -> string list", f"names () = [{listed}]", f"{number} = {number}")
        assert verifier.verify(problem, NAMES).passed


def test_a_tests_exception_has_the_name_of_the_signature(verifier: Verifier) -> None:
    problem = function("exception Empty of int\nval f : unit -> int", "f () = 1", public=True)
    for code in ("exception Empty of int", "include struct exception Empty of int end"):
        (test,) = verifier.verify(problem, f"{code} let f () = raise (Empty 3)").tests
        assert test.detail == "`f ()` raised `Empty 3`"


def test_a_clock_advances(verifier: Verifier) -> None:
    problem = function("val ticks : unit -> float * float", "(let a, b = ticks () in b > a && a >= 0.)")
    assert verifier.verify(problem, "let ticks () = let a = Sys.time () in let b = Sys.time () in (a, b)").passed


def test_waiting_for_a_clock_ends(verifier: Verifier) -> None:
    code = "let f () = let start = Sys.time () in while Sys.time () -. start < 1. do () done; 1"
    assert verifier.verify(function("val f : unit -> int", "f () = 1"), code).passed


def test_the_environment_is_empty(verifier: Verifier, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "value")
    names = '["PATH"; "HOME"; "SECRET"; "OCAMLRUNPARAM"; "CAMLRUNPARAM"; ""]'
    code = f"let all_absent = List.for_all (fun n -> Sys.getenv_opt n = None) {names}"
    assert verifier.verify(function("val all_absent : bool", "all_absent"), code).passed


def test_garbage_collection_does_not_reveal_earlier_candidates(uncached: Verifier) -> None:
    problem = function("val f : int -> int", "f 3 = 3")
    for blocks in range(2400, 3100, 100):
        code = (
            "let w = Weak.create 1\nlet () = Weak.set w 0 (Some (ref 0))\n"
            f"let () = for i = 1 to {blocks} do ignore (Sys.opaque_identity (Bytes.create i)) done\n"
            "let f a = if Weak.check w 0 then a else 0"
        )
        seen = {uncached.verify(problem, f"{code} (* {number} *)").outcome for number in range(40)}
        assert len(seen) == 1, blocks


# --- deep recursion ---


@pytest.mark.parametrize(
    "code",
    [
        "let rec f n = if n = 0 then 0 else 1 + f (n - 1)",
        "let f n = List.length (List.map succ (List.init (n / 2) Fun.id)) * 2",
        "let f n = List.fold_right (fun _ k -> k + 2) (List.init (n / 2) Fun.id) 0",
        "let rec even n = if n = 0 then true else odd (n - 1) and odd n = n <> 0 && even (n - 1)\n"
        "let f n = if even n then n else 0",
        "let rec loop k n = if n = 0 then k else loop (k + 1) (n - 1)\nlet f = loop 0",
    ],
)
def test_honest_recursion_goes_a_million_deep(verifier: Verifier, code: str) -> None:
    problem = function(
        "val f : int -> int", "f 1_000_000 = 1_000_000", limits=Limits(test_cpu_seconds=1, total_cpu_seconds=4)
    )
    verdict = verifier.verify(problem, code)
    assert verdict.passed, verdict.tests


# --- other candidates on the same worker ---


STATEFUL = {
    "warnings as errors": '[@@@ocaml.warning "@a"]\nlet f = function 1 -> 2',
    "alerts": 'let f () = () [@@alert deprecated "x"]\n[@@@alert "++all"]\nlet x = f ()',
    "line directive": '# 1000 "elsewhere.ml"\nlet x = 1',
    "type error": "let x : int = true",
    "syntax error": "let let let",
    "unclosed comment": '(* (* " ',
    "unclosed string": 'let s = "abc',
    "unclosed quoted string": "let s = {xx|abc",
    "local types": "let f (type a) (x : a) = (x, [])\nlet r = ref []",
    "weak variables": "let r = ref None",
    "recursive modules": "module rec A : sig val x : int end = struct let x = 1 end",
    "shadowed library": "module List = struct end\nmodule Stdlib = struct end\ntype int = string\nlet ( = ) _ = ( + )",
    "polymorphic recursion": "type 'a t = Leaf | Node of ('a * 'a) t\nlet rec f : 'a. 'a t -> int = fun _ -> 0",
    "withheld name": "let x = Obj.magic 0",
    "extension": "[%%foo]",
    "docstrings": "(** doc *)\nlet x = 1 (** more *)\n(**)",
    "timeout": "let add a b = while true do () done; a + b\nlet negate a = -a",
    "labels and options": "let f ?(x = 1) ~y () = x + y\nlet g = f ~y:1",
    "toplevel phrase": '#use "x";;',
}


@pytest.mark.parametrize("neighbour", STATEFUL.values(), ids=STATEFUL)
def test_a_candidate_changes_nothing_for_the_next(uncached: Verifier, add: Problem, neighbour: str) -> None:
    candidates = [
        add.reference,
        "let add a b = a + b",
        "let add (a : int) b = oops a\nlet negate x = x ^ 1",
        "let f x = match x with 1 -> 2\nlet unused = fun y -> 3\n" + add.reference,
    ]
    before = [uncached.verify(add, code) for code in candidates]
    uncached.verify(add, neighbour)
    assert [uncached.verify(add, code) for code in candidates] == before


# After the error the compiler never undoes these local equations of types.
CYCLE_UNDER_EQUATIONS = """
type _ product = Product : ('a * 'b) product
let f : type t. t product -> int = fun Product -> let module M = struct type d = d * d end in 1
"""

# Its diagnostics differ if the equations above are still in force.
POLYMORPHIC_METHODS = """
let swap : 'left 'right. < left : 'left; f : 'right > pair -> < left : 'right; right : 'left > pair =
  fun (x, y) -> (y, x)
"""


def test_state_that_an_error_leaves_in_the_compiler_is_gone_for_the_next(uncached: Verifier, add: Problem) -> None:
    before = uncached.verify(add, POLYMORPHIC_METHODS)
    assert "cyclic" in uncached.verify(add, CYCLE_UNDER_EQUATIONS).diagnostics[0].message
    assert uncached.verify(add, POLYMORPHIC_METHODS) == before


def descendants(process: int) -> set[int]:
    return {descendant for child in children(process) for descendant in (child, *descendants(child))}


def test_errors_that_the_compiler_undoes_replace_no_process(add: Problem) -> None:
    others = descendants(os.getpid())
    with Verifier(workers=1, cache_size=0) as own:
        own.verify(add, add.reference)
        before = descendants(os.getpid()) - others
        for code in (*STATEFUL.values(), POLYMORPHIC_METHODS, "type _ t = A : int t let f (type a) (A : a t) : a = 1"):
            own.verify(add, code)
        assert descendants(os.getpid()) - others == before


@pytest.mark.parametrize(("test", "total"), [(0.02, 0.08), (0.02, 0.1), (0.03, 0.04)])
def test_the_cpu_budget_ends_at_the_same_test_in_every_run(
    uncached: Verifier, add: Problem, test: float, total: float
) -> None:
    """A process's CPU time never meets its limit exactly; the rest of the budget must not depend on the difference."""
    brief = replace(add, limits=Limits(test_cpu_seconds=test, total_cpu_seconds=total))
    verdicts = [uncached.verify(brief, "let rec add a b = add b a\nlet negate a = -a") for _ in range(15)]
    assert len(set(verdicts)) == 1, [outcomes(verdict) for verdict in set(verdicts)]


def test_verdicts_survive_a_replaced_worker(add: Problem, total: Problem) -> None:
    pairs = [
        (add, add.reference),
        (add, "let add a b = a\nlet negate a = - a"),
        (add, "let add a b = a +. b\nlet x = y"),
        (add, "let add _ _ = raise Exit\nlet negate a = -a"),
        (total, total.reference),
        (total, "let () = raise Exit"),
    ]
    others = children(os.getpid())
    with Verifier(workers=1, cache_size=0) as own:
        before = own.verify_many(pairs)
        for process in set(children(os.getpid())).difference(others):
            os.kill(process, signal.SIGKILL)
        assert own.verify_many(pairs) == before
    with Verifier(workers=2, cache_size=0) as other:
        assert other.verify_many(pairs) == before


def test_a_verdict_does_not_depend_on_earlier_timeouts(uncached: Verifier, add: Problem, last: Problem) -> None:
    brief = replace(add, limits=Limits(test_cpu_seconds=0.05, total_cpu_seconds=0.1))
    first: list[Verdict] = []
    for _ in range(3):
        verdict = uncached.verify(last, "let rec last l = match l with [] -> None | [x] -> Some x | _ :: r -> last r")
        first.append(verdict)
        assert outcomes(uncached.verify(brief, "let rec add a b = add b a let negate a = -a"))[0] is Outcome.TIMEOUT
    assert first.count(first[0]) == 3


SAMPLE = """let sample () = List.init (1 + Random.int 9) (fun _ -> Random.int 1000)
let largest_of l = List.fold_left max min_int l"""


def drawn(*tests: str) -> Problem:
    return function("val largest : int list -> int\nval half : int -> int", *tests, prelude=SAMPLE)


@pytest.mark.parametrize(
    "choose",
    [
        "Random.init 7",
        "Random.full_init [| 7 |]",
        "Random.set_state (Random.State.make [| 7 |])",
        "Random.self_init ()",
        "for _ = 1 to 7 do ignore (Random.bits ()) done",
    ],
)
def test_a_candidate_does_not_choose_the_tests_random_numbers(verifier: Verifier, choose: str) -> None:
    """The random numbers decide here: the code is right for one half of them."""
    tests = [f"let n = Random.int 1000 + 0 * {i} in half n = n / 2" for i in range(40)]
    code = "let largest _ = 0\nlet half n = CHOOSE; if n < 500 then n / 2 else 0"
    drew = [outcomes(verifier.verify(drawn(*tests), code.replace("CHOOSE", c))) for c in ("()", choose)]
    assert drew[0] == drew[1]
    assert {Outcome.PASSED, Outcome.TEST_FAILURE} <= set(drew[0])
    assert drew[0] == outcomes(verifier.verify(drawn(*tests), f"let () = {choose}\n{code.replace('CHOOSE', '()')}"))


def test_a_test_draws_the_same_numbers_in_every_arrangement(verifier: Verifier) -> None:
    """Each test has its own seed from the problem alone: it draws the same alone, among others, or beside a decoy."""
    tests = [f"List.mem (largest_of (sample ())) [ {i} ] || half 0 = 0" for i in range(3)]
    inside = drawn(*tests, "largest (sample ()) == 0 || true")
    assert verifier.verify(inside, "let largest = List.hd\nlet half n = n / 2").passed
    seen = "let l = sample () in largest l = List.hd l && half (List.length l) > 1"
    code = "let largest = List.hd\nlet half n = n / 2"
    with Verifier(workers=1, cache_size=0) as other:
        verdicts = [outcomes(v.verify(drawn(*[seen] * 12), code)) for v in (verifier, other, verifier)]
    assert verdicts[0] == verdicts[1] == verdicts[2]
    assert len(set(verdicts[0])) == 2


def test_a_candidates_draws_do_not_shift_those_of_a_test(verifier: Verifier) -> None:
    problem = drawn(
        "let n = Random.int 1000 in half n = n / 2",
        "let n = Random.int 1000 in let m = Random.int 10 in half (2 * (n + m)) = n + m",
        "let l = sample () in let best = largest_of l in largest l = best",
        "half 2 = 1 && (let n = Random.int 1000 in half (2 * n) = n)",
        "let n = half 8 in let m = Random.int 10 in half (2 * (n + m)) = n + m",
        "let module R = Random in let n = R.int 1000 in half n = n / 2",
    )
    assert verifier.inside(problem) == {}
    draw = "let draw () = ignore (Random.bits ())\n"
    code = draw + "let largest l = draw (); List.fold_left max 0 l\nlet half n = draw (); n / 2"
    assert verifier.verify(problem, code).passed
