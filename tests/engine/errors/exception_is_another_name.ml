(* The exceptions asked for are other names of one that is there already.
   signature:
     exception Cycle
     exception Too_deep
     val depth : int -> int
   tests:
     (try depth (-1) > 0 with Cycle -> true)
     depth 3 = 3
   error: shared-exception Cycle: it is the one of an overflow
     - exception Cycle = Stack_overflow
     + exception Cycle
     - let rec depth n = if n = 0
     + let rec depth n = if n < 0 then raise Cycle else if n = 0
*)
exception Cycle = Stack_overflow
exception Too_deep

let rec depth n = if n = 0 then 0 else 1 + depth (n - 1)
