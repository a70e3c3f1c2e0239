(* Two types that mention each other, each with a mistake of its own.
   signature:
     type expr = Num of int | Add of expr * expr | Block of stmt list
     and stmt = Let of string * expr | Print of expr
     val count : stmt list -> int
   tests:
     count [Print (Num 2)] = 1
   error: ill-typed-item expr: Num carries a float
     - Num of float
     + Num of int
   error: ill-typed-item stmt: the name of Let is missing
     - Let of expr
     + Let of string * expr
*)
type expr = Num of float | Add of expr * expr | Block of stmt list
and stmt = Let of expr | Print of expr

let count (statements : stmt list) = List.length statements
