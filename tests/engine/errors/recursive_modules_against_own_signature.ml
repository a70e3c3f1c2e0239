(* One of two modules that mention each other does not fit what is written at it.
   signature:
     module rec Even : sig val test : int -> bool end
     and Odd : sig val test : int -> bool end
   tests:
     Even.test 4
     not (Odd.test 4)
   error: module Even: returns an int
     - if n = 0 then 1 else 0
     + n = 0 || Odd.test (n - 1)
*)
module rec Even : sig val test : int -> bool end = struct
  let test n = if n = 0 then 1 else 0
end
and Odd : sig val test : int -> bool end = struct
  let test n = n <> 0 && Even.test (n - 1)
end
