(* The same over a type that is told from its argument by its name. *)
module Box = struct type 'a t = Box of 'a end
module F (X : sig type !'a t end) = struct
  type (_, _) g = T : (< m : 'a X.t >, 'a) g
end
module Z = F (Box)
let conv (n : int) : string =
  match (Z.T : (< m : int Box.t >, int) Z.g) with Z.T -> string_of_int n
