"""Values are shown as OCaml's own toplevel writes them; marks stand for omitted parts."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from ocaml_env.problem import Limits, Problem, Test
from ocaml_env.verifiers.local import Verifier

# Types for the values: first the candidate's, then the prelude's.
SIGNATURE = """
type color = Red | Green | Blue of int | Mixed of color * color
type shape = Dot | Box of { w : int; h : float } | Group of shape list
type point = { x : float; y : float }
type person = { name : string; mutable age : int; home : point option }
type 'a tree = Leaf | Node of 'a tree * 'a * 'a tree
type ('a, 'b) either_or = This of 'a | That of 'b | Both of 'a * 'b
type 'a nested = Nil | Cons of 'a * ('a * 'a) nested
type celsius = Celsius of float [@@unboxed]
type boxed = { raw : string } [@@unboxed]
type 'a cell = { mutable contents_of : 'a; label : string }
type even = Zero | Succ of odd
and odd = Pred of even
type suit = [ `Clubs | `Hearts | `Joker of int | `Pair of string * int ]
exception Bad of string
exception Worse of color list * int
exception Alone
module Inner : sig
  type kind = Small | Large of int
  type record = { first : int; second : bool }
end
"""
PRELUDE = """
type _ expr = Num : int -> int expr | Text : string -> string expr | Both_of : 'a expr * 'b expr -> ('a * 'b) expr
type any = Any : 'a -> any
type packed = Packed : 'a expr * 'a -> packed
module Money : sig type t = private int val make : int -> t end = struct type t = int let make n = n end
module Abstract : sig type t val make : int -> t end = struct type t = int let make n = n end
module Ints = Set.Make (Int)
module Strings = Map.Make (String)
type alias = (int * string) list
type chain = [ `End | `Link of int * chain ]
type 'a path = [ `Here of 'a | `There of 'a path ]
type 'a pair = 'a * 'a
type operation = { apply : int -> int; title : string }
type flat = { a : float; b : float; c : float }
type wide = W of int * string * float * bool
type op = Plus | Minus of op
type ext = ..
type ext += Point of int | Blank
let forced v = let l = lazy (Sys.opaque_identity v) in ignore (Lazy.force l); l
"""
CANDIDATE = SIGNATURE.replace("module Inner : sig", "module Inner = struct") + "let id x = x"

INTS = ["0", "1", "-1", "42", "max_int", "min_int"]
FLOATS = [
    "0.",
    "(-0.)",
    "1.5",
    "(-2.25)",
    "nan",
    "infinity",
    "neg_infinity",
    "1e300",
    "1e-300",
    "0.1",
    "1. /. 3.",
    "1e22",
]
STRINGS = [
    '""',
    '"plain"',
    '"two  blanks"',
    r'"a\nb\tc\rd\be"',
    r'"quote \" and \\ and `"',
    r'"\000\001\127"',
    '"h\u00e9llo \u2713"',
    r'"it' "'" 's"',
]
COLORS = ["Red", "Green", "Blue 3", "Blue (-3)", "Mixed (Red, Blue (-1))", "Mixed (Mixed (Red, Green), Blue 0)"]

