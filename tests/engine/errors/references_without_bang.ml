(* A reference used as its content, twice in one function for one reason, and once in another.
   signature:
     val count : int list -> int
     val average : int list -> int
   tests:
     count [1; 2] = 2
     average [2; 4] = 3
   error: type-clash count: n is a reference
     - n := n + 1
     + n := !n + 1
   error: type-clash average: sum is a reference
     - sum / List.length l
     + !sum / List.length l
*)
let count l =
  let n = ref 0 in
  List.iter (fun _ -> n := n + 1) l;
  !n

let average l =
  let sum = ref 0 in
  List.iter (fun x -> sum := !sum + x) l;
  sum / List.length l
