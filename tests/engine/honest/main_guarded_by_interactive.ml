(* A main that only runs as a script, and looks at its arguments and its own name.
   signature:
     val double : int -> int
   tests:
     double 21 = 42
*)
let double x = 2 * x

let main () =
  let n = if Array.length Sys.argv > 1 then Array.length Sys.argv else 1 in
  Printf.printf "%s: %d\n" Sys.executable_name (double n)

let () = if not !Sys.interactive then main ()