VALUES: dict[str, list[str]] = {
    "int": INTS,
    "float": FLOATS,
    "bool": ["true", "false"],
    "unit": ["()"],
    "char": ["'a'", r"'\n'", r"'\''", "'\"'", r"'\\'", r"'\000'", r"'\200'", r"'\255'", "' '"],
    "string": STRINGS,
    "bytes": [f"Bytes.of_string {text}" for text in STRINGS[:6]],
    "int32": ["0l", "(-1l)", "Int32.max_int", "Int32.min_int"],
    "int64": ["0L", "(-1L)", "Int64.max_int", "Int64.min_int"],
    "nativeint": ["0n", "(-1n)", "Nativeint.max_int", "Nativeint.min_int"],
    "int option": ["None", *[f"Some ({n})" for n in INTS]],
    "float option": [f"Some ({x})" for x in FLOATS],
    "int32 option": ["Some 1l", "Some (-1l)"],
    "int64 option": ["Some 1L", "Some (-1L)"],
    "nativeint option": ["Some 1n", "Some (-1n)"],
    "string option option": ["None", "Some None", 'Some (Some "x")'],
    "bytes option": ['Some (Bytes.of_string "x")'],
    "(int, string) result": ["Ok 1", "Ok (-1)", 'Error "no"'],
    "int list": ["[]", "[1]", "[1; -2; 3]", "List.init 50 Fun.id"],
    "float list": ["[]", "[1.; -0.; nan]"],
    "string list": ["[]", '["a"; ""]', f"[{'; '.join(STRINGS)}]"],
    "int list list": ["[[]]", "[[1]; []; [2; 3]]"],
    "int array": ["[||]", "[|1; -2|]"],
    "float array": ["[||]", "[|1.; -0.; nan|]", "[|1e300; infinity|]"],
    "string array": ['[|"a"|]'],
    "int array array": ["[|[||]; [|1|]|]"],
    "int * string": ['(1, "a")', '(-1, "")'],
    "int * (float * char) * bool": ["(1, (-2.5, 'c'), true)"],
    "(int * int) list": ["[(1, -1); (2, -2)]"],
    "int pair": ["(3, -3)"],
    "alias": ["[]", '[(1, "one")]'],
    "color": COLORS,
    "color list": [f"[{'; '.join(COLORS)}]"],
    "color option": [f"Some ({c})" for c in COLORS],
    "shape": ["Dot", "Box { w = -1; h = 2.5 }", "Group []", "Group [Dot; Box { w = 1; h = -0. }; Group [Dot]]"],
    "shape option": ["Some Dot", "Some (Box { w = 1; h = nan })"],
    "point": ["{ x = 1.; y = -0. }", "{ x = nan; y = infinity }"],
    "flat": ["{ a = 0.; b = 1e300; c = -1.5 }"],
    "person": [
        '{ name = "Ada"; age = 36; home = None }',
        '{ name = ""; age = -1; home = Some { x = 0.; y = 1. } }',
    ],
    "int tree": ["Leaf", "Node (Leaf, 1, Leaf)", "Node (Node (Leaf, -1, Leaf), 0, Node (Leaf, 1, Leaf))"],
    "string tree": ['Node (Leaf, "x", Leaf)'],
    "float tree": ["Node (Leaf, -0., Leaf)"],
    "(int, color) either_or": ["This (-1)", "That (Blue (-1))", "Both (-1, Red)"],
    "(int list, int array) either_or": ["This [1]", "That [|1|]", "Both ([], [||])"],
    "int nested": ["Nil", "Cons (1, Nil)", "Cons (1, Cons ((2, 3), Cons (((4, 5), (6, 7)), Nil)))"],
    "celsius": ["Celsius 1.5", "Celsius (-1.5)", "Celsius nan"],
    "celsius array": ["[|Celsius 1.; Celsius (-1.)|]"],
    "boxed": ['{ raw = "x" }'],
    "int cell": ['{ contents_of = -1; label = "l" }'],
    "int cell cell": ['{ contents_of = { contents_of = 1; label = "" }; label = "l" }'],
    "even": ["Zero", "Succ (Pred Zero)", "Succ (Pred (Succ (Pred Zero)))"],
    "suit": ["`Clubs", "`Hearts", "`Joker 1", "`Joker (-1)", '`Pair ("a", -1)'],
    "suit list": ["[`Clubs; `Joker 1]"],
    "[ `A | `B of int * bool | `C of [ `D | `E of float ] ]": ["`A", "`B (-1, true)", "`C `D", "`C (`E (-1.))"],
    "int ref": ["ref 0", "ref (-1)"],
    "int list ref ref": ["ref (ref [1; 2])"],
    "exn": [
        "Not_found",
        "Exit",
        'Failure "a\\"b"',
        'Invalid_argument "index"',
        "Division_by_zero",
        "Alone",
        'Bad "x"',
        "Worse ([Red; Blue (-1)], -2)",
        "Stack_overflow",
    ],
    "(int, exn) result": ["Ok 1", 'Error (Failure "x")', "Error Not_found", 'Error (Bad "")'],
    "Inner.kind": ["Inner.Small", "Inner.Large (-1)"],
    "Inner.record": ["{ Inner.first = 1; second = false }"],
    "Inner.kind list": ["[Inner.Small; Inner.Large 1]"],
    "(int, string) Either.t": ["Either.Left 1", 'Either.Right "x"'],
    "Complex.t": ["{ Complex.re = 1.; im = -2. }", "Complex.i"],
    "int expr": ["Num 3", "Num (-3)"],
    "(int * string) expr": ['Both_of (Num 1, Text "x")'],
    "any": ["Any 3", 'Any "x"', "Any (1, 2)"],
    "packed": ["Packed (Num 1, 2)", 'Packed (Text "a", "b")'],
    "Money.t": ["Money.make 3", "Money.make (-3)"],
    "Money.t option": ["Some (Money.make (-3))"],
    "wide": ['W (-1, "a", -0.5, true)'],
    "op": ["Plus", "Minus Plus", "Minus (Minus Plus)"],
    "ext": ["Blank"],
    "ext list": ["[Blank; Blank]"],
    "Abstract.t": ["Abstract.make 1"],
    "Abstract.t list": ["[Abstract.make 1; Abstract.make 2]"],
    "int * Abstract.t * int": ["(1, Abstract.make 2, 3)"],
    "Ints.t": ["Ints.empty", "Ints.of_list [1; 2; 3]"],
    "string * Ints.t * string": ['("a", Ints.of_list [1; 2], "b")'],
    "int Strings.t": ['Strings.singleton "a" 1'],
    "(int, string) Hashtbl.t": ["Hashtbl.create 3"],
    "int Queue.t": ["Queue.create ()"],
    "int Stack.t": ["Stack.create ()"],
    "Buffer.t": ["Buffer.create 3"],
    "int Seq.t": ["Seq.empty"],
    "int -> int": ["succ", "(fun x -> x)"],
    "(int -> int) list": ["[succ; pred]"],
    "int * (unit -> unit) * int": ["(1, ignore, 2)"],
    "operation": ['{ apply = succ; title = "succ" }'],
    "int lazy_t": ["lazy 3", "forced 3", 'lazy (String.length "abc")'],
    "(int * string lazy_t * int)": ['(1, lazy "x", 2)', '(1, forced "x", 2)'],
    "< m : int >": ["object method m = 1 end"],
    "< m : int > option": ["Some (object method m = 1 end)"],
    "'a list": ["[]"],
    "'a option * 'a array": ["(None, [||])"],
    "Float.Array.t": ["Float.Array.of_list [1.; 2.]"],
    "int list option list": ["[None; Some [1]; Some []]"],
    "(char * char) array": ["[|('a', 'b')|]"],
    "int option tree list": ["[Leaf; Node (Leaf, Some (-1), Leaf)]"],
    "Uchar.t": ["Uchar.of_int 65"],
    "float ref": ["ref (-0.)", "ref nan"],
    "int path": ["`Here 1", "`There (`There (`Here (-1)))"],
    "chain": ["`End", "`Link (-1, `Link (2, `End))"],
    "[ `End | `Link of int * 'a ] as 'a": ["`End", "`Link (-1, `Link (2, `End))"],
    "(unit, unit) result": ["Ok ()", "Error ()"],
}  # fmt: skip

