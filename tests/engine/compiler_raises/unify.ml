(* An equation between two abstract types that are not injective.
   signature: val run : int -> int
   raises: Ctype.Unify
   errors: 1 *)
module Box : sig
  type 'a t
end = struct
  type 'a t
end

type 'a t
type (_, _) equal = Refl : ('a, 'a) equal

let run n =
  let check e = let ((Refl : (bool Box.t, bool t) equal) as found) = e in ignore found in
  ignore check;
  n
