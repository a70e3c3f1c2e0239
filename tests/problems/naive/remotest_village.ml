(* concatenates lists at every village *)
type village = Village of string * (int * village) list

(* A village with the length of the longest way that leads away from the root. *)
type measured = { name : string; depth : int; roads : (int * measured) list }

let rec measure (Village (name, roads)) =
  let roads = List.map (fun (length, village) -> (length, measure village)) roads in
  { name; depth = List.fold_left (fun depth (length, m) -> max depth (length + m.depth)) 0 roads; roads }

let farthest valley =
  (* [m] and all behind it, in front of [behind]; [back] is the longest way from [m] that does not lead away from the
     root. *)
  let rec spread back m behind =
    let add (first, second) (length, m) =
      let way = length + m.depth in
      (max first way, max second (min first way))
    in
    let first, second = List.fold_left add (back, back) m.roads in
    let go_on (length, next) behind =
      let other = if length + next.depth = first then second else first in
      spread (length + other) next behind
    in
    (m.name, first) :: List.concat_map (fun r -> go_on r []) m.roads @ behind
  in
  spread 0 (measure valley) []

let centres valley =
  let all = farthest valley in
  let smallest = List.fold_left (fun d (_, distance) -> min d distance) max_int all in
  List.filter_map (fun (name, distance) -> if distance = smallest then Some name else None) all