# Each of these types inside others, with its first and its last value.
for inner in [
    "int",
    "float",
    "char",
    "bool",
    "string",
    "bytes",
    "int32",
    "int64",
    "nativeint",
    "color",
    "celsius",
    "suit",
]:
    first, last = VALUES[inner][0], VALUES[inner][-1]
    VALUES[f"({inner} * {inner}) array"] = [f"[|({first}, {last})|]", f"[|({last}, {first}); ({last}, {last})|]"]
    VALUES[f"({inner}, {inner} list) result"] = [f"Ok ({last})", f"Error [{first}; {last}]"]
    VALUES[f"{inner} tree ref"] = [f"ref (Node (Leaf, ({last}), Leaf))"]

# These exceed our own bound or the toplevel's.
LONG = {
    "int list": ["List.init 1000 Fun.id"],
    "float array": ["Array.make 1000 0.5"],
    "string": ["String.make 1000 'x'", 'String.concat "" (List.init 150 (fun _ -> "\u00e9"))'],
    "int tree": ["List.fold_left (fun t n -> Node (t, n, Leaf)) Leaf (List.init 200 Fun.id)"],
    "string list": ["List.init 100 (fun _ -> String.make 100 'y')"],
    "int list list": ["List.init 50 (fun _ -> List.init 50 Fun.id)"],
}
MARK = re.compile(r"\.\.\.|<lazy>|<poly>|<abstr>|<fun>|<obj>|_")


