(* Counts words in a Hashtbl; sorts what comes out.
   signature:
     val frequencies : string list -> (string * int) list
   tests:
     frequencies ["b"; "a"; "b"] = [("a", 1); ("b", 2)]
     frequencies [] = []
*)
let frequencies words =
  let table : (string, int) Hashtbl.t = Hashtbl.create ~random:false 16 in
  List.iter
    (fun w -> Hashtbl.replace table w (1 + Option.value ~default:0 (Hashtbl.find_opt table w)))
    words;
  assert (Hashtbl.length table <= List.length words);
  ignore (Hashtbl.stats table);
  Hashtbl.fold (fun w n acc -> (w, n) :: acc) table [] |> List.sort compare
