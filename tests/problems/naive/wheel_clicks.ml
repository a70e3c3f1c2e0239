(* multiplies the base until it is too large *)
let turns ~base a b = if a > b then invalid_arg "" else if a = b then [] else
  let rec go p = if b / p = a / p then [] else (b / p - a / p) :: (if p * base > b then [] else go (p * base)) in go 1
let clicks ~base a b = List.fold_left ( + ) 0 (turns ~base a b)
let rolls ~base a b = match turns ~base a b with _ :: x :: _ -> x | _ -> 0
