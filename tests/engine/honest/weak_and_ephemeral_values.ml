(* Physical equality, weak type variables and structural comparison in ordinary use.
   signature:
     val cache : int list ref
     val remember : int -> int
     val same_box : bool
   tests:
     (ignore (remember 3); List.mem 3 !cache) = true
     same_box = true
*)
let cache = ref []
let remember n = cache := n :: !cache; n

let same_box =
  let box = ref 0 in
  let other = ref 0 in
  box == box && box != other && box = other && compare [ 1; 2 ] [ 1; 3 ] < 0
