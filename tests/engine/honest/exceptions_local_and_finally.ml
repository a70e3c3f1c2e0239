(* A local exception for an early exit, and Fun.protect for cleaning up.
   signature:
     val find_index : ('a -> bool) -> 'a array -> int option
     val cleaned_up : (unit -> int) -> int * bool
   tests:
     find_index (fun x -> x > 2) [|1; 2; 3; 4|] = Some 2
     find_index (fun x -> x > 9) [|1; 2|] = None
     cleaned_up (fun () -> 5) = (5, true)
     cleaned_up (fun () -> failwith "no") = (-1, true)
     cleaned_up (fun () -> raise_notrace Exit) = (-2, true)
*)
let find_index p a =
  let exception Found of int in
  try
    Array.iteri (fun i x -> if p x then raise_notrace (Found i)) a;
    None
  with Found i -> Some i

let cleaned_up f =
  let closed = ref false in
  let value =
    try Fun.protect ~finally:(fun () -> closed := true) f with
    | Failure _ | Invalid_argument _ -> -1
    | Exit -> -2
  in
  value, !closed
