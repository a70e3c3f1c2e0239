(* Sets of sets.
   signature:
     val powerset : int list -> int list list
   tests:
     powerset [1; 2] = [[]; [1]; [1; 2]; [2]]
     powerset [] = [[]]
     List.length (powerset [1; 2; 3; 4; 5]) = 32
*)
module Ints = Set.Make (Int)
module Sets = Set.Make (Ints)

let powerset list =
  let add x sets = Sets.fold (fun s acc -> Sets.add (Ints.add x s) acc) sets sets in
  let all = Ints.fold add (Ints.of_list list) (Sets.singleton Ints.empty) in
  List.sort compare (List.map Ints.elements (Sets.elements all))
