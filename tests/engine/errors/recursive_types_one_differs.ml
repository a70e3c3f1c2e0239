(* Two types that mention each other; one of them has another constructor than asked.
   signature:
     type expr = Num of int | Add of expr * expr | Block of stmt list
     and stmt = Let of string * expr | Print of expr
     val count : stmt list -> int
   tests:
     count [Let ("x", Num 1); Print (Num 2)] = 2
     count [] = 0
   error: ill-typed-item stmt: Print carries two expressions
     - Print of expr * int
     + Print of expr
*)
type expr = Num of int | Add of expr * expr | Block of stmt list
and stmt = Let of string * expr | Print of expr * int

let count (statements : stmt list) = List.length statements
