(* Prints without a final newline, mixing channels and Format.
   kind: program
   stdin:
     5
   stdout:
     0 1 2 3 4
*)
let () =
  let n = Scanf.scanf "%d" (fun x -> x) in
  prerr_endline "to stderr, which nobody compares";
  Format.printf "@[<h>%a@]@?"
    (Format.pp_print_list ~pp_sep:Format.pp_print_space Format.pp_print_int)
    (List.init n Fun.id)
