(* Catches what the standard library raises.
   signature:
     val classify : int -> string
   tests:
     classify 0 = "division"
     classify 1 = "bounds"
     classify 2 = "not found"
     classify 3 = "failure"
     classify 4 = "fine"
*)
let classify n =
  try
    (match n with
     | 0 -> ignore (1 / Sys.opaque_identity 0)
     | 1 -> ignore [| 1; 2 |].(Sys.opaque_identity 5)
     | 2 -> ignore (List.assoc "k" [])
     | 3 -> ignore (int_of_string "abc")
     | _ -> ());
    "fine"
  with
  | Division_by_zero -> "division"
  | Invalid_argument _ -> "bounds"
  | Not_found -> "not found"
  | Failure _ -> "failure"
