(* looks at every stop *)
let nearest stops x =
  let best = ref None in
  Array.iteri (fun i s -> match !best with Some b when abs (stops.(b) - x) <= abs (s - x) -> () | _ -> best := Some i) stops;
  !best
let within stops x radius = Array.fold_left (fun n s -> if abs (s - x) <= radius then n + 1 else n) 0 stops
