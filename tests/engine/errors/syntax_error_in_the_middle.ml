(* One broken function between two good ones.
   signature:
     val double : int -> int
     val choose : bool -> int
     val triple : int -> int
   tests:
     double 2 = 4
     choose true = 1
     triple 2 = 6
   error: syntax choose: then is missing
     - if flag 1 else 2
     + if flag then 1 else 2
*)
let double x = x * 2

let choose flag =
  if flag 1 else 2

let triple x = x * 3
