(* inserts each item into a list in order *)
let pass code ~at items =
  let key item = let c = code item in if at < String.length c then 1 + Char.code c.[at] else 0 in
  let keyed = List.map (fun i -> (key i, i)) (Array.to_list items) in
  let rec insert (k, x) = function (k', y) :: r when k' <= k -> (k', y) :: insert (k, x) r | r -> (k, x) :: r in
  Array.of_list (List.map snd (List.fold_left (fun l x -> insert x l) [] keyed))

let longest code items = Array.fold_left (fun n item -> max n (String.length (code item))) 0 items

let sort code items =
  let rec passes at items = if at < 0 then items else passes (at - 1) (pass code ~at items) in
  passes (longest code items - 1) (Array.copy items)

let places code items =
  let sorted = sort (fun i -> code items.(i)) (Array.init (Array.length items) Fun.id) in
  let places = Array.copy sorted in
  Array.iteri (fun place i -> places.(i) <- place) sorted;
  places
