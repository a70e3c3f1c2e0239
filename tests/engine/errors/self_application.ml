(* A type that would contain itself, and a recursive function that forgets an argument.
   signature:
     val apply : (int -> int) -> int -> int
     val sum : int list -> int
   tests:
     apply succ 1 = 2
     sum [1; 2] = 3
   error: type-clash apply: f is applied to itself
     - f f x
     + f x
   error: type-clash sum: the recursive call lacks the list
     - x + go (acc + x)
     + go (acc + x) rest
*)
let apply f x = f f x

let sum list =
  let rec go acc = function
    | [] -> acc
    | x :: rest -> x + go (acc + x)
  in
  go 0 list
