"""The interpreter of OCaml in Python agrees with OCaml."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ocaml_env.kills.interpreter.calls import Call, recorded
from ocaml_env.kills.interpreter.errors import Diverged, Raised, Unsupported
from ocaml_env.kills.interpreter.evaluate import Compiler
from ocaml_env.kills.interpreter.literal import literal
from ocaml_env.kills.interpreter.syntax import read_expressions, read_items
from ocaml_env.problem import Problem, Test
from ocaml_env.problems import load_problems

if TYPE_CHECKING:
    from ocaml_env.verifiers.local import Verifier

PRELUDE = """
type shape = Dot | Line of int | Box of { w : int; h : int }
type point = { x : int; mutable y : float }
exception Odd of int * string
module S = Set.Make (Int)
module M = Map.Make (String)
let table l = let t = Hashtbl.create 1 in List.iter (fun (k, v) -> Hashtbl.add t k v) l; t
let show = function Odd (n, s) -> Printf.sprintf "%d%s" n s | e -> Printexc.to_string e
let told f = try Ok (f ()) with e -> Error (show e)
let rec odd n = if n = 0 then false else even (n - 1) and even n = n = 0 || odd (n - 1)
let twice ?(by = 2) ~of_ () = by * of_
let ( let* ) = Option.bind
"""

EXPRESSIONS = r"""
(7 / 2, -7 / 2, 7 / -2, 7 mod -2, -7 mod 2, max_int + 1 = min_int, min_int / -1, abs min_int)
(1 lsl 61, 1 lsl 62, -1 lsr 1, -1 asr 1, lnot 5, 6 land 3, 6 lor 3, 6 lxor 3, -8 asr 1)
(told (fun () -> 1 / 0), told (fun () -> 1 mod 0), told (fun () -> raise (Odd (1, "x"))), told (fun () -> [||].(0)))
(told (fun () -> List.hd []), told (fun () -> List.nth [1] 2), told (fun () -> List.nth [1] (-1)), told (fun () -> List.find odd [2]))
(told (fun () -> String.sub "abc" 2 2), told (fun () -> "abc".[3]), told (fun () -> List.combine [1] []), told (fun () -> Option.get None))
(told (fun () -> int_of_string "x"), told (fun () -> failwith "a\"b"), told (fun () -> List.map2 ( + ) [1] [1; 2]), told (fun () -> Array.make (-1) 0))
(List.map int_of_string_opt ["0x1F"; "-12"; "+3"; "1_000"; ""; "-"; "0b101"; "1e3"; "9223372036854775807"; "4611686018427387904"; "-4611686018427387904"])
(List.map float_of_string_opt ["1"; "1."; ".5"; "1e3"; "x"; "-0.5"], string_of_float 3., string_of_float 0.1, string_of_float 1e22, string_of_float 123456789012345.)
(List.map string_of_float [infinity; neg_infinity; 1e-7; 1.5e10; -0.; 100000000000000.], 1. /. 0. > 0., compare nan nan, nan = nan, nan < 1.)
(Float.round 2.5, Float.round (-2.5), Float.to_int (-2.7), floor (-2.5), ceil 2.1, 2. ** 10., sqrt 2., Float.rem 7. 3., int_of_float 3.99)
(compare [1; 2] [1; 3], compare (1, "b") (1, "a"), compare (Some 1) None, compare [] [1], compare Dot (Line 1), Line 1 = Line 1, compare "ab" "b", compare [|1; 2|] [|3|])
(min "a" "b", max (1, 2) (1, 3), min 1.5 0.5, compare 'a' 'b', compare true false, Dot < Line 0, { x = 1; y = 2. } = { x = 1; y = 2. })
(Printf.sprintf "%d|%5d|%-5d|%05d|%+d|% d|%x" 42 42 42 42 42 42 255, Printf.sprintf "%X|%o" 255 8, Printf.sprintf "%s|%5s|%-5s|%c|%b|%%" "ab" "ab" "ab" 'c' true)
(Printf.sprintf "%.2f|%8.3f|%-8.1f|%e|%g|%g|%g" 3.14159 2.5 2.5 12345.678 0.0001 1e10 100., Printf.sprintf "%S %C" "a\n\"" '\t', Printf.sprintf "%*d" 6 42)
(let show () l = String.concat "," (List.map string_of_int l) in Printf.sprintf "[%a] %s" show [1; 2] "x")
(String.split_on_char ',' "a,,b", String.concat "-" ["a"; "b"], String.trim "  a b\n", String.uppercase_ascii "aé", String.capitalize_ascii "abc", String.index_opt "abc" 'c')
(String.escaped "a\tb\\\"\001", Char.escaped '\'', String.map Char.uppercase_ascii "abc", String.mapi (fun i c -> if i = 0 then 'x' else c) "abc", String.init 3 (fun i -> Char.chr (97 + i)))
(List.sort compare [3; 1; 2], List.sort_uniq compare [3; 1; 3], List.stable_sort (fun (a, _) (b, _) -> compare a b) [(1, 'a'); (0, 'b'); (1, 'c'); (0, 'd')], List.merge compare [1; 3] [2; 3])
(List.fold_left (fun a x -> x :: a) [] [1; 2; 3], List.fold_right (fun x a -> x - a) [1; 2; 3] 0, List.rev_append [1; 2] [3], List.concat [[1]; []; [2; 3]], List.flatten [[1]; [2]])
(List.partition odd [1; 2; 3], List.assoc_opt 2 [(1, 'a'); (2, 'b')], List.remove_assoc 1 [(1, 2); (1, 3)], List.split [(1, 'a'); (2, 'b')], List.filter_map (fun x -> if odd x then Some (x * x) else None) [1; 2; 3])
(List.init 4 (fun i -> i * i), List.mapi (fun i x -> i + x) [5; 5], List.find_map (fun x -> if x > 1 then Some (x * 2) else None) [1; 2], List.concat_map (fun x -> [x; x]) [1; 2], List.fold_left_map (fun a x -> (a + x, a * x)) 1 [2; 3])
(let a = [|3; 1; 2|] in Array.sort compare a; let b = Array.copy a in b.(0) <- 9; (a, b, Array.to_list (Array.sub a 1 2), Array.append a b, Array.fold_right (fun x l -> x :: l) a []))
(let m = Array.make_matrix 2 2 0 in m.(0).(1) <- 5; (m, Array.map Array.length m, Array.exists odd [|2; 3|], Array.mapi (fun i x -> i * x) [|4; 5|]))
(let t = table [("a", 1); ("b", 2); ("a", 3)] in (Hashtbl.find_all t "a", Hashtbl.length t, Hashtbl.find_opt t "z", (Hashtbl.remove t "a"; Hashtbl.find t "a")))
(let t = table (List.init 100 (fun i -> (i * 7919 mod 1009, i))) in Hashtbl.fold (fun k v l -> (k, v) :: l) t [])
(let t = table (List.map (fun s -> (s, String.length s)) ["x"; "hello"; "a longer key"; ""; "ab"]) in List.of_seq (Hashtbl.to_seq_keys t))
(let t = table [((1, "a"), 0); ((2, "b"), 1); ((3, "c"), 2)] in Hashtbl.fold (fun k _ l -> k :: l) t [], Hashtbl.hash [1; 2; 3], Hashtbl.hash "hello", Hashtbl.hash (1, 'c', 2.5), Hashtbl.hash (Some (Line 3)))
(S.elements (S.union (S.of_list [3; 1]) (S.of_list [2; 1])), S.min_elt_opt S.empty, S.cardinal (S.add 1 (S.singleton 1)), S.fold ( + ) (S.of_list [1; 2; 3]) 0, S.subset (S.of_list [1]) (S.of_list [1; 2]))
(M.bindings (M.add "b" 1 (M.add "a" 2 (M.add "b" 3 M.empty))), M.find_opt "z" M.empty, M.fold (fun k v l -> (k, v) :: l) (M.of_seq (List.to_seq [("x", 1); ("y", 2)])) [], M.bindings (M.update "a" (fun _ -> Some 7) M.empty))
(let b = Buffer.create 1 in Buffer.add_string b "ab"; Buffer.add_char b 'c'; (Buffer.contents b, Buffer.length b)), (let b = Bytes.of_string "abc" in Bytes.set b 1 'x'; Bytes.to_string b)
(let q = Queue.create () in List.iter (fun x -> Queue.add x q) [1; 2; 3]; let a = Queue.pop q in (a, Queue.length q, Queue.fold ( + ) 0 q)), (let s = Stack.create () in Stack.push 1 s; Stack.push 2 s; (Stack.pop s, Stack.top s))
(List.of_seq (Seq.map succ (List.to_seq [1; 2])), List.of_seq (Seq.filter odd (Seq.unfold (fun n -> if n > 5 then None else Some (n, n + 1)) 0)), Seq.fold_left ( + ) 0 (Array.to_seq [|1; 2|]), String.of_seq (List.to_seq ['a'; 'b']))
(let n = ref 0 in let l = lazy (incr n; !n) in (Lazy.force l + Lazy.force l, !n))
(Option.map succ (Some 1), Option.value None ~default:3, Option.fold ~none:0 ~some:succ (Some 4), Result.map succ (Error "e"), Result.bind (Ok 1) (fun x -> if x > 0 then Ok (x + 1) else Error ()), Option.to_list (Some 1))
(twice ~of_:4 (), twice ~by:3 ~of_:4 (), (let f = twice ~of_:5 in f ()), Fun.flip ( - ) 1 10, Fun.protect ~finally:(fun () -> ()) (fun () -> 3))
(let* x = Some 3 in let* y = Some 4 in if x < y then Some (x * y) else None)
(match Box { w = 2; h = 3 } with Box { w; h } when w > h -> w | Box b -> b.h * 10 | (Dot | Line _) as s when s = Dot -> 0 | _ -> 1)
(let p = { x = 1; y = 2.5 } in p.y <- 4.; ({ p with x = 9 }, p)), (let r = ref [] in for i = 3 downto 1 do r := i :: !r done; !r), (let n = ref 10 in while !n > 3 do n := !n - 4 done; !n)
(let log = ref [] in let f x = log := x :: !log; x in let r = (f 1, f 2, f 3) in (r, !log)), (let log = ref [] in let f x = log := x :: !log; x in let r = f 1 + f 2 * f 3 in (r, !log))
(try raise (Odd (3, "z")) with Odd (n, s) when n > 5 -> s | Odd (_, s) -> s ^ "!" | Not_found -> "no"), (match List.assoc 3 [] with exception Not_found -> "none" | s -> s)
(let module C = struct type t = int let compare a b = compare b a end in let module D = Set.Make (C) in D.elements (D.of_list [1; 3; 2]))
(List.map (fun c -> (Char.code c, c)) ['a'; '\n'; '\''; '"'; '\200'; '\\'], "tab\there \"quoted\" \\ \200", [|1.5; 2.; -0.25; 1e100|], [None; Some (-3)], (-1, -2.5))
(odd 1001, even 1000, List.length (List.init 1000 Fun.id), List.fold_left ( + ) 0 (List.init 101 Fun.id), String.length (String.make 300 'x'))
""".strip().splitlines()  # noqa: E501


def test_expressions_have_ocamls_value(verifier: Verifier) -> None:
    """Each becomes a test with the literal of the interpreter's value, and OCaml decides if it holds."""
    reference = "let id x = x"
    program = Compiler().program(read_items(PRELUDE))
    tests = []
    for text, expression in zip(EXPRESSIONS, read_expressions(EXPRESSIONS), strict=True):
        tests.append(Test(f"compare ({text}) ({literal(program.value(expression))}) = 0"))
    problem = Problem(
        id="expressions",
        statement="?",
        signature="val id : 'a -> 'a",
        prelude=PRELUDE,
        reference=reference,
        tests=tuple(tests),
    )
    verdict = verifier.verify(problem, reference)
    assert [text for text, test in zip(EXPRESSIONS, verdict.tests, strict=True) if not test.passed] == []


