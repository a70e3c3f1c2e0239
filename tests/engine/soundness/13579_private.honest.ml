(* A private abbreviation of what is told from its argument. *)
module F (X : sig type 'a u = private 'a list end) = struct
  type 'a g = { held : 'a X.u }
  let length (type a) (g : a g) = List.length (g.held :> a list)
end
module Z = F (struct type 'a u = 'a list end)
let conv (n : int) : string = string_of_int (n + Z.length { Z.held = [] })
