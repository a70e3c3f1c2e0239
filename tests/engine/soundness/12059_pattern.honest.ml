type chain = End | Link of int * chain
let conv (n : int) : string =
  let rec chain = let first, _ = (n, 0) in Link (first, chain) in
  match chain with Link (_, Link (_, Link (m, _))) -> string_of_int m | _ -> failwith "it ends"
