"""What the compiler tells authors: stubs, split assertions, headers of functions, known answers, code metrics."""

from __future__ import annotations

import contextlib
from dataclasses import replace

import pytest

from ocaml_env.engine.authoring import Answer
from ocaml_env.errors import ProblemError
from ocaml_env.problem import Problem, Test
from ocaml_env.problems.load import load_problems
from ocaml_env.verdict import Outcome, Stage
from ocaml_env.verifiers.local import Verifier

# --- stubs ------------------------------------------------------------------------------------------------------------


def stubs_of(verifier: Verifier, signature: str, *tests: str, examples: int = 0) -> dict[str, str]:
    listed = [Test(code, public=number < examples) for number, code in enumerate(tests or ("true",))]
    problem = Problem(id="p", statement="s", signature=signature, tests=tuple(listed))
    return {stub.name: stub.code for stub in verifier.stubs(problem)}


SIGNATURES = {
    "functions": "val f : int -> string\nval ( +++ ) : int list -> int list -> int list",
    "labels": "val f : by:int -> ?limit:int -> unit -> int option",
    "constants": "val origin : int * float\nval names : string list\nval zero : int",
    "types": "type shape = Dot | Box of { w : int; h : int } | Pair of shape * int\nval area : shape -> int",
    "a record": "type 'a pair = { left : 'a; right : 'a }\nval both : int pair\nval swap : 'a pair -> 'a pair",
    "abstract": "type t\nval empty : t\nval add : int -> t -> t\ntype +'a box\nval box : 'a -> 'a box",
    "exceptions": "exception Empty\nexception Bad of { at : int }\nval pop : int list -> int",
    "extensible": "type event = ..\ntype event += Tick of int\nval show : event -> string",
    "a gadt": "type _ t = Int : int -> int t | Bool : bool -> bool t\nval eval : 'a t -> 'a",
    "a module": "module M : sig type t val zero : t module N : sig val f : t -> int end end\nval g : M.t -> int",
    "a functor": "module type S = sig type t val compare : t -> t -> int end\n"
    "module F (X : S) : sig val sort : X.t list -> X.t list end\n"
    "module G (X : S) (Y : S) : S with type t = X.t * Y.t\nmodule H () : S",
    "a named module": "module type S = sig type t val zero : t end\nmodule M : S with type t = int",
    "a library's module type": "module Ids : Set.S with type elt = int\nval all : Ids.t -> int list",
    "an include": "module type S = sig type t val f : t -> t end\ninclude S with type t := int",
    "classes of types": "val f : (module Map.OrderedType with type t = 'a) -> 'a list -> 'a list",
    "polymorphic variants": "val f : [ `A | `B of int ] -> [> `C ]",
}


@pytest.mark.parametrize("signature", SIGNATURES.values(), ids=SIGNATURES)
def test_a_raising_stub_fits_its_signature_and_passes_nothing(verifier: Verifier, signature: str) -> None:
    problem = Problem(id="p", statement="s", signature=signature, tests=("false",))
    verdict = verifier.verify(problem, verifier.stubs(problem)[0].code)
    assert verdict.stage is Stage.TEST, verdict.diagnostics
    assert verdict.tests_passed == 0


def test_constants_of_indexed_types_fit_their_signature(verifier: Verifier) -> None:
    signature = """
type (_, _) equal = Same : ('a, 'a) equal
type _ value = Number : int -> int value | Truth : bool -> bool value
val same : 'a value -> 'b value -> ('a, 'b) equal
val number : int value
val truth : unit -> bool value"""
    problem = Problem(id="p", statement="s", signature=signature, tests=("false",))
    constants = [stub for stub in verifier.stubs(problem) if stub.name.startswith("constant")]
    assert len(constants) >= 2
    for stub in constants:
        assert verifier.verify(problem, stub.code).stage is Stage.TEST, stub.code


def test_constants_differ_throughout(verifier: Verifier) -> None:
    found = stubs_of(verifier, "val f : int -> int\nval g : int -> int list option")
    assert found["constant 1"] == "let f = fun a1 -> 0\nlet g = fun a1 -> None"
    assert found["constant 2"] == "let f = fun a1 -> 1\nlet g = fun a1 -> (Some [1])"


def test_identities_return_an_argument_of_the_right_type(verifier: Verifier) -> None:
    found = stubs_of(verifier, "val f : string -> int -> bool -> int -> int")
    assert found["identity first"] == "let f = fun a1 a2 a3 a4 -> a2"
    assert found["identity last"] == "let f = fun a1 a2 a3 a4 -> a4"


def test_a_table_answers_the_examples_only(verifier: Verifier) -> None:
    tests = (Test("f 1 ~by:2 = 3", public=True), Test("f 4 ~by:1 = 5", public=True), Test("f 9 ~by:9 = 18"))
    problem = Problem(id="p", statement="s", signature="val f : int -> by:int -> int", tests=tests)
    table = next(stub for stub in verifier.stubs(problem) if stub.name == "table of the examples")
    assert [test.passed for test in verifier.verify(problem, table.code).tests] == [True, True, False]


