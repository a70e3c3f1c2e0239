type chain = End | Link of int * chain
type node = { number : int; next : node; rest : chain }
let conv (n : int) : string =
  let rec nothing = { number = 0; next = nothing; rest = End } in
  let rec chain = let first, _ = (n, 0) in Link (first, chain)
  and node = { number = n; next = (if n > 0 then node else other); rest = chain }
  and other = { nothing with next = node } in
  match chain with
  | Link (_, Link (_, Link (m, _))) when node.next == node && other.next == node -> string_of_int m
  | _ -> failwith "it ends"
