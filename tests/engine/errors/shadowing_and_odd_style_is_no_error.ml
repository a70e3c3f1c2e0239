(* Strange but legal: shadowing, unit sequences of non-units, missing annotations, a type defined twice apart.
   signature:
     val f : int -> int
   tests:
     f 3 = 6
*)
let f = fun x -> x + 1
let f x = f x |> fun y -> y - 1
let rec g x = x
let f x = f x; f x + g x
module A = struct type t = X end
module B = struct type t = X end
