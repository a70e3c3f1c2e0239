"""Tests of other forms than equalities are decided by data, too: the candidate gives leaves, the checker computes.

`Verifier(_filter=False)` stands for a candidate that controls its process.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from ocaml_env.errors import ConfigError, ProblemError
from ocaml_env.problem import Limits, Problem
from ocaml_env.verdict import Outcome
from ocaml_env.verifiers.local import Verifier
from tests.engine.cases import function, outcomes
from tests.engine.test_values import TYPED, TYPES, string

SIGNATURE = """
exception Bad of string
exception Worse
type shape = Dot | Line of int | Box of { w : int; h : float } | Group of shape list
type point = { x : float; y : float }
type 'a held = { mutable inside : 'a; name : string }
type hidden
val add : int -> int -> int
val half : float -> float
val even : int -> bool
val upto : int -> int list
val find : int -> (string, int) result
val shape : int -> shape
val point : float -> point
val hold : 'a -> 'a held
val adder : int -> int -> int
val hide : int -> hidden
val tag : int -> [ `None | `Some of int ]
val fail : string -> int
val scale : int array -> unit
"""

CANDIDATE = """
exception Bad of string
exception Worse
type shape = Dot | Line of int | Box of { w : int; h : float } | Group of shape list
type point = { x : float; y : float }
type 'a held = { mutable inside : 'a; name : string }
type hidden = int
let add a b = a + b
let half x = x /. 2.
let even n = n mod 2 = 0
let upto n = List.init n succ
let find n = if n > 0 then Ok (string_of_int n) else Error n
let shape n = if n = 0 then Dot else if n = 1 then Line 5 else Group [ Line n; Box { w = n; h = nan } ]
let point x = { x; y = 0. }
let hold inside = { inside; name = "it" }
let adder = ( + )
let hide n = n
let tag n = if n = 0 then `None else `Some n
let fail = function "worse" -> raise Worse | "not" -> raise Not_found | "deep" -> failwith "deep" | s -> raise (Bad s)
let scale a = Array.iteri (fun i x -> a.(i) <- 2 * x) a
"""

PRELUDE = """
exception Ours of int
let sum = List.fold_left ( + ) 0
let rises l = List.sort compare l = l
let twice = add
let calls = ref 0
let ours f = try f () with Bad _ -> raise (Ours 3)
"""

# Each of these holds for the candidate above.
BY_DATA = """
add 1 2 = add 2 1
add 1 2 = 3 && add 2 2 = 4 && not (add 1 1 = 3)
not (add 1 2 < 3 || add 2 2 > 4)
abs_float (half 3. -. 1.5) < 1e-9
Float.abs (half 3. -. 1.6) > 0.05
abs (add 1 (-5)) = 4
- (add 1 2) = -3 && -. (half 1.) = -0.5
compare (add 1 2) 4 < 0
half nan <> half nan
compare (half nan) (half nan) = 0
Float.is_nan (half nan) && not (Float.is_nan (half 1.))
not (half nan < 1. || half nan >= 1.)
1. = half 2. && 3 = add 1 2
even 4
even 4 && not (even 5)
even 4 = true && even 5 = even 7
(add 1 1 < 2) = false && false = (add 1 1 > 2)
twice 1 2 = add 2 1 && twice 1 1 = 2
let a = add 1 2 and b = add 2 3 in a < b && b - a = 2
let ok = even 2 in ok
let module M = struct let k = add 2 3 end in M.k = 5 && M.k > 4
let open List in length (upto 3) = 3 && nth (upto 3) 0 = 1
(calls := 0; add !calls 1) = 1 && add 1 1 = 2
upto 3 = [ 1; 2; 3 ] && sum (upto 3) = sum [ 3; 2; 1 ]
if add 1 1 = 2 then true else false
match upto 3 with [ 1; 2; _ ] -> true | _ -> false
match upto 4 with a :: _ :: b :: _ -> a = 1 && b - a = 2 | _ -> false
match find 3 with Ok text -> text = "3" | Error _ -> false
match find (-3) with Ok _ -> false | Error n when n > 0 -> false | Error n -> n = -3
match shape 7 with Group [ Line n; Box { w; h } ] -> n = w && h <> h | _ -> false
match shape 0, shape 1 with Dot, Line (4 | 5) -> true | _ -> false
match point 2. with { x = 2.; y } -> y = 0. | _ -> false
match tag 5 with `None -> false | `Some n -> n = 5
match [| half 2.; half 4. |] with [| 1.; y |] -> y = 2. | _ -> false
match tag 0 with `None -> true | `Some _ -> false
let h = hold 1 in h.inside <- 2; h = { inside = 2; name = "it" } && h.name = "it"
try ignore (fail "x"); false with Bad text -> text = "x"
try fail "worse" = 1 with Worse -> true | Bad _ -> false
try let _ = fail "not" in false with Not_found -> true
match fail "x" with _ -> false | exception Bad ("x" | "y") -> true
match fail "deep" with _ -> false | exception (Failure text) -> text = "deep"
match adder 1 with _ -> true | exception Bad _ -> false
match fail "x" with _ -> false | exception _ -> true
match ours (fun () -> fail "x") with _ -> false | exception Ours n -> n = 3
match add 1 2 with n -> n = 3 | exception Not_found -> false
(try ignore (fail "worse"); false with Worse -> true) && even 2
let a = [| 1; 2 |] in scale a; a = [| 2; 4 |] && (scale a; a = [| 4; 8 |])
let l = [ 1; 2; 3 ] in let n = List.length l in upto n = l && not (upto 2 = List.rev l)
let rec count n = if n = 0 then [] else count (n - 1) @ [ n ] in upto 4 = count 4
let l = [ 1; 2 ] in try upto 2 = l with Not_found -> false
let l = [ 1; 2 ] in try upto 2 = List.rev (List.rev l) with Not_found -> false
let h = half 3. in h > 1.4 && h < 1.6 && (try h > 1. with Not_found -> false)
let two = (half 3., half 5.) in fst two > 1.4 && fst two < 1.6 && snd two = 2.5
let h = hold 1 in let before = h.inside in h.inside <- 2; before = 1 && h.inside = 2 && before < h.inside
""".strip().splitlines()

INSIDE = {
    "add 1 2 == 3": "physical equality",
    "rises (upto 3)": "a predicate of the prelude",
    "List.mem 3 (upto 3) && even 2": "a predicate of the library",
    "let good n = even n in good 2": "a predicate of the test",
    "adder 1 = adder 1 || even 2": "a function",
    "hide 1 = hide 1": "an abstract type",
    "lazy (add 1 2) = lazy 3 || even 2": "a lazy value",
    "add 1 1 = 2 || add 1 2 = 4": "under a condition",
    "if even 2 then even 4 else even 5": "under a condition",
    "not (even 5 && even 4)": "under a condition",
    "try even 2 && even 4 with Not_found -> false": "under a condition",
    "try add 1 1 = List.hd [ 2 ] with Not_found -> false": "under a handler",
    "match find 3 with Ok text -> String.length text = 1 | Error _ -> false": "computes with a part of an answer",
}


def every(tests: list[str], limits: Limits | None = None, *, public: bool = False) -> Problem:
    return function(SIGNATURE, *tests, prelude=PRELUDE, limits=limits, public=public)


def test_tests_that_can_be_split_are_decided_by_data(verifier: Verifier) -> None:
    problem = every(BY_DATA)
    assert verifier.inside(problem) == {}
    verdict = verifier.verify(problem, CANDIDATE)
    wrong = [test for test, outcome in zip(BY_DATA, verdict.tests, strict=True) if not outcome.passed]
    assert wrong == [], verdict.diagnostics
    assert verdict.tests_passed_inside == 0


def test_a_negated_test_fails(verifier: Verifier) -> None:
    denied = [f"not ({test})" for test in BY_DATA]
    ended = outcomes(verifier.verify(every(denied), CANDIDATE))
    assert set(ended) == {Outcome.TEST_FAILURE}


@pytest.mark.parametrize("test", INSIDE)
def test_a_test_that_cannot_be_split_gives_its_reason(verifier: Verifier, test: str) -> None:
    problem = every([test, "even 2"])
    assert verifier.inside(problem) == {"test 1": INSIDE[test]}


# Tests in OUnit's style, and equivalent tests in this project's style.
OUNIT = {
    'assert_equal "b" (name (Some "b"))': 'name (Some "b") = "b"',
    "assert_equal ~printer:string_of_int 3 (score 1. 2.)": "score 1. 2. = 3",
    'assert_equal (Error "none") (steps 0)': 'steps 0 = Error "none"',
    "assert_equal [ 1; 2 ] (keep (fun x -> x < 3) [ 1; 2; 3 ])": "keep (fun x -> x < 3) [ 1; 2; 3 ] = [ 1; 2 ]",
    "assert_equal ~cmp:near 31.69 (age 10)": "abs_float (31.69 -. age 10) < 0.01",
    "assert_bool (leap 2000)": "leap 2000",
    'assert_raises (Failure "no") (fun () -> head [])': (
        'match head [] with _ -> false | exception Failure m -> m = "no"'
    ),
}


def test_ounits_assertions_run_inside_but_equivalent_equations_do_not(verifier: Verifier) -> None:
    signature = """
