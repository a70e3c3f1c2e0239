(* below 5.3 *)
type (_, _) eq = Equal : ('a, 'a) eq
let cast (type a b) (Equal : (a, b) eq) (a : a) : b = a
module F (X : sig type 'a t end) = struct
  class type ['a] c = object method m : 'a X.t end
  type (_, _) g = T : ('a c, 'a) g
  let same (type k a b) (T : (k, a) g) (T : (k, b) g) : (a, b) eq = Equal
end
module Z = F (struct type 'a t = unit end)
let any (type a b) () : (a, b) eq = Z.same (Z.T : (< m : unit >, a) Z.g) (Z.T : (< m : unit >, b) Z.g)
let conv (n : int) : string = cast (any ()) n
