(* Reads nothing although there is input.
   kind: program
   stdin:
     nobody reads this
   stdout:
     1
     2
     Fizz
     4
     Buzz
*)
let fizzbuzz n =
  match n mod 3, n mod 5 with
  | 0, 0 -> "FizzBuzz"
  | 0, _ -> "Fizz"
  | _, 0 -> "Buzz"
  | _ -> string_of_int n

let () = List.iter (fun n -> print_endline (fizzbuzz n)) [ 1; 2; 3; 4; 5 ]
