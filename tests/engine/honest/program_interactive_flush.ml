(* Prompts and flushes as if someone were typing.
   kind: program
   stdin:
     Ada
     36
   stdout:
     name? age? Ada will be 37
*)
let ask question =
  print_string question;
  print_string " ";
  flush stdout;
  read_line ()

let () =
  let name = ask "name?" in
  let age = int_of_string (ask "age?") in
  Printf.printf "%s will be %d%!" name (age + 1)
