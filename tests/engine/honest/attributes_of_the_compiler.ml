(* Attributes that the compiler knows.
   signature:
     val sum_to : int -> int
     val id_value : int -> int
     val safe_head : int list -> int
   tests:
     sum_to 100 = 5050
     id_value 3 = 3
     safe_head [4; 5] = 4
*)
[@@@warning "-32-27"]

type id = Id of int [@@unboxed]
type wrapped = { wrapped : string } [@@unboxed]
type small = int [@@immediate]

let[@inline] add a b = a + b
let[@inline never] sub a b = a - b

let sum_to n =
  let rec go acc n = if n = 0 then acc else (go [@tailcall]) (add acc n) (n - 1) in
  go 0 n

let id_value n = match Id n with Id m -> m
let[@warning "-8"] safe_head list = let (x :: _) = list in x
let old_name = sum_to [@@deprecated "use sum_to"]
let _ = (sub [@inlined never]) 3 1 [@@ocaml.doc "unused"]
