(* Functions applied to more arguments than they take.
   signature:
     val area : int -> int -> int
     val describe : int -> string
     val largest : int -> int -> int -> int
   tests:
     area 2 3 = 6
     describe 3 = "3"
     largest 1 5 2 = 5
   error: arity describe: string_of_int takes one argument
     - string_of_int n 10
     + string_of_int n
   error: ill-typed-item largest: max takes two arguments, unless they are functions
     - max a b c
     + max a (max b c)
*)
let area width height = width * height
let describe n = string_of_int n 10
let largest a b c : int = max a b c
