(* One wrong type in a declaration; everything that uses the type is right.
   signature:
     type shape = Circle of float | Rect of float * float
     val total : shape list -> float
     val biggest : shape list -> shape
   tests:
     total [Rect (2., 3.); Rect (1., 1.)] = 7.
     biggest [Rect (1., 1.); Rect (2., 3.)] = Rect (2., 3.)
   error: unbound-type flot: misspelt float
     - Circle of flot
     + Circle of float
*)
type shape = Circle of flot | Rect of float * float

let area shape =
  match shape with
  | Circle r -> 3.14159 *. r *. r
  | Rect (w, h) -> w *. h

let perimeter = function
  | Circle r -> 2. *. 3.14159 *. r
  | Rect (w, h) -> 2. *. (w +. h)

let scale k = function
  | Circle r -> Circle (k *. r)
  | Rect (w, h) -> Rect (k *. w, k *. h)

let total shapes = List.fold_left (fun acc s -> acc +. area s) 0. shapes
let biggest shapes = List.hd (List.sort (fun a b -> compare (area b) (area a)) shapes)
let ratio s = area s /. perimeter (scale 1. s)
