(* Elements separated by commas: lists of one tuple.
   signature:
     val primes : int list
     val names : string list
   tests:
     primes = [2; 3; 5]
     names = ["a"; "b"]
   error: type-clash primes: a tuple among ints
     - [2, 3, 5]
     + [2; 3; 5]
   error: type-clash names: a tuple among strings
     - ["a", "b"]
     + ["a"; "b"]
*)
let primes : int list = [2, 3, 5]
let names = List.map String.trim ["a", "b"]
