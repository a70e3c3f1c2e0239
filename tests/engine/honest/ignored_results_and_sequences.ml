(* begin ... end, sequences, nested ifs without else, ignore, and unit functions.
   signature:
     val log : int -> string list
   tests:
     log 3 = ["end"; "big"; "odd"; "start"]
     log 0 = ["end"; "start"]
*)
let log n =
  let lines = ref [] in
  let say s = lines := s :: !lines in
  say "start";
  if n mod 2 = 1 then say "odd";
  if n > 2 then begin
    say "big";
    ignore (n + 1 : int)
  end
  else if n < 0 then ();
  (if n > 100 then say "huge" else ());
  say "end";
  !lines
