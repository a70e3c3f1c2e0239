(* Three integers that are not converted: two in one concatenation, the first of them twice, and one more.
   signature:
     val show : int * int -> string
     val percent : int -> string
   tests:
     show (1, 2) = "(1, 2) 1"
     percent 5 = "5%"
   error: type-clash x: not converted, in two places
     - ^ x
     + ^ string_of_int x
   error: type-clash y: not converted
     - ^ y
     + ^ string_of_int y
   error: type-clash n: not converted
     - (n : int) ^ "%"
     + string_of_int n ^ "%"
*)
let show ((x, y) : int * int) = "(" ^ x ^ ", " ^ y ^ ") " ^ x
let percent n = (n : int) ^ "%"
