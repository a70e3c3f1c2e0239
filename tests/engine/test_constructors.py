"""An exception in the signature must be a new one; no way of renaming an existing exception is accepted."""

from __future__ import annotations

import pytest

from ocaml_env.verdict import Outcome
from ocaml_env.verifiers.local import Verifier
from tests.engine.cases import function, outcomes

TWO = "exception Cycle\nexception Too_deep\nval f : int -> int"
NESTED = """
module type QUEUE = sig
  exception Empty
  val pop : int list -> int
end
exception Empty
module Queue : QUEUE
module Inner : sig
  module type DEEP = sig
    val depth : int
    exception Deep
  end
  val zero : int
  module Core : DEEP
end
"""


@pytest.mark.parametrize(
    ("code", "constructor", "other"),
    [
        ("exception Cycle = Stack_overflow exception Too_deep", "Cycle", "Stack_overflow"),
        ("exception Too_deep exception Cycle = Not_found", "Cycle", "Not_found"),
        ("exception Cycle exception Too_deep = Cycle", "Too_deep", "exception Cycle"),
        ("exception Other exception Cycle = Other exception Too_deep = Other", "Too_deep", "exception Cycle"),
        ("exception Cycle exception Too_deep = Stack.Empty", "Too_deep", "Stdlib.Stack.Empty"),
        (
            "include struct exception Cycle = Stack_overflow end exception Too_deep",
            "Cycle",
            "Stack_overflow",
        ),
        (
            "module F (X : sig exception E end) = struct exception Cycle = X.E end\n"
            "include F (struct exception E = Stack_overflow end) exception Too_deep",
            "Cycle",
            "Stack_overflow",
        ),
        (
            "module Same (X : sig exception E end) = struct exception Cycle = X.E exception Too_deep = X.E end\n"
            "include Same (struct exception E end)",
            "Too_deep",
            "exception Cycle",
        ),
        (
            "module type S = sig exception Cycle exception Too_deep end\n"
            "let find () = let module M = struct exception Cycle exception Too_deep = Out_of_memory end in\n"
            "  (module M : S)\n"
            "include (val find ())",
            "Too_deep",
            "Out_of_memory",
        ),
        (
            "module rec M : sig exception E end = struct exception E = Exit end\n"
            "exception Cycle = M.E exception Too_deep",
            "Cycle",
            "Stdlib.Exit",
        ),
    ],
)
def test_a_renamed_exception_does_not_fit(code: str, constructor: str, other: str, verifier: Verifier) -> None:
    verdict = verifier.verify(function(TWO, "f 1 = 1", "f 2 = 2"), f"{code}\nlet f x = x")
    assert verdict.outcome is Outcome.TYPE_ERROR
    assert verdict.errors == 1
    (error,) = verdict.diagnostics
    assert error.kind == "shared-exception"
    assert error.name == f"exception {constructor}"
    assert error.message == (
        f"the signature asks for a new exception {constructor}, and here it is another name of {other}"
    )


def test_a_stack_overflow_does_not_pass_for_cycle_detection(verifier: Verifier) -> None:
    problem = function(TWO, "(try f (-1) > 0 with Cycle -> true)", "f 2 = 2")
    naive = "let rec f n = if n = 0 then 0 else 1 + f (n - 1)"
    aliased = f"exception Cycle = Stack_overflow exception Too_deep {naive}"
    honest = (
        f"exception Cycle exception Too_deep {naive.replace('if n = 0', 'if n < 0 then raise Cycle else if n = 0')}"
    )
    assert verifier.verify(problem, aliased).outcome is Outcome.TYPE_ERROR
    assert verifier.verify(problem, honest).passed


@pytest.mark.parametrize(
    ("queue", "core", "constructor"),
    [
        ("exception Empty = Stdlib.Queue.Empty", "exception Deep", "Queue.Empty"),
        ("exception Empty = Empty", "exception Deep", "Queue.Empty"),
        ("exception Empty", "exception Deep = Exit", "Inner.Core.Deep"),
        ("exception Empty", "exception Deep = Queue.Empty", "Inner.Core.Deep"),
        ("exception Empty", "exception Deep", None),
    ],
)
def test_modules_of_the_signature_have_exceptions_of_their_own(
    queue: str, core: str, constructor: str | None, verifier: Verifier
) -> None:
    problem = function(
        NESTED, "Queue.pop [1] = 1", "Inner.Core.depth = 3", "(try Queue.pop [] > 0 with Queue.Empty -> true)"
    )
    code = f"""
module type QUEUE = sig exception Empty val pop : int list -> int end
exception Empty
let before = 1
module Queue = struct
  let unused = 2
  {queue}
  let pop = function x :: _ -> x | [] -> raise Empty
end
module Inner = struct
  module type DEEP = sig val depth : int exception Deep end
  let one = 1
  let zero = 0
  module Core = struct
    {core}
    let depth = 3
  end
end"""
    verdict = verifier.verify(problem, code)
    assert [error.name for error in verdict.diagnostics] == ([f"exception {constructor}"] if constructor else [])
    assert verdict.passed == (constructor is None)


