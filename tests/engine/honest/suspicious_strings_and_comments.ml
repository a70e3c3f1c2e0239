(* Mentions what is withheld, but only in strings, comments and identifiers.
   signature:
     val blacklist : string list
     val is_forbidden : string -> bool
   tests:
     List.length blacklist = 5
     is_forbidden "Obj.magic" = true
     is_forbidden "List.map" = false
*)

(* external identity : 'a -> 'b = "%identity"; Obj.magic; Unix.fork (); exit 0 *)
let blacklist =
  [ "Obj.magic"; "external f : int -> int = \"caml_f\""; {|Sys.command "ls"|}; "CamlinternalOO"; "Stdlib__Obj" ]

let exit_code = 0
let magic_number = 42
let system_call_unix = "Unix.execv \"/bin/sh\" [||]"
let is_forbidden s = List.mem s blacklist && exit_code = 0 && magic_number > 0 && system_call_unix <> ""
