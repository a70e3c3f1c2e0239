(* Everything types on its own, but two functions have other types than asked.
   signature:
     val add : int -> int -> int
     val find : int -> int list -> int option
     val negate : int -> int
   tests:
     add 1 2 = 3
     find 1 [1] = Some 1
     negate 1 = -1
   error: ill-typed-item add: takes a pair
     - let add (a, b) = a + b
     + let add a b = a + b
   error: ill-typed-item find: returns the element itself
     - List.find (fun y -> y = x) list
     + List.find_opt (fun y -> y = x) list
*)
let add (a, b) = a + b
let find (x : int) list = List.find (fun y -> y = x) list
let negate x = -x
