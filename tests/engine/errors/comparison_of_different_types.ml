(* Comparisons and boolean operators between values of different types.
   signature:
     val is_zero : int -> bool
     val both : bool -> int -> bool
     val same : string -> int -> bool
   tests:
     is_zero 0
     both true 1
     same "1" 1
   error: type-clash is_zero: an int is compared with a float
     - (n : int) = 0.0
     + (n : int) = 0
   error: type-clash both: an int is no bool
     - flag && (n + 0)
     + flag && (n + 0 > 0)
   error: type-clash same: a string is compared with an int
     - (s ^ "") = (n + 0)
     + (s ^ "") = string_of_int (n + 0)
*)
let is_zero n = (n : int) = 0.0
let both flag n = flag && (n + 0)
let same s n = (s ^ "") = (n + 0)
