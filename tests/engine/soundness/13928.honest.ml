(* Ten deep, which the compiler looks through. *)
module type T = sig type t val make : float -> t val get : t -> float end
module F (X : T) = struct
  type t = { x : X.t } [@@unboxed]
  let make n = { x = X.make n }
  let get t = X.get t.x
end
module F10 (X : T) = F (F (F (F (F (F (F (F (F (F (X))))))))))

module B = struct type t = float let make n = n let get n = n end
module M = F (F10 (B))
let conv (n : int) : string =
  let y = M.make (float_of_int n) in
  string_of_int (int_of_float (M.get (Lazy.force (Array.make 10 (lazy y)).(0))))
