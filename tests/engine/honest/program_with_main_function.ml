(* A main function with modules, exceptions handled, and a non-trivial exit at the end.
   kind: program
   stdin:
     add 3
     add 4
     oops
     show
     quit
     add 100
   stdout:
     error: unknown command oops
     total 7
     bye
*)
exception Unknown_command of string

module State = struct
  type t = { mutable total : int }

  let make () = { total = 0 }
  let add t n = t.total <- t.total + n
end

let execute state line =
  match String.split_on_char ' ' line with
  | [ "add"; n ] -> State.add state (int_of_string n); true
  | [ "show" ] -> Printf.printf "total %d\n" state.State.total; true
  | [ "quit" ] -> false
  | word :: _ -> raise (Unknown_command word)
  | [] -> true

let main () =
  let state = State.make () in
  let rec loop () =
    match read_line () with
    | exception End_of_file -> ()
    | line ->
      let continue =
        try execute state line with
        | Unknown_command w -> Printf.printf "error: unknown command %s\n" w; true
      in
      if continue then loop ()
  in
  loop ();
  print_endline "bye";
  exit 0

let () = main ()
