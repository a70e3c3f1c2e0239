(* all *)
module M = struct
  open struct type t end
  type x = t
  type y = t
  module F1 (X2 : sig type t = T of x end) = struct type t = X2.t = T of x end
  module M2 : sig type t = T of y end = struct type t = T of y end
  type z = F1(M2).t
end
module type S = module type of M
module MR : S with type x = string and type y = int = struct
  type x = string
  type y = int
  module F1 (X2 : sig type t = T of x end) = struct type t = X2.t = T of x end
  module M2 = struct type t = T of y end
  type z = M2.t
end
let conv (n : int) : string =
  let first : MR.M2.t = T n in
  let second : MR.z = first in
  match second with T text -> text
