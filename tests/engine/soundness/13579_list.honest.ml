(* The same over a type that is told from its argument by its name. *)
module Box = struct type 'a t = Box of 'a end
module F (X : sig type !'a t end) = struct
  type (_, _) g = T : ('a X.t list, 'a) g
end
module Z = F (Box)
let conv (n : int) : string =
  match (Z.T : (int Box.t list, int) Z.g) with Z.T -> string_of_int n
