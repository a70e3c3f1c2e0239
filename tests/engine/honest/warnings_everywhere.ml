(* Code that earns every warning there is, some of them turned on on purpose; warnings count nothing.
   signature:
     val f : int -> int
   tests:
     f 1 = 2
     f 5 = 0
*)
[@@@warning "+a-4-9-40-41-42-44-45-70"]
[@@@ocaml.warning "@8"]
[@@@warning "-8"]

open List
let rec unused_rec x = let y = x in let z = 1 in x
let f x = match x with 1 -> 2 | 1 -> 3 | _ -> 0
let g = function Some x -> 1
let h x = x; 3
let _ = fun x -> (); ()
