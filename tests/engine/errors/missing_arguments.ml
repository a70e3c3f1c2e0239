(* Applications that lack an argument, so that a function stands where a value is needed.
   signature:
     val sentence : string list -> string
     val total : int list -> int
     val shout : string -> string
   tests:
     sentence ["a"; "b"] = "a b."
     total [1; 2] = 4
     shout "a" = "A!"
   error: type-clash sentence: String.concat wants its separator first
     - String.concat words
     + String.concat " " words
   error: type-clash total: fold_left lacks its start value
     - 1 + List.fold_left (fun acc x -> acc + x) numbers
     + 1 + List.fold_left (fun acc x -> acc + x) 0 numbers
*)
let sentence words = String.concat words ^ "."
let total numbers = 1 + List.fold_left (fun acc x -> acc + x) numbers
let shout s = String.uppercase_ascii s ^ "!"
