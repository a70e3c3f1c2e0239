(* The signature asks for a class.
   signature:
     class counter : int -> object
       method incr : unit
       method get : int
     end
     val count_to : int -> int
   tests:
     (let c = new counter 3 in c#incr; c#get) = 4
     count_to 10 = 10
*)
class counter start =
  object
    val mutable n = start
    method incr = n <- n + 1
    method get = n
  end

let count_to n =
  let c = new counter 0 in
  for _ = 1 to n do c#incr done;
  c#get
