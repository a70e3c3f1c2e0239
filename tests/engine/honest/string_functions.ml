(* The usual functions of String and Char.
   signature:
     val title : string -> string
     val slug : string -> string
     val is_palindrome : string -> bool
   tests:
     title "the quick  fox" = "The Quick  Fox"
     slug "  Hello, World! " = "hello-world"
     is_palindrome "A man, a plan" = false
     is_palindrome "Never odd or even" = true
*)
let title s = String.split_on_char ' ' s |> List.map String.capitalize_ascii |> String.concat " "

let letters s =
  String.to_seq (String.lowercase_ascii s)
  |> Seq.filter (fun c -> (c >= 'a' && c <= 'z') || c = ' ')
  |> String.of_seq

let slug s = letters s |> String.trim |> String.split_on_char ' ' |> List.filter (( <> ) "") |> String.concat "-"

let is_palindrome s =
  let s = String.concat "" (String.split_on_char ' ' (letters s)) in
  let n = String.length s in
  String.equal s (String.init n (fun i -> s.[n - 1 - i]))

let () =
  assert (String.sub "hello" 1 3 = "ell" && String.index_opt "abc" 'c' = Some 2);
  assert (String.starts_with ~prefix:"ab" "abc" && not (String.contains "abc" 'd'));
  assert (String.escaped "a\nb" = "a\\nb" && Char.escaped '\t' = "\\t");
  assert (String.map Char.uppercase_ascii "ab" = "AB" && String.rindex "aba" 'a' = 2)
