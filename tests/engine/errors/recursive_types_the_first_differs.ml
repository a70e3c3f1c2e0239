(* Two types that mention each other; the first lacks a constructor.
   signature:
     type expr = Num of int | Add of expr * expr | Block of stmt list
     and stmt = Let of string * expr | Print of expr
     val count : stmt list -> int
   tests:
     count [Let ("x", Num 1); Print (Block [])] = 2
   error: ill-typed-item expr: Block is missing
     - Num of int | Add of expr * expr
     + Num of int | Add of expr * expr | Block of stmt list
*)
type expr = Num of int | Add of expr * expr
and stmt = Let of string * expr | Print of expr

let count (statements : stmt list) = List.length statements
