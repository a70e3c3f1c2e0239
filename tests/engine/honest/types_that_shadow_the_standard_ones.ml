(* Redefines list, option, result, unit-like constructors, Some, and a module List.
   signature:
     type tree = Nil | Cons of int * tree
     val sum : tree -> int
     val of_array : int array -> tree
   tests:
     sum (of_array [|1; 2; 3|]) = 6
     of_array [||] = Nil
*)
type tree = Nil | Cons of int * tree
type 'a option = None | Some of 'a
type ('a, 'b) result = Ok of 'a | Error of 'b

module List = struct
  let rec fold f acc = function Nil -> acc | Cons (x, rest) -> fold f (f acc x) rest
end

let sum t = match Some (List.fold ( + ) 0 t) with Some n -> n | None -> 0
let of_array a = Array.fold_right (fun x t -> Cons (x, t)) a Nil
let check x = if x > 0 then Ok x else Error "negative"
