(* Warnings only: a match with holes, an unused variable, an unused case.
   signature:
     val first : int list -> int
     val sign : int -> int
   tests:
     first [3; 4] = 3
     sign 5 = 1
*)
let first = function x :: rest -> x

let sign n =
  let unused = 3 in
  match n with
  | n when n > 0 -> 1
  | n when n < 0 -> -1
  | 0 -> 0
  | 0 -> 5
