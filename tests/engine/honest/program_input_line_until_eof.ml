(* Loops over stdin until End_of_file.
   kind: program
   stdin:
     apple
     fig

     banana
   stdout:
     1: apple
     2: fig
     3: 
     4: banana
     longest: banana
   stdin:
   stdout:
     longest: 
*)
let () =
  let longest = ref "" and number = ref 0 in
  (try
     while true do
       let line = input_line stdin in
       incr number;
       Printf.printf "%d: %s\n" !number line;
       if String.length line > String.length !longest then longest := line
     done
   with End_of_file -> ());
  print_endline ("longest: " ^ !longest)
