let unit_prefix = "Solution#"
let module_prefix = "module#"
let unit_name n = unit_prefix ^ string_of_int n
let module_name n = module_prefix ^ string_of_int n
let is_tail c = c = '#' || c = '.' || (c >= '0' && c <= '9')

let starts_at text at prefix =
  let size = String.length prefix in
  at + size <= String.length text && String.equal (String.sub text at size) prefix

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
