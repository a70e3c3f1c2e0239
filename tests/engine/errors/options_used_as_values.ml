(* Options used as if they were what they hold.
   signature:
     val is_three : (string * int) list -> string -> bool
     val next : (string, int) Hashtbl.t -> string -> int
     val first_length : string list -> int
   tests:
     is_three ["a", 3] "a"
     next (Hashtbl.create 1) "a" = 1
     first_length ["abc"] = 3
   error: type-clash is_three: an option is compared with an int
     - List.assoc_opt key pairs = 3
     + List.assoc_opt key pairs = Some 3
   error: type-clash next: an option in an addition
     - Hashtbl.find_opt table key + 1
     + Option.value (Hashtbl.find_opt table key) ~default:0 + 1
   error: type-clash first_length: the length of an option
     - String.length (List.nth_opt words 0)
     + String.length (List.nth words 0)
*)
let is_three pairs key = List.assoc_opt key pairs = 3
let next table key = Hashtbl.find_opt table key + 1
let first_length words = String.length (List.nth_opt words 0)
