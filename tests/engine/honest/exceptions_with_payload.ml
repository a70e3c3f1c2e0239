(* Its own exceptions, raised, caught, re-raised and described.
   signature:
     exception Insufficient of { needed : int; available : int }
     val withdraw : int -> int -> int
     val safe_withdraw : int -> int -> string
   tests:
     withdraw 10 4 = 6
     (match withdraw 1 5 with exception Insufficient { needed = 5; available = 1 } -> true | _ -> false)
     safe_withdraw 1 5 = "short of 4"
     safe_withdraw 5 5 = "left 0"
*)
exception Insufficient of { needed : int; available : int }

let () =
  Printexc.register_printer (function
    | Insufficient { needed; _ } -> Some (Printf.sprintf "Insufficient(%d)" needed)
    | _ -> None)

let withdraw balance amount =
  if amount > balance then raise (Insufficient { needed = amount; available = balance })
  else balance - amount

let safe_withdraw balance amount =
  match withdraw balance amount with
  | left -> Printf.sprintf "left %d" left
  | exception (Insufficient { needed; available } as e) ->
    prerr_endline (Printexc.to_string e);
    Printf.sprintf "short of %d" (needed - available)
