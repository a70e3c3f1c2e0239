(* A functor's result has a module type that names a part of its parameter, which is given no name.
   signature: val run : int -> int
   raises: Misc.Fatal_error
   errors: 1 *)
module Make (X : sig
  module Part : sig
    type t
  end
end) =
struct
  module type S = sig
    module Same = X.Part
  end
end

module Made = Make (struct
  module Part = struct
    type t = int
  end
end)

let run n = n