def test_references_answer_as_their_tests_say() -> None:
    """Covers all of levels 1 to 4. The interpreter may refuse code, but never gives a wrong value."""
    unknown = []
    known = 0
    for problem in load_problems("bundled"):
        if problem.kind == "program" or (problem.level or 9) > 4:
            continue
        try:
            program = Compiler().program(read_items(problem.reference), read_items(problem.prelude))
            expressions = read_expressions([test.code for test in problem.tests])
        except Unsupported as reason:
            unknown.append((problem.id, str(reason)))
            continue
        for test, expression in zip(problem.tests, expressions, strict=True):
            if "Hashtbl.hash" in test.code or "Hashtbl.seeded_hash" in test.code:
                continue  # OCaml hashes the memory of a value, which Python does not know
            try:
                assert program.value(expression) is True, (problem.id, test.code)
                known += 1
            except (Unsupported, Diverged) as reason:
                unknown.append((problem.id, str(reason)))
    assert known > 9_000
    assert len({problem for problem, _ in unknown}) <= 20, unknown


def test_programs_print_the_output_of_their_tests() -> None:
    known = 0
    for problem in load_problems("bundled"):
        if problem.kind == "program":
            try:
                program = Compiler().program(read_items(problem.reference))
                for test in problem.tests:
                    printed = program.output((test.stdin or "").encode())
                    assert printed.split() == (test.stdout or "").encode().split(), (problem.id, test.name)
                    known += 1
            except (Unsupported, Diverged):
                continue
    assert known > 100


