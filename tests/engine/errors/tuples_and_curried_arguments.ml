(* A curried function called with a tuple, and one over pairs called with two arguments.
   signature:
     val add : int -> int -> int
     val swap : 'a * 'b -> 'b * 'a
     val three : int
     val swapped : string * int
   tests:
     three = 3
     swapped = ("a", 1)
   error: type-clash three: add takes its arguments one by one
     - 0 + add (1, 2)
     + 0 + add 1 2
   error: arity swapped: swap takes a pair
     - swap 1 "a"
     + swap (1, "a")
*)
let add a b = a + b
let swap (a, b) = (b, a)
let three = 0 + add (1, 2)
let swapped = swap 1 "a"
