(* Prints while its module initialises.
   signature:
     val area : int -> int -> int
   tests:
     area 3 4 = 12
     area 0 9 = 0
*)
let () = print_endline "rectangles, version 1"
let area width height = width * height
let () = Printf.printf "area 2 3 = %d\n" (area 2 3)
let () = print_string "no newline at the end"
