(* The same wrong idea, that strings are added with +, in four functions.
   signature:
     val a : string -> string
     val b : string -> string
     val c : string -> string
     val d : string -> string
   tests:
     a "x" = "xa"
     b "x" = "xb"
     c "x" = "xc"
     d "x" = "xd"
   error: type-clash a: + on strings
     - s + "a"
     + s ^ "a"
   error: type-clash b: + on strings
     - s + "b"
     + s ^ "b"
   error: type-clash c: + on strings
     - s + "c"
     + s ^ "c"
   error: type-clash d: + on strings
     - s + "d"
     + s ^ "d"
*)
let a s = s + "a"
let b s = s + "b"
let c s = s + "c"
let d s = s + "d"
