(* A signature of the candidate's own names a type of a module that does not exist.
   signature:
     val size : int list -> int
   tests:
     size [1; 2] = 2
   error: unbound-module Base: there is no such module
     - val of_list : int Base.List.t -> t
     + val of_list : int list -> t
*)
module type BAG = sig
  type t
  val of_list : int Base.List.t -> t
  val size : t -> int
end

let size list = List.length list
