(* Methods that the objects do not have, and an inherited one called with a wrong argument.
   signature:
     val run : int -> int
   tests:
     run 3 = 4
   error: unbound-method increment: the method is incr
     - c#increment
     + c#incr
   error: type-clash bad: add takes an int
     - c#add "1"
     + c#add 1
*)
class counter start =
  object
    val mutable n = start
    method incr = n <- n + 1
    method add k = n <- n + k
    method get : int = n
  end

let run start =
  let c = new counter start in
  c#increment;
  c#get

let bad () =
  let c = new counter 0 in
  c#add "1"
