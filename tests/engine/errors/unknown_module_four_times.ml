(* A helper module that does not exist, used for four functions: one error.
   signature:
     val normalize : string -> string list
   tests:
     normalize " A b " = ["a"; "b"]
   error: unbound-module StringUtils: no such module; String has all four
     - StringUtils.
     + String.
*)
let normalize text =
  let text = StringUtils.trim text in
  let text = StringUtils.lowercase_ascii text in
  let words = StringUtils.split_on_char ' ' text in
  List.filter (fun w -> StringUtils.length w > 0) words
