(* A typed evaluator: GADT, locally abstract types, equality witness.
   signature:
     type _ expr =
       | Int : int -> int expr
       | Bool : bool -> bool expr
       | Add : int expr * int expr -> int expr
       | If : bool expr * 'a expr * 'a expr -> 'a expr
       | Eq : int expr * int expr -> bool expr
     val eval : 'a expr -> 'a
     val size : 'a expr -> int
   tests:
     eval (If (Eq (Int 1, Add (Int 0, Int 1)), Int 10, Int 20)) = 10
     eval (Eq (Int 1, Int 2)) = false
     size (If (Bool true, Int 1, Int 2)) = 4
*)
type _ expr =
  | Int : int -> int expr
  | Bool : bool -> bool expr
  | Add : int expr * int expr -> int expr
  | If : bool expr * 'a expr * 'a expr -> 'a expr
  | Eq : int expr * int expr -> bool expr

let rec eval : type a. a expr -> a = function
  | Int n -> n
  | Bool b -> b
  | Add (a, b) -> eval a + eval b
  | If (c, t, e) -> if eval c then eval t else eval e
  | Eq (a, b) -> eval a = eval b

let rec size : type a. a expr -> int = function
  | Int _ | Bool _ -> 1
  | Add (a, b) -> 1 + size a + size b
  | Eq (a, b) -> 1 + size a + size b
  | If (c, t, e) -> 1 + size c + size t + size e

type (_, _) equal = Refl : ('a, 'a) equal

let cast : type a b. (a, b) equal -> a -> b = fun Refl x -> x
let () = assert (cast Refl 3 = 3)
