(* A program about something else: none of the three items is defined. No item at all counts as five errors or more.
   signature:
     val insert : int -> int list -> int list
     val delete : int -> int list -> int list
     val member : int -> int list -> bool
   tests:
     insert 1 [] = [1]
     delete 1 [1] = []
     member 1 [1]
   error: missing-item insert: not defined
     - let rec fib
     + let insert x l = x :: l let rec fib
   error: missing-item delete: not defined
     - let () =
     + let delete x l = List.filter (( <> ) x) l let () =
   error: missing-item member: not defined
     - (fib 10)
     + (fib 10) let member = List.mem
   differs: a person counts three; the reward counts 5 where no item of the signature is there
*)
let rec fib n = if n < 2 then n else fib (n - 1) + fib (n - 2)

let () = print_int (fib 10)
