type t = { from : int; upto : int; text : string }

let apply source edits =
  let out = Buffer.create (String.length source + 64) in
  let step at edit =
    Buffer.add_substring out source at (edit.from - at);
    Buffer.add_string out edit.text;
    edit.upto
  in
  let at = List.fold_left step 0 edits in
  Buffer.add_substring out source at (String.length source - at);
  Buffer.contents out

let is_word_char = function 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' | '\'' -> true | _ -> false

let mentions word text =
  let size = String.length word and length = String.length text in
  let is_edge at = at < 0 || at >= length || not (is_word_char text.[at]) in
  let rec look at =
    at + size <= length
    && ((String.sub text at size = word && is_edge (at - 1) && is_edge (at + size)) || look (at + 1))
  in
  look 0

(* Is a text one token, or one bracket with all in it? *)
let is_atomic text =
  let length = String.length text in
  let is_word = String.for_all (fun c -> is_word_char c || c = '.') in
  let is_token = is_word text || (text.[0] = '!' && is_word (String.sub text 1 (length - 1))) in
  let rec closes depth at =
    match text.[at] with
    | '(' | '[' | '{' -> closes_after (depth + 1) at
    | ')' | ']' | '}' -> closes_after (depth - 1) at
    | '"' | '\'' | '*' when text.[at] <> '*' || text.[at - 1] = '(' -> false
    | _ -> closes_after depth at
  and closes_after depth at = if at = length - 1 then depth = 0 else depth > 0 && closes depth (at + 1) in
  length > 0 && (is_token || ((text.[0] = '(' || text.[0] = '[') && closes 0 0))

let in_parentheses text = "(" ^ text ^ ")"
let as_operand text = if is_atomic text then text else in_parentheses text

let bare text =
  let length = String.length text in
  if length > 2 && text.[0] = '(' && is_atomic text then String.trim (String.sub text 1 (length - 2)) else text
