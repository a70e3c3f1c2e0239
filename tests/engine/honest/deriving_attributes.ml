(* Attributes of preprocessors that are not installed: they mean nothing here and harm nothing.
   signature:
     type color = Red | Green | Blue
     type point = { x : int; y : int }
     val show_color : color -> string
     val norm1 : point -> int
   tests:
     List.map show_color [Red; Green; Blue] = ["Red"; "Green"; "Blue"]
     norm1 { x = -3; y = 4 } = 7
*)
type color = Red | Green | Blue [@@deriving show, eq, enumerate]
type point = { x : int [@default 0]; y : int [@key "y"] } [@@deriving show { with_path = false }, yojson]

let show_color = function Red -> "Red" | Green -> "Green" | Blue -> "Blue"
let norm1 { x; y } = abs x + abs y
