(* Three mistakes in one long function, far apart and unrelated.
   signature:
     val report : (string * int) list -> string
   tests:
     report ["a", 1; "b", 2] = "a: 1\nb: 2\ntotal: 3"
   error: unbound-value iterate: it is List.iter
     - List.iterate
     + List.iter
   error: type-clash total: an int where a string is printed
     - "total: " ^ sum
     + "total: " ^ string_of_int sum
   error: type-clash reverse: List.rev of a string
     - List.rev "done"
     + List.rev [ "done" ]
*)
let report pairs =
  let buffer = Buffer.create 16 in
  List.iterate
    (fun (name, n) ->
       Buffer.add_string buffer name;
       Buffer.add_string buffer ": ";
       Buffer.add_string buffer (string_of_int n);
       Buffer.add_char buffer '\n')
    pairs;
  let sum = List.fold_left (fun acc (_, n) -> acc + n) 0 pairs in
  Buffer.add_string buffer ("total: " ^ sum);
  let unused = List.rev "done" in
  ignore unused;
  Buffer.contents buffer
