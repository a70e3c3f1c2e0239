(* An object type with a row, and a constructor that is no GADT's. *)
module F (X : sig type 'a u = private < m : 'a; .. > end) = struct
  type 'a g = T of 'a X.u
  let get (T u) = u#m
end
module Z = F (struct type 'a u = < m : 'a; n : int > end)
let conv (n : int) : string = string_of_int (Z.get (Z.T (object method m = n method n = 0 end)))
