(* Six functions, six unrelated mistakes.
   signature:
     val f1 : int -> int
     val f2 : string -> string
     val f3 : int list -> int
     val f4 : bool -> bool
     val f5 : int -> int option
     val f6 : float -> float
   tests:
     f1 1 = 2
     f2 "a" = "a!"
     f3 [1] = 1
     f4 true = false
     f5 1 = Some 1
     f6 1. = 2.
   error: unbound-value y: the parameter is x
     - y + 1
     + x + 1
   error: type-clash f2: + on strings
     - s + "!"
     + s ^ "!"
   error: unbound-module Lst: misspelt List
     - Lst.length
     + List.length
   error: type-clash f4: ! dereferences, not negates
     - !b
     + not b
   error: unbound-constructor Just: it is Some
     - Just n
     + Some n
   error: type-clash f6: an int literal in float arithmetic
     - x *. 2
     + x *. 2.
*)
let f1 x = y + 1
let f2 s = s + "!"
let f3 l = Lst.length l
let f4 (b : bool) = !b
let f5 n = Just n
let f6 x = x *. 2
