(* Branches of different types, a missing else, and a condition that is no bool.
   signature:
     val grade : int -> string
     val sign : int -> int
     val describe : string -> string
   tests:
     grade 90 = "A"
     grade 1 = "0"
     sign (-3) = -1
     sign 3 = 1
     describe "" = "empty"
   error: type-clash grade: an int in the else branch
     - else 0
     + else "0"
   error: type-clash sign: if without else returns an int
     - if n < 0 then -1;
     + if n < 0 then -1 else
   error: ill-typed-item describe: the condition makes it take a bool
     - if s then "full"
     + if s <> "" then "full"
*)
let grade n = if n > 80 then "A" else 0

let sign n =
  if n < 0 then -1;
  1

let describe s = if s then "full" else "empty"
