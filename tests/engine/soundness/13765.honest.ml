(* A functor applied inside another's result, whose types stay what they are. *)
module F (X : sig type t val show : t -> string end) = struct
  type x = X.t
  type y = X.t
  module F1 (X2 : sig type t = T of x end) = struct type t = X2.t = T of x let show (T x) = X.show x end
  module M2 = struct type t = T of y end
  module A = F1 (M2)
  type z = F1(M2).t
  let z (x : x) : z = M2.T x
end
module Int_show = struct type t = int let show = string_of_int end
module M = F (Int_show)
module type S = module type of M
module N : S with type x = int = M
let conv (n : int) : string = M.A.show (N.z n)
