(* Carriage returns at the ends of lines, tabs and a form feed.
   signature:
     val f : int -> int
   tests:
     f 2 = 4
*)
let f x =
	(* a tab *)
	x + 2


let g = "multi
line"
