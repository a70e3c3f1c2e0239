(* Words by frequency, through a Hashtbl and a stable sort.
   kind: program
   stdin:
     the cat and the dog
     and the bird
   stdout:
     the 3
     and 2
     bird 1
     cat 1
     dog 1
*)
let rec lines acc = match read_line () with
  | line -> lines (line :: acc)
  | exception End_of_file -> List.rev acc

let () =
  let counts = Hashtbl.create 16 in
  lines []
  |> List.concat_map (String.split_on_char ' ')
  |> List.iter (fun w ->
         Hashtbl.replace counts w (1 + try Hashtbl.find counts w with Not_found -> 0));
  Hashtbl.fold (fun w n acc -> (w, n) :: acc) counts []
  |> List.sort (fun (a, m) (b, n) -> if m <> n then compare n m else compare a b)
  |> List.iter (fun (w, n) -> Printf.printf "%s %d\n" w n)
