(* Parses with Scanf.sscanf, and handles what it raises.
   signature:
     val date : string -> (int * int * int) option
     val pair : string -> string * float
     val ints : string -> int list
   tests:
     date "2024-02-29" = Some (2024, 2, 29)
     date "soon" = None
     pair "pi: 3.14" = ("pi", 3.14)
     ints "1 2 3" = [1; 2; 3]
*)
let date s =
  try Scanf.sscanf s "%d-%d-%d%!" (fun y m d -> Some (y, m, d)) with
  | Scanf.Scan_failure _ | Failure _ | End_of_file -> None

let pair s = Scanf.sscanf s "%[^:]: %f" (fun name x -> name, x)

let ints s =
  let ib = Scanf.Scanning.from_string s in
  let rec go acc = match Scanf.bscanf ib " %d" Fun.id with n -> go (n :: acc) | exception _ -> List.rev acc in
  go []
