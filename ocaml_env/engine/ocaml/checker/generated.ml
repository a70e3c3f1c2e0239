let solution = "Solution"
let program = "Program"
let tests = "Tests#"
let examples = "Examples#"
let unit_prefix = solution ^ "#"
let module_prefix = "module#"
let unit_name n = unit_prefix ^ string_of_int n
let module_name n = module_prefix ^ string_of_int n
let is_tail c = c = '#' || c = '.' || (c >= '0' && c <= '9')

let starts_at text at prefix =
  let size = String.length prefix in
  at + size <= String.length text && String.equal (String.sub text at size) prefix

let linked_name name = if starts_at name 0 unit_prefix then solution else name

let is_in_path = function 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' | '\'' | '.' | '#' -> true | _ -> false

let named_by_ocaml text =
  let through_a_module () = List.exists (String.starts_with ~prefix:module_prefix) (String.split_on_char '.' text) in
  let in_unit unit = String.starts_with ~prefix:(unit ^ ".") text in
  if String.contains text '#' && List.exists in_unit [ solution; program ] && String.for_all is_in_path text && through_a_module ()
  then
    let last = 1 + String.rindex text '.' in
    String.sub text last (String.length text - last)
  else text

let hide text =
  if not (String.contains text '#') then text
  else
    let out = Buffer.create (String.length text) in
    let rec copy at =
      if at < String.length text then
        match List.find_opt (starts_at text at) [ unit_prefix; module_prefix ] with
        | Some prefix -> skip (at + String.length prefix)
        | None ->
            Buffer.add_char out text.[at];
            copy (at + 1)
    and skip at = if at < String.length text && is_tail text.[at] then skip (at + 1) else copy at in
    copy 0;
    Buffer.contents out
