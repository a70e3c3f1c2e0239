(* Units where values are needed.
   signature:
     val log : string -> string
     val sum : int list -> int
   tests:
     log "x" = "x"
     sum [1; 2] = 3
   error: type-clash log: print_endline returns unit
     - print_endline s ^ ""
     + s ^ ""
   error: type-clash sum: List.iter returns unit
     - let total = List.iter (fun x -> x) numbers in
     + let total = List.fold_left (+) 0 numbers in
*)
let log s = print_endline s ^ ""

let sum numbers =
  let total = List.iter (fun x -> x) numbers in
  total + 0
