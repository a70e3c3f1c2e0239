(* Prints some tens of kilobytes through a Buffer.
   kind: program
   stdin:
     3
   stdout:
     *
     **
     ***
     5000 lines before
*)
let () =
  let n = read_int () in
  let b = Buffer.create 1024 in
  for i = 1 to n do Buffer.add_string b (String.make i '*' ^ "\n") done;
  print_string (Buffer.contents b);
  for _ = 1 to 5000 do prerr_string "" done;
  Buffer.clear b;
  for _ = 1 to 5000 do Buffer.add_string b "....\n" done;
  Buffer.output_buffer stderr b;
  Printf.printf "%d lines before\n" (Buffer.length b / 5)
