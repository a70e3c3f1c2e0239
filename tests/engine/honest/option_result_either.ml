(* The combinators of Option, Result and Either.
   signature:
     val half : int -> int option
     val parse_all : string list -> (int list, string) result
     val split : (int, string) Either.t list -> int list * string list
   tests:
     Option.bind (half 12) half = Some 3
     half 3 = None
     parse_all ["1"; "2"] = Ok [1; 2]
     parse_all ["1"; "x"; "y"] = Error "x"
     split [Either.Left 1; Either.Right "a"; Either.Left 2] = ([1; 2], ["a"])
*)
let half n = if n mod 2 = 0 then Some (n / 2) else None

let parse_all strings =
  List.fold_right
    (fun s rest ->
       let parsed = Option.to_result ~none:s (int_of_string_opt s) in
       Result.bind parsed (fun n -> Result.map (fun l -> n :: l) rest))
    strings (Ok [])

let split list = List.partition_map Fun.id list

let () =
  assert (Option.fold ~none:0 ~some:succ (Some 1) = 2);
  assert (Result.is_ok (Ok 1) && Result.get_ok (Ok 1) = 1);
  assert (Either.find_left (Either.left 3) = Some 3);
  assert (Option.get (Some 1) = 1 && Option.is_none None)
