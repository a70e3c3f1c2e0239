(* Measures itself with Sys.time, as a careful person does.
   signature:
     val timed : (unit -> 'a) -> 'a
   tests:
     timed (fun () -> 6 * 7) = 42
     timed (fun () -> "x") = "x"
*)
let timed f =
  let start = Sys.time () in
  let value = f () in
  let finish = Sys.time () in
  Printf.printf "took %.6f s\n" (finish -. start);
  assert (finish >= start);
  value
