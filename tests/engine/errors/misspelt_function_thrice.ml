(* One misspelt function, used three times, is one error.
   signature:
     val is_longer : string -> string -> bool
     val padded : int -> string -> string
   tests:
     is_longer "abc" "d"
     padded 3 "x" = "  x"
   error: unbound-value lenght: it should be String.length
     - String.lenght
     + String.length
*)
let is_longer a b = String.lenght a > String.lenght b

let padded width s =
  let missing = max 0 (width - String.lenght s) in
  String.make missing ' ' ^ s
