(* A type is wrong, a right one mentions it, a function mentions that: one error.
   signature:
     type suit = Hearts | Spades
     type card = { suit : suit; rank : int }
     type hand = card list
     val best : hand -> int
   tests:
     best [{ suit = Hearts; rank = 7 }] = 7
   error: ill-typed-item suit: Spades is missing
     - type suit = Hearts
     + type suit = Hearts | Spades
*)
type suit = Hearts
type card = { suit : suit; rank : int }
type hand = card list

let best hand = List.fold_left (fun best card -> max best card.rank) 0 hand
