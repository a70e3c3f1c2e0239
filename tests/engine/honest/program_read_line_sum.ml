(* Reads numbers with read_int and read_line.
   kind: program
   stdin:
     3
     10
     20
     12
   stdout:
     sum = 42
   stdin:
     0
   stdout:
     sum = 0
*)
let () =
  let n = read_int () in
  let sum = ref 0 in
  for _ = 1 to n do
    sum := !sum + int_of_string (String.trim (read_line ()))
  done;
  Printf.printf "sum = %d\n" !sum
