(* Matches on mutable fields, arrays and lazy values beside guards: legal, and the guards only read.
   signature:
     type cell = { mutable value : int option; mutable next : cell list }
     val step : cell -> string
     val first_two : int array -> string
     val forced : int list Lazy.t -> bool -> int
   tests:
     step { value = Some 3; next = [] } = "small 3"
     step { value = Some 30; next = [] } = "big leaf"
     step { value = None; next = [{ value = None; next = [] }] } = "empty inner"
     first_two [|1; 2|] = "ascending"
     first_two [|2; 1|] = "other"
     forced (lazy [1; 2]) true = 1
     forced (lazy [1; 2]) false = 2
*)
type cell = { mutable value : int option; mutable next : cell list }

let step cell =
  match cell with
  | { value = Some n; _ } when n < 10 -> Printf.sprintf "small %d" n
  | { value = Some n; next = [] } when n >= 10 -> "big leaf"
  | { value = Some _; next = _ :: _ } -> "big inner"
  | { value = None; next = [] } -> "empty leaf"
  | { value = None; next = { value = None; _ } :: _ } when cell.next <> [] -> "empty inner"
  | _ -> "other"

let first_two = function
  | [| a; b |] when a < b -> "ascending"
  | [| _; _ |] -> "other"
  | [||] -> "none"
  | _ -> "long"

let forced list flag =
  match list with
  | (lazy (x :: _)) when flag -> x
  | (lazy [ _; y ]) -> y
  | _ -> 0
