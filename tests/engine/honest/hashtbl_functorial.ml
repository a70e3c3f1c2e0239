(* A Hashtbl over keys of its own, with Hashtbl.hash and a case-insensitive equality.
   signature:
     val lookup : (string * int) list -> string -> int option
     val bucket : int -> string -> bool
   tests:
     lookup ["One", 1; "two", 2] "TWO" = Some 2
     lookup [] "x" = None
     bucket 8 "hello" = true
*)
module Table = Hashtbl.Make (struct
  type t = string

  let equal a b = String.lowercase_ascii a = String.lowercase_ascii b
  let hash s = Hashtbl.hash (String.lowercase_ascii s)
end)

let lookup pairs key =
  let table = Table.create 7 in
  List.iter (fun (k, v) -> Table.add table k v) pairs;
  Table.find_opt table key

let bucket n s =
  let b = Hashtbl.hash s mod n in
  b >= 0 && b < n && Hashtbl.seeded_hash 3 s >= 0
