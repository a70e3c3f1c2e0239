(* An index operator that nobody defined, used twice: one error.
   signature:
     val at : int list -> int -> int
     val ends : int list -> int * int
   tests:
     at [1; 2] 1 = 2
     ends [1; 2; 3] = (1, 3)
   error: unbound-value .%(): it is not defined
     - let at list i = list.%(i)
     + let ( .%() ) = List.nth let at list i = list.%(i)
*)
let at list i = list.%(i)
let ends list = (list.%(0), list.%(List.length list - 1))
