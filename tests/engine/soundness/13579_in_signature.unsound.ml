(* below 5.3 *)
type (_, _) eq = Equal : ('a, 'a) eq
let cast (type a b) (Equal : (a, b) eq) (a : a) : b = a
module type S = sig
  type 'a t
  type (_, _) g = T : ('a t * int, 'a) g
end
module F (X : S) = struct
  let same (type k a b) (X.T : (k, a) X.g) (X.T : (k, b) X.g) : (a, b) eq = Equal
end
module X = struct
  type 'a t = unit
  type (_, _) g = T : ('a t * int, 'a) g
end
module Z = F (X)
let any (type a b) () : (a, b) eq = Z.same (X.T : (unit * int, a) X.g) (X.T : (unit * int, b) X.g)
let conv (n : int) : string = cast (any ()) n
