(* A module named Array hides what a.(i) and a.(i) <- x mean.
   signature:
     val sum : int array -> int
     val clear : int array -> unit
   tests:
     sum [| 1; 2 |] = 3
   error: unbound-value Array.get: the module has no get
     - !total + a.(i)
     + !total + Stdlib.Array.get a i
   error: unbound-value Array.set: nor a set
     - a.(i) <- 0
     + Stdlib.Array.set a i 0
*)
module Array = struct let length = Array.length end

let sum a =
  let total = ref 0 in
  for i = 0 to Array.length a - 1 do total := !total + a.(i) done;
  !total

let clear a = for i = 0 to Array.length a - 1 do a.(i) <- 0 done
