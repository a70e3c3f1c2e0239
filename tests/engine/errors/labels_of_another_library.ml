(* Labelled arguments as Base and Core have them.
   signature:
     val doubled : int list -> int list
     val total : int list -> int
   tests:
     doubled [1; 2] = [2; 4]
     total [1; 2] = 3
   error: label doubled: List.map has no label f
     - List.map ~f:(fun x -> 2 * x) list
     + List.map (fun x -> 2 * x) list
   error: ill-typed-item total: the labels f and init make it another function
     - List.fold_left ~f:(+) ~init:0 list
     + List.fold_left (+) 0 list
*)
let doubled list = List.map ~f:(fun x -> 2 * x) list
let total list = List.fold_left ~f:(+) ~init:0 list
