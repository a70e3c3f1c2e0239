(* Two modules that mention each other; a function of one has another type.
   signature:
     module rec Even : sig val test : int -> bool end
     and Odd : sig val test : int -> bool end
   tests:
     Even.test 4
     not (Odd.test 4)
   error: ill-typed-item Odd: it takes a string
     - sig val test : string -> bool end
     + sig val test : int -> bool end
     - string_of_int (n - 1)
     + n - 1
     - int_of_string s
     + s
*)
module rec Even : sig val test : int -> bool end = struct
  let test n = n = 0 || Odd.test (string_of_int (n - 1))
end
and Odd : sig val test : string -> bool end = struct
  let test s = let n = int_of_string s in n <> 0 && Even.test (n - 1)
end
