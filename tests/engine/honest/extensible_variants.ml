(* An open type that grows, and matching with a default.
   signature:
     type event = ..
     type event += Click of int * int | Key of char
     val describe : event -> string
   tests:
     describe (Click (1, 2)) = "click at 1,2"
     describe (Key 'x') = "key x"
*)
type event = ..
type event += Click of int * int | Key of char
type event += Scroll of int

let describe = function
  | Click (x, y) -> Printf.sprintf "click at %d,%d" x y
  | Key c -> Printf.sprintf "key %c" c
  | Scroll n -> Printf.sprintf "scroll %d" n
  | _ -> "unknown"

let () = assert (describe (Scroll 3) = "scroll 3")
