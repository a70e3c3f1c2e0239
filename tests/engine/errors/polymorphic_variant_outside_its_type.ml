(* Tags that the declared closed types do not have.
   signature:
     type color = [ `Red | `Green ]
     val code : color -> int
     val favourite : color
     val opposite : color -> color
   tests:
     code favourite = 1
     opposite `Red = `Green
   error: type-clash favourite: Blue is no color
     - `Blue
     + `Green
   error: type-clash opposite: Gren is no color
     - `Gren
     + `Green
*)
type color = [ `Red | `Green ]

let code : color -> int = function `Red -> 0 | `Green -> 1
let favourite : color = `Blue
let opposite : color -> color = function `Red -> `Gren | _ -> `Red
