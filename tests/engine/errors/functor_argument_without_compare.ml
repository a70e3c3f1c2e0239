(* The argument of Map.Make lacks compare; all that uses the map only follows.
   signature:
     val count : string list -> (string * int) list
   tests:
     count ["b"; "a"; "b"] = [("a", 1); ("b", 2)]
   error: functor-argument Map.Make: compare is missing
     - type t = string
     + type t = string let compare = String.compare
*)
module Word = struct
  type t = string
end

module Words = Map.Make (Word)

let add map word =
  let n = try Words.find word map with Not_found -> 0 in
  Words.add word (n + 1) map

let count words = Words.bindings (List.fold_left add Words.empty words)
