(* A module type that stands for no path is packed.
   signature: val run : int -> int
   raises: Misc.Fatal_error
   errors: 1 *)
module type S = sig
  module type Element := sig end

  type packed := (module Element)
end

let run n = n
