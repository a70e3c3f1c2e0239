"""Comparison outside the jail agrees with OCaml's own `=`.

Values are written as OCaml expressions. Each pair is compared twice in one problem. The test `left = right` is split
and compared as bytes; OCaml itself compares `equal left right`. The two must agree; if OCaml refuses to compare, both
must fail.
"""

from __future__ import annotations

import struct

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from ocaml_env.errors import ProblemError
from ocaml_env.problem import Limits, Problem
from ocaml_env.verdict import Outcome
from ocaml_env.verifiers.local import Verifier
from tests.engine.cases import function, outcomes

# `id` makes sure that the left side is computed in the jail only.
SIGNATURE = "val id : 'a -> 'a\nval equal : 'a -> 'a -> bool"
CANDIDATE = "let id x = x\nlet equal a b = try a = b with Invalid_argument _ -> false"
TYPES = """
type color = Red | Green | Blue of int | Pair of int * color | Rec of { a : int; b : float } | Box of color array
type point = { x : float; y : float }
type mixed = { n : int; mutable s : string; p : point }
type _ gadt = Int : int -> int gadt | Str : string -> string gadt
type any = Any : 'a gadt -> any
let ba kind l = Bigarray.Array1.of_array kind Bigarray.c_layout l
"""


def string(text: bytes) -> str:
    return '"' + "".join(f"\\{byte:03d}" for byte in text) + '"'


def number(value: int, suffix: str = "") -> str:
    return f"({value}{suffix})"


def real(value: float) -> str:
    """Writes the exact value, with its sign, or nan."""
    bits = struct.unpack("<q", struct.pack("<d", value))[0]
    return f"(Int64.float_of_bits ({bits}L))"


def listed(items: list[str], start: str = "[", end: str = "]") -> str:
    return start + "; ".join(items) + end


# Each type has few distinct values, so that equal and nearly equal pairs are common.
ints = st.one_of(st.integers(-2, 2), st.sampled_from([2**62 - 1, -(2**62), 255, 2**31])).map(number)
floats = st.sampled_from([0.0, -0.0, 1.0, 1.5, float("inf"), -float("inf"), float("nan"), 5e-324, 1e308]).map(real)
strings = st.one_of(st.sampled_from([b"", b"a", b"ab", b"\x00", b"a\x00", b"\xff"]), st.binary(max_size=20)).map(string)
colors = st.recursive(
    st.sampled_from(
        ["Red", "Green", "Blue 0", "Blue 1", "Rec { a = 1; b = 0. }", "Rec { a = 1; b = (-0.) }", "Box [||]"]
    ),
    lambda inner: st.one_of(
        st.tuples(ints, inner).map(lambda pair: f"Pair ({pair[0]}, {pair[1]})"),
        st.lists(inner, max_size=2).map(lambda items: f"Box {listed(items, '[|', '|]')}"),
    ),
    max_leaves=4,
).map(lambda text: f"({text})")
points = st.tuples(floats, floats).map(lambda pair: f"{{ x = {pair[0]}; y = {pair[1]} }}")


def small_ints(low: int, high: int) -> st.SearchStrategy[int]:
    return st.one_of(st.integers(-1, 1).filter(lambda n: low <= n <= high), st.sampled_from([low, high]))


