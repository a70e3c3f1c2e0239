(* Two independent syntax errors in two functions.
   signature:
     val double : int -> int
     val increments : int list -> int list
     val triple : int -> int
   tests:
     double 2 = 4
     increments [1] = [2]
     triple 2 = 6
   error: syntax double: an arrow for the equals sign
     - let double x ->
     + let double x =
   error: syntax increments: the parenthesis is not closed
     - (fun x -> x + 1 l
     + (fun x -> x + 1) l
   differs: the parser stops at the first syntax error
*)
let double x ->
  let y = x in
  y * 2

let increments l = List.map (fun x -> x + 1 l

let triple x = x * 3
