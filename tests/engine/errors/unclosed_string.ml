(* A string without its closing quote.
   signature:
     val name : string
     val greet : string -> string
   tests:
     name = "Ann"
     greet "Bob" = "Hi Bob"
   error: syntax string: not terminated
     - let name = "Ann
     + let name = "Ann"
*)
let name = "Ann
let greet who = "Hi " ^ who
