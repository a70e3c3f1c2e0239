(* Comments that hold strings, quotes, comments and code: "*)", '"', {|*)|}, (* nested (* twice *) *).
   signature:
     val f : int -> int
   tests:
     f 1 = 2
*)
(* let f x = "this is not *) the end" *)
let f (* the 'name' isn't a char *) x (* : int -> *) = (* "a\"b" *) x (* ' *) + 1 (* '"' and '\'' *)
(* (* let f x = 0 *) *)
(*) the end *)
