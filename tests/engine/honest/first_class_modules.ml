(* Modules as values: packed, unpacked in patterns, kept in a list.
   signature:
     val apply_all : int -> (string * int) list
   tests:
     apply_all 5 = [("double", 10); ("square", 25); ("negate", -5)]
     apply_all 0 = [("double", 0); ("square", 0); ("negate", 0)]
*)
module type OPERATION = sig
  val name : string
  val run : int -> int
end

module Double = struct let name = "double" let run x = 2 * x end
module Square = struct let name = "square" let run x = x * x end

let operations : (module OPERATION) list =
  [ (module Double); (module Square); (module struct let name = "negate" let run = ( ~- ) end) ]

let apply (module O : OPERATION) x = O.name, O.run x
let apply_all x = List.map (fun operation -> apply operation x) operations
