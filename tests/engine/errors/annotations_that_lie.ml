(* Annotations that contradict the bodies.
   signature:
     val show : int -> string
     val half : int -> int
     val none : int option
   tests:
     show 3 = "3"
     half 5 = 2
     none = None
   error: type-clash show: annotated as int
     - let show n : int = string_of_int n
     + let show n : string = string_of_int n
   error: type-clash half: annotated as float
     - let half (n : float) = n / 2
     + let half (n : int) = n / 2
   error: type-clash none: an int option annotated as int
     - let none : int = None
     + let none : int option = None
*)
let show n : int = string_of_int n
let half (n : float) = n / 2
let none : int = None
