(* Three functions with one unrelated type clash each.
   signature:
     val total : int list -> int
     val greet : string -> string
     val last : 'a list -> 'a option
   tests:
     total [1; 2] = 3
     greet "Ann" = "Hello, Ann (3)"
     last [1; 2] = Some 2
   error: type-clash total: a string among the integers
     - fold_left (+) "0" numbers
     + fold_left (+) 0 numbers
   error: type-clash greet: an int concatenated to a string
     - ^ String.length name ^
     + ^ string_of_int (String.length name) ^
   error: ill-typed-item last: the element where an option is returned
     - | [x] -> x
     + | [x] -> Some x
*)
let total numbers = List.fold_left (+) "0" numbers

let greet name = "Hello, " ^ name ^ " (" ^ String.length name ^ ")"

let rec last list =
  match list with
  | [] -> None
  | [x] -> x
  | _ :: rest -> last rest
