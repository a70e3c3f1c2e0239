(* True, False and Null, each written more than once.
   signature:
     val is_even : int -> bool
     val find : int -> (int * string) list -> string option
   tests:
     is_even 2
     is_even 3 = false
     find 1 [1, "a"] = Some "a"
     find 2 [] = None
   error: unbound-constructor True: it is true
     - True
     + true
   error: unbound-constructor False: it is false
     - False
     + false
   error: unbound-constructor Null: it is None
     - Null
     + None
*)
let is_even n = if n mod 2 = 0 then True else False
let is_odd n = if n mod 2 = 1 then True else False

let rec find key = function
  | [] -> Null
  | (k, v) :: rest -> if k = key then Some v else find key rest

let none = Null
