(* Prints from at_exit, in reverse order of registration.
   kind: program
   stdin:
     x
   stdout:
     body x
     second
     first
*)
let () = at_exit (fun () -> print_endline "first")
let () = at_exit (fun () -> print_endline "second")
let () = Printf.printf "body %s\n" (read_line ())
