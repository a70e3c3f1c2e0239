(* Arguments that do not fit the format string.
   signature:
     val show : int -> string
     val label : string -> string
     val pair : int * int -> string
   tests:
     show 3 = "n = 3"
     label "x" = "<x>"
     pair (1, 2) = "1,2"
   error: type-clash show: %s for an int
     - "n = %s" (n + 0)
     + "n = %d" (n + 0)
   error: type-clash label: %d for a string
     - "<%d>" (s ^ "")
     + "<%s>" (s ^ "")
   error: type-clash pair: a tuple for two arguments
     - "%d,%d" p
     + "%d,%d" (fst p) (snd p)
*)
let show n = Printf.sprintf "n = %s" (n + 0)
let label s = Printf.sprintf "<%d>" (s ^ "")
let pair p : string = Printf.sprintf "%d,%d" p
