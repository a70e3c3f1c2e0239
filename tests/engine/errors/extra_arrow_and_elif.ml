(* An empty match case in one function, elif in another, and a type clash in a third, which a parser never sees.
   signature:
     val word : int -> string
     val sign : int -> int
     val length : string -> int
   tests:
     word 1 = "one"
     sign 5 = 1
     length "ab" = 2
   error: syntax word: a case without a pattern
     - | -> "many"
     + | _ -> "many"
   error: syntax sign: elif is not a keyword
     - elif n < 0 then
     + else if n < 0 then
   hidden: type-clash length: a string is added to an int
     - String.length s + ""
     + String.length s + 0
   differs: the parser stops at the first syntax error
*)
let word n =
  match n with
  | 1 -> "one"
  | -> "many"

let sign n =
  if n > 0 then 1
  elif n < 0 then -1
  else 0

let length s = String.length s + ""
