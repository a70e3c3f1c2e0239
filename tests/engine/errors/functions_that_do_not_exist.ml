(* Three functions that the standard library does not have.
   signature:
     val sum : int list -> int
     val words : string -> string list
     val maximum : int list -> int
   tests:
     sum [1; 2] = 3
     words "a b" = ["a"; "b"]
     maximum [1; 5; 2] = 5
   error: unbound-value List.sum: fold_left (+) 0
     - List.sum l
     + List.fold_left (+) 0 l
   error: unbound-value String.split: split_on_char
     - String.split s ~on:' '
     + String.split_on_char ' ' s
   error: unbound-value List.max: fold_left max
     - List.max l
     + List.fold_left max min_int l
*)
let sum l = List.sum l
let words s = String.split s ~on:' '
let maximum l = List.max l
