(* Random in a program whose output is settled, and Format margins.
   kind: program
   stdin:
     4
   stdout:
     sorted: 1, 2, 3, 4
*)
let () =
  Random.self_init ();
  let n = read_int () in
  let a = Array.init n succ in
  Array.iteri (fun i x -> let j = Random.int n in a.(i) <- a.(j); a.(j) <- x) a;
  Array.sort compare a;
  Format.set_margin 40;
  Format.printf "@[<hov 2>sorted: %a@]@."
    (Format.pp_print_list ~pp_sep:(fun ppf () -> Format.fprintf ppf ",@ ") Format.pp_print_int)
    (Array.to_list a)
