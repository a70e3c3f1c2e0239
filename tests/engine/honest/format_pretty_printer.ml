(* A pretty-printer for a recursive type, used through asprintf and to stderr.
   signature:
     type expr = Num of int | Add of expr * expr | Mul of expr * expr
     val show : expr -> string
   tests:
     show (Num 3) = "3"
     show (Mul (Add (Num 1, Num 2), Num 4)) = "(1 + 2) * 4"
     show (Add (Num 1, Mul (Num 2, Num 4))) = "1 + 2 * 4"
*)
type expr = Num of int | Add of expr * expr | Mul of expr * expr

let rec pp ppf = function
  | Num n -> Format.pp_print_int ppf n
  | Add (a, b) -> Format.fprintf ppf "%a + %a" pp a pp b
  | Mul (a, b) -> Format.fprintf ppf "%a * %a" pp_atom a pp_atom b

and pp_atom ppf = function
  | Add _ as e -> Format.fprintf ppf "(%a)" pp e
  | e -> pp ppf e

let show e =
  Format.eprintf "@[showing %a@]@." pp e;
  Format.asprintf "%a" pp e
