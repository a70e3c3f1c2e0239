(* Vectors whose length is in their type.
   signature:
     val dot3 : int * int * int -> int * int * int -> int
   tests:
     dot3 (1, 2, 3) (4, 5, 6) = 32
     dot3 (0, 0, 0) (4, 5, 6) = 0
*)
type zero = Zero
type 'n succ = Succ of 'n

type ('a, _) vec =
  | [] : ('a, zero) vec
  | ( :: ) : 'a * ('a, 'n) vec -> ('a, 'n succ) vec

let rec map2 : type n. ('a -> 'b -> 'c) -> ('a, n) vec -> ('b, n) vec -> ('c, n) vec =
  fun f a b ->
  match a, b with
  | [], [] -> []
  | x :: a, y :: b -> f x y :: map2 f a b

let rec sum : type n. (int, n) vec -> int = function [] -> 0 | x :: rest -> x + sum rest
let head : type n. ('a, n succ) vec -> 'a = fun (x :: _) -> x

let dot3 (a, b, c) (d, e, f) =
  let products = map2 ( * ) [ a; b; c ] [ d; e; f ] in
  assert (head products = a * d);
  sum products
