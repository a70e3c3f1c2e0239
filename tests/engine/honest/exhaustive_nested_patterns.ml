(* Or-patterns, aliases, ranges, nested constructors, when, and exception cases in one match.
   signature:
     type token = Num of int | Op of char | Paren of bool
     val tokens : string -> token list
     val simplify : int list -> string
   tests:
     tokens "1+(23)" = [Num 1; Op '+'; Paren true; Num 23; Paren false]
     simplify [0; 5] = "starts with zero, then 5"
     simplify [] = "nothing"
     simplify [7; 7; 1] = "double 7"
*)
type token = Num of int | Op of char | Paren of bool

let tokens s =
  let n = String.length s in
  let rec go i =
    match s.[i] with
    | exception Invalid_argument _ -> []
    | ' ' | '\t' -> go (i + 1)
    | '0' .. '9' ->
      let j = ref i in
      while !j < n && (match s.[!j] with '0' .. '9' -> true | _ -> false) do incr j done;
      Num (int_of_string (String.sub s i (!j - i))) :: go !j
    | ('(' | ')') as c -> Paren (c = '(') :: go (i + 1)
    | ('+' | '-' | '*' | '/') as c -> Op c :: go (i + 1)
    | c -> failwith (Printf.sprintf "unexpected %C" c)
  in
  go 0

let simplify = function
  | [] -> "nothing"
  | (0 as _zero) :: (5 as x | x) :: _ when x > 0 -> Printf.sprintf "starts with zero, then %d" x
  | x :: y :: _ when x = y -> Printf.sprintf "double %d" x
  | [ _ ] | _ :: _ -> "something"