def bigarray(kind: str, elements: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(elements, max_size=3).map(lambda items: f"(ba Bigarray.{kind} {listed(items, '[|', '|]')})")


TYPED = {
    "int": ints,
    "float": floats,
    "string": strings,
    "bytes": strings.map(lambda text: f"(Bytes.of_string {text})"),
    "char": st.integers(0, 255).map(lambda code: f"'\\{code:03d}'"),
    "bool": st.sampled_from(["true", "false"]),
    "unit": st.just("()"),
    "int32": small_ints(-(2**31), 2**31 - 1).map(lambda n: number(n, "l")),
    "int64": small_ints(-(2**63), 2**63 - 1).map(lambda n: number(n, "L")),
    "nativeint": small_ints(-(2**63), 2**63 - 1).map(lambda n: number(n, "n")),
    "color": colors,
    "point": points,
    "mixed": st.tuples(ints, strings, points).map(lambda t: f"{{ n = {t[0]}; s = {t[1]}; p = {t[2]} }}"),
    "any": st.one_of(ints.map(lambda n: f"(Any (Int {n}))"), strings.map(lambda s: f"(Any (Str {s}))")),
    "[ `A | `B of int | `C of string * int ]": st.one_of(
        st.just("`A"), ints.map(lambda n: f"(`B {n})"), st.tuples(strings, ints).map(lambda t: f"(`C ({t[0]}, {t[1]}))")
    ),
    "int list": st.lists(ints, max_size=4).map(listed),
    "float array": st.lists(floats, max_size=3).map(lambda items: listed(items, "[|", "|]")),
    "string array": st.lists(strings, max_size=3).map(lambda items: listed(items, "[|", "|]")),
    "floatarray": st.lists(floats, max_size=3).map(lambda items: f"(Float.Array.of_list {listed(items)})"),
    "int option list": st.lists(st.one_of(st.just("None"), ints.map(lambda n: f"Some {n}")), max_size=3).map(listed),
    "float option ref": st.one_of(st.just("(ref None)"), floats.map(lambda f: f"(ref (Some {f}))")),
    "int lazy_t": ints.map(lambda n: f"(let l = lazy (Sys.opaque_identity {n}) in ignore (Lazy.force l); l)"),
    "float lazy_t": floats.map(lambda f: f"(let l = lazy (Sys.opaque_identity {f}) in ignore (Lazy.force l); l)"),
    "exn": st.sampled_from(
        [
            "Not_found",
            "Exit",
            'Failure ""',
            'Failure "x"',
            "Division_by_zero",
            'Invalid_argument "x"',
            "Stack.Empty",
            "Queue.Empty",
            'Sys_error "x"',
            'Scanf.Scan_failure "x"',
            'Assert_failure ("f", 1, 2)',
            "Stdlib.Exit",
        ]
    ).map(lambda name: f"({name})"),
    "(int, exn) result": st.one_of(ints.map(lambda n: f"Ok {n}"), st.sampled_from(["Error Not_found", "Error Exit"])),
    "int32 bigarray": bigarray("int32", small_ints(-(2**31), 2**31 - 1).map(lambda n: number(n, "l"))),
    "float bigarray": bigarray("float64", floats),
    "float32 bigarray": bigarray("float32", floats),
    "complex bigarray": bigarray(
        "complex64", st.tuples(floats, floats).map(lambda t: f"{{ Complex.re = {t[0]}; im = {t[1]} }}")
    ),
    "char bigarray": bigarray("char", st.sampled_from(["'a'", "'\\000'", "'\\255'"])),
    "int bigarray": bigarray("int", ints),
    "int16 bigarray": bigarray("int16_signed", st.integers(-3, 3).map(number)),
    "set": st.lists(ints, max_size=4).map(
        lambda items: f"(let module S = Set.Make (Int) in S.elements (S.of_list {listed(items)}))"
    ),
    "buffer": strings.map(lambda text: f"(let b = Buffer.create 16 in Buffer.add_string b {text}; b)"),
    "(int -> int) option": st.sampled_from(["None", "Some succ"]),
}

pairs = st.sampled_from(sorted(TYPED)).flatmap(lambda name: st.tuples(TYPED[name], TYPED[name]))
alike = st.sampled_from(sorted(TYPED)).flatmap(lambda name: TYPED[name]).map(lambda text: (text, text))

GENEROUS = Limits(test_cpu_seconds=1, total_cpu_seconds=20)


def comparing(pairs: list[tuple[str, str]]) -> Problem:
    tests = [test for left, right in pairs for test in (f"id ({left}) = ({right})", f"equal ({left}) ({right})")]
    return function(SIGNATURE, *tests, prelude=TYPES, limits=GENEROUS)


# A disagreement names its pair, so there is nothing to shrink.
@settings(
    max_examples=40,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.large_base_example],
)
@given(st.lists(st.one_of(pairs, alike), min_size=60, max_size=60))
def test_the_split_comparison_agrees_with_polymorphic_equality(
    verifier: Verifier, pairs: list[tuple[str, str]]
) -> None:
    # A right side that equals no value is refused, as it should be, so such values stand on the left only.
    askable = [(left, right) for left, right in pairs if not never_equal(right)]
    verdict = verifier.verify(comparing(askable), CANDIDATE)
    ended = outcomes(verdict)
    assert len(ended) == 2 * len(askable), verdict.diagnostics
    disagreements = [
        pair for pair, split, own in zip(askable, ended[::2], ended[1::2], strict=True) if split is not own
    ]
    assert not disagreements


