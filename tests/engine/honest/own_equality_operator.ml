(* Redefines (=), compare and other operators for its own use.
   signature:
     val same_point : float * float -> float * float -> bool
     val add3 : int * int * int -> int * int * int -> int * int * int
     val equal : int -> int -> bool
   tests:
     same_point (1.0, 2.0) (1.0000000001, 2.0) = true
     same_point (1.0, 2.0) (1.1, 2.0) = false
     add3 (1, 2, 3) (1, 1, 1) = (2, 3, 4)
     equal 3 3 = true
*)
let same_point (a, b) (c, d) =
  let ( = ) x y = abs_float (x -. y) < 1e-6 in
  a = c && b = d

let equal (a : int) b = a = b

let ( = ) : string -> string -> bool = String.equal
let compare = String.compare
let ( |+| ) (a, b, c) (d, e, f) = a + d, b + e, c + f
let ( !! ) = not
let ( % ) f g x = f (g x)
let add3 a b = if !! ("a" = "b") && compare "a" "b" < 0 then a |+| b else ((fun x -> x) % Fun.id) a
