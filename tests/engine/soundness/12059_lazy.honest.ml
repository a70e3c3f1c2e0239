type chain = Link of int * chain Lazy.t
let conv (n : int) : string =
  let rec chain = lazy (let link = if n > 0 then Link (n, chain) else Link (0, chain) in link) in
  match Lazy.force chain with Link (_, (lazy (Link (m, _)))) -> string_of_int m
