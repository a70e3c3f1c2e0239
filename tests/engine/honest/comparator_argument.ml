(* A first-class module with a type constraint as an argument.
   signature:
     val distinct : (module Set.OrderedType with type t = 'a) -> 'a list -> 'a list
     val distinct_ints : int list -> int list
   tests:
     distinct_ints [3; 1; 3; 2] = [1; 2; 3]
     distinct (module String) ["b"; "a"; "b"] = ["a"; "b"]
*)
let distinct (type a) (module O : Set.OrderedType with type t = a) (list : a list) =
  let module S = Set.Make (O) in
  S.elements (S.of_list list)

let distinct_ints = distinct (module Int)
