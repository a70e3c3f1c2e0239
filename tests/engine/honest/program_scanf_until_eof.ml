(* Scans integers until the end and prints statistics as floats.
   kind: program
   stdin:
     3 1 4
     1 5
   stdout:
     n=5 mean=2.80 max=5
*)
let rec read acc =
  match Scanf.scanf " %d" (fun x -> x) with
  | x -> read (x :: acc)
  | exception (End_of_file | Scanf.Scan_failure _) -> acc

let () =
  let l = read [] in
  let n = List.length l in
  Printf.printf "n=%d mean=%.2f max=%d" n
    (float_of_int (List.fold_left ( + ) 0 l) /. float_of_int n)
    (List.fold_left max min_int l)
