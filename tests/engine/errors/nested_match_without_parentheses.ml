(* The inner match swallows the last case of the outer one.
   signature:
     val describe : int list -> string option -> string
     val size : string -> int
   tests:
     describe [] (Some "x") = "x"
     describe [1] None = "full"
     size "ab" = 2
   error: type-clash describe: parentheses are missing around the inner match
     - (* inner *) match name with
     + (match name with
     - | None -> "anonymous"
     + | None -> "anonymous")
*)
let describe list name =
  match list with
  | [] ->
    (* inner *) match name with
    | Some n -> n
    | None -> "anonymous"
  | _ :: _ -> "full"

let size s = String.length s
