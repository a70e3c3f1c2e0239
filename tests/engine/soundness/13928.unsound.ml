(* all *)
module type T = sig type t val make : float -> t val get : t -> float end
module F (X : T) = struct
  type t = { x : X.t } [@@unboxed]
  let make n = { x = X.make n }
  let get t = X.get t.x
end
module F10 (X : T) = F (F (F (F (F (F (F (F (F (F (X))))))))))
module F100 (X : T) = F10 (F10 (F10 (F10 (F10 (F10 (F10 (F10 (F10 (F10 (X))))))))))
module B = struct type t = float let make n = n let get n = n end
module M = F (F100 (B))
let set (a : 'a array) (x : 'a) = a.(0) <- x
let conv (n : int) : float =
  let a = Array.make 2 (lazy (M.make 1.5)) in
  let bits x = let x = M.make (Int64.float_of_bits x) in lazy x in
  let y = M.make 1.5 in
  let a = Array.make 2 (lazy y) in
  set a (bits (Int64.of_int ((2 * n) + 1)));
  let held : M.t Lazy.t = a.(0) in
  M.get (Lazy.force held)