def test_the_commonest_answers_come_first(verifier: Verifier) -> None:
    found = stubs_of(verifier, "val f : int -> bool", "f 1 = true", "f 2 = false", "f 3 = false", "f 4 && f 5")
    assert found["common answer 1"] == "let f = fun a1 -> (false)"
    assert "common answer 2" in found


def test_an_unparsable_signature_names_its_problem(verifier: Verifier) -> None:
    problem = Problem(id="p", statement="s", signature="val f : int ->", tests=("true",))
    with pytest.raises(ProblemError, match="'p': its signature"):
        verifier.stubs(problem)


# --- assertions -------------------------------------------------------------------------------------------------------


def test_a_block_of_assertions_becomes_single_tests(verifier: Verifier) -> None:
    split = verifier.split_tests("let () =\n  assert (f 1 = 2);\n  assert (f (-1) = 0);\n  assert (f 0 = 1)")
    assert split.expressions == ("(f 1 = 2)", "(f (-1) = 0)", "(f 0 = 1)")
    assert (split.prelude, split.ignored, split.repaired) == ("", (), 0)


def test_an_alias_is_a_definition_and_other_lets_stay_with_their_assertions(verifier: Verifier) -> None:
    split = verifier.split_tests(
        "let double x = 2 * x\nlet assertions =\n let candidate = f in\n (assert ((candidate 1) = 2));\n"
        ' let x = double 3 in (assert (candidate x = 7); print_endline "ok"; ())'
    )
    assert split.prelude == "let double x = 2 * x\nlet candidate = f"
    assert split.expressions == ("((candidate 1) = 2)", "let x = double 3 in (candidate x = 7)")
    assert split.ignored == ('print_endline "ok"',)


def test_negative_numbers_of_other_languages_are_repaired_and_counted(verifier: Verifier) -> None:
    split = verifier.split_tests('let () = assert (f (~1) (~2.5) "(~3)" = (~4)); assert (g ~by:1 = 2)')
    assert split.expressions == ('(f (-1) (-2.5) "(~3)" = (-4))', "(g ~by:1 = 2)")
    assert split.repaired == 3


@pytest.mark.parametrize("text", ["let () = assert (f 1 =", "assert )", 'let s = "'])
def test_unparsable_assertions_are_an_error(verifier: Verifier, text: str) -> None:
    with pytest.raises(ProblemError):
        verifier.split_tests(text)


# --- headers of functions ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "signature"),
    [
        ("(** adds. *)\nlet add (a : int) (b : int) : int =", "val add : int -> int -> int"),
        ("let rec f (x : 'a list) (g : 'a -> 'b) : 'b list =", "val f : 'a list -> ('a -> 'b) -> 'b list"),
        ("type t = A | B of t\nlet depth (t : t) : int =", "type t = A | B of t\nval depth : t -> int"),
        ("let add (a : int) (b : int) : int = a + b", "val add : int -> int -> int"),
        (
            "let f ~(by : int) ?(limit : int option) () : int option =",
            "val f : by:int -> ?limit:int -> unit -> int option",
        ),
    ],
)
def test_a_header_gives_the_signature(verifier: Verifier, text: str, signature: str) -> None:
    header = verifier.header(text)
    assert header.signature == signature
    assert header.annotated


def test_a_header_does_not_depend_on_earlier_ones(verifier: Verifier) -> None:
    text = "type error = Bad of string\nlet f (x : string) : (int, error) result ="
    first = verifier.header(text)
    verifier.header(text.replace("Bad", "Worse"))
    assert [verifier.header(text) for _ in range(3)] == [first] * 3


def test_a_header_without_types_is_not_annotated(verifier: Verifier) -> None:
    assert not verifier.header("let f x y =").annotated


@pytest.mark.parametrize("text", ["", "let x : int =", "let f (x : unknown) : int =", "hello", "let f (x : int"])
def test_text_without_a_header_is_an_error(verifier: Verifier, text: str) -> None:
    with pytest.raises(ProblemError):
        verifier.header(text)


# --- answers and code metrics -----------------------------------------------------------------------------------------


def test_known_answers_are_read_off_tests(verifier: Verifier) -> None:
    found = verifier.answers(["f 1 [2; 3] = Some 4", "f 1 [] <> None", "List.map f [1] = [2]", "f 1 ="])
    assert found[0] == Answer(function="f", arguments=("(1)", "([2; 3])"), expected="(Some 4)")
    assert found[1:] == (None, None, None)


def test_code_metrics_counts_lines_and_names_constructs_and_modules(verifier: Verifier) -> None:
    reference = (
        "module Ids = Set.Make (Int)\n\nexception Stop\n"
        "let rec f n = if n = 0 then raise Stop else List.map (fun x -> x * f (n - 1)) [n]\n"
        "let g t = Ids.cardinal t"
    )
    problem = Problem(id="p", statement="s", signature="val f : int -> int", tests=("true",), reference=reference)
    code_metrics = verifier.measure(problem)
    assert code_metrics.lines == 4
    assert code_metrics.nodes > 15
    assert code_metrics.constructs == ("exceptions", "functors", "modules", "recursion")
    assert code_metrics.modules == ("Int", "List", "Set")


