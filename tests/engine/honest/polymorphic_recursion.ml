(* A nested data type needs an explicitly polymorphic annotation.
   signature:
     type 'a perfect = Zero of 'a | Succ of ('a * 'a) perfect
     val size : 'a perfect -> int
     val to_list : 'a perfect -> 'a list
   tests:
     size (Succ (Succ (Zero ((1, 2), (3, 4))))) = 4
     to_list (Succ (Zero ("a", "b"))) = ["a"; "b"]
*)
type 'a perfect = Zero of 'a | Succ of ('a * 'a) perfect

let rec size : 'a. 'a perfect -> int = function Zero _ -> 1 | Succ p -> 2 * size p

let rec to_list : 'a. 'a perfect -> 'a list = function
  | Zero x -> [ x ]
  | Succ p -> List.concat_map (fun (a, b) -> [ a; b ]) (to_list p)
