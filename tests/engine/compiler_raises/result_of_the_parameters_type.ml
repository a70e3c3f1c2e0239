(* A functor's result has a type that its parameter brings along, and its arguments do not fit.
   signature: val run : int -> int
   raises: Ctype.Nondep_cannot_erase
   errors: 1 *)
module Make (X : sig
  module type Result

  module Value : Result
end) (Y : sig end) : X.Result =
  X.Value

module Made =
  Make
    ((
      struct
        module type Result = sig end
      end :
        sig
          module type Result
        end))
    (struct end)

let run n = n
