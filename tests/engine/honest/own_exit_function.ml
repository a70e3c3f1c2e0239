(* Defines functions named like withheld ones: exit, at_exit, open_in, input_line.
   signature:
     val run : string list -> string
   tests:
     run ["push"; "push"; "exit"; "push"] = "exit 2"
     run [] = "exit 0"
*)
exception Exit_with of int

let exit code = raise (Exit_with code)
let at_exit f = f ()
let open_in lines = ref lines
let input_line ic = match !ic with [] -> raise End_of_file | x :: rest -> ic := rest; x

let run lines =
  let ic = open_in lines and count = ref 0 in
  at_exit (fun () -> ());
  try
    while true do
      match input_line ic with "exit" -> exit !count | _ -> incr count
    done;
    ""
  with
  | Exit_with n -> "exit " ^ string_of_int n
  | End_of_file -> "exit " ^ string_of_int !count
