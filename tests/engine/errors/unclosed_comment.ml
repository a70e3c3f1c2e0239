(* A comment that is never closed hides the rest of the file.
   signature:
     val one : int
     val two : int
   tests:
     one = 1
     two = 2
   error: syntax comment: not terminated
     - (* the second number
     + (* the second number *)
*)
let one = 1
(* the second number
let two = one + 1
