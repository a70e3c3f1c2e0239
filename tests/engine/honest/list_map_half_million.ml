(* List.map, append and fold_right on long lists.
   signature:
     val count : int -> int
   tests:
     count 500_000 = 500_000
*)
let count n =
  let l = List.map succ (List.init n Fun.id) in
  let doubled = l @ [ 0 ] in
  List.fold_right (fun _ acc -> acc + 1) doubled 0 - 1
