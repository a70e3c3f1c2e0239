(* Builds cyclic values for its own use and answers with finite ones.
   signature:
     val josephus : int -> int -> int
     val take_cycle : int -> int list
   tests:
     josephus 7 3 = 4
     take_cycle 5 = [1; 2; 1; 2; 1]
*)
type node = { id : int; mutable next : node }

let ring n =
  let rec first = { id = 1; next = first } in
  let last = ref first in
  for id = 2 to n do
    let node = { id; next = first } in
    !last.next <- node;
    last := node
  done;
  !last

let josephus n k =
  let rec skip node k = if k = 1 then node else skip node.next (k - 1) in
  let rec go node = if node.next == node then node.id else begin
      let before = skip node k in
      before.next <- before.next.next;
      go before
    end in
  go (ring n)

let rec ones = 1 :: twos and twos = 2 :: ones
let take_cycle n = let rec go n l = if n = 0 then [] else List.hd l :: go (n - 1) (List.tl l) in go n ones
