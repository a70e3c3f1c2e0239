(* A bank account with mutable fields, update syntax and functional update.
   signature:
     type account = { owner : string; mutable balance : int; mutable history : int list }
     val make : string -> account
     val deposit : account -> int -> unit
     val after : int list -> int * int list
   tests:
     after [5; 10; -3] = (12, [-3; 10; 5])
     (let a = make "x" in deposit a 5; a.balance) = 5
     (make "bob").owner = "bob"
*)
type account = { owner : string; mutable balance : int; mutable history : int list }

let make owner = { owner; balance = 0; history = [] }

let deposit account amount =
  account.balance <- account.balance + amount;
  account.history <- amount :: account.history

let after amounts =
  let account = make "someone" in
  List.iter (deposit account) amounts;
  let copy = { account with owner = "copy" } in
  deposit copy 1000;
  account.balance, account.history
