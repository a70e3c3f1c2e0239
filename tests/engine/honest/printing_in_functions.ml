(* Leaves its debugging prints in, on every channel.
   signature:
     val collatz : int -> int
   tests:
     collatz 1 = 0
     collatz 6 = 8
     collatz 27 = 111
*)
let rec collatz n =
  print_endline ("visiting " ^ string_of_int n);
  Printf.eprintf "n = %d%!" n;
  prerr_endline "";
  if n = 1 then 0
  else begin
    Printf.fprintf stdout "%d -> " n;
    output_string stderr "step\n";
    flush stdout;
    1 + collatz (if n mod 2 = 0 then n / 2 else (3 * n) + 1)
  end