val name : string option -> string  val score : float -> float -> int  val steps : int -> (int, string) result
val keep : (int -> bool) -> int list -> int list  val age : int -> float  val leap : int -> bool
val head : int list -> int
"""
    prelude = """
let near a b = abs_float (a -. b) < 0.01
let assert_equal ?(cmp = ( = )) ?printer expected actual = ignore printer; cmp expected actual
let assert_bool b = b
let assert_raises e f = match f () with _ -> false | exception raised -> raised = e
"""
    written = verifier.inside(function(signature, *OUNIT, prelude=prelude))
    assert list(written.values()) == ["a predicate of the prelude"] * len(OUNIT)
    assert verifier.inside(function(signature, *OUNIT.values(), prelude=prelude)) == {}


def test_verdicts_count_tests_passed_inside(verifier: Verifier) -> None:
    verdict = verifier.verify(every(["add 1 2 == 3", "even 2", "rises (upto 3)", "rises [add 1 1; 1]"]), CANDIDATE)
    assert [test.inside for test in verdict.tests] == [True, False, True, True]
    assert (verdict.tests_passed, verdict.tests_passed_inside) == (3, 2)


def test_a_verifier_can_refuse_tests_that_run_inside() -> None:
    with Verifier(workers=1, inside="refuse") as strict:
        assert strict.verify(every(["even 2"]), CANDIDATE).passed
        for act in (strict.check, lambda problem: strict.verify(problem, CANDIDATE)):
            with pytest.raises(ConfigError, match=r"test 2 \(physical equality\)"):
                act(every(["even 2", "add 1 2 == 3"]))
    with pytest.raises(ConfigError, match="inside"):
        Verifier(inside="never")  # type: ignore[arg-type]


# --- agreement with OCaml --------------------------------------------------------------------------------------------

# Plain data, which OCaml can order.
ORDERED = sorted(
    set(TYPED)
    - {"exn", "(int, exn) result", "(int -> int) option", "buffer", "int lazy_t", "float lazy_t", "any"}
    - {name for name in TYPED if "bigarray" in name or "gadt" in name}
)
comparable = st.sampled_from(ORDERED).flatmap(lambda name: st.tuples(TYPED[name], TYPED[name]))
same = st.sampled_from(ORDERED).flatmap(lambda name: TYPED[name]).map(lambda text: (text, text))
RELATIONS = ("=", "<>", "<", "<=", ">", ">=")


@settings(
    max_examples=15,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.large_base_example],
)
@given(st.lists(st.tuples(st.one_of(comparable, same), st.sampled_from(RELATIONS)), min_size=60, max_size=60))
def test_relations_and_order_agree_with_ocaml(verifier: Verifier, asked: list[tuple[tuple[str, str], str]]) -> None:
    tests = []
    for (left, right), relation in asked:
        tests.append(f"id ({left}) {relation} id ({right})")
        tests.append(f'holds "{relation}" ({left}) ({right})')
        tests.append(f"compare (id ({left})) (id ({right})) = order ({left}) ({right})")
    signature = "val id : 'a -> 'a\nval holds : string -> 'a -> 'a -> bool\nval order : 'a -> 'a -> int"
    cases = "|".join(f'"{relation}" -> a {relation} b' for relation in RELATIONS)
    candidate = f"let id x = x\nlet holds r a b = match r with {cases} | _ -> false\nlet order = compare"
    problem = function(signature, *tests, prelude=TYPES, limits=Limits(test_cpu_seconds=1, total_cpu_seconds=20))
    assert verifier.inside(problem) == {}
    ended = outcomes(verifier.verify(problem, candidate))
    assert ended[::3] == ended[1::3]
    assert set(ended[2::3]) <= {Outcome.PASSED}


NUMBERS = st.sampled_from(["add 1 2", "add 2 2", "3", "sum (upto 2)", "twice 1 2", "!calls", "List.length (upto 3)"])
RAISING = st.sampled_from(
    ['fail "x"', 'fail "worse"', 'fail "not"', 'fail "deep"', "add 1 1", 'ours (fun () -> fail "x")']
)
HANDLERS = st.sampled_from(
    [
        'Bad "x" -> true',
        'Bad m -> m <> "x"',
        "Worse -> true | Not_found -> false",
        "_ -> true",
        'e -> e = Failure "deep"',
        'e when e = Bad "x" -> true',
        '((Bad _ | Worse) as e) -> Bad "x" = e',
        "Ours n when n > 2 -> true | _ -> false",
    ]
)
formulas = st.recursive(
    st.one_of(
        st.tuples(NUMBERS, st.sampled_from(["=", "<>", "<", "<=", ">", ">="]), NUMBERS).map(" ".join),
        st.sampled_from(
            ["even 2", "even 3", "true", "false", "half 1. < 0.6", "half nan = half nan", "even 2 = even 3"]
        ),
        st.tuples(RAISING, HANDLERS).map(
            lambda both: f"(match {both[0]} with n -> n = 2 | exception {both[1]})".replace(
                "| N", "| exception N"
            ).replace("| _", "| exception _")
        ),
        st.tuples(RAISING, HANDLERS).map(lambda both: f"(try {both[0]} = 2 with {both[1]})"),
        st.tuples(RAISING, HANDLERS).map(lambda both: f"(try ignore ({both[0]}); false with {both[1]})"),
        st.tuples(RAISING, NUMBERS).map(" < ".join),
        NUMBERS.map(lambda n: f'(match find ({n} - 3) with Ok s -> s = "1" | Error n -> n = 0)'),
        NUMBERS.map(lambda n: f"(incr calls; {n} > !calls)"),
    ),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda two: f"({two[0]} && {two[1]})"),
        st.tuples(inner, inner).map(lambda two: f"({two[0]} || {two[1]})"),
        inner.map(lambda formula: f"not ({formula})"),
        st.tuples(NUMBERS, inner).map(lambda two: f"(let k = {two[0]} in k > 2 && {two[1]})"),
        st.tuples(inner, inner, inner).map(lambda three: "(if {} then {} else {})".format(*three)),
        st.tuples(inner, HANDLERS).map(lambda two: f"(try {two[0]} with {two[1]})"),
        inner.map(lambda formula: f"(match {formula} with true -> false | false -> true)"),
    ),
    max_leaves=6,
)


@settings(
    max_examples=12,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.large_base_example],
)
@given(st.lists(formulas, min_size=40, max_size=40))
def test_a_test_by_data_ends_as_the_same_test_run_inside(verifier: Verifier, tests: list[str]) -> None:
    reset = "calls := 0; "
    asked = [test for formula in tests for test in (f"({reset}{formula})", f"({reset}{formula}) == true")]
    problem = every(asked, Limits(test_cpu_seconds=1, total_cpu_seconds=20))
    verdict = verifier.verify(problem, CANDIDATE)
    by_data, beside = verdict.tests[::2], verdict.tests[1::2]
    assert [test.outcome for test in by_data] == [test.outcome for test in beside]


def test_leaves_keep_the_value_from_when_they_were_read(verifier: Verifier) -> None:
    test = "let a = [| 1 |] in a = [| 1 |] && (scale a; a = [| 2 |]) && a = [| 2 |]"
    assert verifier.verify(every([test]), CANDIDATE).passed


def test_leaves_are_computed_in_the_order_of_ocaml(verifier: Verifier) -> None:
    problem = function("val next : unit -> int", "next () - next () = 1", "next () < next () = false && next () = 5")
    assert verifier.inside(problem) == {}
    assert verifier.verify(problem, "let n = ref 0\nlet next () = incr n; !n").passed


def test_parts_after_a_false_one_do_not_change_the_outcome(verifier: Verifier) -> None:
    problem = every(
        [
            'add 1 1 = 3 && fail "x" = 1',
            'fail "x" = 1 && even 3',
            'match fail "x" with _ -> true | exception Worse -> true',
        ],
        public=True,
    )
    verdict = verifier.verify(problem, CANDIDATE)
    assert outcomes(verdict) == [Outcome.TEST_FAILURE, Outcome.RUNTIME_ERROR, Outcome.RUNTIME_ERROR]
    assert all("Bad" in test.detail for test in verdict.tests[1:])


def test_exceptions_are_compared_by_identity(verifier: Verifier) -> None:
    problem = function(
        "exception Empty\nval top : int list -> int", "match top [] with _ -> false | exception Empty -> true"
    )
    assert verifier.verify(problem, "exception Empty\nlet top = function [] -> raise Empty | x :: _ -> x").passed
    alike = "exception Empty\nlet top = let module M = struct exception Empty end in fun _ -> raise M.Empty"
    assert outcomes(verifier.verify(problem, alike)) == [Outcome.RUNTIME_ERROR]
    assert outcomes(verifier.verify(problem, "exception Empty\nlet top _ = 0")) == [Outcome.TEST_FAILURE]


def test_a_raising_constant_raises_only_if_it_is_needed(verifier: Verifier) -> None:
    problem = every(["add 1 1 = 3 && add 1 2 = List.hd []", "add 1 2 = List.hd [] && even 2"])
    assert outcomes(verifier.verify(problem, CANDIDATE)) == [Outcome.TEST_FAILURE, Outcome.RUNTIME_ERROR]


def test_a_long_answer_is_compared_with_another(verifier: Verifier) -> None:
    problem = function("val up : int -> int list", "up 200_000 = up 200_000", "up 200_000 < up 200_001")
    assert verifier.verify(problem, "let up n = List.init n Fun.id").passed


# --- forgery ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def unfiltered() -> Iterator[Verifier]:
    with Verifier(workers=1, _filter=False, cache_size=0) as verifier:
        yield verifier


@settings(
    max_examples=60,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(st.lists(st.tuples(st.sampled_from("LVUXZI"), st.binary(max_size=40)), max_size=6), st.booleans())
def test_no_report_of_leaves_confuses_the_checker(
    unfiltered: Verifier, frames: list[tuple[str, bytes]], shaped: bool
) -> None:
    """A process under the candidate's control may write anything: the test fails and the checker survives."""
    head = b"v" + bytes(8) + b"b" + (256).to_bytes(8, "little") if shaped else b""
    reports = "; ".join(f"text '{tag}' {string((head if tag == 'L' else b'') + payload)}" for tag, payload in frames)
    code = f'external text : char -> string -> unit = "ocaml_env_report_text"\nlet secret _ = {reports or "()"}; 7'
    problem = function("val secret : int -> int", "abs (secret 1) = 41", "secret 2 = 5 || false", "secret 3 - 1 > 100")
    assert unfiltered.inside(problem) == {}
    assert not any(test.passed for test in unfiltered.verify(problem, code).tests)


