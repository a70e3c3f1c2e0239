(* Records and prints a backtrace, and names exceptions.
   signature:
     val describe : (unit -> unit) -> string
   tests:
     describe (fun () -> ()) = "ok"
     describe (fun () -> raise Not_found) = "Not_found"
     describe (fun () -> raise Exit) = "Stdlib.Exit"
*)
let () = Printexc.record_backtrace true

let describe f =
  match f () with
  | () -> "ok"
  | exception e ->
    let trace = Printexc.get_backtrace () in
    Printexc.print_backtrace stderr;
    prerr_string trace;
    Printexc.to_string e
