(* searches a list for each sock *)
let pair_up socks =
  let pairs, alone = List.fold_left (fun (pairs, alone) s -> if List.mem s alone then (s :: pairs, List.filter (fun x -> x <> s) alone) else (pairs, s :: alone)) ([], []) socks in
  (List.rev pairs, List.rev alone)