FORGE = """
external text : char -> string -> unit = "ocaml_env_report_text"
let number n = String.init 8 (fun i -> Char.chr ((n lsr (8 * i)) land 255))
let int n = "i" ^ number n
let byte x i = Char.chr (Int64.to_int (Int64.shift_right (Int64.bits_of_float x) (8 * i)) land 255)
let float x = "d" ^ String.init 8 (byte x)
let leaves atom parts = text 'L' ("v" ^ number atom ^ "b" ^ number (List.length parts lsl 8) ^ String.concat "" parts)
"""


@pytest.mark.parametrize(
    ("test", "forged"),
    [
        # The checker computes values without the candidate itself,
        ("let l = [ 3; 1 ] in sort l = List.sort compare l", "leaves 0 [ int 0; int 0 ]; leaves 0 [ int 0 ]"),
        ("let l = [ 3; 1 ] in let f l = List.sort compare l in sort l = f l", "leaves 0 [ int 0; int 0 ]"),
        ("let n = 3 in let m = n * n in root 2. = float m", "leaves 0 [ float 1.; float 1. ]"),
        ("let n = Random.int 99 in sort [ n ] = [ n ]", "leaves 0 [ int 0; int 0 ]; leaves 0 [ int 0 ]"),
        # and the candidate reports a value once, even if a test uses it twice.
        ("let r = root 2. in r > 1.41 && r < 1.42", "leaves 0 [ float infinity ]; leaves 1 [ float neg_infinity ]"),
        ("let p = both 2. in p.low > 1. && p.low < 2.", "leaves 0 [ float infinity ]; leaves 1 [ float neg_infinity ]"),
        ("let p = pair 2. in fst p > 1. && fst p < 2.", "leaves 0 [ float infinity ]; leaves 1 [ float neg_infinity ]"),
        ("answer > 1. && answer < 2.", "leaves 0 [ float infinity ]; leaves 1 [ float neg_infinity ]"),
    ],
)
def test_contradictory_leaves_cannot_be_forged(unfiltered: Verifier, test: str, forged: str) -> None:
    signature = """type 'a both = { low : 'a; high : 'a }
val sort : int list -> int list
val root : float -> float
val both : float -> float both
val pair : float -> float * float
val answer : float"""
    problem = function(signature, test)
    assert unfiltered.inside(problem) == {}
    code = """type 'a both = { low : 'a; high : 'a }
let forge () = FORGED
let sort _ = forge (); []
let root _ = forge (); 0.
let both _ = forge (); { low = 0.; high = 0. }
let pair _ = forge (); (0., 0.)
let answer = forge (); 0."""
    assert not unfiltered.verify(problem, FORGE + code.replace("FORGED", forged)).passed


