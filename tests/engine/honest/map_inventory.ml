(* Map.Make with fold, update, union and bindings.
   signature:
     val inventory : (string * int) list -> (string * int) list
   tests:
     inventory ["nut", 2; "bolt", 1; "nut", 3] = [("bolt", 1); ("nut", 5)]
     inventory ["nut", 2; "nut", -2] = []
*)
module Inventory = Map.Make (String)

let add stock (name, n) =
  Inventory.update name
    (fun old -> match n + Option.value old ~default:0 with 0 -> None | total -> Some total)
    stock

let inventory items = Inventory.bindings (List.fold_left add Inventory.empty items)
