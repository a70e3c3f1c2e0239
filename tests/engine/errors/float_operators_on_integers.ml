(* Float operators and literals in code about integers.
   signature:
     val sum_to : int -> int
     val mean : int list -> float
   tests:
     sum_to 4 = 10
     mean [1; 2] = 1.5
   error: type-clash sum_to: the accumulator starts as a float
     - go 0.0 n
     + go 0 n
   error: type-clash mean: an int divided by an int with /.
     - sum /. List.length l
     + float_of_int sum /. float_of_int (List.length l)
*)
let sum_to n =
  let rec go acc k = if k = 0 then acc else go (acc + k) (k - 1) in
  go 0.0 n

let mean l =
  let sum = List.fold_left (fun acc x -> acc + x) 0 l in
  sum /. List.length l
