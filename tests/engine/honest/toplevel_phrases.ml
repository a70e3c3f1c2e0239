(* Double semicolons between phrases and bare expressions, as typed into a toplevel.
   signature:
     val square : int -> int
     val cube : int -> int
   tests:
     square 4 = 16
     cube 2 = 8
*)
let square x = x * x;;

square 3;;
print_int (square 5);;
let cube x = x * square x
;;
let _ = cube 3;;
();;
