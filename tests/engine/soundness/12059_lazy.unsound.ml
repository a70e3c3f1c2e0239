(* below 5.2 *)
(* A lazy value of a variable is that variable, and no block of a size that is known beforehand. *)
type (_, _) chain = Refl : ('a, 'a) chain | Link : ('a, 'b) chain Lazy.t -> ('a, 'b) chain
let cast (type a b) (x : a) : (a, b) chain -> b = function Link (lazy Refl) -> x | _ -> failwith "sound"
let conv (n : int) : string =
  let rec chain : (int, string) chain Lazy.t =
    let link = if Sys.opaque_identity true then Link chain else Link chain in
    lazy link
  in
  cast n (Lazy.force chain)
