(* Estimates pi by sampling; the tolerance leaves no room for luck.
   signature:
     val estimate : int -> float
   tests:
     abs_float (estimate 20_000 -. 3.14159) < 0.3
     estimate 1 >= 0.0
*)
let estimate n =
  Random.self_init ();
  let hits = ref 0 in
  for _ = 1 to n do
    let x = Random.float 1.0 and y = Random.float 1.0 in
    if (x *. x) +. (y *. y) <= 1.0 then incr hits
  done;
  4.0 *. float_of_int !hits /. float_of_int n
