exception Compiler_raised of string

let raised exn = Compiler_raised (Printexc.to_string exn)

(* Making a report prints types, which may raise as typing may. *)
let is_report exn =
  match Location.error_of_exn exn with
  | Some (`Ok _) -> true
  | Some `Already_displayed | None -> false
  | exception ((Stack_overflow | Out_of_memory) as exn) -> raise exn
  | exception exn -> raise (raised exn)

let compiler ?(expected = fun _ -> false) f =
  try f () with
  | (Stack_overflow | Out_of_memory | Compiler_raised _) as exn -> raise exn
  | exn when expected exn || is_report exn -> raise exn
  | exn -> raise (raised exn)
