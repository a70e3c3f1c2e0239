(* The types are right and mention each other; only a function is wrong.
   signature:
     type expr = Num of int | Add of expr * expr | Block of stmt list
     and stmt = Let of string * expr | Print of expr
     val count : stmt list -> int
     val first : stmt -> expr
   tests:
     count [] = 0
     first (Print (Num 1)) = Num 1
   error: unbound-value exp: it is called e
     - Let (_, e) -> exp
     + Let (_, e) -> e
*)
type expr = Num of int | Add of expr * expr | Block of stmt list
and stmt = Let of string * expr | Print of expr

let count (statements : stmt list) = List.length statements
let first = function Let (_, e) -> exp | Print e -> e
