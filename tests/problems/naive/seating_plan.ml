(* keeps a list of pairs *)
type plan = (int * string) list
let empty = []
let seat_of g p = Option.map fst (List.find_opt (fun (_, x) -> x = g) p)
let guest_at s p = List.assoc_opt s p
let stand g p = List.filter (fun (_, x) -> x <> g) p
let sit g s p =
  match guest_at s p, seat_of g p with
  | Some x, _ when x = g -> p
  | None, _ -> (s, g) :: stand g p
  | Some o, None -> (s, g) :: stand o p
  | Some o, Some t -> (s, g) :: (t, o) :: stand o (stand g p)
let seated p = List.sort compare p
let close_up p = List.mapi (fun i (_, g) -> (i + 1, g)) (seated p)
let agree a b = List.sort compare (List.filter_map (fun (s, g) -> if seat_of g b = Some s then Some g else None) a)
