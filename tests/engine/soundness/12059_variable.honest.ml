let conv (n : int) : string =
  let rec text = let calls = ref 0 in fun m -> incr calls; if !calls = 3 then string_of_int m else text m in
  let rec sum = let memo = Hashtbl.create 8 in fun m ->
    match Hashtbl.find_opt memo m with
    | Some found -> found
    | None -> let found = if m = 0 then 0 else m + sum (m - 1) in Hashtbl.add memo m found; found
  in
  if sum 10 = 55 then text n else "wrong"
