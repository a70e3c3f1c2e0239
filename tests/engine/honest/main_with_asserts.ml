(* A main that tests the code and prints a report.
   signature:
     val gcd : int -> int -> int
   tests:
     gcd 12 18 = 6
     gcd 7 0 = 7
*)
let rec gcd a b = if b = 0 then a else gcd b (a mod b)

let tests = [ 12, 18, 6; 5, 7, 1; 0, 4, 4 ]

let () =
  print_endline "Running tests...";
  List.iteri
    (fun i (a, b, expected) ->
       let actual = gcd a b in
       assert (actual = expected);
       Printf.printf "Test %d: gcd %d %d = %d ... PASSED\n" (i + 1) a b actual)
    tests;
  print_endline "All tests passed!"
