(* Calls the garbage collector and reads its counters.
   signature:
     val work : int -> int
   tests:
     work 1000 = 1000
*)
let work n =
  let list = List.init n string_of_int in
  Gc.full_major ();
  Gc.minor ();
  let s = Gc.stat () in
  assert (s.Gc.live_words > 0);
  assert ((Gc.quick_stat ()).Gc.minor_words >= 0.0);
  Gc.compact ();
  ignore (Gc.allocated_bytes ());
  List.length list
