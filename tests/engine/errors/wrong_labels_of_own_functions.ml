(* Calls with a label that the function does not have, and with one forgotten type.
   signature:
     val box : width:int -> height:int -> string
     val square : int -> string
     val line : int -> string
   tests:
     square 2 = "##\n##\n"
     line 3 = "###\n"
   error: label square: the label is height, not heigth
     - box ~width:n ~heigth:n
     + box ~width:n ~height:n
   error: type-clash line: the height is an int
     - box ~width:n ~height:"1"
     + box ~width:n ~height:1
*)
let box ~width ~height =
  String.concat "" (List.init height (fun _ -> String.make width '#' ^ "\n"))

let square n = box ~width:n ~heigth:n
let line n = box ~width:n ~height:"1"
