(* Polymorphic variants: open, closed, inherited and with arguments.
   signature:
     type color = [ `Red | `Green | `Custom of int ]
     val code : color -> int
     val describe : [< `On | `Off of string ] -> string
   tests:
     List.map code [`Red; `Green; `Custom 7] = [0; 1; 7]
     describe (`Off "night") = "off: night"
     describe `On = "on"
*)
type basic = [ `Red | `Green ]
type color = [ basic | `Custom of int ]

let basic_code : basic -> int = function `Red -> 0 | `Green -> 1
let code : color -> int = function #basic as b -> basic_code b | `Custom n -> n
let describe = function `On -> "on" | `Off why -> "off: " ^ why
let is_red = function `Red -> true | _ -> false
let () = assert (is_red `Red && not (is_red `Purple))