def shown_by_us(verifier: Verifier, asked: list[tuple[str, str]]) -> list[str]:
    tests = [Test(f"match id (({text}) : {kind}) with _ -> false", public=True) for kind, text in asked]
    problem = Problem(
        id="shown",
        statement="Shown.",
        signature=SIGNATURE + "val id : 'a -> 'a",
        prelude=PRELUDE,
        tests=tests,
        limits=Limits(test_cpu_seconds=2, total_cpu_seconds=30),
    )
    verdict = verifier.verify(problem, CANDIDATE)
    assert len(verdict.tests) == len(tests), verdict.diagnostics
    return [given(test.detail) for test in verdict.tests]


def given(detail: str) -> str:
    found = re.search(r" gave (?:`` (.*) ``|`([^`]*)`)$", detail)
    assert found, detail
    return found[1] or found[2]


def shown_by_the_toplevel(asked: list[tuple[str, str]]) -> list[str]:
    preamble = SIGNATURE.replace("module Inner : sig", "module Inner = struct") + PRELUDE
    phrases = "".join(f'"next";;\n(({text}) : {kind});;\n' for kind, text in asked)
    ran = subprocess.run(
        ["ocaml", "-noprompt", "-noinit", "-w", "-a"],
        input=f"Format.set_margin 1_000_000;;\n{preamble};;\n{phrases}",
        capture_output=True,
        text=True,
        check=True,
    )
    answers = ran.stdout.split('- : string = "next"\n')[1:]
    assert len(answers) == len(asked), ran.stdout[-2000:]
    return [answer.strip().split(" = ", 1)[1] for answer in answers]


@pytest.fixture(scope="module")
def compared(verifier: Verifier) -> list[tuple[str, str, str]]:
    if shutil.which("ocaml") is None:
        pytest.skip("needs OCaml's toplevel")
    asked = [(kind, text) for kind, texts in VALUES.items() for text in texts]
    ours, theirs = shown_by_us(verifier, asked), shown_by_the_toplevel(asked)
    return [(f"({text} : {kind})", a, b) for (kind, text), a, b in zip(asked, ours, theirs, strict=True)]


def agrees(ours: str, theirs: str) -> bool:
    """Says if both texts are equal, apart from the parts behind our marks."""
    pattern = ".*".join(re.escape(part) for part in MARK.split(ours))
    return re.fullmatch(pattern, theirs, re.DOTALL) is not None


def test_hundreds_of_values_are_written_as_the_toplevel_writes_them(compared: list[tuple[str, str, str]]) -> None:
    assert len(VALUES) >= 60
    assert len(compared) >= 300
    assert [case for case in compared if not agrees(case[1], case[2])] == []
    unequal = [case for case in compared if case[1] != case[2]]
    assert len(unequal) <= 20, unequal


def test_long_values_are_cut_with_a_mark(verifier: Verifier) -> None:
    asked = [(kind, text) for kind, texts in LONG.items() for text in texts]
    for (kind, text), ours in zip(asked, shown_by_us(verifier, asked), strict=True):
        assert "..." in ours, (kind, text)
        assert len(ours) <= 300
