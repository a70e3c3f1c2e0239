(* signature: see below.
   signature:
     val add : int -> int -> int
   tests:
     add 1 2 = 3
*)
let add = (+)