def test_a_test_whose_own_part_raises_can_never_pass(verifier: Verifier) -> None:
    with pytest.raises(ProblemError, match="it can never pass: it raises Failure"):
        verifier.check(every(["let n : int = List.hd [] in add n 1 = 2"]))


REWRITE = """
external set : bytes -> int -> char -> unit = "%bytes_unsafe_set"
external get : bytes -> int -> char = "%bytes_unsafe_get"
let base = Bytes.create 1_000_000
(* The first instruction of a function, made another one with or without effect. *)
let rewrite f change =
  let offset = Nativeint.to_int (Obj.raw_field (Obj.repr f) 0) - (2 * (Obj.magic base : int)) in
  set base offset (change (get base offset))
"""


@pytest.mark.parametrize("what", ["f", "List.rev_append"])
@pytest.mark.parametrize("test", ["apply (fun x -> x + 1) 3 == 4", "apply (fun x -> x + 1) 3 = 4"])
def test_rewritten_instructions_are_noticed(unfiltered: Verifier, what: str, test: str) -> None:
    """Those of the tests always, those of the library if a test runs inside. This deters, but is no proof."""
    problem = function("val apply : (int -> int) -> int -> int", test)
    code = REWRITE + f"let apply f x = let y = f x in rewrite {what} CHANGE; y"
    assert unfiltered.verify(problem, code.replace("CHANGE", "Fun.id")).passed
    changed = unfiltered.verify(problem, code.replace("CHANGE", "(fun c -> Char.chr (255 - Char.code c))"))
    assert changed.passed == (what != "f" and "==" not in test)
