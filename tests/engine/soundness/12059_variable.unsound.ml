(* below 5.2 *)
(* The same behind a reference that the compiler makes a variable. *)
type (_, _) chain = Refl : ('a, 'a) chain | Link : ('a, 'b) chain -> ('a, 'b) chain
let cast (type a b) (x : a) : (a, b) chain -> b = function Link Refl -> x | _ -> failwith "sound"
let conv (n : int) : string =
  let rec chain : (int, string) chain = let count = ref 0 in incr count; Link chain in
  cast n chain
