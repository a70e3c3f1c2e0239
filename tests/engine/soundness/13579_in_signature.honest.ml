module type S = sig
  type 'a t
  type _ g = T : 'a t * ('a -> string) -> string g
  val make : 'a -> 'a t
  val get : 'a t -> 'a
end
module F (X : S) = struct
  let show (type k) (X.T (t, f) : k X.g) : string = f (X.get t)
end
module X = struct
  type 'a t = 'a list
  type _ g = T : 'a t * ('a -> string) -> string g
  let make x = [ x ]
  let get = List.hd
end
module Z = F (X)
let conv (n : int) : string = Z.show (X.T (X.make n, string_of_int))
