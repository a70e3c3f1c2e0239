(* Constructors with too few and too many arguments.
   signature:
     type expr = Num of int | Add of expr * expr | Neg of expr
     val eval : expr -> int
     val one : expr
   tests:
     eval (Add (Num 1, Neg (Num 3))) = -2
     eval one = 1
   error: arity Add: takes two arguments
     - | Add e -> eval e
     + | Add (a, b) -> eval a + eval b
   error: arity Neg: takes one argument
     - Neg (Num 1, Num 2)
     + Neg (Num (-1))
*)
type expr = Num of int | Add of expr * expr | Neg of expr

let rec eval = function
  | Num n -> n
  | Add e -> eval e
  | Neg e -> - (eval e)

let one = Neg (Num 1, Num 2)
