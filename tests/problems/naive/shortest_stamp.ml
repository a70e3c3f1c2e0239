(* tries every length *)
let makes w l =
  let n = String.length w in
  let s = String.sub w 0 l in
  let rec go printed i = if printed = n then true else if i > printed || i + l > n then false
    else if String.sub w i l = s then go (i + l) (i + 1) else go printed (i + 1) in
  go 0 0
let stamp w = let n = String.length w in let rec f l = if l >= n then w else if makes w l then String.sub w 0 l else f (l + 1) in if n = 0 then "" else f 1
let prints ~stamp word =
  let length = String.length stamp in
  let fits i = i + length <= String.length word && String.sub word i length = stamp in
  (* The last place from i down to the limit where the stamp fits. *)
  let rec latest i limit = if i < limit then None else if fits i then Some i else latest (i - 1) limit in
  let rec go printed =
    if printed = String.length word then Some []
    else
      match latest printed (max 0 (printed - length + 1)) with
      | None -> None
      | Some i -> Option.map (List.cons i) (go (i + length))
  in
  go 0
