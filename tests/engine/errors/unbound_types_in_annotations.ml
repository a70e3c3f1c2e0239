(* Types of other languages in annotations, one of them three times.
   signature:
     val greet : string -> string
     val add : int -> int -> int
     val is_empty : string -> bool
   tests:
     greet "x" = "hi x"
     add 1 2 = 3
     is_empty ""
   error: unbound-type str: it is string
     - : str)
     + : string)
   error: unbound-type integer: it is int
     - : integer =
     + : int =
*)
let greet (name : str) = "hi " ^ name
let add (a : int) b : integer = a + b
let is_empty (s : str) = (s : str) = ""