def test_other_extension_constructors_are_new_ones_too(verifier: Verifier) -> None:
    problem = function("type t = ..\ntype t += A | B of int\nval f : t -> int", "f A = 1", "f (B 2) = 2")
    rest = "let f = function A -> 1 | B n -> n | _ -> 0"
    assert verifier.verify(problem, f"type t = .. type t += A | B of int {rest}").passed
    assert verifier.verify(problem, f"type t = .. type t += C of int | A type t += B = C {rest}").passed
    problem = function("type t = ..\ntype t += A | B\nval f : t -> int", "f A = 1")
    (error,) = verifier.verify(problem, "type t = .. type t += A type t += B = A let f _ = 1").diagnostics
    assert error.name == "constructor B"


@pytest.mark.parametrize(
    "code",
    [
        "exception Cycle exception Too_deep exception Mine = Stack_overflow let f x = try x with Mine -> 0",
        "exception Mine exception Cycle = Mine exception Too_deep let f x = x",
        "module M = struct exception Cycle exception Too_deep end include M let f x = x",
        "module F () = struct exception E end module A = F () module B = F ()\n"
        "exception Cycle = A.E exception Too_deep = B.E let f x = x",
        "exception Cycle exception Too_deep let f x = let exception Cycle in try raise Cycle with Cycle -> x",
    ],
)
def test_honest_ways_to_define_exceptions_pass(code: str, verifier: Verifier) -> None:
    assert verifier.verify(function(TWO, "f 1 = 1"), code).passed


def test_exceptions_of_a_functors_result_are_new(verifier: Verifier) -> None:
    problem = function(
        "module Make (X : sig val x : int end) : sig exception E val get : unit -> int end",
        "(let module M = Make (struct let x = 3 end) in M.get () = 3)",
    )
    code = "module Make (X : sig val x : int end) = struct exception E let get () = X.x end"
    assert verifier.verify(problem, code).passed


def test_code_that_raises_between_its_exceptions_is_a_runtime_error(verifier: Verifier) -> None:
    code = 'exception Cycle = Exit let () = failwith "early" exception Too_deep let f x = x'
    verdict = verifier.verify(function(TWO, "f 1 = 1", "f 2 = 2"), code)
    assert outcomes(verdict) == [Outcome.RUNTIME_ERROR, Outcome.RUNTIME_ERROR]


MADE = """module type NEXT = sig val next : int -> int end
module Make (X : NEXT) : sig exception Cycle val walk : int -> int end
module type WALKER = sig exception Cycle val walk : int -> int end
val walker : (int -> int) -> (module WALKER)"""
NAIVE = "let rec walk n = if X.next n = n then 0 else 1 + walk (X.next n)"
NEXT = "module type NEXT = sig val next : int -> int end\n"
REST = """
module type WALKER = sig exception Cycle val walk : int -> int end
let walker next = let module X = struct let next = next end in (module Make (X) : WALKER)"""
OVERFLOWS = {
    "plainly": f"module Make (X : NEXT) = struct exception Cycle = Stack_overflow {NAIVE} end",
    "of the library": f"module Make (X : NEXT) = struct exception Cycle = Stdlib.Stack_overflow {NAIVE} end",
    "by a functor": f"""module Named (E : sig exception Stack_overflow end) = struct
  exception Cycle = E.Stack_overflow
end
module Make (X : NEXT) = struct include Named (Stdlib) {NAIVE} end""",
    "by an argument": f"""module Named (E : sig exception E end) = struct exception Cycle = E.E end
module Make (X : NEXT) = struct
  include Named (struct exception E = Stack_overflow end) {NAIVE} end""",
    "outside": f"""exception Deep = Stack_overflow
module Make (X : NEXT) = struct exception Cycle = Deep {NAIVE} end""",
}


@pytest.mark.parametrize("how", OVERFLOWS)
def test_a_functor_cannot_rename_stack_overflow(how: str, verifier: Verifier) -> None:
    problem = function(
        MADE,
        "let module M = Make (struct let next = succ end) in try M.walk 0 = -1 with M.Cycle -> true",
        "let (module M) = walker succ in try M.walk 0 = -1 with M.Cycle -> true",
    )
    verdict = verifier.verify(problem, NEXT + OVERFLOWS[how] + REST)
    assert (verdict.outcome, verdict.errors) == (Outcome.TYPE_ERROR, 1)
    assert "another name of Stack_overflow" in verdict.diagnostics[0].message


def test_a_functor_may_rename_its_own_exceptions(verifier: Verifier) -> None:
    problem = function(
        MADE,
        "let module M = Make (Int) in match M.walk 99 with _ -> false | exception M.Cycle -> true",
        prelude="module Int = struct let next n = n + 1 end",
    )
    walk = "let rec walk n = if n > 100 then raise Cycle else walk (X.next n)"
    for cycle in ("exception Cycle", "exception Cycle = Not_found", "exception Far exception Cycle = Far"):
        code = f"module Make (X : NEXT) = struct {cycle} {walk} end"
        verdict = verifier.verify(problem, NEXT + code + REST)
        assert verdict.passed == ("Not_found" not in cycle), verdict.diagnostics
