(* Format strings passed around, %a, %t, ksprintf, continuation printing and printing to a Buffer.
   signature:
     val table : (string * int) list -> string
     val fail : ('a, unit, string, 'b) format4 -> 'a
   tests:
     table ["a", 1; "bb", 22] = "a    |   1\nbb   |  22\n"
     (match fail "bad %d" 3 with exception Failure "bad 3" -> true | _ -> false)
*)
let row = format_of_string "%-5s|%4d\n"

let table rows =
  let b = Buffer.create 64 in
  List.iter (fun (k, v) -> Printf.bprintf b row k v) rows;
  Buffer.contents b

let fail fmt = Printf.ksprintf failwith fmt
let list_to_string l = Printf.sprintf "%a" (fun () l -> String.concat ";" (List.map string_of_int l)) l

let () =
  Printf.printf "%s %5.2f %-4d| %x %e %c %b %% %i %u\n" "x" 1.5 3 255 1.0 'c' true 3 4;
  Printf.printf "%t %*d %S\n" (fun oc -> output_char oc '!') 5 42 "quoted";
  Printf.ifprintf stdout "%d" 3;
  assert (list_to_string [ 1; 2 ] = "1;2");
  assert (string_of_format row = "%-5s|%4d\n")
