(* Equalities that stay: the functor's argument has a name. *)
module F (X : sig type t end) = struct
  type x = X.t
  type y = X.t
  module F1 (X2 : sig type t = T of x end) = struct type t = X2.t = T of x end
  module M2 : sig type t = T of y end = struct type t = T of y end
  type z = F1(M2).t
end
module Text = struct type t = string end
module M = F (Text)
module type S = module type of M
let conv (n : int) : string =
  let first : M.M2.t = T (string_of_int n) in
  let second : M.z = first in
  match second with T text -> text
