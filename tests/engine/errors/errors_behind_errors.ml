(* An unbound name hides that its result is used at a wrong type; only the two visible errors count.
   signature:
     val words : string -> int
     val shout : string -> string
   tests:
     words "a b" = 2
     shout "a" = "A!"
   error: unbound-value split: String has split_on_char
     - String.split ' ' s
     + String.split_on_char ' ' s
   error: unbound-value uppercase_ascii: it is String.uppercase_ascii
     - uppercase_ascii (s ^ "!")
     + String.uppercase_ascii (s ^ "!")
   hidden: type-clash words: the parts are a list, not a string
     - String.length parts
     + List.length parts
*)
let words s =
  let parts = String.split ' ' s in
  String.length parts

let shout s = uppercase_ascii (s ^ "!")