def test_empty_arrays_are_equal_however_they_were_made(verifier: Verifier) -> None:
    """In OCaml 5.3, `Array.sub [|1.; 2.|] 1 0 = [||]` is false: that array has a tag of its own."""
    empty = ["[||]", "Array.sub [|1.; 2.|] 1 0", "Array.make 0 1.", "Array.append [||] [||]"]
    right = [*empty[:1], "Array.sub [|1.; 2.|] 2 0"]
    tests = [f"id ({left}) = ({other} : float array)" for left in empty for other in right]
    verdict = verifier.verify(function("val id : 'a -> 'a", *tests, prelude=TYPES), CANDIDATE)
    assert outcomes(verdict) == [Outcome.PASSED] * len(tests)


NAN = real(float("nan"))


def never_equal(text: str) -> bool:
    return NAN in text or "succ" in text


@pytest.mark.parametrize(
    ("left", "shown"),
    [
        ("id (Some succ)", "Some <fun>"),
        ("id (Some (fun () -> id))", "Some <fun>"),
        ("id (Some (lazy (id 3)))", "Some <lazy>"),
        ("id (Some (object method x = 1 end))", "Some <obj>"),
        ("id (Some (let rec cycle = 1 :: cycle in cycle))", "..."),
        ("id (Some (let rec cycle = `Left other and other = `Right cycle in cycle))", "..."),
        ("id (Some (Weak.create 1))", "Some <abstr>"),
        ("id (Some nan)", "nan"),
        ("id (Some [| 1.; nan |])", "nan"),
    ],
)
def test_a_value_that_equals_nothing_fails(verifier: Verifier, left: str, shown: str) -> None:
    problem = function("val id : 'a -> 'a", f"{left} = None", prelude=TYPES, public=True)
    verdict = verifier.verify(problem, CANDIDATE)
    assert verdict.outcome is Outcome.TEST_FAILURE
    assert shown in verdict.tests[0].detail


@pytest.mark.parametrize(
    ("right", "reason"),
    [
        ("Some succ", "a function"),
        ("Some nan", "nan"),
        ('Some (lazy (String.length ""))', "lazy"),
        ("let rec c = 1 :: c in Some c", "cyclic"),
    ],
)
def test_a_right_side_that_equals_nothing_is_an_error_of_the_problem(
    verifier: Verifier, right: str, reason: str
) -> None:
    with pytest.raises(ProblemError, match=reason) as raised:
        verifier.check(function("val id : 'a -> 'a", "id None = None", f"id None = ({right})"))
    assert raised.value.test == "test 2"


def test_a_huge_shared_value_ends_within_its_limits(verifier: Verifier) -> None:
    """Written out in full, it would exceed the machine's memory."""
    problem = function("type t = T of t list\nval dag : int -> t list", "dag 60 = []", "dag 1 = [T []]")
    code = "type t = T of t list\nlet rec dag n = if n = 0 then [] else let half = dag (n - 1) in T half :: half"
    assert outcomes(verifier.verify(problem, code)) == [Outcome.TEST_FAILURE, Outcome.PASSED]


@pytest.mark.parametrize("length", [0, 1, 50_000])
def test_long_values_are_compared_correctly(verifier: Verifier, length: int) -> None:
    problem = function(
        "val up : int -> int list\nval text : int -> string",
        f"up {length} = List.init {length} Fun.id",
        f"up {length} = List.init {length} (fun i -> if i = {length - 1} then -1 else i)",
        f"text {length} = String.make {length} 'x'",
        limits=GENEROUS,
    )
    verdict = verifier.verify(problem, "let up n = List.init n Fun.id\nlet text n = String.make n 'x'")
    assert outcomes(verdict) == [Outcome.PASSED, Outcome.TEST_FAILURE if length else Outcome.PASSED, Outcome.PASSED]


