(* Patterns that do not fit together, nor what is matched.
   signature:
     val number : string -> int
     val sum3 : int * int * int -> int
     val describe : int list -> string
   tests:
     number "one" = 1
     sum3 (1, 2, 3) = 6
     describe [] = "none"
   error: type-clash number: a number among string patterns
     - | 2 -> 2
     + | "two" -> 2
   error: type-clash sum3: a pair pattern for a triple
     - let (a, b) = (triple : int * int * int) in a + b
     + let (a, b, c) = (triple : int * int * int) in a + b + c
   error: type-clash describe: an option pattern for a list
     - | None -> "none"
     + | [] -> "none"
*)
let number = function
  | "one" -> 1
  | 2 -> 2
  | _ -> 0

let sum3 triple = let (a, b) = (triple : int * int * int) in a + b

let describe (list : int list) =
  match list with
  | None -> "none"
  | _ :: _ -> "some"
