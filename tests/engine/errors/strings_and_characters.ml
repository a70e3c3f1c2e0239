(* Strings where characters are needed and the other way round.
   signature:
     val starts_with_a : string -> bool
     val bar : int -> string
     val exclaim : string -> string
   tests:
     starts_with_a "abc"
     bar 2 = "=="
     exclaim "x" = "x!"
   error: type-clash starts_with_a: a character is compared with a string
     - s.[0] = "a"
     + s.[0] = 'a'
   error: type-clash bar: String.make takes a character
     - String.make n "="
     + String.make n '='
   error: type-clash exclaim: a character cannot be appended with ^
     - s ^ '!'
     + s ^ "!"
*)
let starts_with_a s = s.[0] = "a"
let bar n = String.make n "="
let exclaim s = s ^ '!'