def test_a_deep_value_is_compared_correctly(verifier: Verifier) -> None:
    problem = function(
        "type t = Leaf | Left of t * int\nval chain : int -> t",
        "chain 30_000 = (let rec go n t = if n = 0 then t else go (n - 1) (Left (t, 1)) in go 30_000 Leaf)",
        limits=GENEROUS,
    )
    code = "type t = Leaf | Left of t * int\n"
    code += "let chain n = List.fold_left (fun t k -> Left (t, k)) Leaf (List.init n (fun _ -> 1))"
    assert verifier.verify(problem, code).passed
    assert (
        verifier.verify(problem, code.replace("fun _ -> 1", "fun i -> if i = 0 then 2 else 1")).outcome
        is Outcome.TEST_FAILURE
    )


def test_exceptions_of_the_prelude_are_equal_to_themselves(verifier: Verifier) -> None:
    prelude = "exception Missing\nexception Found of int\n"
    prelude += "let attempt f = try Ok (f ()) with Not_found -> Error Missing | Failure _ -> Error (Found 1)"
    problem = function(
        "val f : int -> int",
        "attempt (fun () -> f 1) = Error Missing",
        "attempt (fun () -> f 2) = Error (Found 1)",
        "attempt (fun () -> f 3) = Ok 3",
        prelude=prelude,
    )
    code = 'exception A\nexception B\nlet f = function 1 -> raise Not_found | 2 -> failwith "" | n -> n'
    assert verifier.verify(problem, code).passed
    other = code.replace("raise Not_found", 'failwith ""')
    assert outcomes(verifier.verify(problem, other))[0] is Outcome.TEST_FAILURE


def test_exceptions_of_the_candidate_can_be_compared(verifier: Verifier) -> None:
    problem = function(
        "exception Bad of int\nval f : int -> (int, exn) result",
        "f 1 = Error (Bad 1)",
        "(match f 2 with Error (Bad n) -> n = 2 | _ -> false)",
        "f 3 = Error Not_found",
    )
    assert verifier.verify(problem, "exception Bad of int\nlet f n = Error (if n = 3 then Not_found else Bad n)").passed


def test_the_preludes_own_equality_is_used(verifier: Verifier) -> None:
    problem = function(
        "val third : float", "third = 0.333", "not (third = 0.34)", prelude="let ( = ) a b = Float.abs (a -. b) < 0.001"
    )
    assert verifier.verify(problem, "let third = 1. /. 3.").passed


def test_a_right_side_sees_the_prelude_before_any_call(verifier: Verifier) -> None:
    prelude = "let seen = ref []\nlet note x = seen := x :: !seen"
    problem = function(
        "val each : ('a -> unit) -> 'a list -> unit", "(each note [1; 2; 3]; !seen) = [3; 2; 1]", prelude=prelude
    )
    assert verifier.verify(problem, "let each = List.iter").passed
    assert not verifier.verify(problem, "let each f l = List.iter f (List.rev l)").passed


def test_a_candidates_own_equality_changes_nothing(verifier: Verifier) -> None:
    problem = function("val id : int -> int", "id 1 = 1", "id 2 = 3")
    code = "let ( = ) _ _ = true\nlet compare _ _ = 0\nmodule Stdlib = struct let ( = ) _ _ = true end\nlet id x = x"
    assert outcomes(verifier.verify(problem, code)) == [Outcome.PASSED, Outcome.TEST_FAILURE]


def test_a_right_side_that_calls_the_candidate_by_a_binding_operator_runs_inside(verifier: Verifier) -> None:
    problem = function(
        "val bind : 'a list -> ('a -> 'b list) -> 'b list",
        "twice [1; 2] = [1; 1; 2; 2]",
        "bind [1; 2] (fun x -> [x; x]) = twice [1; 2]",
        prelude="let ( let* ) = bind\nlet twice l = let* x = l in [x; x]",
    )
    assert verifier.verify(problem, "let bind l f = List.concat_map f l").passed
    assert outcomes(verifier.verify(problem, "let bind _ _ = []")) == [Outcome.TEST_FAILURE, Outcome.PASSED]
