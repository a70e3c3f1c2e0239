(* Functors of several arguments, with type, destructive substitution and include.
   signature:
     val union_size : string list -> string list -> int
     val describe : int -> string
   tests:
     union_size ["a"; "b"] ["b"; "c"] = 3
     union_size [] [] = 0
     describe 3 = "3,<3>"
*)
module type SHOW = sig type t val show : t -> string end
module type PAIR = sig
  type left
  type right
  val both : left -> right -> string
end

module Pair (A : SHOW) (B : SHOW) : PAIR with type left = A.t and type right := B.t = struct
  type left = A.t
  let both a b = A.show a ^ "," ^ B.show b
end

module Show_int = struct type t = int let show = string_of_int end

module Bracketed (S : SHOW) = struct
  include S
  let show x = "<" ^ S.show x ^ ">"
end

module Pair_of_ints = Pair (Show_int) (Bracketed (Show_int))
module Names = Set.Make (String)

let union_size a b = Names.cardinal (Names.union (Names.of_list a) (Names.of_list b))
let describe n = Pair_of_ints.both n n
