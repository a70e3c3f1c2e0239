(* A module that the signature asks for cannot be built, and so what is made of it cannot be typed either.
   signature:
     module Ints : sig
       type t
       val empty : t
       val add : int -> t -> t
       val elements : t -> int list
     end
     val sorted : int list -> int list
   tests:
     sorted [2; 1; 2] = [1; 2]
     Ints.elements (Ints.add 1 Ints.empty) = [1]
   error: functor-argument Set.Make: compare is missing
     - type t = int end
     + type t = int let compare = Int.compare end
*)
module Ints = Set.Make (struct type t = int end)

let sorted l = Ints.elements (List.fold_left (fun s x -> Ints.add x s) Ints.empty l)
let smallest l = List.hd (sorted l)
