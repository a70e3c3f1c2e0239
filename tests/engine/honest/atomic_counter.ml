(* Atomic references, alone in one thread.
   signature:
     val next : unit -> int
     val run : int -> int
   tests:
     run 10 = 10
     (let a = next () in let b = next () in b - a) = 1
*)
let counter = Atomic.make 0
let next () = Atomic.fetch_and_add counter 1

let run n =
  let c = Atomic.make 0 in
  for _ = 1 to n do Atomic.incr c done;
  assert (Atomic.compare_and_set c n n);
  assert (Atomic.exchange c n = n);
  Atomic.get c
