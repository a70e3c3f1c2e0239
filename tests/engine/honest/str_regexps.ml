(* Regular expressions of the library Str.
   signature:
     val words : string -> string list
     val swap : string -> string
     val is_number : string -> bool
   tests:
     words "to be,  or not" = ["to"; "be"; "or"; "not"]
     swap "key=value" = "value=key"
     is_number "-12" = true
     is_number "1x" = false
*)
let words s = Str.split (Str.regexp "[ \t,]+") s
let swap s = Str.global_replace (Str.regexp "\\([a-z]+\\)=\\([a-z]+\\)") "\\2=\\1" s
let is_number s = Str.string_match (Str.regexp "^-?[0-9]+$") s 0
let () = if Str.string_match (Str.regexp "a+") "aab" 0 then print_endline (Str.matched_string "aab")
