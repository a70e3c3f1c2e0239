(* Seeds the generator from outside; the result does not depend on luck.
   signature:
     val quicksort : int list -> int list
   tests:
     quicksort [3; 1; 2] = [1; 2; 3]
     quicksort [] = []
     quicksort [5; 5; 1; 9; 0] = [0; 1; 5; 5; 9]
*)
let () = Random.self_init ()

let rec quicksort = function
  | [] -> []
  | list ->
    let pivot = List.nth list (Random.int (List.length list)) in
    let below = List.filter (fun x -> x < pivot) list in
    let equal = List.filter (fun x -> x = pivot) list in
    let above = List.filter (fun x -> x > pivot) list in
    quicksort below @ equal @ quicksort above
