(* Binding operators: let*, and+, let+.
   signature:
     val parse_sum : string -> string -> int option
     val both : int option -> int option -> (int * int) option
     val checked : int -> (int, string) result
   tests:
     parse_sum "3" "4" = Some 7
     parse_sum "3" "x" = None
     both (Some 1) None = None
     both (Some 1) (Some 2) = Some (1, 2)
     checked 150 = Error "too big"
     checked 8 = Ok 16
*)
let ( let* ) = Option.bind
let ( let+ ) x f = Option.map f x
let ( and+ ) a b = match a, b with Some a, Some b -> Some (a, b) | _ -> None

let parse_sum a b =
  let* a = int_of_string_opt a in
  let* b = int_of_string_opt b in
  Some (a + b)

let both a b =
  let+ a = a
  and+ b = b in
  a, b

let checked n =
  let ( let* ) = Result.bind in
  let* n = if n > 100 then Error "too big" else Ok n in
  let* n = if n < 0 then Error "negative" else Ok n in
  Ok (2 * n)
