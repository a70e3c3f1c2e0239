(* raise of a string, failwith of a number, and a handler of another type than the body.
   signature:
     val positive : int -> int
     val checked : int -> int
     val find : string -> (string * int) list -> int
   tests:
     positive 3 = 3
     checked 3 = 3
     find "a" [] = -1
   error: type-clash positive: raise wants an exception
     - raise "negative"
     + raise (Invalid_argument "negative")
   error: type-clash checked: failwith wants a string
     - failwith 404
     + failwith "404"
   error: type-clash find: the handler returns an option
     - with Not_found -> None
     + with Not_found -> -1
*)
let positive n = if n < 0 then raise "negative" else n
let checked n = if n > 100 then failwith 404 else n

let find key pairs =
  try 0 + List.assoc key pairs
  with Not_found -> None
