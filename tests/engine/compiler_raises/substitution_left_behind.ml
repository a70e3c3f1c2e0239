(* A constructor's type is copied while it holds a type that is substituted.
   signature: val run : int -> int
   raises: btype.ml
   errors: 1 *)
type flag = bool

module type S = sig
  type copy := flag
  type _ pair = Pair : 'a -> (flag * copy * 'a) pair
end

let run n = n
