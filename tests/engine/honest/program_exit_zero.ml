(* Ends with exit 0 in the middle, having flushed nothing itself.
   kind: program
   stdin:
     stop
   stdout:
     stopping
   stdin:
     go
   stdout:
     going
*)
let () =
  match read_line () with
  | "stop" ->
    print_string "stopping";
    exit 0
  | _ -> print_string "going"
