(* Types that mention each other, one of which uses a module that does not exist.
   signature:
     type value = Int of int | Closure of closure
     and closure
     val is_int : value -> bool
   tests:
     is_int (Int 3)
   error: unbound-module Env: there is no such module
     - { env : value Env.t; body : string }
     + { env : value list; body : string }
*)
type value = Int of int | Closure of closure
and closure = { env : value Env.t; body : string }

let is_int = function Int _ -> true | Closure _ -> false
