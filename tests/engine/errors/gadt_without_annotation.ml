(* An evaluator for a GADT that lacks the annotation which makes it typecheck.
   signature:
     type _ expr = Int : int -> int expr | Bool : bool -> bool expr | Not : bool expr -> bool expr
     val eval : 'a expr -> 'a
   tests:
     eval (Not (Bool true)) = false
     eval (Int 3) = 3
   error: type-clash eval: `type a.` is missing
     - let rec eval = function
     + let rec eval : type a. a expr -> a = function
   differs: the patterns clash, and the body of a case apart from them
*)
type _ expr =
  | Int : int -> int expr
  | Bool : bool -> bool expr
  | Not : bool expr -> bool expr

let rec eval = function
  | Int n -> n
  | Bool b -> b
  | Not e -> not (eval e)
