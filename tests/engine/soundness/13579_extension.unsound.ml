(* below 5.3 *)
type (_, _) eq = Equal : ('a, 'a) eq
let cast (type a b) (Equal : (a, b) eq) (a : a) : b = a
module F (X : sig type 'a t end) = struct
  type (_, _) g = ..
  type (_, _) g += T : ('a X.t * int, 'a) g
  let same (type k a b) (x : (k, a) g) (y : (k, b) g) : (a, b) eq option =
    match x, y with T, T -> Some Equal | _ -> None
end
module Z = F (struct type 'a t = unit end)
let any (type a b) () : (a, b) eq = Option.get (Z.same (Z.T : (unit * int, a) Z.g) (Z.T : (unit * int, b) Z.g))
let conv (n : int) : string = cast (any ()) n