@pytest.mark.parametrize(
    "code",
    [
        "let rec f n = f (n + 1)",
        "let rec f n = 1 + f n",
        "let f _ = while true do () done",
        "let f _ = List.init max_int Fun.id",
    ],
)
def test_endless_code_is_ended_by_the_step_limit(code: str) -> None:
    program = Compiler().program(read_items(code))
    (call,) = read_expressions(["f 0"])
    with pytest.raises(Diverged):
        program.value(call, steps=100_000)


@pytest.mark.parametrize("code", ["class c = object end", "let f = unknown 3", "let x = Unix.time ()", "let ("])
def test_unknown_constructs_are_refused(code: str) -> None:
    with pytest.raises(Unsupported):
        Compiler().program(read_items(code))


def test_calls_from_outside_are_recorded_with_their_changes() -> None:
    code = "let rec f n = if n = 0 then raise Not_found else n + g [| n |] and g a = a.(0) <- 7; Array.length a"
    program = Compiler().program(read_items(code))
    (asked,) = read_expressions(["(f 2, g [| 1 |], try f 0 with Not_found -> 5)"])
    value, calls = recorded(program, ["f", "g"], program.expression(asked), steps=1000)
    assert literal(value) == "(3, 1, 5)"
    assert sorted(calls) == sorted(
        [Call("f", ("2",), "=3"), Call("g", ("[|1|]",), "=1", changes=True), Call("f", ("0",), "!Not_found")]
    )


def test_each_run_starts_from_the_same_state() -> None:
    program = Compiler().program(read_items("let calls = ref 0\nlet f () = incr calls; !calls"))
    (asked,) = read_expressions(["f () + f ()"])
    assert [program.value(asked) for _ in range(3)] == [3, 3, 3]
    with pytest.raises(Raised):
        program.value(read_expressions(['failwith "x"'])[0])
    assert program.value(asked) == 3
