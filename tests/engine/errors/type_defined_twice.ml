(* The same type name twice in one module, the first in use; and one clash elsewhere.
   signature:
     val describe : bool -> string
     val length : string -> int
   tests:
     describe true = "on"
     length "ab" = 2
   error: duplicate state: defined twice, and both are exported
     - type state = Idle
     + type mode = Idle
   error: type-clash length: String.length of a list
     - String.length (List.of_seq (String.to_seq s))
     + List.length (List.of_seq (String.to_seq s))
   differs: items are typed one by one, so that a clash between two of them goes unseen beside other errors
*)
type state = On | Off

let toggle = function On -> Off | Off -> On
let of_bool b = toggle (if b then Off else On)
let describe b = match of_bool b with On -> "on" | Off -> "off"

type state = Idle | Busy

let length s = String.length (List.of_seq (String.to_seq s))
