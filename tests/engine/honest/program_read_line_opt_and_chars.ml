(* input_char, read_line_opt-like helpers and output_char.
   kind: program
   stdin:
     hello
     abc
   stdout:
     HELLO
     ABC
*)
let () =
  try
    while true do
      output_char stdout (Char.uppercase_ascii (input_char stdin))
    done
  with End_of_file -> flush stdout