STATELESS = [
    "let f n = let seen = Hashtbl.create 8 in Hashtbl.replace seen n n; Hashtbl.length seen + n",
    "let f = function 0 -> 1 | n -> let a = [| n |] in a.(0) <- 2; a.(0)",
    "module M = Map.Make (Int)\nlet start = (1, [Some 'a'], M.empty)\nlet f n = n + fst3 start",
    "let f (type a) (x : a) = let r = ref x in !r",
    "module Random = struct let int n = n end\nmodule Own = struct let f n = n end\nlet f n = Own.f n",
    "exception Stop\nlet f n = try if n > 0 then raise Stop else n with Stop -> 0",
]
STATEFUL = [
    "let calls = ref 0\nlet f n = incr calls; n + !calls",
    "let f = let calls = ref 0 in fun n -> incr calls; n + !calls",
    "let calls : int ref = ref 0\nlet f n = n",
    "let calls = [| 0 |]\nlet f n = n",
    "let calls (type a) = ref 0\nlet f n = n",
    "type t = { mutable calls : int }\nlet t = { calls = 0 }\nlet f n = n",
    "let table = lazy (Hashtbl.create 8)\nlet f n = n",
    'let () = print_string ""\nlet f n = n',
    "module M = struct let calls = ref 0 end\nlet f n = n",
    "module F (X : sig end) = struct let calls = ref 0 end\nmodule M = F (struct end)\nlet f n = n",
    "include struct let calls = ref 0 end\nlet f n = n",
    "let f n = n + Random.int 3",
    "let f n = n + Stdlib.Random.int 3",
    "open Random\nlet f n = n + int 3",
    "module R = Random\nlet f n = n + R.int 3",
    "let f n = let module R = Random in n + R.int 3",
    'let f n = ignore (Str.string_match (Str.regexp "a") "a" 0); n',
    "let f n = if Sys.time () > 1. then n else 0",
    "let f n = n + String.length (read_line ())",
    "let f n = Bytes.set (Bytes.unsafe_of_string \"a\") 0 'b'; n",
    "let f n = Oo.id (object end) + n",
    "let f n = Hashtbl.randomize (); Hashtbl.hash n",
    "let f n = Hashtbl.length (Hashtbl.create ~random:true n)",
    "let f n = Hashtbl.length (Hashtbl.create ?random:(Some true) n)",
    "class c = let calls = ref 0 in object method f (n : int) = incr calls; n + !calls end\nlet f n = (new c)#f n",
]


@pytest.mark.parametrize(("code", "stateless"), [*[(c, True) for c in STATELESS], *[(c, False) for c in STATEFUL]])
def test_code_is_stateless_only_if_it_cannot_remember_calls(verifier: Verifier, code: str, stateless: bool) -> None:
    fine, test = "let fst3 (a, _, _) = a\nlet f n = n", "f 1 = 1"
    asked = Problem(id="p", statement="s", signature="val f : int -> int", tests=(test,), reference=fine)
    assert verifier.measure(asked).stateless
    code = f"let fst3 (a, _, _) = a\n{code}"
    assert verifier.measure(replace(asked, reference=code)).stateless is stateless
    assert verifier.measure(replace(asked, prelude=code)).stateless is stateless


def test_tests_that_use_state_of_the_library_are_not_stateless(verifier: Verifier) -> None:
    problem = Problem(
        id="p", statement="s", signature="val f : int -> int", tests=("f 1 = 1",), reference="let f n = n"
    )
    assert verifier.measure(problem).stateless
    assert not verifier.measure(replace(problem, tests=(Test("f (Random.int 5) = 1"),))).stateless
    assert not verifier.measure(replace(problem, tests=(*problem.tests, Test("f 1 = Sys.max_array_length")))).stateless


def test_most_bundled_references_are_proved_stateless(verifier: Verifier) -> None:
    """The audit in ``tests/problems/test_bundled.py`` runs each of them in three orders of its tests."""
    bundled = [problem for problem in load_problems("bundled") if problem.kind == "function"]
    proved = [problem for problem in bundled if verifier.measure(problem).stateless]
    assert len(proved) > 0.7 * len(bundled)


def test_headers_do_not_disturb_the_next_candidate(verifier: Verifier) -> None:
    problem = Problem(id="p", statement="s", signature="val f : int -> int", tests=("f 1 = 2",))
    for text in ("let f (x : int) : int =", "let f (x : unknown) : int ="):
        with contextlib.suppress(ProblemError):
            verifier.header(text)
    assert verifier.verify(problem, "let f x = x + 1").outcome is Outcome.PASSED
    assert verifier.verify(problem, "let f x = x + y").errors == 1
