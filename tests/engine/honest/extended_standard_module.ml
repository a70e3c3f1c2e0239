(* Extends List and String with include, takes module types of them, and uses aliases and the prefix Stdlib.
   signature:
     val total : int list -> int
     val shout : string -> string
     val clamp : int -> int -> int -> int
   tests:
     total [1; 2; 3] = 6
     shout "abc" = "ABC!"
     clamp 0 10 42 = 10
*)
module List = struct
  include List

  let sum = fold_left ( + ) 0
end

module S = String
module type LIST = module type of List

module Checked : LIST = List

let total l = Checked.sum (List.rev l)
let shout s = S.uppercase_ascii s ^ "!"
let clamp low high x = Stdlib.max low (Stdlib.min high x)
let () = Stdlib.print_endline (Stdlib.String.concat ", " [ shout "x" ])
