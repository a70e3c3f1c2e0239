(* Labels, optional arguments with and without defaults, punning, omission and ListLabels.
   signature:
     val range : ?start:int -> ?step:int -> int -> int list
     val replace : in_:string -> what:char -> by:char -> string
     val label : ?prefix:string -> string -> string
   tests:
     range 3 = [0; 1; 2]
     range ~start:2 ~step:3 9 = [2; 5; 8]
     replace ~what:'a' ~by:'b' ~in_:"banana" = "bbnbnb"
     label ~prefix:"Dr." "Who" = "Dr. Who"
     label "Who" = "Who"
*)
let rec range ?(start = 0) ?(step = 1) stop =
  if start >= stop then [] else start :: range ~start:(start + step) ~step stop

let replace ~in_ ~what ~by = String.map (fun c -> if c = what then by else c) in_
let label ?prefix name = match prefix with None -> name | Some p -> p ^ " " ^ name
let twice ?prefix name = label ?prefix (label ?prefix name)

let () =
  assert (twice ~prefix:"a" "b" = "a a b");
  assert (ListLabels.fold_left ~f:( + ) ~init:0 [ 1; 2 ] = 3);
  assert (StringLabels.concat ~sep:"-" [ "x"; "y" ] = "x-y")
