(* A functor over an ordered type, asked for in the signature.
   signature:
     module type ORDERED = sig type t val compare : t -> t -> int end
     module Heap : functor (O : ORDERED) -> sig
       type t
       val empty : t
       val insert : O.t -> t -> t
       val pop : t -> (O.t * t) option
       val to_sorted_list : t -> O.t list
     end
     val heapsort : int list -> int list
   tests:
     heapsort [4; 2; 9; 2] = [2; 2; 4; 9]
     let module H = Heap (String) in H.to_sorted_list (H.insert "b" (H.insert "a" H.empty)) = ["a"; "b"]
     let module H = Heap (Int) in H.pop H.empty = None
*)
module type ORDERED = sig
  type t

  val compare : t -> t -> int
end

module Heap (O : ORDERED) = struct
  type t = Leaf | Node of int * O.t * t * t

  let empty = Leaf
  let rank = function Leaf -> 0 | Node (r, _, _, _) -> r

  let make x a b =
    if rank a >= rank b then Node (rank b + 1, x, a, b) else Node (rank a + 1, x, b, a)

  let rec merge a b =
    match a, b with
    | Leaf, h | h, Leaf -> h
    | Node (_, x, l, r), Node (_, y, _, _) when O.compare x y <= 0 -> make x l (merge r b)
    | _, Node (_, y, l, r) -> make y l (merge a r)

  let insert x h = merge (Node (1, x, Leaf, Leaf)) h
  let pop = function Leaf -> None | Node (_, x, l, r) -> Some (x, merge l r)
  let rec to_sorted_list h = match pop h with None -> [] | Some (x, h) -> x :: to_sorted_list h
end

module Int_heap = Heap (Int)

let heapsort l = Int_heap.(to_sorted_list (List.fold_left (fun h x -> insert x h) empty l))
