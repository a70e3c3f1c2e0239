(* Opens List and Array over the standard names; later definitions shadow again.
   signature:
     val sum_of_squares : int list -> int
     val length : 'a list -> int
   tests:
     sum_of_squares [1; 2; 3] = 14
     length [(); ()] = 2
*)
open List

let sum_of_squares l = fold_left ( + ) 0 (map (fun x -> x * x) l)

open! Array
let rec length = function [] -> 0 | _ :: t -> 1 + length t

let () = assert (fold_left max 0 [| 1; 3; 2 |] = 3)
