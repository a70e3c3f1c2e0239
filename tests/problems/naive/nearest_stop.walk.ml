(* finds a stop by halving, and walks back over equal ones *)
(* The index of the first stop that is at least [x], or the number of stops. *)
let first_from stops x =
  let rec search lo hi =
    if lo = hi then lo
    else
      let mid = (lo + hi) / 2 in
      if stops.(mid) < x then search (mid + 1) hi else search lo mid
  in
  search 0 (Array.length stops)

let nearest stops x =
  match (first_from stops x, Array.length stops) with
  | _, 0 -> None
  | 0, _ -> Some 0
  | i, n when i < n && stops.(i) - x < x - stops.(i - 1) -> Some i
  | i, _ -> let rec back i = if i > 0 && stops.(i-1) = stops.(i) then back (i-1) else i in Some (back (i-1))

let within stops x radius = first_from stops (x + radius + 1) - first_from stops (x - radius)
