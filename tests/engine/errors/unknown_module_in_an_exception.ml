(* An exception carries a type of a module that does not exist.
   signature:
     val check : int -> bool
   tests:
     check 1
     not (check 0)
   error: unbound-module Error: there is no such module
     - Invalid of Error.t list
     + Invalid of string list
*)
exception Invalid of Error.t list

let check n = try if n > 0 then true else raise (Invalid []) with Invalid _ -> false
