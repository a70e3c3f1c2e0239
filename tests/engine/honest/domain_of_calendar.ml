(* Ordinary validation code with assertions, invalid_arg, failwith and assert false.
   signature:
     val days : int -> int -> int
     val weekday : int -> int -> int -> string
   tests:
     days 2024 2 = 29
     days 1900 2 = 28
     (match days 2000 13 with exception Invalid_argument _ -> true | _ -> false)
     weekday 2024 2 29 = "Thursday"
*)
let leap y = (y mod 4 = 0 && y mod 100 <> 0) || y mod 400 = 0

let days year month =
  match month with
  | 2 -> if leap year then 29 else 28
  | 4 | 6 | 9 | 11 -> 30
  | m when m >= 1 && m <= 12 -> 31
  | m -> invalid_arg (Printf.sprintf "days: month %d" m)

let names = [| "Sunday"; "Monday"; "Tuesday"; "Wednesday"; "Thursday"; "Friday"; "Saturday" |]

let weekday y m d =
  assert (d >= 1 && d <= days y m);
  let shift = [| 0; 3; 2; 5; 0; 3; 5; 1; 4; 6; 2; 4 |] in
  let y = if m < 3 then y - 1 else y in
  names.((y + (y / 4) - (y / 100) + (y / 400) + shift.(m - 1) + d) mod 7)
