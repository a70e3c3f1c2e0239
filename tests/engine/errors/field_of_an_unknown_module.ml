(* A record with a field whose type is of a module that does not exist, and a mistake elsewhere.
   signature:
     type user
     val make : string -> user
     val name : user -> string
     val double : int -> int
   tests:
     name (make "a") = "a"
     double 2 = 4
   error: unbound-module Date: there is no such module
     - born : Date.t option
     + born : int option
   error: type-clash double: a float operator
     - 2 *. n
     + 2 * n
*)
type user = { name : string; born : Date.t option }

let make name = { name; born = None }
let name user = user.name
let double n = 2 *. n
