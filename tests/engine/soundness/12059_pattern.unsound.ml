(* below 5.2 *)
(* Bytecode does not look for the size of a block behind a pattern that may fail, and puts 0 in its place. *)
type (_, _) chain = Refl : ('a, 'a) chain | Link : ('a, 'b) chain -> ('a, 'b) chain
let cast (type a b) (x : a) : (a, b) chain -> b = function Link Refl -> x | _ -> failwith "sound"
let conv (n : int) : string =
  let rec chain : (int, string) chain = let 0 = Sys.opaque_identity 0 in Link chain in
  cast n chain
